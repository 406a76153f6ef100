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
 * In these names a "second" is one tick, however long a tick is. Every tick
 * moves the hand of the seconds by one slot; a hand that comes round to slot 0
 * moves the one above it by one slot. Time is kept in two places: the hands,
 * and since[], the tick at which each hand moved last. That of the seconds is
 * the clock. Hands are not computed from it: 2^32 is no multiple of 604800.
 *
 * PLACING
 *
 * A timer that is due in d ticks waits on the lowest level whose ring spans d:
 *
 *	d < 60		seconds		t = expiry - since[level].
 *	d < 3600	minutes		t / ticks per slot is the slot, counted
 *	d < 86400	hours		from the hand of that ring; the rest is
 *	d < 604800	days		what is left.
 *
 * In the figure, a timer (*) is armed at 21:30:02 for 1 h 2 min 3 s later. That
 * is 3723 ticks, more than an hour, so it goes to the hours. 1802 ticks of this
 * hour have passed. With the delay that is 5525: one hour slot further (3600)
 * and 1925 ticks into it. So it waits in hour slot 22 with 1925 left.
 *
 * CASCADING
 *
 * Timers run from level 0 only. When a ring wraps, the slot that the hand above
 * it has just reached is emptied: each entry goes one level down, to the slot
 * that what it has left says. At 22:00:00 the timer of the figure goes to
 * minute slot 32 with 5 ticks left, at 22:32:00 to second slot 5, and at
 * 22:32:05 it runs. When several rings wrap at once, the days go first, then
 * the hours and minutes: a timer due at midnight passes all levels in one tick.
 *
 * A timer that is due in a week or later waits on the far list, and what it has
 * left is its expiry. While the list has entries, none is due before far_due.
 * When the week of far_due begins, the list is taken: each entry goes down to
 * the days or, if it is due in a later week, to a second list. From that moment
 * on, the second list is the far list, and arming goes there.
 *
 * Nothing can be armed into a slot that is being emptied: its hand has just
 * moved, the lower hands are at 0, what lower rings cannot hold is due later.
 *
 * ORDER
 *
 * Timers of one tick run in the order in which their arming took effect, with
 * interrupts off. Arming appends to the list of a slot. Of two timers with the
 * same expiry, the one on the higher level was armed earlier, because its delay
 * was longer. So cascaded entries go in front of the list, and a slot is
 * cascaded from its tail. An interrupt may arm between two of these moves: it
 * appends, and the rest of the cascade still goes in front of it.
 *
 * POSTPONING adds to what a pending timer has left, and touches no list. When
 * its slot is reached, the timer is placed as if it were armed. Its expiry
 * stays exact; its order among the timers of that tick is given up.
 *
 * IDLE TIME
 *
 * A bit per slot says whether it has entries. Nothing is due before the next
 * slot with entries of the lowest level that has some, nor before the end of
 * that ring if no slot ahead of its hand has any: that is the next stop. If no
 * ring has entries, it is where the week of far_due begins. Time moves on to
 * the stop or, if that is sooner, to the end of the run: the highest hand that
 * has to move goes first, and those below it begin a turn. What is left then,
 * lower hands go, one after the other; at each of these ticks nothing is due.
 *
 * When a run is done, the wheel knows until which second there is nothing to
 * do: until then, or until something is armed, a tick costs a few instructions.
 *
 * CONTEXTS
 *
 * Any context may arm and disarm. One run at a time moves the hands.
 *
 * Where a timer is to wait follows from clock, hands and expiry alone. So it is
 * found with interrupts on. Then they are turned off, and if the clock is still
 * the same, a few stores put the timer there. If time has moved on, it is found
 * again: once for each time that a run has moved the clock in between. A
 * cascade finds the lower slot likewise, while its entry stays where it is; a
 * run, where its hands go: one tick further, if something was armed meanwhile.
 *
 * The clock is read first and stored last: whoever has read it sees the hands
 * of that time, or later ones. An AVR reads it in four accesses: one that was
 * torn by a run differs from the clock, or the hands are read after that run.
 *
 * The wheel is consistent whenever interrupts are let in. A timer has expired
 * when it is taken off for its callback: before that, it can be disarmed.
 *
 * INVARIANTS
 *
 * W1	Each hand is within its ring, and moved when the lower ones say so.
 * W2	A timer is pending if and only if it is on exactly one list, that of its
 *	slot. A slot's bit is set if and only if it has entries.
 * W3	Slot and remaining value give exactly the expiry that was asked for.
 * W4	When a hand has just moved, all entries of its slot are due on this
 *	tick, and nothing is armed into it. A timer armed into the slot under a
 *	hand later is due a full turn later.
 * W5	Timers of one expiry run in arming order.
 * W6	Every timer runs once per arming, on its tick, at any distance, over any
 *	pattern of single ticks and jumps, across the wrap of the counter.
 * W7	jif_wheel_next_stop() is never later than the first expiry.
 * W8	The work with interrupts off is bounded by a constant.
 * W9	An entry that was not postponed has less left than a slot of its level
 *	is worth, and its level spans it. No far entry is due before far_due.
 * W10	After a run that was done, nothing is left on this week's list.
 *
 * COST: arming, disarming and a step of any length take constant time. An entry
 * is moved at most three times before it runs, plus once each time the far list
 * is taken with it; a postponed one, once more each time its slot is reached.
 *
 * The arrangement is that of scheme 7 of G. Varghese and T. Lauck, Hashed and
 * Hierarchical Timing Wheels, SOSP 1987, with the clock's four levels that are
 * their example. Choosing the level by the delay, and cascading a slot when the
 * level below wraps, is how Linux did it until 4.7.
 */
