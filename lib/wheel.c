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
 * one on by one. The clock and the hands are all that tells the time. Hands are
 * not computed from the clock: 2^32 is no multiple of 604800.
 *
 * PLACING
 *
 * A timer that is due in d ticks waits on the lowest level whose ring spans d:
 *
 *	d < 60		seconds		Slot, counted from the hand on, and
 *	d < 3600	minutes		remaining value: quotient and rest of
 *	d < 86400	hours		d and what the lower hands show, by
 *	d < 604800	days		the ticks per slot.
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
 * What is due in a week or later waits on a fifth ring of two lists, which are
 * used in turn. When the days wrap, each entry of the one that the hand reaches
 * goes down to the days or, if it is not due in that week, on to the other
 * list. So all delays up to 2^31 - 1 ticks are exact.
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
 * A bit per slot says whether it has entries. So time can move on along one
 * ring at once, the highest one below which all hands stand at 0 and nothing
 * waits: to the next slot with entries, or to the end of the turn. After a run,
 * the wheel knows for how many ticks of this minute there is nothing to do;
 * until then, or until a timer is armed, a tick only moves clock and second.
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
 * W1	Each hand is within its ring.
 * W2	A timer is pending if and only if it is on exactly one list, that of its
 *	slot. A slot's bit is set if and only if it has entries.
 * W3	Slot and remaining value give exactly the expiry that was asked for.
 * W4	When a hand has just moved, all that is in its slot is due on this
 *	tick, and nothing is armed into it. What is armed into the slot under a
 *	hand later is due a full turn later.
 * W5	Timers of one expiry run in arming order.
 * W6	Every timer runs once per arming, on its tick, at any distance, over any
 *	pattern of single ticks and jumps, across the wrap of the counter.
 * W7	jif_wheel_next() is never later than the first expiry.
 * W8	The work with interrupts off is bounded by a constant.
 *
 * COST
 *
 * Arming and disarming take constant time. An entry is moved at most three
 * times, plus once a week, before it runs; a postponed one, once more each time
 * its slot is reached. wheel_spread.h spreads the moves of a slot over ticks.
 *
 * The arrangement is that of scheme 7 of G. Varghese and T. Lauck, Hashed and
 * Hierarchical Timing Wheels, SOSP 1987, with the clock's four levels that are
 * their example; choosing the level by the delay, and cascading a slot when the
 * level below wraps, is how Linux did it until 4.7.
 */
#include <jif/wheel.h>

#include "port/jif_port.h"
#include "shared.h"
#include "trace.h"
#include "wheel.h"
#include "wheel_debug.h"
#include "wheel_spread.h"

JIF_STATIC_ASSERT(CONFIG_JIF_SPREAD >= 0 && CONFIG_JIF_SPREAD <= UINT8_MAX,
		  "CONFIG_JIF_SPREAD out of range");
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
 * The slot for what is due @ticks after the hand of its ring moved. What is not
 * due in this week or, if the days have slots for it, the next one, waits for
 * the week after.
 */
static inline unsigned calc_slot(const struct ring *ring, unsigned hand,
				 uint32_t ticks, uint32_t *remaining)
{
	index_t slots = TURNS;

	if (!is_weeks(ring))
		slots = (index_t)divide(ticks, &ring->per_slot);
	*remaining = ticks - slots * ring->ticks;
	slots = (index_t)(slots + hand);
	if (slots >= ring[1].first)
		slots = (index_t)(slots - ring->slots);
	return slots;
}

/*
 * Puts a timer at the head of the list for what is due in @delta ticks, on the
 * lowest level that spans them, but not below @level. Returns that list.
 */
