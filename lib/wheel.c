/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel.c - a cascading timer wheel, exact to the tick
 *
 * THE WHEEL
 *
 * Four rings of slots, read like a clock. Each ring has a hand, and a slot of
 * one ring is worth a whole turn of the ring below it:
 *
 *	level	    slots  ticks per slot	here at 21:30:02
 *
 *	3 days	    7	   86400	[ 0 1 2 3 4 5 6 ]
 *					  ^
 *	2 hours	    24	   3600		[ 0 1 ... 20 21 22 23 ]
 *						     ^	*	22, 1925 left
 *	1 minutes   60	   60		[ 0 1 ... 29 30 31 32 ... 59 ]
 *						     ^	   *	32, 5 left
 *	0 seconds   60	   1		[ 0 1 2 3 4 5 6 ... 58 59 ]
 *					      ^	    *		5, 0 left
 *
 * A "second" is a tick, whatever a tick may last. Every tick moves the hand of
 * the seconds on by one slot; a hand that comes round to slot 0 moves the next
 * one on by one. The clock, the hands, and the tick at which each hand moved
 * last, are all that tells the time. Hands are not computed from the clock:
 * 2^32 is no multiple of 604800.
 *
 * PLACING
 *
 * A timer that is due in d ticks waits on the lowest level whose ring spans d:
 *
 *	d < 60		seconds		Slot, counted from the hand on, and
 *	d < 3600	minutes		remaining value: quotient and rest of
 *	d < 86400	hours		the ticks from when the hand moved last,
 *	d < 604800	days		by the ticks per slot.
 *
 * The remaining value is what will be left of the time when the hand reaches
 * that slot. In the figure the clock shows 21:30:02, and a timer (*) is armed
 * for 1 h 2 min 3 s later. 3723 ticks are more than an hour: it goes to the
 * hours. 30 * 60 + 2 ticks of this hour are over, 5525 with the delay, which is
 * one slot on and 1925 ticks into it: hour slot 22, 1925 left.
 *
 * CASCADING
 *
 * Timers run from level 0 only. When a ring wraps, the slot that the hand above
 * it has just reached is emptied, and each entry goes one level down, to the
 * slot that its remaining value says. At 22:00:00 the timer of the figure goes
 * to minute slot 32 with 5 ticks left, at 22:32:00 to second slot 5, and at
 * 22:32:05 it runs. When several rings wrap at once, days are dealt out before
 * hours, and hours before minutes, so that a timer that is due at midnight
 * passes all levels within that tick.
 *
 * What is due in a week or later waits on a list of its own, and its remaining
 * value counts from tick 0. The wheel keeps the first tick at which any of it
 * may be due. When a week begins in which that tick is, the list is taken: each
 * entry goes down to the days or, if it is not due in that week, to a second
 * list, which is then the one that is armed into. In all other weeks it is left
 * alone. So all delays up to 2^31 - 1 ticks are exact.
 *
 * A slot is emptied in place, since nothing is armed into it meanwhile: when a
 * hand has just moved, all lower ones stand at 0, and then what the lower rings
 * do not span is due in a later slot.
 *
 * ORDER
 *
 * Timers of one tick run in the order in which they were armed. Arming appends.
 * For one and the same expiry, an entry on a higher level was armed earlier
 * than one on a lower level, because its delay was longer. So cascaded entries
 * go in front, and a slot is cascaded from its tail; also in front of what an
 * interrupt arms between two of them.
 *
 * POSTPONING
 *
 * A pending timer can be moved later by adding to its remaining value, without
 * touching any list. When its slot is reached, it is placed again. Its expiry
 * stays exact; its order among the timers of that tick is given up.
 *
 * IDLE TIME
 *
 * A bit per slot says whether it has entries. So the next slot with entries
 * that a hand reaches is found in a few steps, and time moves on to it, or to
 * the end of the run, at once: the ticks from the beginning of the week tell
 * where all hands point. Whole weeks move no hand. After a run, the wheel knows
 * for how many ticks of this minute there is nothing to do; until then, or
 * until a timer is armed, a tick only moves clock and second.
 *
 * CONTEXTS
 *
 * Any context may arm and disarm. One run at a time moves the hands. Interrupts
 * are off while lists and hands change, for one entry or one step of the hands
 * at a time, and the wheel is consistent whenever they are let in. A timer has
 * expired at the moment at which it is taken off for its callback: before that,
 * disarming it succeeds and the callback does not run; after that, it is idle
 * and its callback is under way.
 *
 * INVARIANTS
 *
 * W1	Each hand is within its ring, and moved when the lower ones say so.
 * W2	A timer is pending if and only if it is on exactly one list, that of its
 *	slot. A slot's bit is set if and only if it has entries.
 * W3	Slot and remaining value give exactly the expiry that was asked for.
 * W4	When a hand has just moved, all that is in its slot is due on this
 *	tick, and nothing is armed into it. What is armed into the slot under a
 *	hand later is due a full turn later.
 * W5	Timers of one expiry run in arming order.
 * W6	Every timer runs once per arming, on its tick, at any distance, over any
 *	pattern of single ticks and jumps, across the wrap of the counter.
 * W7	jif_wheel_next_stop() is never later than the first expiry.
 * W8	The work with interrupts off is bounded by a constant.
 * W9	An entry that was not postponed has less left than a slot of its level
 *	is worth, and is due within the span of its level. Nothing that waits
 *	for a later week is due sooner than the wheel knows.
 * W10	After a run, nothing is left on the list that was taken for this week.
 *
 * COST
 *
 * Arming and disarming take constant time, and so does a step, of any length.
 * An entry is moved at most three times before it runs, plus once for each week
 * in which something from that list is due; a postponed one, once more each
 * time its slot is reached. wheel_spread.h spreads the moves of a slot over
 * ticks.
 *
 * The arrangement is that of scheme 7 of G. Varghese and T. Lauck, Hashed and
 * Hierarchical Timing Wheels, SOSP 1987, with the clock's four levels that are
 * their example; choosing the level by the delay, and cascading a slot when the
 * level below wraps, is how Linux did it until 4.7.
 */
