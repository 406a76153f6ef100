/* SPDX-License-Identifier: MIT */
/* lib/rings.h - rings, slots and hands, as the wheel's sources share them */
#ifndef JIF_LIB_RINGS_H
#define JIF_LIB_RINGS_H

#include <jif/wheel.h>

#include "bitmap.h"
#include "divide.h"
#include "port/jif_port.h"
#include "shared.h"
#include "trace_points.h"

#define JIF_ENTRY	struct jif_timer
#define LIST_NAME(name) timers_##name
#include "wheel_list.h"

/* Where loops are unrolled, each arming call has its own copy of placing. */
#if JIF_UNROLLS
#define INLINE_IF_UNROLLED static JIF_ALWAYS_INLINE
#else
#define INLINE_IF_UNROLLED static JIF_MAYBE_UNUSED
#endif

/* A copy in each place, but in code for size on a small core, without CTZ. */
#if UINTPTR_MAX <= 0xffff || !(JIF_UNROLLS || CONFIG_JIF_CTZ)
#define IN_PLACE static JIF_NOINLINE
#else
#define IN_PLACE static JIF_ALWAYS_INLINE
#endif

/* WEEK is the ring of lists for timers due in a week or later. */
enum { SEC, MIN, HOUR, DAY, WEEK, LEVELS };

/* Ticks per slot. */
#define SEC_TICKS  1u
#define MIN_TICKS  ((uint32_t)JIF_SEC_SLOTS)
#define HOUR_TICKS (MIN_TICKS * JIF_MIN_SLOTS)
#define DAY_TICKS  (HOUR_TICKS * JIF_HOUR_SLOTS)
#define WEEK_TICKS (DAY_TICKS * JIF_DAY_SLOTS)

/* Debug: is a pending timer on that list? If not, reports it, or panics: W2. */
bool jif_timer_is_on(struct jif_timer *const *list,
		     const struct jif_timer *timer);
void jif_list_check(const struct jif_timer *tail, int slot);

/* The slots of all rings are numbered in one row. */
#define NO_SLOT	   0u
#define SEC_FIRST  1u
#define MIN_FIRST  (SEC_FIRST + JIF_WHEEL_SLOTS_OF(SEC))
#define HOUR_FIRST (MIN_FIRST + JIF_WHEEL_SLOTS_OF(MIN))
#define DAY_FIRST  (HOUR_FIRST + JIF_WHEEL_SLOTS_OF(HOUR))
#define WEEK_FIRST (DAY_FIRST + JIF_WHEEL_SLOTS_OF(DAY))
#define LAST_SLOT  ((unsigned)JIF_WHEEL_SLOTS)

/**
 * struct ring - a level
 * @per_slot:	divides by @ticks, where the core does not; not for the weeks
 * @ticks:	per slot
 * @first:	number of the first slot
 * @slots:	how many
 */
struct ring {
#if !JIF_DIVIDES
	struct reciprocal per_slot;
#endif
	uint32_t ticks;
	jif_slot_t first;
	jif_slot_t slots;
};

/* The last one ends the row. */
extern const struct ring jif_rings[LEVELS + 1];

/* Up to there, numbers are divided. */
RECIPROCAL_IS_EXACT(MIN, JIF_WHEEL_TURNS *HOUR_TICKS + MIN_TICKS);
RECIPROCAL_IS_EXACT(HOUR, JIF_WHEEL_TURNS *DAY_TICKS + HOUR_TICKS);
RECIPROCAL_IS_EXACT(DAY, JIF_WHEEL_TURNS *WEEK_TICKS + DAY_TICKS);

/*
 * wheel->quiet_until answers two questions. Between runs: before which slot of
 * the seconds is there nothing to do? Arming sets it to 0, the slot before all.
 * While somebody searches: has anything been armed since? The searcher sets it
 * to SEC_FIRST, which as an answer to the first question is as good as 0.
 */
static inline void note_arming(struct jif_wheel *wheel)
{
	WRITE_SHARED(&wheel->quiet_until, 0);
}

static inline void watch_arming(struct jif_wheel *wheel)
{
	WRITE_SHARED(&wheel->quiet_until, SEC_FIRST);
}

static inline bool is_undisturbed(const struct jif_wheel *wheel)
{
	return READ_SHARED(&wheel->quiet_until);
}