FAST struct jif_timer **place(struct jif_wheel *wheel, struct jif_timer *timer,
			      uint32_t delta, index_t level)
{
	const struct ring *lowest = &jif_rings[level];
	const struct ring *ring = jif_rings;
	const jif_slot_t *hand = wheel->hand;
	uint32_t ticks = delta;
	struct jif_timer **list;
	unsigned slot = NO_SLOT;

	UNROLL
	for (; BEFORE(ring != &jif_rings[LEVELS]); ring++, hand++) {
		if (spans(ring, *hand, delta, ticks) && ring >= lowest) {
			slot = calc_slot(ring, *hand, ticks, &timer->remaining);
			break;
		}
		ticks += in_turn(ring, *hand) * ring->ticks;
	}
	mend_slot(wheel, slot);
	WRITE_SHARED(&timer->where, (int)slot);
	list = list_of(wheel, slot);
	if (!*list)
		bitmap_set(wheel->occupied, slot);
	list_add_head(list, timer);
	return list;
}

/* Takes a pending timer off its list. */
FAST void dequeue(struct jif_wheel *wheel, struct jif_timer *timer)
{
	unsigned slot = (unsigned)timer->where;
	struct jif_timer **list = list_of(wheel, slot);

	if (list_del(list, timer))
		bitmap_clear(wheel->occupied, slot);
	WRITE_SHARED(&timer->where, JIF_TIMER_IDLE);
}

/* The ticks until a pending timer expires. */
static uint32_t time_left(const struct jif_wheel *wheel,
			  const struct jif_timer *timer)
{
	const struct ring *ring = jif_rings;
	const jif_slot_t *hand = wheel->hand;
	index_t slot = (index_t)timer->where;
	int32_t unit, ticks = 0;

	for (; slot >= ring[1].first; ring++)
		ticks += (int32_t)(in_turn(ring, *hand++) * ring->ticks);
	unit = (int32_t)ring->ticks;
	ticks = ((int)slot - (int)*hand) * unit - ticks;
	/* The hand has passed that slot, and gets there in its next turn. */
	if (ticks < 0)
		ticks += ring->slots * unit;
	return (uint32_t)ticks + timer->remaining;
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

/* The ticks until @expires. What is due now, or past, runs on the next tick. */
static uint32_t delta_to(const struct jif_wheel *wheel, uint32_t expires)
{
	uint32_t delta = expires - wheel->clk;

	return (int32_t)delta > 0 ? delta : 1;
}

/* Why a timer that is not idle cannot be armed; 0 if it is new, and can. */
static int refuse(const struct jif_timer *timer)
{
	if (is_pending(timer))
		return -JIF_EBUSY;
	return timer->where == JIF_TIMER_NEW && timer->fn ? 0 : -JIF_EINVAL;
}

int jif_timer_add(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	int err = timer->where == JIF_TIMER_IDLE ? 0 : refuse(timer);

	err = check_add(wheel, timer, expires, err);
	if (!err) {
		WRITE_SHARED(&wheel->quiet, 0);
		/* In a ring, in front of the first is behind the last. */
		*place(wheel, timer, delta_to(wheel, expires), SEC) = timer;
		trace_slot(JIF_TRACE_START, wheel, timer, expires);
	}
	jif_irq_restore(flags);
	return err;
}

bool jif_timer_del(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = false;

	if (check_del(wheel, timer) && is_pending(timer)) {
		dequeue(wheel, timer);
		trace_cancel(wheel, timer);
		pending = true;
	}
	jif_irq_restore(flags);
	return pending;
}

bool jif_timer_mod(struct jif_wheel *wheel, struct jif_timer *timer,
		   uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = jif_timer_del(wheel, timer);

	if (!CONFIG_JIF_DEBUG || !is_pending(timer))
		jif_timer_add(wheel, timer, expires);
	jif_irq_restore(flags);
	return pending;
}

/* Moves a timer later only by adding to its remaining value, or not at all. */
static bool mod_if_sooner(struct jif_wheel *wheel, struct jif_timer *timer,
			  uint32_t expires, bool postpone)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = is_pending(timer);
	uint32_t later = 0;

	if (pending)
		later = delta_to(wheel, expires) - time_left(wheel, timer);
	if (!pending || later > JIF_DELAY_MAX) {
		pending = jif_timer_mod(wheel, timer, expires);
	} else if (postpone && check_del(wheel, timer)) {
		timer->remaining += later;
		trace_slot(JIF_TRACE_POSTPONE, wheel, timer, expires);
	}
	jif_irq_restore(flags);
	return pending;
}

