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
 * one on by one. That is all there is to time: one counter and its carries.
 *
 * PLACING
 *
 * A timer that is due in d ticks waits on the lowest level whose ring spans d:
 *
 *	d < 60		seconds		Slot, counted from the hand on, and
 *	d < 3600	minutes		remaining value: quotient and rest of
 *	d < 86400	hours		d and what the lower hands show, by
 *	otherwise	days		the ticks per slot.
 *
 * The remaining value is what will be left of the time when the hand reaches
 * that slot. Beyond a week it has whole weeks in it, and the timer loses one
 * each time the hand of the days passes by, and stays where it is. So all
 * delays up to 2^31 - 1 ticks are exact.
 *
 * In the figure the clock shows 21:30:02 and a timer (*) is armed for 1 h 2 min
 * 3 s later. 3723 ticks are more than an hour: it goes to the hours. 30 * 60 +
 * 2 ticks of this hour are over, 5525 with the delay, which is one slot on and
 * 1925 ticks into it: hour slot 22, 1925 left.
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
 * A slot is taken off the wheel before it is emptied: what it held is then the
 * bucket, list number 0. Its entries keep their slot number, and no new entry
 * gets that number while the bucket lasts: what is armed within the tick is due
 * later, and so lands elsewhere. There is one exception, a timer armed or left
 * for exactly this day slot of next week. So days are numbered over two weeks,
 * and the two lists are told apart.
 *
 * ORDER
 *
 * Timers of one tick run in the order in which they were armed. Directly armed
 * timers are appended to their slot. For one and the same expiry, an entry on a
 * higher level was armed earlier than one on a lower level, because its delay
 * was longer. So cascaded entries go in front, and a bucket is emptied from its
 * tail. That holds also when an interrupt arms a timer between two entries of a
 * cascade: those that are still to come go in front of it.
 *
 * WHY THE HANDS ARE STATE
 *
 * 2^32 is no multiple of 604800. Slots computed from a 32-bit counter would be
 * wrong from its first wrap on. Here the counter is used for differences only:
 * the wheel notes the tick at which each hand moved last. That of the seconds
 * moves every tick, and shows how long ago that of the minutes moved.
 *
 * LISTS
 *
 * A list is a ring in both directions, and its slot points at the last entry.
 * The last entry knows that it is one, so that any other is taken off without
 * a look at its slot. If the last one is not what its slot points at, it is the
 * last one of the bucket.
 *
 * POSTPONING
 *
 * A pending timer can be moved later by adding to its remaining value, without
 * touching any list. When its slot is reached, it is placed again. Its expiry
 * stays exact; its order among the timers of that tick is given up.
 *
 * SPREADING
 *
 * All entries of a slot go down in the tick in which its hand gets there. With
 * CONFIG_JIF_SPREAD = K, each tick also moves up to K entries of the slot that
 * is reached next, the minutes' first, then the hours', then the days', so that
 * little or nothing is left by then. For that, each ring below the days has the
 * slots of two turns, and a level spans all of the next turn too:
 *
 *	seconds		what is due in this minute or the next one
 *	minutes		else, in this hour or the next one
 *	hours		else, today or tomorrow
 *	days		otherwise
 *
 * So nothing is ever armed into a slot that is being moved ahead: it is armed
 * below it. Hence the order holds by the same rule: for one expiry, an entry on
 * a higher level was armed earlier; what goes down is taken from the tail and
 * put in front. And the number of a slot tells in which turn it is reached.
 *
 * The next stop is where a slot becomes the one that is reached next, and while
 * there is something to move ahead it is the next tick. A minute slot is next
 * for 60 ticks: if it holds no more than 60 K entries, nothing is left of it.
 * What that means for all levels together is in docs/realtime.md.
 *
 * CACHES
 *
 * What limits a wheel with a million timers is memory: a list is a chain of
 * cache misses. With CONFIG_JIF_HOST, a slot of the hours has two lists and one
 * of the days has four; an entry is on the one that its remaining value says,
 * modulo their number. So entries of one expiry are on the same list, and the
 * order holds by the same rule; and a cascade takes from the lists in turn, so
 * that their misses overlap.
 *
 * IDLE TIME
 *
 * A bit per list says whether it has entries, so the next slot to be visited is
 * found in a few steps, and a run over any distance without one is a single
 * step. After each tick the wheel knows the next one in this minute with
 * something to do; until then, a tick moves the clock only. With
 * CONFIG_JIF_HOST, a timer that is alone in its slot, and due before any other
 * slot is reached, does not go down level by level: the hands move on to its
 * tick at once.
 *
 * CONTEXTS
 *
 * Any context may arm and disarm. One run at a time empties slots. Interrupts
 * are off while lists and hands change, for one entry or one step of the hands
 * at a time, and the wheel is consistent whenever they are let in. A timer has
 * expired at the moment at which it is taken off for its callback: before that,
 * disarming it succeeds and the callback does not run; after that, it is idle
 * and its callback is under way.
 *
 * INVARIANTS
 *
 * W1	Each hand is within its ring.
 * W2	A timer is pending if and only if it is on exactly one list: one of its
 *	slot, or of the bucket taken from that slot. A list's bit is set if and
 *	only if it has entries.
 * W3	Slot and remaining value give exactly the expiry that was asked for.
 * W4	Above level 0, what is in the slot under the hand is due a turn later.
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
 * its slot is reached. The moves of a slot fall into one tick, unless they are
 * spread.
 *
 * The arrangement is that of scheme 7 of G. Varghese and T. Lauck, Hashed and
 * Hierarchical Timing Wheels, SOSP 1987, with the clock's four levels that are
 * their example; choosing the level by the delay, and cascading a slot when the
 * level below wraps, is how Linux did it until 4.7.
 */