#include <jif/jiffies.h>
#include <jif/wheel.h>
#include <limits.h>

#include "delay.h"
#include "port/jif_port.h"
#include "rings.h"
#include "shared.h"
#include "trace_points.h"
#include "wheel_step.h"

JIF_STATIC_ASSERT(WEEK_TICKS < JIF_DELAY_MAX, "a week is a delay");
JIF_STATIC_ASSERT(LAST_SLOT < JIF_TIMER_IDLE, "a slot is not taken for idle");
JIF_STATIC_ASSERT(LAST_SLOT < (jif_slot_t)-1 && MIN_FIRST <= UINT8_MAX &&
			  LAST_SLOT + JIF_WHEEL_SLOTS_OF(MIN) <= (index_t)-1,
		  "slots, their sums and @quiet_until fit");

/* In how many ticks a timer expires: one due now, or in the past, in one. */
static inline uint32_t delay_to(uint32_t clk, uint32_t expires)
{
	uint32_t delay = expires - clk;

	return (int32_t)delay > 0 ? delay : 1;
}

/* Why a timer cannot be armed; 0 if it can. */
static int arming_error(const struct jif_timer *timer)
{
	if (timer->where == JIF_TIMER_IDLE)
		return 0;
	if (is_pending(timer))
		return -JIF_EBUSY;
	return timer->where == JIF_TIMER_NEW && timer->fn ? 0 : -JIF_EINVAL;
}

/* Where a timer is to wait, with interrupts off: see CONTEXTS. */
static JIF_ALWAYS_INLINE spot_t look_ahead(const struct jif_wheel *wheel,
					   uint32_t expires, jif_irq_t *flags)
{
	uint32_t clk;
	spot_t spot;

	for (;;) {
		clk = look_at_clock(wheel);
		spot = find_spot(wheel, clk, delay_to(clk, expires), SEC);
		*flags = jif_irq_save();
		if (clk == clock_of(wheel))
			return spot;
		jif_irq_restore(*flags);
	}
}