bool jif_timer_reduce(struct jif_wheel *wheel, struct jif_timer *timer,
		      uint32_t expires)
{
	return mod_if_sooner(wheel, timer, expires, false);
}

bool jif_timer_postpone(struct jif_wheel *wheel, struct jif_timer *timer,
			uint32_t expires)
{
	return mod_if_sooner(wheel, timer, expires, true);
}

bool jif_timer_shutdown(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = jif_timer_del(wheel, timer);

	if (!CONFIG_JIF_DEBUG || !is_pending(timer))
		WRITE_SHARED(&timer->where, JIF_TIMER_DEAD);
	jif_irq_restore(flags);
	return pending;
}

uint32_t jif_timer_expires(const struct jif_wheel *wheel,
			   const struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t expires = wheel->clk;

	if (is_pending(timer))
		expires += time_left(wheel, timer);
	jif_irq_restore(flags);
	return expires;
}

/*
 * Where the hand of a ring has to stop, at the end of its turn at the latest:
 * at the next slot with entries or, with spreading and above the seconds, one
 * before it, where that becomes the slot that is reached next.
 */
static unsigned stop_on(const struct jif_wheel *wheel, const struct ring *ring,
			unsigned hand)
{
	unsigned end = turn_end(ring, hand);
	unsigned stop = bitmap_find(wheel->occupied, hand + 1, end);

	if (TURNS == 1 || ring == jif_rings ||
	    (stop == end &&
	     !wheel->slot[(end < ring[1].first ? end : ring->first) - 1]))
		return stop;
	return stop - 1;
}

/* Moves the hand of @ring to @stop, and the next one if that ends its turn. */
static void move_hand(struct jif_wheel *wheel, const struct ring *ring,
		      jif_slot_t *hand, index_t stop)
{
	index_t end;

	WRITE_SHARED(&wheel->clk,
		     wheel->clk + (index_t)(stop - *hand) * ring->ticks);
	for (;;) {
		end = turn_end(ring, *hand);
		*hand = (jif_slot_t)(stop < ring[1].first ? stop : ring->first);
		if (stop < end || ring == &jif_rings[WEEK])
			break;
		ring++;
		stop = (index_t)(*++hand + 1u);
	}
	wheel->due = (uint8_t)(hand - wheel->hand + 1);
}

/*
 * Time moves on by a step, by @most ticks at most: along the highest ring, up
 * to the days, below which all hands stand at 0 and nothing waits. That is
 * looked for with interrupts on; if a timer is armed meanwhile, the step is one
 * second.
 */
static jif_irq_t advance(struct jif_wheel *wheel, uint32_t most,
			 jif_irq_t flags)
{
	const struct ring *ring = jif_rings;
	jif_slot_t *hand = wheel->hand;
	unsigned stop = *hand + 1u;

	if (most > 1 && moves_left(wheel)) {
		wheel->quiet = 1;
		jif_irq_restore(flags);
		for (;; ring++, hand++) {
			stop = stop_on(wheel, ring, *hand);
			if (stop < turn_end(ring, *hand) ||
			    in_turn(ring, *hand) || !is_clear(wheel, ring) ||
			    is_weeks(ring + 1) || ring[1].ticks >= most)
				break;
		}
		if ((stop - *hand) * ring->ticks > most)
			stop = *hand + (unsigned)divide(most, &ring->per_slot);
		flags = jif_irq_save();
		if (!wheel->quiet) {
			ring = jif_rings;
			hand = wheel->hand;
			stop = *hand + 1u;
		}
	}
	wheel->quiet = 0;
	move_hand(wheel, ring, hand, (index_t)stop);
	allow_moves(wheel, CONFIG_JIF_SPREAD);
	return jif_irq_window(flags);
}

