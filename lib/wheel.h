/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel.h - the geometry, as the sources of the wheel share it
 */
#ifndef JIF_LIB_WHEEL_H
#define JIF_LIB_WHEEL_H

#include <jif/wheel.h>
#include <stddef.h>

/* APART: what is done on each level is worth a copy of its own. */
#ifdef __OPTIMIZE_SIZE__
#define APART 0
#define FAST  static
#define RARE  static
#else
#define APART 1
#define FAST  static inline __attribute__((always_inline))
#define RARE  static __attribute__((noinline))
#endif

#if !defined(__OPTIMIZE_SIZE__) && (defined(__clang__) || __GNUC__ >= 8)
#define EACH_LEVEL_APART _Pragma("GCC unroll 4")
#else
#define EACH_LEVEL_APART
#endif

#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

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

/* QUICK: a tick that only moves the hands is worth a way of its own. */
#define QUICK (APART && TURNS == 1)

/* How many lists a slot of hours or days has. */
#define HOUR_CHAINS ((unsigned)JIF_HOUR_CHAINS)
#define DAY_CHAINS  ((unsigned)JIF_DAY_CHAINS)
#define BUCKETS	    DAY_CHAINS

/*
 * All slots in one row: the bucket, then level by level; where there is memory
 * to spare, each level begins with a word of the map.
 */
#define BUCKET 0u
#if CONFIG_JIF_HOST
#define NEXT_BASE(end) JIF_WHEEL_WHOLE(end)
#else
#define NEXT_BASE(end) (end)
#endif
#define SEC_BASE  NEXT_BASE(BUCKETS)
#define SEC_END	  (SEC_BASE + TURNS * JIF_SEC_SLOTS)
#define MIN_BASE  NEXT_BASE(SEC_END)
#define MIN_END	  (MIN_BASE + TURNS * JIF_MIN_SLOTS)
#define HOUR_BASE NEXT_BASE(MIN_END)
#define HOUR_END  (HOUR_BASE + TURNS * JIF_HOUR_SLOTS * HOUR_CHAINS)
#define DAY_BASE  NEXT_BASE(HOUR_END)
#define LAST_SLOT (DAY_BASE + 2 * JIF_DAY_SLOTS * DAY_CHAINS - 1)

/* Of each level: ticks per slot, and what its slots are numbered by. */
static const struct {
	uint32_t ticks[JIF_WHEEL_LEVELS];
	jif_number_t numbers[JIF_WHEEL_LEVELS];
} ring = {
	{ 1, MIN_TICKS, HOUR_TICKS, DAY_TICKS },
	{ SEC_END - SEC_BASE, MIN_END - MIN_BASE, HOUR_END - HOUR_BASE,
	  LAST_SLOT + 1 - DAY_BASE },
};

static inline size_t slot_of(const struct jif_timer *timer)
{
	return (unsigned)timer->where % JIF_TIMER_LAST;
}

static inline bool is_pending(const struct jif_timer *timer)
{
	return timer->where < JIF_TIMER_IDLE;
}

/* Is it pending, and not the last one of its list? */
static inline bool is_inner(const struct jif_timer *timer)
{
	return timer->where < JIF_TIMER_SLOT + JIF_TIMER_LAST;
}

/* The list of a slot. Day slots of two weeks may share theirs. */
static inline size_t fold(size_t slot)
{
	if (JIF_WHEEL_LISTS == JIF_WHEEL_NUMBERS || slot < JIF_WHEEL_LISTS)
		return slot;
	return slot - JIF_DAY_SLOTS;
}

static inline unsigned level_of(size_t slot)
{
	if (slot < HOUR_BASE)
		return slot < MIN_BASE ? SEC : MIN;
	return slot < DAY_BASE ? HOUR : DAY;
}

static inline unsigned chains_of(unsigned level)
{
	if (level == DAY)
		return DAY_CHAINS;
	return level == HOUR ? HOUR_CHAINS : 1;
}

/* The list in the bucket that takes the place of list number @slot. */
static inline size_t bucket_of(size_t slot)
{
	return slot % chains_of(level_of(slot));
}

/* Of the level after the last, too: where the row ends. */
static inline size_t base_of(unsigned level)
{
	static const jif_number_t base[] = {
		SEC_BASE, MIN_BASE, HOUR_BASE, DAY_BASE, LAST_SLOT + 1,
	};

	return base[level];
}