/* With interrupts on, before the hands are read: as it shows, so they point. */
static inline uint32_t look_at_clock(const struct jif_wheel *wheel)
{
	uint32_t clk = ACQUIRE_SHARED(&wheel->since[0]);

	if (JIF_HAS_IRQ)
		JIF_COMPILER_BARRIER();
	return clk;
}

static inline bool is_empty(const struct jif_wheel *wheel)
{
	jif_word_t any = 0;

	for (unsigned i = 0; i < JIF_WHEEL_WORDS; i++)
		any |= wheel->occupied[i];
	return !any;
}

static inline bool is_pending(const struct jif_timer *timer)
{
	return (unsigned)READ_SHARED(&timer->where) - 1 < LAST_SLOT;
}

/* A debug build looks at both ends of the list; interrupts are off. */
static inline struct jif_timer *last_of(const struct jif_wheel *wheel,
					unsigned slot)
{
	struct jif_timer *last = wheel->slot[slot - 1];

	if (CONFIG_JIF_DEBUG && last)
		jif_list_check(last, (int)slot);
	return last;
}

static inline index_t level_of(index_t slot)
{
	if (slot < MIN_FIRST)
		return SEC;
	if (slot < HOUR_FIRST)
		return MIN;
	if (slot < DAY_FIRST)
		return HOUR;
	return slot < WEEK_FIRST ? DAY : WEEK;
}

/* How many slots of a ring are over; it is not that of the weeks. */
#if JIF_DIVIDES
#define PER_SLOT(unit)
static inline uint32_t slots_in(uint32_t ticks, const struct ring *ring)
{
	return ticks / ring->ticks;
}
#else
#define PER_SLOT(unit) .per_slot = { RECIPROCAL(unit) }
static inline uint32_t slots_in(uint32_t ticks, const struct ring *ring)
{
	return divide(ticks, &ring->per_slot);
}
#endif

/* The ticks of the weeks that are over. */
ONE_COPY JIF_MAYBE_UNUSED uint32_t whole_weeks(uint32_t ticks)
{
	uint32_t rest = ticks;

	if (JIF_DIVIDES || UINTPTR_MAX > UINT32_MAX)
		return ticks / WEEK_TICKS * WEEK_TICKS;
	for (uint32_t weeks = WEEK_TICKS << 12; weeks >= WEEK_TICKS; weeks /= 2)
		if (rest >= weeks)
			rest -= weeks;
	return ticks - rest;
}

/* A slot that is counted on beyond the end of a ring. */
static inline index_t wrap(const struct ring *ring, unsigned slot)
{
	return (index_t)(slot < ring[1].first ? slot : slot - ring->slots);
}

/*
 * jif_wheel_run() with a budget; interrupts are off, and then as @flags say.
 * Unless the wheel cannot be run, its target is @now then.
 */
unsigned jif_wheel_run_most(struct jif_wheel *wheel, uint32_t now, intptr_t max,
			    jif_irq_t flags);

/* More than any delay: there is nothing to stop for. */
#define NEVER (JIF_DELAY_MAX + 1)

/*
 * The ticks until a slot with entries is reached or, with spreading, becomes
 * the one that is reached next; NEVER if there is none.
 */
uint32_t jif_ticks_to_stop(const struct jif_wheel *wheel);

/* Where a timer waits: a slot, and what is left there; in registers. */
#if UINTPTR_MAX == 0xffffffff
typedef uint64_t spot_t;
#define SPOT(slot, left) ((spot_t)(left) << 32 | (slot))
#define SLOT_OF(spot)	 ((unsigned)(spot))
#define LEFT_OF(spot)	 ((uint32_t)((spot) >> 32))
#else
typedef struct {
	uint32_t left;
	index_t slot;
} spot_t;
#define SPOT(slot, left) ((spot_t){ left, (index_t)(slot) })
#define SLOT_OF(spot)	 ((spot).slot)
#define LEFT_OF(spot)	 ((spot).left)
#endif

/* Takes a timer off its list; then it goes to another one, or is idle. */
ONE_COPY JIF_MAYBE_UNUSED void
leave_slot(struct jif_wheel *wheel, struct jif_timer *timer, unsigned slot)
{
	if (timers_del(&wheel->slot[slot - 1], timer))
		bitmap_clear(wheel->occupied, slot);
}