/* An entry goes one level down or, if it was postponed, waits anew. */
static void requeue(struct jif_wheel *wheel, struct jif_timer *timer,
		    unsigned level, uint32_t delta)
{
	dequeue(wheel, timer);
	if (moves_left(wheel))
		allow_moves(wheel, moves_left(wheel) - 1);
	place(wheel, timer, delta, (index_t)(level - (level > SEC)));
	trace_slot(JIF_TRACE_CASCADE, wheel, timer, timer->remaining);
}

/**
 * struct run - a run of the wheel that is under way
 * @flags:	whether interrupts were on
 * @budget:	one more than the entries that may still expire or be moved; or
 *		0, without a limit
 * @start:	@budget at the start, less the entries that were moved since: it
 *		is ahead of @budget by those that expired
 */
struct run {
	jif_irq_t flags;
	unsigned budget;
	unsigned start;
};

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
}

/*
 * Empties the slot under the hand of @level: timers expire from its head, other
 * entries are moved from its tail. False if the budget is used up.
 */
static bool empty_slot(struct jif_wheel *wheel, index_t level, struct run *run)
{
	struct jif_timer **list = list_of(wheel, wheel->hand[level]);
	struct jif_timer *timer = *list;

	for (; timer; timer = *list) {
		if (mend_slot(wheel, wheel->hand[level]))
			continue;
		if (!--run->budget)
			return false;
		if (level == SEC)
			timer = timer->next;
		if (level == SEC && !timer->remaining) {
			expire(wheel, timer, run);
		} else {
			run->start--;
			requeue(wheel, timer, level, timer->remaining);
			run->flags = jif_irq_window(run->flags);
		}
	}
	return true;
}

/* Spreading: moves entries of the slots that are reached next. */
static bool move_ahead(struct jif_wheel *wheel, struct run *run)
{
	struct jif_timer *timer;
	unsigned slot;
	index_t level;

	while (moves_left(wheel) &&
	       (level = level_ahead(wheel, &slot)) != LEVELS) {
		if (mend_slot(wheel, slot))
			continue;
		if (!--run->budget)
			return false;
		run->start--;
		timer = *list_of(wheel, slot);
		requeue(wheel, timer, level, time_left(wheel, timer));
		run->flags = jif_irq_window(run->flags);
	}
	return true;
}

/* All that is due on this tick, from the highest level down. */
static bool run_tick(struct jif_wheel *wheel, struct run *run)
{
	for (; wheel->due; wheel->due--)
		if (!empty_slot(wheel, (index_t)(wheel->due - 1), run))
			return false;
	if (move_ahead(wheel, run))
		return true;
	wheel->due = SEC + 1;
	return false;
}

/* Tick by tick or, where there is nothing to do, step by step. */
static unsigned run_timers(struct jif_wheel *wheel, uint32_t now,
			   unsigned budget, jif_irq_t flags)
{
	struct run run = { flags, budget, budget };

	if (check_run(wheel) && !wheel->busy &&
	    now - wheel->clk <= JIF_DELAY_MAX) {
		wheel->busy = 1;
		wheel->target = now;
		while (run_tick(wheel, &run) && wheel->clk != now)
			run.flags = advance(wheel, now - wheel->clk, run.flags);
		wheel->busy--;
		/* What did not fit into the budget was counted, too. */
		if (wheel->due)
			run.start--;
		else if (moves_left(wheel))
			wheel->quiet = (uint8_t)stop_on(wheel, jif_rings,
							wheel->hand[SEC]);
	}
	jif_irq_restore(run.flags);
	return run.start - run.budget;
}

/* Time moves on to @now, if there is nothing to do until then. */
static bool stay_quiet(struct jif_wheel *wheel, uint32_t now)
{
	uint32_t ticks = now - wheel->clk;
	index_t second;

	/* A second is an index_t. What is past is more ticks than that. */
	if (ticks > (index_t)-1 / 2 || !is_set_up(wheel))
		return false;
	second = (index_t)(wheel->hand[SEC] + ticks);
	if (second >= wheel->quiet)
		return false;
	WRITE_SHARED(&wheel->clk, now);
	wheel->hand[SEC] = (jif_slot_t)second;
	return true;
}