/* Where the next level begins, if there is no gap. */
static inline size_t end_of(unsigned level)
{
	static const jif_number_t end[] = {
		SEC_END,
		MIN_END,
		HOUR_END,
		LAST_SLOT + 1,
	};

	return CONFIG_JIF_HOST ? end[level] : base_of(level + 1);
}

/* The second is the ticks that are over of this minute. */
static inline unsigned second_of(const struct jif_wheel *wheel)
{
	return (unsigned)(wheel->at[SEC] - wheel->at[MIN]);
}

/*
 * The first slot of a level's present turn. With two turns, that is told by the
 * hand above: each ring has an even number of slots then.
 */
static inline size_t turn_begin(const struct jif_wheel *wheel, unsigned level)
{
	size_t begin = base_of(level);

	if (TURNS > 1 && (wheel->hand[level] - base_of(level + 1)) % 2)
		begin += (end_of(level) - begin) / 2;
	return begin;
}

static inline size_t hand_of(const struct jif_wheel *wheel, unsigned level)
{
	if (level == SEC)
		return turn_begin(wheel, SEC) + second_of(wheel);
	return wheel->hand[level - MIN];
}

/*
 * A hand comes to the slot on which it stands a turn later (W4), unless the
 * tick being run has not come down to that level: slots are numbered from the
 * seconds up to the days, and levels are taken from the days down.
 */
static inline uint32_t visit_on(const struct jif_wheel *wheel, unsigned level,
				size_t slot)
{
	size_t first = slot - slot % chains_of(level);
	int steps = (int)(first - hand_of(wheel, level));

	if (steps < 0 || (steps == 0 && first > wheel->taken))
		steps += (int)ring.numbers[level];
	return (uint32_t)steps / chains_of(level) * ring.ticks[level] -
	       (wheel->at[SEC] - wheel->at[level]);
}

/* The first slot of a level's next turn. */
static inline size_t next_turn(const struct jif_wheel *wheel, unsigned level)
{
	size_t begin = base_of(level);
	size_t second = (begin + end_of(level)) / 2;

	return hand_of(wheel, level) < second ? second : begin;
}

/* Within its level, as one sees it. */
static inline unsigned position_of(size_t slot, unsigned level)
{
	static const uint8_t slots[] = {
		JIF_SEC_SLOTS,
		JIF_MIN_SLOTS,
		JIF_HOUR_SLOTS,
		JIF_DAY_SLOTS,
	};
	unsigned position =
		(unsigned)(slot - base_of(level)) / chains_of(level);

	return position < slots[level] ? position : position - slots[level];
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

/*
 * What is known of the next expiry holds until a list gets its first entry: all
 * others are reached later, and stay so.
 */
#if CONFIG_JIF_HOST
static inline void expect_lone(struct jif_wheel *wheel)
{
	wheel->lone = BUCKET + 1;
}

static inline void know_lone(struct jif_wheel *wheel, size_t slot,
			     uint32_t visit, uint32_t ticks)
{
	if (wheel->lone == BUCKET)
		return;
	wheel->lone = slot;
	wheel->lone_visit = wheel->at[SEC] + visit;
	wheel->lone_expiry = wheel->at[SEC] + ticks;
}

static inline void forget_lone(struct jif_wheel *wheel)
{
	wheel->lone = BUCKET;
}

/* The list of a timer that expires before any other slot is reached. */
static inline size_t known_lone(const struct jif_wheel *wheel, uint32_t *ticks)
{
	const struct jif_timer *timer = wheel->slot[wheel->lone].tail;

	if (wheel->lone == BUCKET || !timer || timer->next != timer ||
	    wheel->lone_visit + timer->remaining != wheel->lone_expiry)
		return BUCKET;
	*ticks = wheel->lone_expiry - wheel->at[SEC];
	return wheel->lone;
}
#else
static inline void expect_lone(struct jif_wheel *wheel)
{
	(void)wheel;
}

static inline void know_lone(struct jif_wheel *wheel, size_t slot,
			     uint32_t visit, uint32_t ticks)
{
	(void)wheel;
	(void)slot;
	(void)visit;
	(void)ticks;
}

static inline void forget_lone(struct jif_wheel *wheel)
{
	(void)wheel;
}

static inline size_t known_lone(const struct jif_wheel *wheel, uint32_t *ticks)
{
	(void)wheel;
	(void)ticks;
	return BUCKET;
}
#endif

/* The ticks from the clock until the wheel reaches @slot. */
uint32_t jif_wheel_visit(const struct jif_wheel *wheel, size_t slot);

#endif