#include <jif/jiffies.h>
#include <jif/wheel.h>

#include "bits.h"
#include "bug.h"
#include "port/jif_port.h"
#include "trace.h"
#include "wheel.h"

/* x / ring.ticks is ((x >> pre) * mul) >> shift. */
static const struct {
	jif_factor_t mul[JIF_WHEEL_LEVELS];
	uint8_t pre[JIF_WHEEL_LEVELS];
	uint8_t shift[JIF_WHEEL_LEVELS];
} reciprocal = {
	{ 1, JIF_MIN_MUL, JIF_HOUR_MUL, JIF_DAY_MUL },
	{ 0, JIF_MIN_PRE, JIF_HOUR_PRE, JIF_DAY_PRE },
	{ 0, JIF_MIN_SHIFT, JIF_HOUR_SHIFT, JIF_DAY_SHIFT },
};

JIF_STATIC_ASSERT(HORIZON < JIF_DELAY_MAX, "a turn is a delay");
JIF_STATIC_ASSERT(LAST_SLOT <= (jif_number_t)-1, "slots fit the wheel");
JIF_STATIC_ASSERT(LAST_SLOT + 1 == JIF_WHEEL_NUMBERS, "slots fit the map");
JIF_STATIC_ASSERT(CONFIG_JIF_SPREAD >= 0 && CONFIG_JIF_SPREAD <= UINT8_MAX,
		  "CONFIG_JIF_SPREAD out of range");
JIF_STATIC_ASSERT(JIF_SEC_SLOTS <= UINT8_MAX, "a minute fits @stop");
JIF_STATIC_ASSERT(LAST_SLOT < JIF_TIMER_LAST, "slots fit struct jif_timer");

/*
 * A reciprocal is too large by some excess; the quotients of all x up to max
 * are exact if x * excess is less than 2^shift, and nothing overflows.
 */