#include <jif/jiffies.h>
#include <jif/wheel.h>

#include "port/jif_port.h"
#include "shared.h"
#include "trace.h"
#include "wheel.h"
#include "wheel_debug.h"
#include "wheel_spread.h"

JIF_STATIC_ASSERT(WEEK_TICKS < JIF_DELAY_MAX, "a week is a delay");
JIF_STATIC_ASSERT(LAST_SLOT < JIF_TIMER_IDLE, "a slot is not taken for idle");
JIF_STATIC_ASSERT(LAST_SLOT < (jif_slot_t)-1 && MIN_FIRST <= UINT8_MAX &&
			  LAST_SLOT + TURNS * JIF_MIN_SLOTS <= (index_t)-1,
		  "slots, their sums and @quiet fit");

#define RING(unit)                                                             \
	{                                                                      \
		unit##_TICKS,                                                  \
			{ JIF_##unit##_MUL, JIF_##unit##_PRE,                  \
			  JIF_##unit##_SHIFT },                                \
			unit##_FIRST, TURNS *JIF_##unit##_SLOTS                \
	}

const struct ring jif_rings[LEVELS + 1] = {
	{ 1, { 1, 0, 0 }, SEC_FIRST, TURNS *JIF_SEC_SLOTS },
	RING(MIN),
	RING(HOUR),
	RING(DAY),
	{ WEEK_TICKS, { 0, 0, 0 }, WEEK_FIRST, TURNS + 1 },
	{ UINT32_MAX, { 0, 0, 0 }, LAST_SLOT + 1, 0 },
};

/*
 * Puts a timer at the head of the list for what is due at @expires, on the
 * lowest level that spans it, but not below @level. Returns that list.
 */
FAST struct jif_timer **place(struct jif_wheel *wheel, struct jif_timer *timer,
			      uint32_t expires, index_t level)
{
	const struct ring *lowest = &jif_rings[level];
	const struct ring *ring = jif_rings;
	const jif_slot_t *hand = wheel->hand;
	const uint32_t *moved = wheel->moved;
	struct jif_timer **list;
	unsigned slot = NO_SLOT;
	uint32_t slots;

	JIF_UNROLL(4)
	for (; ring != &jif_rings[WEEK]; ring++, hand++, moved++) {
		if (ring < lowest || !spans(wheel, ring, moved, expires))
			continue;
		slots = divide(expires - *moved, &ring->per_slot);
		timer->remaining = expires - *moved - slots * ring->ticks;
		slot = wrap(ring, (index_t)(*hand + slots));
		break;
	}
	if (slot == NO_SLOT)
		slot = note_far(wheel, timer, expires);
	list = list_of(wheel, slot);
	if (!last_of(wheel, slot))
		bitmap_set(wheel->occupied, slot);
	WRITE_SHARED(&timer->where, (int)slot);
	list_add_head(list, timer);
	return list;
}

/* Takes a pending timer off its list. */
static inline void dequeue(struct jif_wheel *wheel, struct jif_timer *timer)
{
	unsigned slot = (unsigned)timer->where;
	struct jif_timer **list = list_of(wheel, slot);

	if (list_del(list, timer))
		bitmap_clear(wheel->occupied, slot);
	WRITE_SHARED(&timer->where, JIF_TIMER_IDLE);
}

uint32_t jif_expiry_of(const struct jif_wheel *wheel,
		       const struct jif_timer *timer)
{
	unsigned slot = (unsigned)timer->where;
	unsigned level = level_of(slot);
	const struct ring *ring = &jif_rings[level];
	uint32_t visit;

	if (level == WEEK)
		return timer->remaining;
	visit = wheel->moved[level] +
		((uint32_t)slot - wheel->hand[level]) * ring->ticks;
	/* The hand has passed that slot, and gets there in its next turn. */
	if ((int32_t)(visit - wheel->clk) < 0)
		visit += ring->slots * ring->ticks;
	return visit + timer->remaining;
}

void jif_timer_init(struct jif_timer *timer, jif_timer_fn *fn)
{
	timer->fn = fn;
	timer->where = JIF_TIMER_NEW;
	trace_init(timer);
}

bool jif_timer_pending(const struct jif_timer *timer)
{
	LOOK_ANEW();
	return is_pending(timer);
}

/* What is due now, or past, runs on the next tick. */
static uint32_t not_past(const struct jif_wheel *wheel, uint32_t expires)
{
	return (int32_t)(expires - wheel->clk) > 0 ? expires : wheel->clk + 1;
}

/* Why a timer cannot be armed; 0 if it can. */
static int refuse(const struct jif_timer *timer)
{
	if (timer->where == JIF_TIMER_IDLE)
		return 0;
	if (is_pending(timer))
		return -JIF_EBUSY;
	return timer->where == JIF_TIMER_NEW && timer->fn ? 0 : -JIF_EINVAL;
}

/* A timer that is off all lists goes behind the others of its tick. */
FAST int add_locked(struct jif_wheel *wheel, struct jif_timer *timer,
		    uint32_t expires)
{
	int err = check_add(wheel, timer, expires, refuse(timer));

	if (err)
		return err;
	WRITE_SHARED(&wheel->quiet, 0);
	/* Lists are circular: the new head, made the tail, is appended. */
	*place(wheel, timer, not_past(wheel, expires), SEC) = timer;
	trace_slot(JIF_TRACE_START, wheel, timer, expires);
	return 0;
}

int jif_timer_add(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	int err = add_locked(wheel, timer, expires);

	jif_irq_restore(flags);
	return err;
}

static JIF_ALWAYS_INLINE int del_locked(struct jif_wheel *wheel,
					struct jif_timer *timer)
{
	int pending = is_on(wheel, timer);

	if (pending > 0) {
		dequeue(wheel, timer);
		trace_cancel(wheel, timer);
	}
	return pending;
}

bool jif_timer_del(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	int pending = del_locked(wheel, timer);

	/* A paused one is no longer: see is_paused() in delay.h. */
	if (!timer->next)
		timer->next = timer;
	jif_irq_restore(flags);
	return pending > 0;
}

static int mod_locked(struct jif_wheel *wheel, struct jif_timer *timer,
		      uint32_t expires)
{
	int pending = del_locked(wheel, timer);
	int err = pending;

	if (err >= 0)
		err = add_locked(wheel, timer, expires);
	return err ? err : pending;
}

int jif_timer_mod(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	int pending = mod_locked(wheel, timer, expires);

	jif_irq_restore(flags);
	return pending;
}

/* Re-arms if that is sooner; else postpones in place, if asked to. */
static int mod_if_sooner(struct jif_wheel *wheel, struct jif_timer *timer,
			 uint32_t expires, bool postpone)
{
	jif_irq_t flags = jif_irq_save();
	int pending = is_on(wheel, timer);
	uint32_t later = UINT32_MAX;

	if (pending)
		later = not_past(wheel, expires) - jif_expiry_of(wheel, timer);
	if (pending >= 0 && later > JIF_DELAY_MAX) {
		pending = mod_locked(wheel, timer, expires);
	} else if (pending > 0 && postpone) {
		timer->remaining += later;
		wheel->postponed = true;
		trace_slot(JIF_TRACE_POSTPONE, wheel, timer, expires);
	}
	jif_irq_restore(flags);
	return pending;
}

int jif_timer_reduce(struct jif_wheel *wheel, struct jif_timer *timer,
		     uint32_t expires)
{
	return mod_if_sooner(wheel, timer, expires, false);
}

int jif_timer_postpone(struct jif_wheel *wheel, struct jif_timer *timer,
		       uint32_t expires)
{
	return mod_if_sooner(wheel, timer, expires, true);
}

bool jif_timer_shutdown(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	int pending = del_locked(wheel, timer);

	if (pending >= 0)
		WRITE_SHARED(&timer->where, JIF_TIMER_DEAD);
	jif_irq_restore(flags);
	return pending > 0;
}

uint32_t jif_timer_expires(const struct jif_wheel *wheel,
			   const struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t expires = wheel->clk;

	if (is_on(wheel, timer) > 0)
		expires = jif_expiry_of(wheel, timer);
	jif_irq_restore(flags);
	return expires;
}

/*
 * The ticks until the hand of a ring has to stop; @slot is its first one with
 * entries, and becomes the next one from the hand on, counted beyond the end.
 */
static inline uint32_t ticks_to_slot(const struct jif_wheel *wheel,
				     const struct ring *ring, index_t level,
				     index_t *slot)
{
	index_t hand = wheel->hand[level];
	index_t next = *slot;

	if (next <= hand)
		next = bitmap_find(wheel->occupied, hand + 1u, ring[1].first);
	if (next == ring[1].first)
		next = (index_t)(*slot + ring->slots);
	*slot = next;
	return slots_to_stop(ring, hand, next) * ring->ticks -
	       (wheel->clk - wheel->moved[level]);
}

uint32_t jif_ticks_to_stop(const struct jif_wheel *wheel)
{
	const struct ring *ring = jif_rings;
	uint32_t ticks, nearest = NEVER;
	index_t slot, level = SEC;

	if (is_moving_ahead(wheel))
		return 1;
	for (;; level++, ring++) {
		slot = bitmap_find(wheel->occupied, ring->first, LAST_SLOT + 1);
		if (slot > LAST_SLOT)
			return nearest;
		for (; slot >= ring[1].first; ring++)
			level++;
		if (level == WEEK)
			ticks = ticks_to_week(wheel);
		else
			ticks = ticks_to_slot(wheel, ring, level, &slot);
		if (ticks < nearest)
			nearest = ticks;
		/* Higher hands move when the turn of this one is over. */
		if (slot < turn_end(ring, wheel->hand[level]))
			break;
	}
	return nearest;
}

/* The weeks that are over; returns the ticks of the one that is not. */
static uint32_t begin_weeks(struct jif_wheel *wheel)
{
	while (wheel->clk - wheel->moved[WEEK] >= WEEK_TICKS)
		begin_week(wheel);
	return wheel->clk - wheel->moved[WEEK];
}

/* The hands go to where the clock is, which is within the next week at most. */
static void move_hands(struct jif_wheel *wheel)
{
	const uint32_t clk = wheel->clk;
	uint32_t slots, rest = clk - wheel->moved[MIN];
	index_t level, highest, due = MIN;

	if (rest >= MIN_TICKS) {
		highest = MIN;
		rest = clk - wheel->moved[HOUR];
		if (rest >= HOUR_TICKS) {
			highest = DAY;
			rest = begin_weeks(wheel);
		}
		JIF_UNROLL(3)
		for (level = DAY; level > SEC; level--) {
			if (level > highest)
				continue;
			slots = divide(rest, &jif_rings[level].per_slot);
			rest -= slots * jif_rings[level].ticks;
			wheel->moved[level] = clk - rest;
			wheel->hand[level] =
				(jif_slot_t)(turn_begin(wheel, level) + slots);
		}
	}
	wheel->hand[SEC] = (jif_slot_t)(turn_begin(wheel, SEC) + rest);
	while (due < LEVELS && wheel->moved[due] == clk)
		due++;
	wheel->due = (uint8_t)due;
}

/**
 * struct run - a run of the wheel that is under way
 * @flags:	whether interrupts were on
 * @left:	how many more entries may expire or be moved
 * @ran:	how many have expired
 */
struct run {
	jif_irq_t flags;
	unsigned left;
	unsigned ran;
};

/*
 * Time moves on to the next stop, by @most ticks at most. It is looked for with
 * interrupts on; if a timer is armed meanwhile, the step is one tick.
 */
static void advance(struct jif_wheel *wheel, uint32_t most, struct run *run)
{
	uint32_t ticks = 1, weeks = 0;
	jif_irq_t flags;

	watch_arming(wheel);
	jif_irq_restore(run->flags);
	if (most > 1) {
		ticks = jif_ticks_to_stop(wheel);
		if (ticks > most)
			ticks = most;
		if (ticks > TURNS * WEEK_TICKS)
			weeks = whole_weeks(ticks, TURNS, 1);
	}
	flags = jif_irq_save();
	if (!is_undisturbed(wheel)) {
		ticks = 1;
		weeks = 0;
	}
	wheel->quiet = 0;
	wheel->moved[WEEK] += weeks;
	WRITE_SHARED(&wheel->clk, wheel->clk + ticks);
	move_hands(wheel);
	allow_moves(wheel);
	run->flags = flags;
}

/* An entry goes one level down or, if it was postponed, waits anew. */
static void requeue(struct jif_wheel *wheel, struct jif_timer *timer,
		    index_t level, uint32_t expires)
{
	dequeue(wheel, timer);
	count_move(wheel);
	place(wheel, timer, expires, level);
	trace_slot(JIF_TRACE_CASCADE, wheel, timer, timer->remaining);
}

static void expire(struct jif_wheel *wheel, struct jif_timer *timer,
		   struct run *run)
{
	jif_timer_fn *fn;

	dequeue(wheel, timer);
	fn = timer->fn;
	trace(JIF_TRACE_ENTRY, wheel, timer, wheel->target - wheel->clk);
	jif_irq_restore(run->flags);
	fn(timer);
	run->flags = check_irq(run->flags, jif_irq_save(), timer, fn);
	trace(JIF_TRACE_EXIT, wheel, timer, 0);
	run->ran++;
}

/*
 * Empties the slot under the hand of @level: timers expire from its head, other
 * entries are moved from its tail. False if the budget is used up.
 */
static bool empty_slot(struct jif_wheel *wheel, index_t level, struct run *run)
{
	const unsigned slot = wheel->hand[level];
	struct jif_timer *timer;

	while ((timer = last_of(wheel, slot))) {
		if (!run->left)
			return false;
		run->left--;
		if (level == SEC)
			timer = timer->next;
		if (is_overwritten(timer, slot)) {
			*list_of(wheel, slot) = NULL;
			break;
		}
		if (level == SEC && !timer->remaining) {
			expire(wheel, timer, run);
		} else {
			requeue(wheel, timer, level_below(wheel, level, timer),
				timer->remaining +
					(level == WEEK ? 0 : wheel->clk));
			run->flags = jif_irq_window(run->flags);
		}
	}
	return true;
}

/* All that is due on this tick, from the highest level down. */
static bool run_tick(struct jif_wheel *wheel, struct run *run)
{
	struct jif_timer *timer;
	index_t level;
	unsigned slot;

	for (; wheel->due; wheel->due--) {
		run->flags = jif_irq_window(run->flags);
		if (!empty_slot(wheel, (index_t)(wheel->due - 1), run))
			return false;
	}
	while (moves_left(wheel) && (slot = next_ahead(wheel, &level))) {
		if (!run->left) {
			wheel->due = SEC + 1;
			return false;
		}
		run->left--;
		timer = last_of(wheel, slot);
		requeue(wheel, timer, (index_t)(level - 1),
			jif_expiry_of(wheel, timer));
		run->flags = jif_irq_window(run->flags);
	}
	return true;
}

/* Tick by tick or, where there is nothing to do, stop by stop. */
unsigned jif_wheel_run_most(struct jif_wheel *wheel, uint32_t now, unsigned max,
			    jif_irq_t flags)
{
	struct run run = { flags, max, 0 };

	if (check_run(wheel, now) && !wheel->busy &&
	    now - wheel->clk <= JIF_DELAY_MAX) {
		wheel->busy = 1;
		wheel->target = now;
		while (run_tick(wheel, &run) && goes_on_to(wheel, now))
			advance(wheel, now - wheel->clk, &run);
		wheel->busy--;
		if (!wheel->due && moves_left(wheel))
			wheel->quiet = (uint8_t)bitmap_find(
				wheel->occupied, wheel->hand[SEC] + 1u,
				turn_end(jif_rings, wheel->hand[SEC]));
	}
	jif_irq_restore(run.flags);
	return run.ran;
}

/* Time moves on to @now, if there is nothing to do until then. */
static bool stay_quiet(struct jif_wheel *wheel, uint32_t now)
{
	uint32_t ticks = now - wheel->clk;
	index_t second;

	/* Times in the past wrap to large @ticks, and leave here. */
	if (ticks > (index_t)-1 / 2)
		return false;
	second = (index_t)(wheel->hand[SEC] + ticks);
	if (!is_quiet(wheel, second))
		return false;
	WRITE_SHARED(&wheel->clk, now);
	wheel->hand[SEC] = (jif_slot_t)second;
	return true;
}

unsigned jif_wheel_run(struct jif_wheel *wheel, uint32_t now)
{
	jif_irq_t flags = jif_irq_save();

	check_source(wheel, now);
	if (!stay_quiet(wheel, now))
		return jif_wheel_run_most(wheel, now, -1u, flags);
	jif_irq_restore(flags);
	return 0;
}

bool jif_wheel_run_budget(struct jif_wheel *wheel, uint32_t now, unsigned max)
{
	jif_wheel_run_most(wheel, now, max, jif_irq_save());
	return (int32_t)(now - wheel->clk) <= 0 && !wheel->due;
}

uint32_t jif_wheel_clock(const struct jif_wheel *wheel)
{
	jif_irq_t flags;
	uint32_t clk;

	LOOK_ANEW();
	if (!TEARS)
		return READ_SHARED(&wheel->clk);
	flags = jif_irq_save();
	clk = wheel->clk;
	jif_irq_restore(flags);
	return clk;
}

/*
 * What an interrupt moves meanwhile may be missed in both its places: if it has
 * armed something, the search is made again.
 */
bool jif_wheel_next_stop(struct jif_wheel *wheel, uint32_t *when)
{
	volatile struct jif_wheel *held = wheel;
	uint32_t ticks, now, next;
	bool set = false;

	do {
		now = held->clk;
		if (!READ_SHARED(&held->quiet)) {
			WRITE_SHARED(&held->quiet, SEC_FIRST);
			set = true;
		}
		ticks = jif_ticks_to_stop(wheel);
		next = now + ticks;
		if (held->due > 1 || wheel->slot[wheel->hand[SEC] - 1])
			next = now;
	} while (!READ_SHARED(&held->quiet) || now != held->clk);
	if (set)
		WRITE_SHARED(&held->quiet, 0);
	if (ticks == NEVER)
		return false;
	*when = next;
	return true;
}

bool jif_wheel_empty(const struct jif_wheel *wheel)
{
	jif_irq_t flags = jif_irq_save();
	index_t slot = bitmap_find(wheel->occupied, SEC_FIRST, LAST_SLOT + 1);

	jif_irq_restore(flags);
	return slot > LAST_SLOT;
}

void jif_wheel_init(struct jif_wheel *wheel, uint32_t now)
{
	check_init(wheel);
	*wheel = (struct jif_wheel){
		.moved = { now, now, now, now, now },
		.target = now,
		.hand = { SEC_FIRST, MIN_FIRST, HOUR_FIRST, DAY_FIRST,
			  WEEK_FIRST },
		.quiet = SEC_FIRST,
	};
}

/* In days: half of what 16 bits have. */
#define SOME_WEEKS (4681u * JIF_DAY_SLOTS)

void jif_wheel_init_at(struct jif_wheel *wheel, uint32_t now, unsigned day,
		       unsigned hour, unsigned minute, unsigned second)
{
	uint32_t ticks = day;

	check_init_at(wheel, day | hour | minute | second);
	/* 2^16 days are more than 2^32 ticks: as many weeks less. */
	if (ticks >= SOME_WEEKS)
		ticks -= SOME_WEEKS;
	ticks = ticks * JIF_HOUR_SLOTS + hour;
	ticks = ticks * JIF_MIN_SLOTS + minute;
	ticks = ticks * JIF_SEC_SLOTS + second;
	jif_wheel_init(wheel, now - ticks);
	wheel->clk = now;
	wheel->target = now;
	move_hands(wheel);
	wheel->due = 0;
}
