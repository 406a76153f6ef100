/* SPDX-License-Identifier: MIT */
/*
 * lib/port/zephyr/timeout_jif.h - Zephyr's queue of time-outs: jif's wheel
 *
 * For kernel/timeout.c of Zephyr, which includes it, in place of one of its
 * own. Its lock is held in all calls, and is let go of after each entry that
 * runs or is moved and, in an announcement, some that are looked at.
 *
 * TIME
 *
 * now goes with the kernel's curr_tick, which tests set: what waits keeps what
 * it has left. The wheel's clock is the low half of now or, while nothing is
 * due, of a time before it. Nothing is due before soonest; if first is known,
 * it is due then. Up to until, STEP after the clock at most, ticks are counted
 * only: an announcement moves now there, and then the clock.
 *
 * What is further than the wheel is taken waits on one of two lists, its expiry
 * in two halves. When one gets near, all go, one by one: to the wheel, in front
 * of what was armed later, or to the other list, to which new ones go.
 */
#ifndef JIF_ZEPHYR_TIMEOUT_JIF_H
#define JIF_ZEPHYR_TIMEOUT_JIF_H

/*
 * A program may have a wheel of its own beside this one, with its own port. For
 * this one, the kernel's lock is held: nothing comes between two accesses.
 */
#define jif_rings jif_timeout_rings
#undef JIF_PORT
#define JIF_PORT "none/jif_port.h"
#include "../../held.h"

/* The front end leaves it to this to count ticks. */
#define _TIMEOUT_BACKEND_OWNS_ANNOUNCE 1

#define JIF_TIMEOUT_NEVER	       UINT64_MAX
#define JIF_TIMEOUT_STEP	       (UINT32_C(1) << 29)
#define JIF_TIMEOUT_NEAR	       ((UINT32_C(1) << 30) - 1)

enum { JIF_TIMEOUT_LOOK = 1, JIF_TIMEOUT_MOVES = 2 };

/**
 * struct jif_timeouts - the queue
 * @held:	what is near
 * @now:	the tick of the kernel
 * @soonest:	nothing is due before
 * @first:	what is due then, if that is known
 * @prior:	the first one before @first was added, unless @changed
 * @prior_due:	when that is due
 * @far:	the lists of what is far
 * @far_near:	STEP before something on them may be due
 * @until:	soonest or, before that, when the clock moves on
 * @key:	of the lock, in a search that lets others in
 * @in:		the list that takes new ones
 * @look:	whether it is not known, and an announcement is under way
 * @changed:	after that, or in a gap of a search, others came or went
 */
static struct jif_timeouts {
	struct held held;
	uint64_t now, soonest, prior_due, far_near, until;
	struct jif_timer *first, *prior, *far[2];
	k_spinlock_key_t key;
	uint8_t in, look;
	bool changed;
} jif_timeouts = {
	.held.wheel.hand = { SEC_FIRST, MIN_FIRST, HOUR_FIRST, DAY_FIRST,
			     WEEK_FIRST },
	.soonest = JIF_TIMEOUT_NEVER,
	.far_near = JIF_TIMEOUT_NEVER,
	.until = JIF_TIMEOUT_STEP,
};

/* Of one that is far: where is less than 0. */
static inline uint64_t jif_timeout_far_when(const struct jif_timer *timer)
{
	return (uint64_t) ~(uint32_t)timer->where << 32 | timer->remaining;
}

/* For how many ticks there is nothing to do. */
static inline uint32_t jif_timeout_quiet(void)
{
	return (uint32_t)jif_timeouts.until - (uint32_t)jif_timeouts.now;
}

/* In how many ticks it expires. */
static JIF_NOINLINE uint64_t jif_timeout_left(const struct jif_timer *timer)
{
	const struct jif_timeouts *q = &jif_timeouts;

	if (timer->where < 0)
		return jif_timeout_far_when(timer) - q->now;
	return (uint64_t)(int32_t)(expiry_of(&q->held.wheel, timer) -
				   (uint32_t)q->now);
}

static JIF_NOINLINE void jif_timeout_arm_far(struct jif_timer *timer,
					     uint64_t when, bool in_front)
{
	struct jif_timeouts *q = &jif_timeouts;

	if ((int64_t)when < 0)
		when = INT64_MAX;
	timer->remaining = (uint32_t)when;
	timer->where = (int)~(uint32_t)(when >> 32);
	if (!q->far[0] && !q->far[1])
		q->far_near = JIF_TIMEOUT_NEVER;
	timers_add_head(&q->far[q->in], timer);
	if (!in_front)
		q->far[q->in] = timer;
	if (when - JIF_TIMEOUT_STEP < q->far_near)
		q->far_near = when - JIF_TIMEOUT_STEP;
}

