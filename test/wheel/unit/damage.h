/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/damage.h - what breaks a wheel or a timer by hand
 *
 * The only file of the unit tests that knows the private fields of struct
 * jif_wheel and struct jif_timer: tools/check/checkcalls looks for others.
 */
#pragma once

#include <jif/wheel.h>
#include <string.h>

/* --- a timer -------------------------------------------------------------- */

static inline void set_next(struct jif_timer *timer, struct jif_timer *next)
{
	timer->next = next;
}

static inline void set_prev(struct jif_timer *timer, struct jif_timer *prev)
{
	timer->prev = prev;
}

static inline void set_slot(struct jif_timer *timer, int slot)
{
	timer->where = slot;
}

static inline void take_function(struct jif_timer *timer)
{
	timer->fn = NULL;
}

static inline void set_remaining(struct jif_timer *timer, uint32_t ticks)
{
	timer->remaining = ticks;
}

static inline void add_remaining(struct jif_timer *timer, uint32_t ticks)
{
	timer->remaining += ticks;
}

/* What a test cannot see: the number of the slot, from 1 on. */
static inline int slot_of(const struct jif_timer *timer)
{
	return timer->where;
}

/* Are two timers the same, but for where they lead to? */
static inline bool is_same_but_next(const struct jif_timer *a,
				    const struct jif_timer *b)
{
	struct jif_timer other;

	memcpy(&other, b, sizeof(other));
	other.next = a->next;
	return !memcmp(a, &other, sizeof(other));
}

/* A constant: where its function is. */
#define FUNCTION_OF(timer) (&(timer).fn)

/* --- a wheel -------------------------------------------------------------- */

static inline void set_hand(struct jif_wheel *wheel, unsigned level, int slot)
{
	wheel->hand[level] = (jif_slot_t)slot;
}

/* The hand alone. */
static inline void turn_hand(struct jif_wheel *wheel, unsigned level, int slots)
{
	set_hand(wheel, level, (int)wheel->hand[level] + slots);
}

/* When the hand moved last: for the seconds, the clock. */
static inline void move_tick(struct jif_wheel *wheel, unsigned level,
			     uint32_t ticks)
{
	wheel->since[level] += ticks;
}

static inline void set_levels_due(struct jif_wheel *wheel, uint8_t levels)
{
	wheel->levels_due = levels;
}

/* So many seconds of the minute are said to be quiet. */
static inline void set_quiet(struct jif_wheel *wheel, unsigned seconds)
{
	wheel->quiet_until = (uint8_t)(1 + seconds);
}

static inline void say_postponed(struct jif_wheel *wheel)
{
	wheel->postponed = true;
}

/* On the map, a slot with entries has none, or the other way round. */
static inline void flip_bit(struct jif_wheel *wheel, unsigned slot)
{
	jif_word_t *word = &wheel->occupied[slot / JIF_WORD_BITS];

	*word = (jif_word_t)(*word ^ (jif_word_t)1 << slot % JIF_WORD_BITS);
}

static inline void set_last(struct jif_wheel *wheel, unsigned slot,
			    struct jif_timer *timer)
{
	wheel->slot[slot - 1] = timer;
}