#define BIT(n) ((jif_product_t)1 << (n))
#define EXCESS(unit)                                                           \
	((jif_product_t)JIF_##unit##_MUL *                                     \
		 (unit##_TICKS >> JIF_##unit##_PRE) -                          \
	 BIT(JIF_##unit##_SHIFT))
#define RECIPROCAL_IS_EXACT(unit, max)                                         \
	JIF_STATIC_ASSERT(unit##_TICKS % BIT(JIF_##unit##_PRE) == 0 &&         \
				  (max) >> JIF_##unit##_PRE <=                 \
					  (jif_product_t)-1 /                  \
						  JIF_##unit##_MUL &&          \
				  EXCESS(unit) < BIT(20) &&                    \
				  ((max) >> JIF_##unit##_PRE) * EXCESS(unit) < \
					  BIT(JIF_##unit##_SHIFT),             \
			  "the reciprocal of " #unit "_TICKS")

RECIPROCAL_IS_EXACT(MIN, (TURNS * HOUR_TICKS) + MIN_TICKS);
RECIPROCAL_IS_EXACT(HOUR, (TURNS * DAY_TICKS) + HOUR_TICKS);
RECIPROCAL_IS_EXACT(DAY, FORTNIGHT);

/* How many slots of a level fit into @ticks. */
FAST jif_product_t quotient(jif_product_t ticks, unsigned level)
{
	if (CONFIG_JIF_DIVIDER)
		return ticks / ring.ticks[level];
	return (ticks >> reciprocal.pre[level]) * reciprocal.mul[level] >>
	       reciprocal.shift[level];
}

/* What is left of @ticks when whole turns are taken away. */
FAST uint32_t modulo(uint32_t ticks, uint32_t turn)
{
	uint32_t turns = turn;

	if (CONFIG_JIF_DIVIDER || sizeof(jif_product_t) > sizeof(turn))
		return ticks % turn;
	while (turns <= ticks / 2)
		turns *= 2;
	for (; turns >= turn; turns /= 2)
		if (ticks >= turns)
			ticks -= turns;
	return ticks;
}

/*
 * How many lists further what is due in @ticks is, and with what remaining. The
 * narrow product is one instruction on a 64-bit machine, the wide one four.
 */
FAST size_t distance(jif_product_t ticks, unsigned level, uint32_t *remaining)
{
	jif_product_t slots = quotient(ticks, level);

	if (sizeof(slots) > sizeof(uint32_t) && level == MIN)
		ticks -= (uint32_t)slots * MIN_TICKS;
	else
		ticks -= slots * ring.ticks[level];
	*remaining = (uint32_t)ticks;
	return (size_t)(ticks % chains_of(level) + slots * chains_of(level));
}

/* Round the ring; to tell the compiler that this is never the bucket pays. */
FAST size_t around(size_t slot, unsigned level)
{
	if (slot >= end_of(level))
		slot -= ring.numbers[level];
	if (slot == BUCKET)
		__builtin_unreachable();
	return slot;
}

/* The slot for what is due in @delta ticks, on a level that spans it. */
FAST size_t locate_on(const struct jif_wheel *wheel, unsigned level,
		      uint32_t delta, uint32_t *remaining)
{
	size_t slot = distance(delta + (wheel->at[SEC] - wheel->at[level]),
			       level, remaining);

	return around(slot + hand_of(wheel, level), level);
}

/*
 * A level spans a turn of its ring from now on; or, with two turns, what is
 * left of this turn and all of the next one.
 */
FAST bool spans(const struct jif_wheel *wheel, unsigned level, uint32_t delta)
{
	if (TURNS > 1)
		delta += wheel->at[SEC] - wheel->at[level + 1];
	return delta < TURNS * ring.ticks[level + 1];
}

/*
 * Placing: the lowest level that spans @delta ticks, but not below @level. The
 * days span all: whole weeks stay in the remaining value.
 */
RARE size_t locate(const struct jif_wheel *wheel, uint32_t delta,
		   unsigned level, uint32_t *remaining)
{
	uint32_t weeks = 0;
	size_t slot;

	while (level < DAY && !spans(wheel, level, delta))
		level++;
	if (level == DAY && delta >= HORIZON) {
		weeks = delta + (wheel->at[SEC] - wheel->at[DAY]);
		weeks -= TURNS * DAY_TICKS;
		weeks -= modulo(weeks, HORIZON);
	}
	slot = locate_on(wheel, level, delta - weeks, remaining);
	*remaining += weeks;
	return slot;
}

/* Arming within the seconds: there is something to do then, if not before. */
FAST size_t locate_second(struct jif_wheel *wheel, uint32_t delta,
			  uint32_t *remaining)
{
	uint32_t second = delta + second_of(wheel);

	if (second < wheel->stop)
		wheel->stop = (jif_second_t)second;
	*remaining = 0;
	return around(turn_begin(wheel, SEC) + (size_t)second, SEC);
}

/* The same; but neither for what is past, nor for a week or more. */
FAST bool spans_ahead(const struct jif_wheel *wheel, unsigned level,
		      uint32_t delta)
{
	if (TURNS > 1)
		return delta - 1 < HORIZON - 1 && spans(wheel, level, delta);
	return delta - 1 < ring.ticks[level + 1] - 1;
}

/*
 * The same as locate() where that is worth a copy for each level, and @delta is
 * a delay of less than a week; else BUCKET. The timers of firmware are near,
 * those of a host are far.
 */
FAST size_t locate_apart(struct jif_wheel *wheel, uint32_t delta,
			 uint32_t *remaining)
{
	if (!APART)
		return BUCKET;
	if (!CONFIG_JIF_HOST && spans_ahead(wheel, SEC, delta))
		return locate_second(wheel, delta, remaining);
	if (!spans_ahead(wheel, HOUR, delta)) {
		if (delta - 1 >= HORIZON - 1)
			return BUCKET;
		return locate_on(wheel, DAY, delta, remaining);
	}
	if (spans_ahead(wheel, SEC, delta))
		return locate_second(wheel, delta, remaining);
	if (spans_ahead(wheel, MIN, delta))
		return locate_on(wheel, MIN, delta, remaining);
	return locate_on(wheel, HOUR, delta, remaining);
}

uint32_t jif_wheel_visit(const struct jif_wheel *wheel, size_t slot)
{
	if (!APART)
		return visit_on(wheel, level_of(slot), slot);
	if (slot < SEC_END)
		return visit_on(wheel, SEC, slot);
	if (slot < MIN_END)
		return visit_on(wheel, MIN, slot);
	if (slot < HOUR_END)
		return visit_on(wheel, HOUR, slot);
	return visit_on(wheel, DAY, slot);
}

/* The ticks from the clock until @timer, which is pending, expires. */
static uint32_t left(const struct jif_wheel *wheel,
		     const struct jif_timer *timer)
{
	return jif_wheel_visit(wheel, slot_of(timer)) + timer->remaining;
}

/* Into an empty slot, in front, or at the tail. */
FAST void insert(struct jif_wheel *wheel, struct jif_timer *timer, size_t slot,
		 bool front)
{
	struct jif_slot *list = &wheel->slot[fold(slot)];
	struct jif_timer *tail = list->tail;
	struct jif_timer *next;

	if (LIKELY(tail)) {
		next = tail->next;
		timer->prev = tail;
		next->prev = timer;
		timer->next = next;
		tail->next = timer;
		if (front) {
			timer->where = JIF_TIMER_SLOT + (int)slot;
			return;
		}
		tail->where -= JIF_TIMER_LAST;
	} else {
		timer->prev = timer;
		bit_set(wheel->occupied, slot);
		forget_lone(wheel);
		timer->next = timer;
	}
	timer->where = JIF_TIMER_SLOT + JIF_TIMER_LAST + (int)slot;
	list->tail = timer;
}

FAST void unlink_entry(struct jif_timer *timer)
{
	struct jif_timer *prev = timer->prev;
	struct jif_timer *next = timer->next;

	JIF_BUG_ON(next->prev != timer || prev->next != timer);
	prev->next = next;
	next->prev = prev;
	timer->where = JIF_TIMER_IDLE;
}

/* What is not the last of its slot's list is the last of the bucket's. */
static void unlink_last(struct jif_wheel *wheel, struct jif_timer *timer)
{
	size_t slot = slot_of(timer);
	struct jif_slot *list = &wheel->slot[fold(slot)];
	bool taken = list->tail != timer;

	if (taken)
		list = &wheel->slot[bucket_of(slot)];
	list->tail = timer->prev;
	timer->prev->where += JIF_TIMER_LAST;
	if (list->tail == timer) {
		list->tail = NULL;
		if (!taken)
			bit_clear(wheel->occupied, slot);
	}
	unlink_entry(timer);
}

/* Takes a timer off its list; false if it is on none. */
FAST bool detach(struct jif_wheel *wheel, struct jif_timer *timer)
{
	if (is_inner(timer)) {
		unlink_entry(timer);
		return true;
	}
	if (!is_pending(timer))
		return false;
	unlink_last(wheel, timer);
	return true;
}

void jif_timer_init(struct jif_timer *timer, jif_timer_fn *fn)
{
	timer->fn = fn;
	timer->where = fn ? JIF_TIMER_IDLE : 0;
}

bool jif_timer_pending(const struct jif_timer *timer)
{
	return is_pending(timer);
}

bool jif_timer_del(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = detach(wheel, timer);

	jif_irq_restore(flags);
	return pending;
}

/* The general way. What is due, or past, runs on the next tick. */
RARE void arm_any(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires)
{
	uint32_t delta = expires - wheel->at[SEC];
	unsigned level = APART && delta >= HORIZON ? DAY : MIN;
	size_t slot;

	if (delta - 1 >= JIF_DELAY_MAX)
		delta = 1;
	if (spans(wheel, SEC, delta))
		slot = locate_second(wheel, delta, &timer->remaining);
	else
		slot = locate(wheel, delta, level, &timer->remaining);
	insert(wheel, timer, slot, false);
	trace_placed(timer, JIF_TRACE_ARMED);
}

FAST void arm(struct jif_wheel *wheel, struct jif_timer *timer,
	      uint32_t expires)
{
	size_t slot = locate_apart(wheel, expires - wheel->at[SEC],
				   &timer->remaining);

	if (slot == BUCKET) {
		arm_any(wheel, timer, expires);
		return;
	}
	insert(wheel, timer, slot, false);
	trace_placed(timer, JIF_TRACE_ARMED);
}

/* A timer that is not known to be idle; 0 or an error. */
RARE int add_any(struct jif_wheel *wheel, struct jif_timer *timer,
		 uint32_t expires)
{
	if (is_pending(timer))
		return -JIF_EBUSY;
	if (timer->where != JIF_TIMER_IDLE &&
	    (timer->where != JIF_TIMER_NEW || !timer->fn))
		return -JIF_EINVAL;
	arm_any(wheel, timer, expires);
	return 0;
}

int jif_timer_add(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	int err = 0;

	if (APART && LIKELY(timer->where == JIF_TIMER_IDLE))
		arm(wheel, timer, expires);
	else
		err = add_any(wheel, timer, expires);
	jif_irq_restore(flags);
	return err;
}

/* A timer that is not known to be inside a list. */
RARE bool mod_any(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires)
{
	bool pending = detach(wheel, timer);

	if (APART && timer->where == JIF_TIMER_IDLE)
		arm(wheel, timer, expires);
	else
		add_any(wheel, timer, expires);
	return pending;
}

bool jif_timer_mod(struct jif_wheel *wheel, struct jif_timer *timer,
		   uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = true;

	if (APART && LIKELY(is_inner(timer))) {
		unlink_entry(timer);
		arm(wheel, timer, expires);
	} else {
		pending = mod_any(wheel, timer, expires);
	}
	jif_irq_restore(flags);
	return pending;
}

/* Makes it sooner; what would make it later is done lazily, or not at all. */
RARE bool move(struct jif_wheel *wheel, struct jif_timer *timer,
	       uint32_t expires, bool lazily)
{
	bool pending = is_pending(timer);
	uint32_t delta = expires - wheel->at[SEC];

	if (delta - 1 >= JIF_DELAY_MAX)
		delta = 1;
	if (!pending || delta < left(wheel, timer))
		jif_timer_mod(wheel, timer, expires);
	else if (lazily)
		timer->remaining += delta - left(wheel, timer);
	return pending;
}

bool jif_timer_reduce(struct jif_wheel *wheel, struct jif_timer *timer,
		      uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = move(wheel, timer, expires, false);

	jif_irq_restore(flags);
	return pending;
}

/*
 * The usual heartbeat: of a timer inside a list of the seconds, between ticks,
 * that becomes no sooner. False if it is another one.
 */
FAST bool postpone_second(struct jif_wheel *wheel, struct jif_timer *timer,
			  uint32_t expires)
{
	uint32_t reached, remaining;

	if (timer->where >= JIF_TIMER_SLOT + (int)SEC_END ||
	    wheel->taken != BUCKET)
		return false;
	reached = (uint32_t)(timer->where - JIF_TIMER_SLOT) - SEC_BASE +
		  wheel->at[MIN];
	if ((int32_t)(reached - wheel->at[SEC]) <= 0)
		reached += MIN_TICKS;
	remaining = expires - reached;
	if (remaining < timer->remaining || remaining > HORIZON)
		return false;
	timer->remaining = remaining;
	return true;
}

bool jif_timer_postpone(struct jif_wheel *wheel, struct jif_timer *timer,
			uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = true;

	if (!CONFIG_JIF_HOST ||
	    UNLIKELY(!postpone_second(wheel, timer, expires)))
		pending = move(wheel, timer, expires, true);
	jif_irq_restore(flags);
	return pending;
}

bool jif_timer_shutdown(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = jif_timer_del(wheel, timer);

	timer->where = 0;
	jif_irq_restore(flags);
	return pending;
}

uint32_t jif_timer_expires(const struct jif_wheel *wheel,
			   const struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t expires = wheel->at[SEC];

	if (is_pending(timer))
		expires += left(wheel, timer);
	jif_irq_restore(flags);
	return expires;
}

/* A slot that is reached next, and has entries to move ahead; or BUCKET. */
static size_t slot_ahead(const struct jif_wheel *wheel)
{
	size_t slot;

	for (unsigned level = MIN; CONFIG_JIF_SPREAD && level <= DAY; level++) {
		slot = hand_of(wheel, level) + 1;
		if (slot == end_of(level))
			slot = base_of(level);
		if (wheel->slot[fold(slot)].tail)
			return slot;
	}
	return BUCKET;
}

/*
 * The ticks to the next slot with entries, or until that may be moved ahead;
 * UINT32_MAX if there is none.
 */
static uint32_t ticks_to_stop(const struct jif_wheel *wheel, size_t *list)
{
	uint32_t nearest = UINT32_MAX;
	uint32_t ticks;
	size_t after, end, slot;

	if (CONFIG_JIF_HOST)
		*list = BUCKET;
	if (slot_ahead(wheel) != BUCKET)
		return 1;
	EACH_LEVEL_APART
	for (unsigned level = SEC; level <= DAY; level++) {
		after = hand_of(wheel, level) + chains_of(level);
		end = end_of(level);
		slot = bit_find_round(wheel->occupied, base_of(level), after,
				      end);
		if (slot == end)
			continue;
		ticks = visit_on(wheel, level, slot);
		if (TURNS > 1 && level > SEC)
			ticks -= ring.ticks[level];
		if (ticks < nearest) {
			nearest = ticks;
			if (CONFIG_JIF_HOST)
				*list = slot;
		}
		/* Higher levels wait for this ring to wrap. */
		if (TURNS == 1 && slot >= after)
			break;
	}
	return nearest;
}

/* The hand of a level has come to where the one above it says. */
FAST void set_hand(struct jif_wheel *wheel, unsigned level)
{
	jif_product_t ticks = wheel->at[SEC] - wheel->at[level + 1];
	jif_product_t slots = quotient(ticks, level);

	wheel->at[level] =
		wheel->at[level + 1] + (uint32_t)slots * ring.ticks[level];
	wheel->hand[level - MIN] =
		(jif_number_t)(turn_begin(wheel, level) +
			       (size_t)slots * chains_of(level));
}

/* That of the days has come round any number of times. */
static void set_day(struct jif_wheel *wheel)
{
	uint32_t ticks = modulo(wheel->at[SEC] - wheel->at[DAY], FORTNIGHT);
	unsigned days = (unsigned)quotient(ticks, DAY);
	size_t slot = hand_of(wheel, DAY) + days * chains_of(DAY);

	wheel->at[DAY] = wheel->at[SEC] - (ticks - days * DAY_TICKS);
	wheel->hand[DAY - MIN] =
		(jif_number_t)(slot < end_of(DAY) ? slot :
						    slot - ring.numbers[DAY]);
}

/* Moves the hands on; returns the highest level whose slot is reached now. */
static unsigned turn(struct jif_wheel *wheel, uint32_t clk)
{
	unsigned reached = SEC;

	wheel->at[SEC] = clk;
	if (clk - wheel->at[MIN] < MIN_TICKS)
		return SEC;
	if (clk - wheel->at[DAY] >= DAY_TICKS)
		set_day(wheel);
	EACH_LEVEL_APART
	for (unsigned level = HOUR; level >= MIN; level--)
		set_hand(wheel, level);
	while (reached < DAY && clk == wheel->at[reached + 1])
		reached++;
	return reached;
}

/* All lists of a slot are in one word of the map. */
FAST bool has_entries(const struct jif_wheel *wheel, unsigned level)
{
	size_t slot = hand_of(wheel, level);

	if (chains_of(level) == 1)
		return wheel->slot[fold(slot)].tail;
	return bit_any(wheel->occupied, slot, chains_of(level));
}

/* The slot under the hand of @level becomes the bucket. */
FAST void take(struct jif_wheel *wheel, unsigned level)
{
	size_t slot = hand_of(wheel, level);

	for (size_t i = 0; i < chains_of(level); i++) {
		wheel->slot[BUCKET + i] = wheel->slot[fold(slot + i)];
		wheel->slot[fold(slot + i)].tail = NULL;
	}
	bit_clear_all(wheel->occupied, slot, chains_of(level));
	wheel->taken = (jif_number_t)slot;
}

/* Takes the slot under the hand of @highest, or of one below; false: no more */
FAST bool descend(struct jif_wheel *wheel, unsigned highest)
{
	EACH_LEVEL_APART
	for (unsigned level = APART ? DAY + 1 : highest + 1; level-- > SEC;)
		if (level <= highest && has_entries(wheel, level)) {
			take(wheel, level);
			return true;
		}
	wheel->taken = BUCKET;
	return false;
}

/* The one from which to move an entry now; BUCKET: this tick is done. */
static size_t slot_to_move(const struct jif_wheel *wheel)
{
	if (!moves_allowed(wheel) || wheel->taken >= MIN_BASE)
		return BUCKET;
	return slot_ahead(wheel);
}

/*
 * A timer that is alone in its slot, and due before any other slot is reached,
 * need not go down level by level: it becomes the bucket of its tick.
 */
FAST bool leap_to_lone(struct jif_wheel *wheel, size_t slot, uint32_t ticks)
{
	struct jif_timer *timer = wheel->slot[slot].tail;

	turn(wheel, wheel->at[SEC] + ticks);
	bit_clear(wheel->occupied, slot);
	wheel->slot[slot].tail = NULL;
	wheel->slot[BUCKET].tail = timer;
	wheel->taken = (jif_number_t)hand_of(wheel, SEC);
	timer->where = JIF_TIMER_SLOT + JIF_TIMER_LAST + (int)wheel->taken;
	timer->remaining = 0;
	trace_placed(timer, (int)level_of(slot));
	return true;
}

/* Is the timer on the list that is reached first, in @ticks, such a one? */
FAST bool is_lone(struct jif_wheel *wheel, size_t slot, uint32_t ticks)
{
	const struct jif_timer *timer = wheel->slot[slot].tail;
	uint32_t others;
	size_t other;

	if (slot < MIN_BASE || timer->next != timer)
		return false;
	bit_clear(wheel->occupied, slot);
	others = ticks_to_stop(wheel, &other);
	bit_set(wheel->occupied, slot);
	return others - ticks > timer->remaining;
}

/* On to the next slot with entries, or to @now; false if nothing is to do. */
RARE bool leap(struct jif_wheel *wheel, uint32_t now)
{
	uint32_t most = now - wheel->at[SEC];
	uint32_t ticks = 1;
	unsigned level;
	size_t slot;

	if (most > 1) {
		slot = known_lone(wheel, &ticks);
		if (slot != BUCKET && ticks <= most)
			return leap_to_lone(wheel, slot, ticks);
		ticks = ticks_to_stop(wheel, &slot);
		if (ticks > most)
			ticks = most;
		else if (CONFIG_JIF_HOST && is_lone(wheel, slot, ticks) &&
			 wheel->slot[slot].tail->remaining <= most - ticks)
			return leap_to_lone(
				wheel, slot,
				ticks + wheel->slot[slot].tail->remaining);
	}
	level = turn(wheel, wheel->at[SEC] + ticks);
	allow_moves(wheel);
	return descend(wheel, level) || ticks < most ||
	       slot_to_move(wheel) != BUCKET;
}

/* The same, but most often by a second. */
FAST bool go(struct jif_wheel *wheel, uint32_t now)
{
	if (!QUICK || now - wheel->at[SEC] != 1 ||
	    now - wheel->at[MIN] >= MIN_TICKS)
		return leap(wheel, now);
	wheel->at[SEC] = now;
	return descend(wheel, SEC);
}

/* The bucket is empty: takes the next one, if there is one up to @now. */
FAST bool advance(struct jif_wheel *wheel, uint32_t now)
{
	if (wheel->taken >= MIN_BASE &&
	    descend(wheel, level_of(wheel->taken) - 1))
		return true;
	wheel->taken = BUCKET;
	return wheel->at[SEC] != now && go(wheel, now);
}

/*
 * Cascading: an entry goes one level down, where the hand has just begun a turn
 * or, if postponed or more than a week away, anywhere.
 */
FAST void cascade(struct jif_wheel *wheel, struct jif_timer *timer,
		  unsigned from)
{
	uint32_t ticks = timer->remaining;
	size_t slot;

	if (APART && from && LIKELY(ticks < ring.ticks[from]))
		slot = turn_begin(wheel, from - 1) +
		       distance(ticks, from - 1, &timer->remaining);
	else
		slot = locate(wheel, ticks, from ? from - 1 : SEC,
			      &timer->remaining);
	count_move(wheel);
	insert(wheel, timer, slot, true);
	trace_placed(timer, (int)from);
}

/*
 * Where an entry of a slot that is reached next goes: into the next turn of the
 * level below; if postponed, or more than a week away, anywhere.
 */
static size_t locate_ahead(struct jif_wheel *wheel, size_t slot,
			   uint32_t *remaining)
{
	unsigned from = level_of(slot);
	unsigned level = from - 1;

	if (*remaining >= ring.ticks[from])
		return locate(wheel, jif_wheel_visit(wheel, slot) + *remaining,
			      level, remaining);
	return next_turn(wheel, level) + distance(*remaining, level, remaining);
}

/* Spreading: the last entry of a slot that is reached next goes down now. */
static void move_ahead(struct jif_wheel *wheel, size_t slot)
{
	struct jif_timer *timer = wheel->slot[fold(slot)].tail;
	size_t to = locate_ahead(wheel, slot, &timer->remaining);

	count_move(wheel);
	detach(wheel, timer);
	insert(wheel, timer, to, true);
	trace_placed(timer, (int)level_of(slot));
}

/* The last entry of a list of the bucket goes down. */
FAST void sink(struct jif_wheel *wheel, struct jif_slot *list, unsigned level)
{
	struct jif_timer *timer = list->tail;
	struct jif_timer *prev = timer->prev;

	if (prev == timer) {
		list->tail = NULL;
	} else {
		prev->where += JIF_TIMER_LAST;
		prev->next = timer->next;
		prev->next->prev = prev;
		list->tail = prev;
		if (CONFIG_JIF_HOST)
			__builtin_prefetch(prev->prev);
	}
	cascade(wheel, timer, level);
}

/* The first entry of the bucket expires; false if it was postponed. */
FAST bool expire(struct jif_wheel *wheel, struct jif_timer *tail)
{
	struct jif_timer *timer = tail->next;

	if (timer == tail) {
		wheel->slot[BUCKET].tail = NULL;
	} else {
		tail->next = timer->next;
		timer->next->prev = tail;
	}
	timer->where = JIF_TIMER_IDLE;
	if (LIKELY(!timer->remaining))
		return true;
	cascade(wheel, timer, SEC);
	return false;
}

/* The tick is over; for how long is there nothing to do in this minute? */
static void rest(struct jif_wheel *wheel)
{
	size_t hand = hand_of(wheel, SEC);
	size_t next = hand + 1;

	if (slot_ahead(wheel) == BUCKET)
		next = bit_find(wheel->occupied, next,
				turn_begin(wheel, SEC) + JIF_SEC_SLOTS);
	wheel->stop = (jif_second_t)(next - turn_begin(wheel, SEC));
}

/* A list of the bucket that has entries, or else any; in turn. */
FAST struct jif_slot *bucket(struct jif_wheel *wheel, unsigned level,
			     unsigned *turn)
{
	size_t i = BUCKET;

	for (unsigned n = 0; n < chains_of(level) && chains_of(level) > 1;
	     n++) {
		i = (*turn)++ % chains_of(level);
		if (wheel->slot[i].tail)
			break;
	}
	return &wheel->slot[i];
}

/* Interrupts are let in after each entry; false if the budget is used up. */
FAST bool clear(struct jif_wheel *wheel, unsigned level, jif_irq_t *flags,
		unsigned *ran, unsigned *budget)
{
	struct jif_slot *list;
	struct jif_timer *first;
	bool expired;
	unsigned turn = 0;

	while ((list = bucket(wheel, level, &turn))->tail) {
		if (budget && !(*budget)--)
			return false;
		first = list->tail->next;
		expired = level == SEC && expire(wheel, list->tail);
		if (level != SEC)
			sink(wheel, list, level);
		jif_irq_restore(*flags);
		if (expired) {
			first->fn(first);
			++*ran;
		}
		*flags = jif_irq_save();
	}
	return true;
}

FAST bool clear_bucket(struct jif_wheel *wheel, jif_irq_t *flags, unsigned *ran,
		       unsigned *budget)
{
	if (!APART)
		return clear(wheel, level_of(wheel->taken), flags, ran, budget);
	if (wheel->taken < MIN_BASE)
		return clear(wheel, SEC, flags, ran, budget);
	if (wheel->taken < HOUR_BASE)
		return clear(wheel, MIN, flags, ran, budget);
	if (wheel->taken < DAY_BASE)
		return clear(wheel, HOUR, flags, ran, budget);
	return clear(wheel, DAY, flags, ran, budget);
}

FAST bool move_all_ahead(struct jif_wheel *wheel, jif_irq_t *flags,
			 unsigned *budget)
{
	size_t slot;

	while ((slot = slot_to_move(wheel)) != BUCKET) {
		if (budget && !(*budget)--)
			return false;
		wheel->taken = BUCKET;
		move_ahead(wheel, slot);
		jif_irq_restore(*flags);
		*flags = jif_irq_save();
	}
	return true;
}

/* Step by step up to @now; interrupts are let in after each one. */
FAST unsigned work(struct jif_wheel *wheel, uint32_t now, jif_irq_t flags,
		   unsigned *budget)
{
	unsigned ran = 0;
	bool more = true;

	wheel->running = true;
	wheel->target = now;
	wheel->stop = 0;
	while (more && clear_bucket(wheel, &flags, &ran, budget) &&
	       move_all_ahead(wheel, &flags, budget)) {
		more = advance(wheel, now);
		jif_irq_restore(flags);
		flags = jif_irq_save();
	}
	if (QUICK && !more)
		wheel->stop = (jif_second_t)(second_of(wheel) + 1);
	else if (!more)
		rest(wheel);
	wheel->running = false;
	jif_irq_restore(flags);
	return ran;
}

RARE unsigned work_on(struct jif_wheel *wheel, uint32_t now, jif_irq_t flags,
		      unsigned *budget)
{
	if (APART && !budget)
		return work(wheel, now, flags, NULL);
	return work(wheel, now, flags, budget);
}

/* Only the clock moves, if nothing else has to; false if that is not so. */
FAST bool pass(struct jif_wheel *wheel, uint32_t now)
{
	if (now - wheel->at[MIN] >= wheel->stop ||
	    now - wheel->at[SEC] > JIF_DELAY_MAX)
		return false;
	wheel->at[SEC] = now;
	return true;
}

/* One step may be all that there is to do. */
RARE unsigned run(struct jif_wheel *wheel, uint32_t now, jif_irq_t flags,
		  unsigned *budget)
{
	uint32_t ticks = now - wheel->at[SEC];
	bool may = !wheel->running;

	if (QUICK && may && wheel->taken == BUCKET &&
	    ticks - 1 < JIF_DELAY_MAX) {
		may = go(wheel, now);
		if (!may)
			rest(wheel);
	} else if (pass(wheel, now) || ticks > JIF_DELAY_MAX) {
		may = false;
	}
	if (may)
		return work_on(wheel, now, flags, budget);
	jif_irq_restore(flags);
	return 0;
}

unsigned jif_wheel_run(struct jif_wheel *wheel, uint32_t now)
{
	jif_irq_t flags = jif_irq_save();

	if (!APART || !pass(wheel, now))
		return run(wheel, now, flags, NULL);
	jif_irq_restore(flags);
	return 0;
}

bool jif_wheel_run_budget(struct jif_wheel *wheel, uint32_t now, unsigned max)
{
	jif_irq_t flags = jif_irq_save();

	run(wheel, now, flags, &max);
	return wheel->stop;
}

uint32_t jif_wheel_clock(const struct jif_wheel *wheel)
{
	return wheel->at[SEC];
}

bool jif_wheel_next(const struct jif_wheel *wheel, uint32_t *when)
{
	jif_irq_t flags = jif_irq_save();
	size_t slot;
	uint32_t ticks = ticks_to_stop(wheel, &slot);

	if (wheel->taken >= MIN_BASE && ticks != UINT32_MAX)
		ticks = 0;
	for (size_t i = BUCKET; i < BUCKETS; i++)
		if (wheel->slot[i].tail)
			ticks = 0;
	if (ticks != UINT32_MAX)
		*when = wheel->at[SEC] + ticks;
	jif_irq_restore(flags);
	return ticks != UINT32_MAX;
}

bool jif_wheel_empty(const struct jif_wheel *wheel)
{
	uint32_t when;

	return !jif_wheel_next(wheel, &when);
}

void jif_wheel_init_at(struct jif_wheel *wheel, uint32_t now, unsigned day,
		       unsigned hour, unsigned minute, unsigned second)
{
	uint32_t ticks = day * DAY_TICKS + hour * HOUR_TICKS +
			 minute * MIN_TICKS + second;

	*wheel = (struct jif_wheel){
		.hand = { MIN_BASE, HOUR_BASE, DAY_BASE },
		.at = { now - ticks, now - ticks, now - ticks, now - ticks },
		.target = now,
	};
	turn(wheel, now);
}

void jif_wheel_init(struct jif_wheel *wheel, uint32_t now)
{
	jif_wheel_init_at(wheel, now, 0, 0, 0, 0);
}