/* Arms a timer, behind the others of its tick; also a @pending one. */
static JIF_ALWAYS_INLINE int arm_locked(struct jif_wheel *wheel,
					struct jif_timer *timer,
					uint32_t expires, spot_t spot,
					int pending)
{
	int ret = check_add(wheel, timer, expires,
			    pending > 0 ? 0 : arming_error(timer));

	if (ret)
		return ret;
	if (pending > 0) {
		leave_slot(wheel, timer, (unsigned)timer->where);
		trace_cancel(wheel, timer);
	}
	note_arming(wheel);
	/* Made the tail of its ring, the head is the last one. */
	*enqueue(spot, wheel, timer) = timer;
	trace_slot(JIF_TRACE_START, wheel, timer, expires);
	return pending;
}

INLINE_IF_UNROLLED int arm_timer(struct jif_wheel *wheel,
				 struct jif_timer *timer, uint32_t expires,
				 bool anew)
{
	jif_irq_t flags;
	spot_t spot = look_ahead(wheel, expires, &flags);
	int pending = anew ? is_on(wheel, timer) : 0;

	if (pending >= 0)
		pending = arm_locked(wheel, timer, expires, spot, pending);
	jif_irq_restore(flags);
	return pending;
}

int jif_timer_add(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires)
{
	return arm_timer(wheel, timer, expires, false);
}

int jif_timer_mod(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires)
{
	return arm_timer(wheel, timer, expires, true);
}

INLINE_IF_UNROLLED int arm_at(struct jif_wheel *wheel, struct jif_timer *timer,
			      spot_t spot, uint32_t expires)
{
	int pending = is_on(wheel, timer);

	if (pending >= 0)
		pending = arm_locked(wheel, timer, expires, spot, pending);
	return pending;
}

JIF_NOINLINE int jif_arm_at(struct jif_wheel *wheel, struct jif_timer *timer,
			    spot_t spot)
{
	uint32_t expires = clock_of(wheel); /* not too far ahead */

	if (CONFIG_JIF_TRACE && SLOT_OF(spot) <= LAST_SLOT)
		expires = visit_of(wheel, SLOT_OF(spot)) + LEFT_OF(spot);
	return arm_at(wheel, timer, spot, expires);
}

JIF_NOINLINE spot_t jif_find_spot(const struct jif_wheel *wheel, uint32_t clk,
				  uint32_t expires)
{
	return find_spot(wheel, clk, delay_to(clk, expires), SEC);
}

/* What the expiry of a timer follows from. */
struct seen {
	uint32_t clk;
	uint32_t remaining;
	int where;
};

/* Instead of whether a timer was pending: it is not as it was seen. */
#define CHANGED 2

/* Arms a timer anew, if it is as it was @seen. */
static JIF_NOINLINE int rearm(struct jif_wheel *wheel, struct jif_timer *timer,
			      uint32_t expires, const struct seen *seen)
{
	const struct seen was = *seen;
	spot_t spot =
		find_spot(wheel, was.clk, delay_to(was.clk, expires), SEC);
	jif_irq_t flags = jif_irq_save();
	int pending = CHANGED;

	if (was.clk == clock_of(wheel) && was.where == timer->where &&
	    was.remaining == timer->remaining)
		pending = arm_at(wheel, timer, spot, expires);
	jif_irq_restore(flags);
	return pending;
}

/*
 * Arms a timer anew, unless it is pending and expires sooner: then it is left
 * alone or, if @postpone, postponed.
 */
INLINE_IF_UNROLLED int arm_unless(struct jif_wheel *wheel,
				  struct jif_timer *timer, uint32_t expires,
				  bool postpone)
{
	struct seen seen;
	uint32_t later;
	jif_irq_t flags;
	int pending;

	do {
		flags = jif_irq_save();
		pending = is_on(wheel, timer);
		seen = (struct seen){ clock_of(wheel), timer->remaining,
				      timer->where };
		later = UINT32_MAX;
		if (pending > 0)
			later = seen.clk + delay_to(seen.clk, expires) -
				expiry_of(wheel, timer);
		if (later <= JIF_DELAY_MAX && postpone) {
			timer->remaining += later;
			wheel->postponed = true;
			trace_slot(JIF_TRACE_POSTPONE, wheel, timer, expires);
		}
		jif_irq_restore(flags);
		if (later > JIF_DELAY_MAX && pending >= 0)
			pending = rearm(wheel, timer, expires, &seen);
	} while (pending == CHANGED);
	return pending;
}