/* True if it is the first now. */
static inline bool z_timeout_q_insert(struct _timeout *to, k_ticks_t dticks)
{
	struct jif_timeouts *q = &jif_timeouts;
	uint64_t when = q->now + (uint64_t)dticks;

	__ASSERT(z_is_inactive_timeout(to), "a time-out is added twice");
	if (dticks <= JIF_TIMEOUT_NEAR)
		held_arm(&q->held, &to->timer, (uint32_t)when);
	else
		jif_timeout_arm_far(&to->timer, when, false);
	q->changed = true;
	if (when >= q->soonest)
		return false;
	q->prior = NULL;
	/* When one of the weeks is aborted, a search has to set far_due. */
	if (q->until == q->soonest && to->timer.where < (int)WEEK_FIRST)
		q->prior = q->first;
	q->prior_due = q->soonest;
	q->soonest = when;
	if (when < q->until)
		q->until = when;
	q->first = &to->timer;
	q->look &= JIF_TIMEOUT_MOVES;
	q->changed = q->look;
	return true;
}

static inline bool jif_timeout_none(void)
{
	const struct jif_timeouts *q = &jif_timeouts;

	return !q->far[0] && !q->far[1] && is_empty(&q->held.wheel);
}

/* True if it was the first, as far as that is known, or nothing is left. */
static inline bool z_timeout_q_remove(struct _timeout *to)
{
	struct jif_timeouts *q = &jif_timeouts;
	struct jif_timer *timer = &to->timer;

	__ASSERT(!z_is_inactive_timeout(to), "it is not in the queue");
	if (timer->where < 0) {
		/* Only the list of which it is the tail needs to be known. */
		timers_del(&q->far[timer == q->far[1]], timer);
		timer->where = JIF_TIMER_IDLE;
	} else {
		held_del(&q->held, timer);
	}
	if (timer == q->first) {
		q->first = q->changed ? NULL : q->prior;
		q->changed = true;
		if (q->first)
			q->until = q->soonest = q->prior_due;
		else
			q->look |= JIF_TIMEOUT_LOOK;
		return true;
	}
	q->changed = true;
	if (q->first || !jif_timeout_none())
		return false;
	q->soonest = JIF_TIMEOUT_NEVER;
	return true;
}

static inline k_ticks_t z_timeout_q_remainder(const struct _timeout *to)
{
	return (k_ticks_t)jif_timeout_left(&to->timer);
}

/* What is first after @clock, if that is not known, or is not before STEP. */
static JIF_NOINLINE void jif_timeout_beyond(const struct held_first *found,
					    uint64_t clock)
{
	struct jif_timeouts *q = &jif_timeouts;
	uint64_t when = JIF_TIMEOUT_NEVER;

	if (found->ticks != UINT32_MAX)
		when = clock + found->ticks;
	if (!found->timer && when < q->soonest)
		when = q->soonest;
	if ((q->far[0] || q->far[1]) && q->far_near < when &&
	    q->far_near + JIF_TIMEOUT_STEP < when) {
		when = q->far_near + JIF_TIMEOUT_STEP;
		q->first = NULL;
	}
	clock += JIF_TIMEOUT_STEP;
	q->soonest = when;
	q->until = when < clock ? when : clock;
}

/*
 * Looks for what is first. What others who were let in have added for this tick
 * is first, and no search would find it: then nothing is looked for.
 */
static JIF_NOINLINE void jif_timeout_look(bool (*let_in)(void))
{
	struct jif_timeouts *q = &jif_timeouts;
	struct held_first found = { UINT32_MAX, NULL,
				    (let_in ? 4 : 1) * HELD_LOOKS, let_in };
	uint32_t behind;

	if (!let_in && q->held.wheel.slot[q->held.wheel.hand[SEC] - 1])
		return;
	if (!held_find(&q->held, &found)) {
		jif_timeout_look(NULL);
		return;
	}
	behind = (uint32_t)q->now - clock_of(&q->held.wheel);
	q->first = found.timer;
	q->look = 0;
	if (found.timer && found.ticks <= JIF_TIMEOUT_STEP)
		q->until = q->soonest = q->now + (found.ticks - behind);
	else
		jif_timeout_beyond(&found, q->now - behind);
}

