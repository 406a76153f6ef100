/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel.h - rings, slots and hands, as the sources of the wheel share them
 */
#ifndef JIF_LIB_WHEEL_H
#define JIF_LIB_WHEEL_H

#include <jif/wheel.h>

#include "bitmap.h"
#include "divide.h"
#include "port/jif_port.h"

#define LIST_ENTRY	struct jif_timer
#define LIST_NAME(name) list_##name
#include "list.h"

/* Where loops are unrolled, each arming call has its own copy of placing. */
#if JIF_UNROLLS
#define FAST static JIF_ALWAYS_INLINE
#else
#define FAST static
#endif

/* WEEK is the ring of lists for what is due in a week or later. */
enum { SEC, MIN, HOUR, DAY, WEEK, LEVELS };

/* Ticks per slot. */
#define MIN_TICKS  ((uint32_t)JIF_SEC_SLOTS)
#define HOUR_TICKS (MIN_TICKS * JIF_MIN_SLOTS)
#define DAY_TICKS  (HOUR_TICKS * JIF_HOUR_SLOTS)
#define WEEK_TICKS (DAY_TICKS * JIF_DAY_SLOTS)

/* How many turns of a ring have slots of their own. */
#define TURNS ((unsigned)JIF_WHEEL_TURNS)

/* Debug: is a pending timer on that list? If not, tells; or it panics: W2. */
bool jif_timer_is_on(struct jif_timer *const *list,
		     const struct jif_timer *timer);
void jif_list_check(const struct jif_timer *tail, int slot);

/* The slots of all rings are numbered in one row. */
#define NO_SLOT	   0u
#define SEC_FIRST  1u
#define MIN_FIRST  (SEC_FIRST + TURNS * JIF_SEC_SLOTS)
#define HOUR_FIRST (MIN_FIRST + TURNS * JIF_MIN_SLOTS)
#define DAY_FIRST  (HOUR_FIRST + TURNS * JIF_HOUR_SLOTS)
#define WEEK_FIRST (DAY_FIRST + TURNS * JIF_DAY_SLOTS)
#define LAST_SLOT  (WEEK_FIRST + TURNS)

/**
 * struct ring - a level
 * @ticks:	per slot
 * @per_slot:	divides by @ticks; there is none for the weeks
 * @first:	number of the first slot
 * @slots:	how many
 */
struct ring {
	uint32_t ticks;
	struct reciprocal per_slot;
	jif_slot_t first;
	jif_slot_t slots;
};

/* The last one ends the row. */
extern const struct ring jif_rings[LEVELS + 1];

#define RECIPROCAL_OF(unit, max)                                               \
	JIF_STATIC_ASSERT(RECIPROCAL_IS_EXACT(unit##_TICKS, JIF_##unit##_MUL,  \
					      JIF_##unit##_PRE,                \
					      JIF_##unit##_SHIFT, max),        \
			  "the reciprocal of " #unit "_TICKS")

RECIPROCAL_OF(MIN, TURNS *HOUR_TICKS + MIN_TICKS);
RECIPROCAL_OF(HOUR, TURNS *DAY_TICKS + HOUR_TICKS);
RECIPROCAL_OF(DAY, TURNS *WEEK_TICKS + DAY_TICKS);

/*
 * Two questions are answered by wheel->quiet. It is the slot of the seconds
 * before which there is nothing to do, and arming makes it 0. SEC_FIRST
 * promises nothing: with that, it tells whether anything is armed from now on.
 */
static inline bool is_quiet(const struct jif_wheel *wheel, index_t second)
{
	if (CONFIG_JIF_DEBUG && wheel->hand[SEC] >= MIN_FIRST)
		return false;
	return second < wheel->quiet;
}

static inline void watch_arming(struct jif_wheel *wheel)
{
	WRITE_SHARED(&wheel->quiet, SEC_FIRST);
}

static inline bool is_undisturbed(const struct jif_wheel *wheel)
{
	return READ_SHARED(&wheel->quiet);
}

static inline bool is_pending(const struct jif_timer *timer)
{
	return (unsigned)READ_SHARED(&timer->where) - 1 < LAST_SLOT;
}

/* When a pending timer expires; interrupts are off. */
uint32_t jif_expiry_of(const struct jif_wheel *wheel,
		       const struct jif_timer *timer);

static inline struct jif_timer **list_of(struct jif_wheel *wheel, unsigned slot)
{
	return &wheel->slot[slot - 1];
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

static inline unsigned level_of(unsigned slot)
{
	unsigned level = SEC;

	while (slot >= jif_rings[level + 1].first)
		level++;
	return level;
}

/*
 * The most ticks of whole weeks, @turns of them at a time, that leave @rest or
 * more. The longest delay has less than 2^12 weeks.
 */
static inline uint32_t whole_weeks(uint32_t ticks, unsigned turns,
				   uint32_t rest)
{
	uint32_t weeks = 0;

	for (uint32_t step = WEEK_TICKS << 11; step >= turns * WEEK_TICKS;
	     step /= 2)
		if (ticks - weeks >= step + rest)
			weeks += step;
	return weeks;
}

/* A slot that is counted on beyond the end of a ring. */
static inline index_t wrap(const struct ring *ring, unsigned slot)
{
	return (index_t)(slot < ring[1].first ? slot : slot - ring->slots);
}

static inline bool is_in_ring(const struct ring *ring, unsigned slot)
{
	return slot >= ring->first && slot < ring[1].first;
}

/* Within a callback of a loop, the clock may have jumped, maybe beyond that. */
static inline bool goes_on_to(const struct jif_wheel *wheel, uint32_t now)
{
	return now != wheel->clk &&
	       (!JIF_HAS_LONG_JUMPS || wheel->target == now);
}

/*
 * jif_wheel_run() with a budget; interrupts are off, and then as @flags say.
 * Unless the wheel cannot be run, its target is @now then.
 */
unsigned jif_wheel_run_most(struct jif_wheel *wheel, uint32_t now, unsigned max,
			    jif_irq_t flags);

/* More than any delay: there is nothing to stop for. */
#define NEVER (JIF_DELAY_MAX + 1)

/*
 * The ticks until a slot with entries is reached or, with spreading, becomes
 * the one that is reached next; NEVER if there is none.
 */
uint32_t jif_ticks_to_stop(const struct jif_wheel *wheel);

#endif
