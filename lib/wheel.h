/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel.h - the geometry, as the sources of the wheel share it
 */
#ifndef JIF_LIB_WHEEL_H
#define JIF_LIB_WHEEL_H

#include <jif/wheel.h>

/* Worth a copy at each call, or level, unless the compiler is to save space. */
#ifdef __OPTIMIZE_SIZE__
#define FAST static
#else
#define FAST static inline __attribute__((always_inline))
#endif
#if !defined(__OPTIMIZE_SIZE__) && (defined(__clang__) || __GNUC__ >= 8)
#define EACH_LEVEL_APART _Pragma("GCC unroll 4")
#else
#define EACH_LEVEL_APART
#endif

enum { SEC, MIN, HOUR, DAY };

/* Ticks per slot of each level, and per turn of the highest. */
#define MIN_TICKS  ((uint32_t)JIF_SEC_SLOTS)
#define HOUR_TICKS (MIN_TICKS * JIF_MIN_SLOTS)
#define DAY_TICKS  (HOUR_TICKS * JIF_HOUR_SLOTS)
#define HORIZON	   (DAY_TICKS * JIF_DAY_SLOTS)
#define FORTNIGHT  (HORIZON * 2)

/* How many turns of a ring below the days have slots. */
#if CONFIG_JIF_SPREAD
#define TURNS 2u
#else
#define TURNS 1u
#endif

/* All slots in one row: the bucket, then level by level. */
#define BUCKET	  0u
#define SEC_BASE  1u
#define MIN_BASE  (SEC_BASE + TURNS * JIF_SEC_SLOTS)
#define HOUR_BASE (MIN_BASE + TURNS * JIF_MIN_SLOTS)
#define DAY_BASE  (HOUR_BASE + TURNS * JIF_HOUR_SLOTS)
#define LAST_SLOT (DAY_BASE + 2 * JIF_DAY_SLOTS - 1)

static inline unsigned slot_of(const struct jif_timer *timer)
{
	return (unsigned)timer->where % JIF_TIMER_LAST;
}

static inline bool is_pending(const struct jif_timer *timer)
{
	return timer->where >= JIF_TIMER_SLOT;
}

/* Is it pending, and not the last one of its list? */
static inline bool is_inner(const struct jif_timer *timer)
{
	return (unsigned)timer->where - JIF_TIMER_SLOT < JIF_TIMER_LAST;
}

/* The list of a slot. Day slots of two weeks may share theirs. */
static inline unsigned fold(unsigned slot)
{
	return slot < JIF_WHEEL_LISTS ? slot : slot - JIF_DAY_SLOTS;
}

static inline unsigned level_of(unsigned slot)
{
	if (slot < HOUR_BASE)
		return slot < MIN_BASE ? SEC : MIN;
	return slot < DAY_BASE ? HOUR : DAY;
}

/* Of the level after the last, too: where the row ends. */
static inline unsigned base_of(unsigned level)
{
	static const jif_number_t base[] = {
		SEC_BASE, MIN_BASE, HOUR_BASE, DAY_BASE, LAST_SLOT + 1,
	};

	return base[level];
}

/* The second is the ticks that are over of this minute. */
static inline unsigned second_of(const struct jif_wheel *wheel)
{
	return (unsigned)(wheel->at[SEC] - wheel->at[MIN]);
}

/* The slot of second 0 of this minute: every other one is the second turn. */
static inline unsigned minute_begin(const struct jif_wheel *wheel)
{
	if (TURNS > 1 && (wheel->hand[0] - MIN_BASE) % 2)
		return SEC_BASE + JIF_SEC_SLOTS;
	return SEC_BASE;
}

static inline unsigned hand_of(const struct jif_wheel *wheel, unsigned level)
{
	if (level == SEC)
		return minute_begin(wheel) + second_of(wheel);
	return wheel->hand[level - MIN];
}

/* The first slot of a level's next turn. */
static inline unsigned next_turn(const struct jif_wheel *wheel, unsigned level)
{
	unsigned begin = base_of(level);
	unsigned second = (begin + base_of(level + 1)) / 2;

	return hand_of(wheel, level) < second ? second : begin;
}

/* Within its level, as one sees it. */
static inline unsigned position_of(unsigned slot, unsigned level)
{
	static const uint8_t slots[] = {
		JIF_SEC_SLOTS,
		JIF_MIN_SLOTS,
		JIF_HOUR_SLOTS,
		JIF_DAY_SLOTS,
	};
	unsigned position = fold(slot) - base_of(level);

	if (TURNS > 1 && position >= slots[level])
		position -= slots[level];
	return position;
}

/*
 * How many entries a tick may move ahead: all that its cascades do not use up
 * of CONFIG_JIF_SPREAD.
 */
#if CONFIG_JIF_SPREAD
static inline bool moves_allowed(const struct jif_wheel *wheel)
{
	return wheel->ahead;
}

static inline void allow_moves(struct jif_wheel *wheel)
{
	wheel->ahead = CONFIG_JIF_SPREAD;
}

static inline void count_move(struct jif_wheel *wheel)
{
	if (wheel->ahead)
		wheel->ahead--;
}
#else
static inline bool moves_allowed(const struct jif_wheel *wheel)
{
	(void)wheel;
	return false;
}

static inline void allow_moves(struct jif_wheel *wheel)
{
	(void)wheel;
}

static inline void count_move(struct jif_wheel *wheel)
{
	(void)wheel;
}
#endif

/* The ticks from the clock until the wheel reaches @slot. */
uint32_t jif_wheel_visit(const struct jif_wheel *wheel, unsigned slot);

#endif