int jif_timer_reduce(struct jif_wheel *wheel, struct jif_timer *timer,
		     uint32_t expires)
{
	return arm_unless(wheel, timer, expires, false);
}

int jif_timer_postpone(struct jif_wheel *wheel, struct jif_timer *timer,
		       uint32_t expires)
{
	return arm_unless(wheel, timer, expires, true);
}

bool jif_timer_del(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	int pending = is_on(wheel, timer);

	if (pending > 0)
		take_off(wheel, timer);
	else if (!pending && !timer->next)
		timer->next = timer; /* No longer paused: see lib/delay.h. */
	jif_irq_restore(flags);
	return pending > 0;
}

/* Time moves on to the next stop; by a tick, if a timer was armed meanwhile. */
static inline void advance(struct jif_wheel *wheel, struct run *run)
{
	uint32_t clk = clock_of(wheel) + 1;
	struct step step;

	watch_arming(wheel);
	jif_irq_restore(run->flags);
	if (wheel->target != clk)
		clk = next_stop(wheel, wheel->target);
	for (;;) {
		step = find_step(wheel, clk);
		run->flags = jif_irq_save();
		if (!JIF_HAS_IRQ || is_undisturbed(wheel) ||
		    clk == clock_of(wheel) + 1) {
			take_step(wheel, step, step.clk == clk);
			if (step.clk == clk)
				return;
		} else {
			clk = clock_of(wheel) + 1;
		}
		jif_irq_restore(run->flags);
	}
}

/* Calls the function of a timer, which is on no list any more. */
static inline void expire(struct jif_wheel *wheel, struct jif_timer *timer,
			  struct run *run)
{
	jif_timer_fn *fn = timer->fn;

	run->ran++;
	trace(JIF_TRACE_ENTRY, wheel, timer, wheel->target - clock_of(wheel));
	jif_irq_restore(run->flags);
	fn(timer);
	run->flags = check_irq(run->flags, jif_irq_save(), timer, fn);
	trace(JIF_TRACE_EXIT, wheel, timer, 0);
}

/*
 * An entry goes down, or waits anew. Where, is found with interrupts on:
 * meanwhile it may be removed or postponed, but nothing joins its slot.
 */
static inline void cascade(struct jif_wheel *wheel, struct jif_timer *timer,
			   index_t level, index_t slot, struct run *run)
{
	struct jif_timer *next;
	uint32_t was = timer->remaining;
	spot_t spot;

	jif_irq_restore(run->flags);
	spot = find_lower(wheel, was, level);
	(void)jif_irq_save(); /* They were as before. */
	next = wheel->slot[slot - 1];
	if (level == SEC && next)
		next = next->next;
	if ((!JIF_HAS_IRQ || next == timer) &&
	    move_entry(wheel, timer, slot, was, spot))
		count_move(wheel);
	if (slot < MIN_FIRST) /* The next one may expire. */
		run->flags = jif_irq_window(run->flags);
}

/*
 * Empties the slot under the hand of @level: timers expire from its head, other
 * entries are moved from its tail. A list that is corrupted is dropped. False
 * if the budget is used up and entries are left.
 */
static inline bool run_slot(struct jif_wheel *wheel, index_t level,
			    struct run *run)
{
	struct jif_timer *last, *timer;
	index_t slot = wheel->hand[level];

	while ((last = last_of(wheel, slot))) {
		if (--run->left < 0)
			return false;
		timer = level == SEC ? last->next : last;
		if (is_overwritten(timer, slot)) {
			wheel->slot[slot - 1] = NULL;
		} else if (level == SEC && !timer->remaining) {
			dequeue_first(wheel, timer, last, slot);
			expire(wheel, timer, run);
		} else {
			cascade(wheel, timer, level, slot, run);
		}
	}
	return true;
}