ONE_COPY JIF_MAYBE_UNUSED void dequeue(struct jif_wheel *wheel,
				       struct jif_timer *timer)
{
	leave_slot(wheel, timer, (unsigned)timer->where);
	WRITE_SHARED(&timer->where, JIF_TIMER_IDLE);
}

/* That, for the first timer of a slot. */
static inline void dequeue_first(struct jif_wheel *wheel,
				 struct jif_timer *first,
				 struct jif_timer *last, unsigned slot)
{
	if (first == last) {
		leave_slot(wheel, first, slot);
	} else {
		last->next = first->next;
		first->next->prev = last;
	}
	WRITE_SHARED(&first->where, JIF_TIMER_IDLE);
}

static inline void take_off(struct jif_wheel *wheel, struct jif_timer *timer)
{
	dequeue(wheel, timer);
	trace_cancel(wheel, timer);
}

/* A run of the wheel that is under way. */
struct run {
	jif_irq_t flags; /* whether interrupts were on */
	intptr_t left;	 /* how many more entries may expire or be moved */
	unsigned ran;	 /* how many have expired */
};

/* Is that the far list? The other lists of weeks are before it. */
static inline bool is_far_slot(const struct jif_wheel *wheel, unsigned slot)
{
	const struct ring *ring = &jif_rings[WEEK];

	return slot >= WEEK_FIRST &&
	       (!CONFIG_JIF_SPREAD ||
		slot == wrap(ring, wheel->hand[WEEK] + JIF_WHEEL_TURNS));
}

/* Puts a timer that is on no list at the head of one, which is returned. */
IN_PLACE struct jif_timer **enqueue(spot_t spot, struct jif_wheel *wheel,
				    struct jif_timer *timer)
{
	unsigned slot = SLOT_OF(spot);
	struct jif_timer **list = &wheel->slot[slot - 1];
	struct jif_timer *last = last_of(wheel, slot);

	/* Nothing on the far list is due before far_due. */
	if (is_far_slot(wheel, slot) &&
	    (!last || (int32_t)(LEFT_OF(spot) - wheel->far_due) < 0))
		WRITE_SHARED(&wheel->far_due, LEFT_OF(spot));
	if (!last)
		bitmap_set(wheel->occupied, slot);
	timer->remaining = LEFT_OF(spot);
	WRITE_SHARED(&timer->where, (int)slot);
	timers_add_head(list, timer);
	return list;
}

/* Moves an entry to a spot, unless it was postponed since that was found. */
static inline bool move_entry(struct jif_wheel *wheel, struct jif_timer *timer,
			      unsigned from, uint32_t was, spot_t spot)
{
	if (timer->remaining != was)
		return false;
	leave_slot(wheel, timer, from);
	enqueue(spot, wheel, timer);
	trace_slot(JIF_TRACE_CASCADE, wheel, timer, timer->remaining);
	return true;
}

/* The hand is stored first: who has read the clock sees the hands of then. */
static inline void set_clock(struct jif_wheel *wheel, uint32_t clk,
			     jif_slot_t second)
{
	WRITE_SHARED(&wheel->hand[SEC], second);
	PUBLISH_SHARED(&wheel->since[SEC], clk);
}

#if CONFIG_JIF_SPREAD
#include "levels_spread.h"
#else
#include "levels.h"
#endif

/* Where a timer due at @expires waits, if the clock is @clk; interrupts on. */
spot_t jif_find_spot(const struct jif_wheel *wheel, uint32_t clk,
		     uint32_t expires);

/* That, and turns interrupts off; they are as they were in @flags. */
static inline spot_t jif_look_ahead(const struct jif_wheel *wheel,
				    uint32_t expires, jif_irq_t *flags)
{
	uint32_t clk;
	spot_t spot;

	for (;;) {
		clk = look_at_clock(wheel);
		spot = jif_find_spot(wheel, clk, expires);
		*flags = jif_irq_save();
		if (clk == clock_of(wheel))
			return spot;
		jif_irq_restore(*flags);
	}
}

/* As jif_timer_mod(), there; interrupts have been off since. */
int jif_arm_at(struct jif_wheel *wheel, struct jif_timer *timer, spot_t spot);

/* When a pending timer expires; interrupts are off. */
ONE_COPY JIF_MAYBE_UNUSED uint32_t expiry_of(const struct jif_wheel *wheel,
					     const struct jif_timer *timer)
{
	return visit_of(wheel, (unsigned)timer->where) + timer->remaining;
}

#endif