/* While entries are on their way, what was known before is true. */
static inline k_ticks_t z_timeout_q_next_expiry(void)
{
	struct jif_timeouts *q = &jif_timeouts;

	if (q->look == JIF_TIMEOUT_LOOK)
		jif_timeout_look(NULL);
	else if (q->look && jif_timeout_none())
		return K_TICKS_FOREVER;
	if ((int64_t)q->soonest < 0)
		return K_TICKS_FOREVER;
	return q->soonest > q->now ? (k_ticks_t)(q->soonest - q->now) : 0;
}

static inline k_spinlock_key_t jif_timeout_window(k_spinlock_key_t key)
{
	k_spin_unlock(&timeout_lock, key);
	return k_spin_lock(&timeout_lock);
}

static bool jif_timeout_let_in(void)
{
	jif_timeouts.changed = false;
	jif_timeouts.key = jif_timeout_window(jif_timeouts.key);
	return !jif_timeouts.changed;
}

/* What was far and is near now. */
static JIF_NOINLINE k_spinlock_key_t jif_timeout_bring_in(k_spinlock_key_t key)
{
	struct jif_timeouts *q = &jif_timeouts;
	unsigned from = q->in;
	struct jif_timer *timer;
	uint64_t when;

	q->in = !from;
	q->far_near = JIF_TIMEOUT_NEVER;
	while ((timer = q->far[from])) {
		timers_del(&q->far[from], timer);
		when = jif_timeout_far_when(timer);
		if (when - q->now <= JIF_TIMEOUT_NEAR)
			held_arm_far(&q->held, timer, (uint32_t)when, true);
		else
			jif_timeout_arm_far(timer, when, true);
		key = jif_timeout_window(key);
	}
	return key;
}

/* What is due at the clock runs. */
static inline k_spinlock_key_t jif_timeout_run(k_spinlock_key_t key)
{
	_timeout_func_t fn;
	struct jif_timer *timer;
	struct _timeout *to;

	while ((timer = held_take_due(&jif_timeouts.held))) {
		to = CONTAINER_OF(timer, struct _timeout, timer);
		inflight_timeout = to;
		fn = to->fn;
		k_spin_unlock(&timeout_lock, key);
		fn(to);
		key = k_spin_lock(&timeout_lock);
		inflight_timeout = NULL;
	}
	return key;
}

/* The clock moves on to now, and what is due there runs. */
static inline k_spinlock_key_t jif_timeout_catch_up(k_spinlock_key_t key)
{
	struct jif_timeouts *q = &jif_timeouts;
	unsigned level;

	while ((level = held_step(&q->held.wheel, (uint32_t)q->now)) > 0)
		for (; level > MIN; level--)
			while (held_move(&q->held, level - 1))
				key = jif_timeout_window(key);
	return jif_timeout_run(key);
}

static inline void jif_timeout_advance(uint32_t ticks)
{
	jif_timeouts.now += ticks;
	curr_tick += ticks;
	announce_remaining -= ticks;
}

/* Who was let in last may have added something that is due on this tick. */
static inline k_spinlock_key_t z_timeout_q_announce(k_spinlock_key_t key)
{
	struct jif_timeouts *q = &jif_timeouts;

	while (announce_remaining >= jif_timeout_quiet()) {
		q->look = JIF_TIMEOUT_MOVES;
		q->prior = NULL;
		jif_timeout_advance(jif_timeout_quiet());
		if (q->now >= q->far_near)
			key = jif_timeout_bring_in(key);
		key = jif_timeout_catch_up(key);
		q->key = key;
		jif_timeout_look(jif_timeout_let_in);
		key = jif_timeout_window(q->key);
	}
	if (announce_remaining)
		jif_timeout_advance((uint32_t)announce_remaining);
	return key;
}

typedef void jif_timeout_tell_fn(void *arg, const struct _timeout *to,
				 k_ticks_t left);
void jif_timeouts_list(jif_timeout_tell_fn *tell, void *arg);

/*
 * For a shell or a debugger, which declares it: tells what is pending, and in
 * how many ticks it expires, in no order. The lock is held for all of it.
 */
void jif_timeouts_list(jif_timeout_tell_fn *tell, void *arg)
{
	struct jif_timeouts *q = &jif_timeouts;
	k_spinlock_key_t key = k_spin_lock(&timeout_lock);
	struct jif_timer *last, *timer;

	for (unsigned i = 0; i < LAST_SLOT + 2; i++) {
		last = i < LAST_SLOT ? q->held.wheel.slot[i] :
				       q->far[i - LAST_SLOT];
		timer = last;
		if (!timer)
			continue;
		do {
			timer = timer->next;
			tell(arg, CONTAINER_OF(timer, struct _timeout, timer),
			     (k_ticks_t)jif_timeout_left(timer));
		} while (timer != last);
	}
	k_spin_unlock(&timeout_lock, key);
}

#endif
