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
 * a look at its slot.
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
 * IDLE TIME
 *
 * A bit per slot says whether it has entries, so the next slot to be visited is
 * found in a few steps, and a run over any distance without one is a single
 * step. While nothing is due in this minute, a tick does not even look, and
 * moves the clock only.
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
 * W2	A timer is pending if and only if it is on exactly one list: that of its
 *	slot, or the bucket taken from that slot. A slot's bit is set if and
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

/* Of each level: ticks per slot, and slots per turn. */
static const struct {
	uint32_t ticks[JIF_WHEEL_LEVELS];
	uint8_t slots[JIF_WHEEL_LEVELS];
} ring = {
	{ 1, MIN_TICKS, HOUR_TICKS, DAY_TICKS },
	{ MIN_BASE - SEC_BASE, HOUR_BASE - MIN_BASE, DAY_BASE - HOUR_BASE,
	  LAST_SLOT + 1 - DAY_BASE },
};

/* x / ring.ticks is ((x >> pre) * mul) >> shift. */
static const struct {
	uint16_t mul[JIF_WHEEL_LEVELS];
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
JIF_STATIC_ASSERT(LAST_SLOT < JIF_TIMER_LAST &&
			  LAST_SLOT <=
				  INT_MAX - (JIF_TIMER_SLOT + JIF_TIMER_LAST),
		  "slots fit struct jif_timer");
JIF_STATIC_ASSERT(JIF_SEC_SLOTS <= UINT8_MAX, "a minute fits @quiet");

/*
 * A reciprocal is too large by some excess; the quotients of all x up to max
 * are exact if x * excess is less than 2^shift, and nothing overflows.
 */
#define BIT32(n) (UINT32_C(1) << (n))
#define EXCESS(unit)                                                           \
	((uint32_t)JIF_##unit##_MUL * (unit##_TICKS >> JIF_##unit##_PRE) -     \
	 BIT32(JIF_##unit##_SHIFT))
#define RECIPROCAL_IS_EXACT(unit, max)                                         \
	JIF_STATIC_ASSERT(unit##_TICKS % BIT32(JIF_##unit##_PRE) == 0 &&       \
				  (max) >> JIF_##unit##_PRE <=                 \
					  UINT32_MAX / JIF_##unit##_MUL &&     \
				  EXCESS(unit) < BIT32(10) &&                  \
				  ((max) >> JIF_##unit##_PRE) * EXCESS(unit) < \
					  BIT32(JIF_##unit##_SHIFT),           \
			  "the reciprocal of " #unit "_TICKS")

RECIPROCAL_IS_EXACT(MIN, (TURNS * HOUR_TICKS) + MIN_TICKS);
RECIPROCAL_IS_EXACT(HOUR, (TURNS * DAY_TICKS) + HOUR_TICKS);
RECIPROCAL_IS_EXACT(DAY, FORTNIGHT);

/* How many slots of a level fit into @ticks. */
FAST unsigned quotient(uint32_t ticks, unsigned level)
{
	if (CONFIG_JIF_DIVIDER)
		return (unsigned)(ticks / ring.ticks[level]);
	ticks = (ticks >> reciprocal.pre[level]) * reciprocal.mul[level];
	return (unsigned)(ticks >> reciprocal.shift[level]);
}

/* What is left of @ticks when whole turns are taken away. */
static uint32_t modulo(uint32_t ticks, uint32_t turn)
{
	uint32_t turns = turn;

	if (CONFIG_JIF_DIVIDER)
		return ticks % turn;
	while (turns <= ticks / 2)
		turns *= 2;
	for (; turns >= turn; turns /= 2)
		if (ticks >= turns)
			ticks -= turns;
	return ticks;
}

/* The slot for what is due in @delta ticks, on a level that spans it. */
FAST unsigned locate_on(const struct jif_wheel *wheel, unsigned level,
			uint32_t delta, uint32_t *remaining)
{
	uint32_t ticks = delta + (wheel->at[SEC] - wheel->at[level]);
	uint32_t weeks = 0;
	unsigned slot;

	/* Whole weeks stay in the remaining value. */
	if (level == DAY && ticks >= TURNS * DAY_TICKS + HORIZON) {
		weeks = ticks - TURNS * DAY_TICKS;
		weeks -= modulo(weeks, HORIZON);
		ticks -= weeks;
	}
	slot = quotient(ticks, level);
	*remaining = ticks - slot * ring.ticks[level] + weeks;
	slot += hand_of(wheel, level);
	return slot < base_of(level + 1) ? slot : slot - ring.slots[level];
}

/*
 * A level spans a turn of its ring from now on; or, with two turns, what is
 * left of this turn and all of the next one. The days span all.
 */
FAST bool spans(const struct jif_wheel *wheel, unsigned level, uint32_t delta)
{
	if (TURNS > 1)
		delta += wheel->at[SEC] - wheel->at[level + 1];
	return delta < TURNS * ring.ticks[level + 1];
}

/* Placing: the lowest level that spans @delta ticks, but not below @lowest. */
FAST unsigned locate(const struct jif_wheel *wheel, uint32_t delta,
		     unsigned lowest, uint32_t *remaining)
{
	EACH_LEVEL_APART
	for (unsigned level = SEC; level <= DAY; level++)
		if (level == DAY ||
		    (level >= lowest && spans(wheel, level, delta)))
			return locate_on(wheel, level, delta, remaining);
	return BUCKET;
}

/*
 * A hand comes to the slot on which it stands a turn later (W4), unless the
 * tick being run has not come down to that level: slots are numbered from the
 * seconds up to the days, and levels are taken from the days down.
 */
uint32_t jif_wheel_visit(const struct jif_wheel *wheel, unsigned slot)
{
	unsigned level = level_of(slot);
	int steps = (int)(slot - hand_of(wheel, level));

	if (steps < 0 || (steps == 0 && slot > wheel->taken))
		steps += ring.slots[level];
	return (uint32_t)steps * ring.ticks[level] -
	       (wheel->at[SEC] - wheel->at[level]);
}

/* The ticks from the clock until @timer, which is pending, expires. */
static uint32_t left(const struct jif_wheel *wheel,
		     const struct jif_timer *timer)
{
	return jif_wheel_visit(wheel, slot_of(timer)) + timer->remaining;
}

/* What is due, or past, runs on the next tick. */
FAST uint32_t delta_of(const struct jif_wheel *wheel, uint32_t expires)
{
	uint32_t delta = expires - wheel->at[SEC];

	return delta - 1 < JIF_DELAY_MAX ? delta : 1;
}

/* Into an empty slot, in front, or at the tail. */
FAST void insert(struct jif_wheel *wheel, struct jif_timer *timer,
		 unsigned slot, bool front)
{
	struct jif_slot *list = &wheel->slot[fold(slot)];
	struct jif_timer *tail = list->tail;

	timer->where = (int)(JIF_TIMER_SLOT + JIF_TIMER_LAST + slot);
	if (!tail) {
		bit_set(wheel->occupied, slot);
		timer->next = timer->prev = list->tail = timer;
		return;
	}
	timer->prev = tail;
	timer->next = tail->next;
	timer->next->prev = timer;
	tail->next = timer;
	if (front) {
		timer->where -= JIF_TIMER_LAST;
	} else {
		tail->where -= JIF_TIMER_LAST;
		list->tail = timer;
	}
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

/* If there is one before the last entry, that becomes the last one. */
static void unlink_last(struct jif_wheel *wheel, struct jif_timer *timer)
{
	unsigned slot = slot_of(timer);
	bool taken = slot == wheel->taken;
	struct jif_slot *list = &wheel->slot[taken ? BUCKET : fold(slot)];

	list->tail = timer->prev;
	timer->prev->where += JIF_TIMER_LAST;
	if (list->tail == timer) {
		list->tail = NULL;
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
	timer->where = JIF_TIMER_IDLE;
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

FAST void arm(struct jif_wheel *wheel, struct jif_timer *timer,
	      uint32_t expires)
{
	uint32_t delta = delta_of(wheel, expires);
	unsigned second, slot;

	if (spans(wheel, SEC, delta)) {
		second = (unsigned)delta + second_of(wheel);
		if (second < wheel->quiet)
			wheel->quiet = (uint8_t)second;
		timer->remaining = 0;
		slot = minute_begin(wheel) + second;
		if (slot >= MIN_BASE)
			slot -= TURNS * JIF_SEC_SLOTS;
	} else {
		slot = locate(wheel, delta, MIN, &timer->remaining);
	}
	insert(wheel, timer, slot, false);
	trace_placed(timer, JIF_TRACE_ARMED);
}

int jif_timer_add(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	int err;

	if (timer->where == JIF_TIMER_IDLE && timer->fn) {
		arm(wheel, timer, expires);
		jif_irq_restore(flags);
		return 0;
	}
	err = is_pending(timer) ? -JIF_EBUSY : -JIF_EINVAL;
	jif_irq_restore(flags);
	return err;
}

bool jif_timer_mod(struct jif_wheel *wheel, struct jif_timer *timer,
		   uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = detach(wheel, timer);

	if (timer->where == JIF_TIMER_IDLE && timer->fn)
		arm(wheel, timer, expires);
	jif_irq_restore(flags);
	return pending;
}

/* Makes it sooner; what would make it later is done lazily, or not at all. */
static bool move(struct jif_wheel *wheel, struct jif_timer *timer,
		 uint32_t expires, bool lazily)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = is_pending(timer);
	uint32_t delta = delta_of(wheel, expires);

	if (!pending || delta < left(wheel, timer))
		jif_timer_mod(wheel, timer, expires);
	else if (lazily)
		timer->remaining += delta - left(wheel, timer);
	jif_irq_restore(flags);
	return pending;
}

bool jif_timer_reduce(struct jif_wheel *wheel, struct jif_timer *timer,
		      uint32_t expires)
{
	return move(wheel, timer, expires, false);
}

bool jif_timer_postpone(struct jif_wheel *wheel, struct jif_timer *timer,
			uint32_t expires)
{
	return move(wheel, timer, expires, true);
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
static unsigned slot_ahead(const struct jif_wheel *wheel)
{
	unsigned slot;

	for (unsigned level = MIN; CONFIG_JIF_SPREAD && level <= DAY; level++) {
		slot = hand_of(wheel, level) + 1;
		if (slot == base_of(level + 1))
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
static uint32_t ticks_to_stop(const struct jif_wheel *wheel)
{
	uint32_t nearest = UINT32_MAX;
	uint32_t ticks;
	unsigned hand, end, slot;

	if (slot_ahead(wheel) != BUCKET)
		return 1;
	for (unsigned level = SEC; level <= DAY; level++) {
		hand = hand_of(wheel, level);
		end = base_of(level + 1);
		slot = bit_find(wheel->occupied, hand + 1, end);
		if (slot == end) {
			end = hand + 1;
			slot = bit_find(wheel->occupied, base_of(level), end);
		}
		if (slot == end)
			continue;
		ticks = jif_wheel_visit(wheel, slot);
		if (TURNS > 1 && level > SEC)
			ticks -= ring.ticks[level];
		if (ticks < nearest)
			nearest = ticks;
		/* Higher levels wait for this ring to wrap. */
		if (TURNS == 1 && slot > hand)
			break;
	}
	return nearest;
}

/* Moves the hands on; returns the highest level whose slot is reached now. */
static unsigned turn(struct jif_wheel *wheel, uint32_t clk)
{
	unsigned level = SEC;
	unsigned reached = SEC;
	uint32_t ticks;
	unsigned steps, slot;

	wheel->at[SEC] = clk;
	while (++level <= DAY) {
		ticks = clk - wheel->at[level];
		if (ticks < ring.ticks[level])
			break;
		ticks = modulo(ticks, ring.ticks[level] * ring.slots[level]);
		steps = quotient(ticks, level);
		ticks -= steps * ring.ticks[level];
		if (!ticks)
			reached = level;
		wheel->at[level] = clk - ticks;
		slot = wheel->hand[level - MIN] + steps;
		if (slot >= base_of(level + 1))
			slot -= ring.slots[level];
		wheel->hand[level - MIN] = (jif_number_t)slot;
	}
	return reached;
}

static void take(struct jif_wheel *wheel, unsigned slot)
{
	wheel->taken = (jif_number_t)slot;
	wheel->slot[BUCKET] = wheel->slot[fold(slot)];
	wheel->slot[fold(slot)].tail = NULL;
	bit_clear(wheel->occupied, slot);
}

/* Takes the slot under the hand of @level, or of one below; false: no more. */
static bool descend(struct jif_wheel *wheel, unsigned level)
{
	unsigned slot;

	do {
		slot = hand_of(wheel, level);
		if (wheel->slot[fold(slot)].tail) {
			take(wheel, slot);
			return true;
		}
	} while (level-- > SEC);
	wheel->taken = BUCKET;
	return false;
}

/* The one from which to move an entry now; BUCKET: this tick is done. */
static unsigned slot_to_move(const struct jif_wheel *wheel)
{
	if (!moves_allowed(wheel) || wheel->taken >= MIN_BASE)
		return BUCKET;
	return slot_ahead(wheel);
}

/* Goes on to the next slot with entries, or to the target; false there. */
static bool advance(struct jif_wheel *wheel)
{
	uint32_t most = wheel->target - wheel->at[SEC];
	uint32_t ticks = 1;
	unsigned level;

	if (wheel->taken >= MIN_BASE &&
	    descend(wheel, level_of(wheel->taken) - 1))
		return true;
	wheel->taken = BUCKET;
	if (!most)
		return false;
	if (most > 1)
		ticks = ticks_to_stop(wheel);
	level = turn(wheel, wheel->at[SEC] + (ticks < most ? ticks : most));
	wheel->quiet = (uint8_t)second_of(wheel);
	allow_moves(wheel);
	return descend(wheel, level) || ticks < most ||
	       slot_to_move(wheel) != BUCKET;
}

/* Cascading: an entry goes one level down or, if postponed, anywhere. */
static void cascade(struct jif_wheel *wheel, struct jif_timer *timer,
		    unsigned from)
{
	unsigned slot = locate(wheel, timer->remaining, from ? from - 1 : SEC,
			       &timer->remaining);

	count_move(wheel);
	insert(wheel, timer, slot, true);
	trace_placed(timer, (int)from);
}

/*
 * Where an entry of a slot that is reached next goes: into the next turn of the
 * level below; if postponed, or more than a week away, anywhere.
 */
static unsigned locate_ahead(const struct jif_wheel *wheel, unsigned slot,
			     uint32_t *remaining)
{
	unsigned from = level_of(slot);
	unsigned level = from - 1;

	if (*remaining >= ring.ticks[from])
		return locate(wheel, jif_wheel_visit(wheel, slot) + *remaining,
			      level, remaining);
	slot = quotient(*remaining, level);
	*remaining -= slot * ring.ticks[level];
	return next_turn(wheel, level) + slot;
}

/* Spreading: the last entry of a slot that is reached next goes down now. */
static void move_ahead(struct jif_wheel *wheel, unsigned slot)
{
	struct jif_timer *timer = wheel->slot[fold(slot)].tail;
	unsigned to = locate_ahead(wheel, slot, &timer->remaining);

	count_move(wheel);
	detach(wheel, timer);
	insert(wheel, timer, to, true);
	trace_placed(timer, (int)level_of(slot));
}

/* Takes the first entry off the bucket; returns the function to call, if any */
static inline jif_timer_fn *expire(struct jif_wheel *wheel,
				   struct jif_timer *tail)
{
	struct jif_timer *timer = tail->next;

	if (timer == tail) {
		wheel->slot[BUCKET].tail = NULL;
	} else {
		tail->next = timer->next;
		timer->next->prev = tail;
	}
	timer->where = JIF_TIMER_IDLE;
	if (!timer->remaining)
		return timer->fn;
	cascade(wheel, timer, SEC);
	return NULL;
}

/* The tick is over; when is there something to do in this minute? */
static void rest(struct jif_wheel *wheel)
{
	unsigned start = minute_begin(wheel);
	unsigned next = start + second_of(wheel) + 1;

	if (slot_ahead(wheel) == BUCKET)
		next = bit_find(wheel->occupied, next, start + JIF_SEC_SLOTS);
	wheel->quiet = (uint8_t)(next - start);
}

/* Step by step up to the target; interrupts are let in after each one. */
static unsigned work(struct jif_wheel *wheel, jif_irq_t flags, unsigned *budget)
{
	struct jif_timer *tail;
	struct jif_timer *timer;
	jif_timer_fn *fn;
	unsigned ran = 0;
	unsigned ahead;

	for (;;) {
		tail = wheel->slot[BUCKET].tail;
		ahead = tail ? BUCKET : slot_to_move(wheel);
		if (!tail && ahead == BUCKET) {
			if (!advance(wheel)) {
				rest(wheel);
				break;
			}
		} else if (budget && !(*budget)--) {
			break;
		} else if (!tail) {
			wheel->taken = BUCKET;
			move_ahead(wheel, ahead);
		} else if (wheel->taken >= MIN_BASE) {
			detach(wheel, tail);
			cascade(wheel, tail, level_of(wheel->taken));
		} else {
			timer = tail->next;
			fn = expire(wheel, tail);
			if (fn) {
				jif_irq_restore(flags);
				fn(timer);
				ran++;
				flags = jif_irq_save();
				continue;
			}
		}
		jif_irq_restore(flags);
		flags = jif_irq_save();
	}
	wheel->running = false;
	return ran;
}

static unsigned run(struct jif_wheel *wheel, uint32_t now, unsigned *budget)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t ticks = now - wheel->at[SEC];
	unsigned ran = 0;

	if (ticks < wheel->quiet - second_of(wheel)) {
		wheel->at[SEC] = now;
	} else if (!wheel->running && ticks <= JIF_DELAY_MAX) {
		wheel->running = true;
		wheel->target = now;
		wheel->quiet = (uint8_t)second_of(wheel);
		ran = work(wheel, flags, budget);
	}
	jif_irq_restore(flags);
	return ran;
}

unsigned jif_wheel_run(struct jif_wheel *wheel, uint32_t now)
{
	return run(wheel, now, NULL);
}

bool jif_wheel_run_budget(struct jif_wheel *wheel, uint32_t now, unsigned max)
{
	run(wheel, now, &max);
	return wheel->quiet != second_of(wheel);
}

uint32_t jif_wheel_clock(const struct jif_wheel *wheel)
{
	return wheel->at[SEC];
}

bool jif_wheel_next(const struct jif_wheel *wheel, uint32_t *when)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t ticks = ticks_to_stop(wheel);

	if (wheel->slot[BUCKET].tail ||
	    (wheel->taken >= MIN_BASE && ticks != UINT32_MAX))
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
		.quiet = MIN_TICKS,
		.at = { now - ticks, now - ticks, now - ticks, now - ticks },
		.target = now,
	};
	turn(wheel, now);
}

void jif_wheel_init(struct jif_wheel *wheel, uint32_t now)
{
	jif_wheel_init_at(wheel, now, 0, 0, 0, 0);
}