/*
 * All that is due on this tick, from the highest level down, and what is moved
 * ahead of time. False if the budget is used up and entries are left.
 */
static inline bool run_tick(struct jif_wheel *wheel, struct run *run)
{
	index_t level = wheel->levels_due;

	while (level) {
		run->flags = jif_irq_window(run->flags);
		if (!run_slot(wheel, --level, run))
			return false;
		wheel->levels_due = (uint8_t)level;
	}
	return move_ahead(wheel, run);
}

/*
 * A run is done: until which second is there nothing to do? Interrupts are let
 * in before the search or, where it takes long, during it.
 */
static inline void note_quiet(struct jif_wheel *wheel, struct run *run)
{
	index_t quiet;

	if (CONFIG_JIF_CTZ) {
		run->flags = jif_irq_window(run->flags);
		wheel->quiet_until = (uint8_t)find_quiet(wheel);
		return;
	}
	watch_arming(wheel);
	jif_irq_restore(run->flags);
	quiet = find_quiet(wheel);
	run->flags = jif_irq_save();
	if (is_undisturbed(wheel))
		wheel->quiet_until = (uint8_t)quiet;
}

/* Tick by tick or, where there is nothing to do, stop by stop. */
unsigned jif_wheel_run_most(struct jif_wheel *wheel, uint32_t now, intptr_t max,
			    jif_irq_t flags)
{
	struct run run = { flags, max, 0 };

	if (check_run(wheel, now) && now - clock_of(wheel) <= JIF_DELAY_MAX &&
	    !wheel->nesting) {
		wheel->nesting = 1;
		wheel->target = now;
		while (run_tick(wheel, &run)) {
			if (clock_of(wheel) == wheel->target) {
				note_quiet(wheel, &run);
				break;
			}
			advance(wheel, &run);
		}
		wheel->nesting--;
	}
	jif_irq_restore(run.flags);
	return run.ran;
}

/* Moves time on to @now, if there is nothing to do until then. */
static JIF_ALWAYS_INLINE bool stay_quiet(struct jif_wheel *wheel, uint32_t now)
{
	uint32_t ticks = now - clock_of(wheel);
	index_t second = (index_t)(wheel->hand[SEC] + ticks);

	/* Times in the past wrap to large @ticks. */
	if (ticks > (index_t)-1 / 2 || second >= wheel->quiet_until ||
	    (CONFIG_JIF_DEBUG && wheel->hand[SEC] >= MIN_FIRST))
		return false;
	set_clock(wheel, now, (jif_slot_t)second);
	return true;
}

unsigned jif_wheel_run(struct jif_wheel *wheel, uint32_t now)
{
	jif_irq_t flags = jif_irq_save();

	check_source(wheel, now);
	if (!stay_quiet(wheel, now))
		return jif_wheel_run_most(wheel, now, INTPTR_MAX, flags);
	jif_irq_restore(flags);
	return 0;
}

int jif_wheel_poll(struct jif_wheel *wheel)
{
	jif_irq_t flags;
	unsigned ran;
	uint32_t now;

	if (!check_set_up(wheel))
		return -JIF_EINVAL;
	if (!wheel->time)
		return jif_invalid("a wheel without time source is polled",
				   wheel);
	flags = jif_irq_save();
	now = now_of(wheel);
	if (stay_quiet(wheel, now)) {
		jif_irq_restore(flags);
		return 0;
	}
	ran = jif_wheel_run_most(wheel, now, INTPTR_MAX, flags);
	return ran < INT_MAX ? (int)ran : INT_MAX;
}

bool jif_wheel_run_budget(struct jif_wheel *wheel, uint32_t now, unsigned max)
{
	uintptr_t most = max;

	most = most < INTPTR_MAX ? most : INTPTR_MAX;
	jif_wheel_run_most(wheel, now, (intptr_t)most, jif_irq_save());
	return (int32_t)(now - clock_of(wheel)) <= 0 && !wheel->levels_due;
}