unsigned jif_wheel_run(struct jif_wheel *wheel, uint32_t now)
{
	jif_irq_t flags = jif_irq_save();

	if (!stay_quiet(wheel, now))
		return run_timers(wheel, now, 0, flags);
	jif_irq_restore(flags);
	return 0;
}

bool jif_wheel_run_budget(struct jif_wheel *wheel, uint32_t now, unsigned max)
{
	run_timers(wheel, now, max + 1, jif_irq_save());
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
 * The ticks until a slot with entries is reached or, with spreading, becomes
 * the one that is reached next; more than JIF_DELAY_MAX if there is none.
 */
static uint32_t ticks_to_stop(const struct jif_wheel *wheel)
{
	index_t first = NO_SLOT;
	uint32_t nearest = JIF_DELAY_MAX + 1, since = 0;
	const jif_slot_t *hands = wheel->hand;
	const struct ring *ring = jif_rings;
	index_t hand, slot;

	do {
		hand = *hands++;
		if (first < ring->first)
			first = bitmap_find(wheel->occupied, ring->first,
					    LAST_SLOT + 1);
		if (first < ring[1].first) {
			slot = bitmap_find(wheel->occupied, hand + 1u,
					   ring[1].first);
			if (slot == ring[1].first)
				slot = (index_t)(first + ring->slots);
			slot = (index_t)(slot - hand);
			/* An interrupt may have removed what was first. */
			if (slot <= ring->slots) {
				slot -= TURNS > 1 && ring != jif_rings;
				if (TURNS > 1 && !slot)
					return 1;
				if (slot * ring->ticks - since < nearest)
					nearest = slot * ring->ticks - since;
			}
		}
		since += in_turn(ring, hand) * ring->ticks;
		/* The next hand moves when this one has come round. */
	} while ((++ring)->ticks - since < nearest ||
		 (TURNS > 1 && ring != &jif_rings[LEVELS]));
	return nearest;
}

/*
 * What an interrupt moves meanwhile may be missed in both its places: if it has
 * armed something, which clears @quiet, the search is made again. So @quiet is
 * set for the search, although the wheel is const to the caller.
 */
bool jif_wheel_next(const struct jif_wheel *wheel, uint32_t *when)
{
	volatile struct jif_wheel *held = (volatile struct jif_wheel *)wheel;
	uint32_t ticks, now, next;
	bool set = false;

	do {
		now = held->clk;
		if (!READ_SHARED(&held->quiet)) {
			WRITE_SHARED(&held->quiet, 1);
			set = true;
		}
		ticks = ticks_to_stop(wheel);
		next = now + ticks;
		if (held->due > 1 || wheel->slot[wheel->hand[SEC] - 1])
			next = now;
	} while (!READ_SHARED(&held->quiet) || now != held->clk);
	if (set)
		WRITE_SHARED(&held->quiet, 0);
	if (ticks > JIF_DELAY_MAX)
		return false;
	*when = next;
	return true;
}

bool jif_wheel_empty(const struct jif_wheel *wheel)
{
	uint32_t when;

	return !jif_wheel_next(wheel, &when);
}

void jif_wheel_init(struct jif_wheel *wheel, uint32_t now)
{
	check_unused(wheel);
	*wheel = (struct jif_wheel){
		.clk = now,
		.target = now,
		.hand = { SEC_FIRST, MIN_FIRST, HOUR_FIRST, DAY_FIRST,
			  WEEK_FIRST },
		.quiet = 1,
	};
	mark_set_up(wheel);
}

void jif_wheel_init_at(struct jif_wheel *wheel, uint32_t now, unsigned day,
		       unsigned hour, unsigned minute, unsigned second)
{
	minute += (day * JIF_HOUR_SLOTS + hour) * JIF_MIN_SLOTS;
	jif_wheel_init(wheel, now - minute * MIN_TICKS - second);
	jif_wheel_run(wheel, now);
}
