/* SPDX-License-Identifier: MIT */
/*
 * test/proof/every.c - functions with so few inputs that all can be tried
 *
 * usage: every [BITS]
 *
 * bitmap_find() for words of 8 bits, on all maps of so many bits and all ranges
 * in them; else, from all positions of the hands, the hands after steps of each
 * kind, and where a timer is put, against divisions of the time since all hands
 * were at 0; and level_of() for all slots.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of an 8-bit core: wider ones are too many to try all. */
#undef UINTPTR_MAX
#define UINTPTR_MAX 0xffffu
#include "bitmap.h"

/* What is divided is noted. */
#include "divide.h"
static uint32_t note_division(uint32_t ticks, const struct reciprocal *by);
#define divide note_division
#include "wheel.c"
#include "wheel_next.c"
#undef divide

/* How many turns of a ring have slots of their own. */
enum { ROUNDS = JIF_WHEEL_TURNS };

/* Ticks per slot, and slots of a ring. */
static const uint32_t unit[] = { 1, 60, 3600, 86400, 604800 };
static const unsigned size[] = { ROUNDS * 60, ROUNDS * 60, ROUNDS * 24,
				 ROUNDS * 7, ROUNDS + 1 };

/* The first slot of each ring, and where the last one ends. */
static const unsigned begin[] = { 1,
				  1 + ROUNDS * 60,
				  1 + ROUNDS * 120,
				  1 + ROUNDS * 144,
				  1 + ROUNDS * 151,
				  2 + ROUNDS * 152 };

/* The clock when all hands were at 0; it wraps within a week. */
#define BASE (0u - 604800u / 2)

static struct jif_wheel wheel, before;
static struct jif_timer other; /* waits for a later week */
static unsigned week;	       /* the slot of the weeks to begin with */
static unsigned long tried;
static uint32_t most[LEVELS]; /* of what was divided by the ticks per slot */

static void same(const char *what, uint32_t want, uint32_t got)
{
	if (want == got)
		return;
	printf("%s: %lu, not %lu\n", what, (unsigned long)got,
	       (unsigned long)want);
	exit(1);
}

static uint32_t note_division(uint32_t ticks, const struct reciprocal *by)
{
	unsigned level = SEC;

	while (by != &jif_rings[level].per_slot)
		level++;
	if (most[level] < ticks)
		most[level] = ticks;
	return divide(ticks, by);
}

/*
 * What find_spot() may divide at most. Elsewhere in lib/, that is no more than
 * jif_timer_find() has for days.
 */
static void check_divisions(void)
{
	for (unsigned i = MIN; i <= DAY; i++)
		same("the most that is divided",
		     ROUNDS > 1 ? ROUNDS * unit[i + 1] - 1 :
				  unit[i + 1] + unit[i] - 2,
		     most[i]);
}

/* All ranges of a map; the further down one begins, the lower its first bit. */
static unsigned long find_in(const uint8_t *map, unsigned bits)
{
	unsigned long ranges = 0;
	unsigned first;

	for (unsigned end = 0; end <= bits; end++) {
		first = end;
		for (unsigned bit = end + 1; bit-- > 0; ranges++) {
			if (bit < end && map[bit / 8] / (1u << bit % 8) % 2)
				first = bit;
			same("the first bit", first,
			     bitmap_find(map, bit, end));
		}
	}
	return ranges;
}

static void find(unsigned bits)
{
	unsigned long ranges = 0;

	for (uint32_t i = 0; i < (uint32_t)1 << bits; i++) {
		uint8_t map[] = { i & 255, i >> 8 & 255, i >> 16 & 255, 255 };

		ranges += find_in(map, bits);
	}
	printf("# %lu ranges\n", ranges);
}

static unsigned slot_at(unsigned level, uint32_t ticks)
{
	return begin[level] + ticks / unit[level] % size[level];
}

static unsigned far_at(unsigned slot, unsigned further)
{
	return begin[WEEK] + (slot - begin[WEEK] + further) % (ROUNDS + 1);
}

static void set_hands(uint32_t from)
{
	for (unsigned i = SEC; i < LEVELS; i++) {
		wheel.hand[i] = (jif_slot_t)slot_at(i, from);
		wheel.since[i] = BASE + from / unit[i] * unit[i];
	}
	wheel.hand[WEEK] = (jif_slot_t)week;
#if CONFIG_JIF_SPREAD
	wheel.odd_week = from / unit[WEEK] % 2;
#endif
}

static void restore(void)
{
	memcpy(&wheel, &before, offsetof(struct jif_wheel, slot));
}

static void check_hands(uint32_t to, unsigned weeks)
{
	unsigned due = 0;

	for (unsigned i = SEC; i < WEEK; i++)
		same("a hand", slot_at(i, to), wheel.hand[i]);
	same("the hand of the weeks", weeks, wheel.hand[WEEK]);
	for (unsigned i = SEC; i < LEVELS; i++) {
		same("when a hand moved", BASE + to / unit[i] * unit[i],
		     wheel.since[i]);
		due += to % unit[i] == 0;
	}
	same("what has moved", due, wheel.levels_due);
	tried++;
}

/*
 * When the hand of the weeks moves, if the first tick of what waits is @far:
 * where a week begins that has it within reach. With @next, the list for the
 * week after this one has entries.
 */
static uint32_t week_moves(uint32_t from, uint32_t far, bool next)
{
	uint32_t start = (from / unit[WEEK] + 1) * unit[WEEK];

	while (!next && far - start >= ROUNDS * unit[WEEK])
		start += unit[WEEK];
	return start;
}

static unsigned week_at(uint32_t now, uint32_t moves)
{
	return now < moves ? week : far_at(week, 1);
}

/*
 * As a run moves on, with no bits: at most to where the hand of the weeks moves
 * and, while the list for the next week has entries, by single ticks.
 */
static void move(uint32_t from, uint32_t to, uint32_t far, bool next)
{
	struct run run = { 0 };
	uint32_t moves = week_moves(from, far, next);

	if (to > moves || (next && to > from + 1))
		return;
	wheel.far_due = BASE + far;
	wheel.slot[far_at(week, ROUNDS) - 1] = &other;
	if (next)
		wheel.slot[far_at(week, 1) - 1] = &other;
	wheel.target = BASE + to;
	advance(&wheel, &run);
	check_hands(to, week_at(to, moves));
	wheel.slot[far_at(week, ROUNDS) - 1] = NULL;
	wheel.slot[far_at(week, 1) - 1] = NULL;
	restore();
}

/* Of a run that moves on with nothing to do: where the highest hand gets to. */
static void move_highest(uint32_t from, uint32_t to)
{
	unsigned level = WEEK;

	while (to / unit[level] == from / unit[level])
		level--;
	wheel.far_due = BASE + from - unit[WEEK];
	take_step(&wheel, find_step(&wheel, BASE + to), true);
	check_hands(to / unit[level] * unit[level], week);
	restore();
}

/* The timer waits on that level, or on a higher one. */
static void place(struct jif_timer *timer, uint32_t expires, unsigned level)
{
	uint32_t clk = clock_of(&wheel);
	spot_t spot = find_spot(&wheel, clk, expires - clk, (index_t)level);

	enqueue(spot, &wheel, timer);
}

/* What waits for a later week is first looked at then, with spreading. */
static uint32_t stop_far(uint32_t from, uint32_t to)
{
	uint32_t end = (from / unit[WEEK] + 1) * unit[WEEK];

	if (to - from > ROUNDS * unit[WEEK])
		return to - ROUNDS * unit[WEEK];
	return end;
}

/*
 * When a run stops for what is due at @to, if that is all that there is: at its
 * slot, but also at the end of the ring, or at the beginning of its week. With
 * spreading, where its slot becomes the next one; then at each tick.
 */
static uint32_t stop_for(uint32_t from, uint32_t to, unsigned level)
{
	uint32_t stop = to / unit[level] * unit[level];
	uint32_t end;

	if (ROUNDS > 1) {
		if (level == WEEK)
			return stop_far(from, to);
		if (level > SEC)
			stop -= unit[level];
		return stop > from ? stop : from + 1;
	}
	if (level == WEEK)
		return stop;
	end = (from / unit[level + 1] + 1) * unit[level + 1];
	return stop < end ? stop : end;
}

/*
 * As a run moves on over any number of weeks, with nothing to do until then,
 * but with what is due at @far, if that is not 0.
 */
static void jump(uint32_t from, uint32_t to, uint32_t far)
{
	static struct jif_timer timer;
	struct run run = { 0 };
	uint32_t stop = to;

	wheel.far_due = BASE + from - unit[WEEK];
	if (far) {
		place(&timer, BASE + far, SEC);
		stop = stop_for(from, far, WEEK);
	}
	wheel.target = BASE + to;
	advance(&wheel, &run);
	if (stop > to)
		stop = to;
	check_hands(stop,
		    far ? week_at(stop, week_moves(from, far, false)) : week);
	if (far)
		dequeue(&wheel, &timer);
	restore();
}

/* On which level waits what is due then, but not below @lowest? */
static unsigned level_at(uint32_t from, uint32_t to, unsigned lowest)
{
	unsigned level = lowest;

	while (level < WEEK &&
	       (ROUNDS > 1 ? to / unit[level + 1] - from / unit[level + 1] >=
				     ROUNDS :
			     to - from >= unit[level + 1]))
		level++;
	return level;
}

static void put(uint32_t from, uint32_t to, unsigned lowest)
{
	static struct jif_timer timer;
	unsigned level = level_at(from, to, lowest);
	unsigned slot = level == WEEK ? far_at(week, ROUNDS) :
					slot_at(level, to);
	uint32_t left = level == WEEK ? BASE + to : to % unit[level];

	place(&timer, BASE + to, lowest);
	same("the slot", slot, (uint32_t)timer.where);
	same("what is left then", left, timer.remaining);
	same("the expiry", BASE + to, expiry_of(&wheel, &timer));
	same("the list", 1, wheel.slot[slot - 1] == &timer);
	same("the bit", 1, bitmap_test(wheel.occupied, slot));
	if (level == WEEK)
		same("the first that is far", BASE + to, wheel.far_due);
	if (lowest == SEC && to > from)
		same("the stop", BASE + stop_for(from, to, level),
		     next_stop(&wheel, BASE + from + JIF_DELAY_MAX));
	dequeue(&wheel, &timer);
	same("no list", 1, wheel.slot[slot - 1] == NULL);
	same("no bit", 0, bitmap_test(wheel.occupied, slot));
	tried++;
}

/* To all that a week which begins meanwhile may depend on. */
static void move_over(uint32_t from, uint32_t to)
{
	uint32_t far = (from / unit[WEEK] + 1) * unit[WEEK];

	if (to < far) {
		move(from, to, far, false);
		return;
	}
	for (unsigned i = 0; i <= ROUNDS + 1; i++, far += unit[WEEK]) {
		move(from, to, far, false);
		move(from, to, far + unit[WEEK] - 1, ROUNDS > 1);
	}
}

static void step(uint32_t from, uint32_t to)
{
	put(from, to, SEC);
	/* A hand that has just moved has entries that go one level down. */
	for (unsigned i = MIN; i <= DAY && from % unit[i + 1] == 0; i++)
		put(from, to, i);
	if (to == from)
		return;
	move_highest(from, to);
	if (to - from <= ROUNDS * unit[WEEK])
		move_over(from, to);
	else
		for (uint32_t i = 0; i < 3; i++)
			jump(from, to,
			     i ? to + (i - 1) * ROUNDS * unit[WEEK] : 0);
}

static void step_around(uint32_t from, uint32_t to)
{
	if (to > from + 1)
		step(from, to - 1);
	step(from, to);
	step(from, to + 1);
}

/*
 * To the next slots and the ends of the turns of each ring, and to those of
 * what it spans; from where its hand has just moved, to all of its slots.
 */
static void step_along(uint32_t from, unsigned level)
{
	unsigned turn = size[level] / ROUNDS;
	uint32_t slot = from / unit[level];
	bool all = level < WEEK && from % unit[level + 1] == 0;

	for (unsigned i = 1; i <= size[level] + 1; i++)
		if (all || i <= 2 || i % turn + 1 <= 2 || i % turn + 1 == turn)
			step_around(from, (slot + i) * unit[level]);
	step_around(from, from + unit[level]);
}

static void steps_from(uint32_t from)
{
	set_hands(from);
	before = wheel;
	step(from, from);
	for (unsigned i = SEC; i < LEVELS; i++)
		step_along(from, i);
	step(from, from + 5 * unit[WEEK] + 1);
	step(from, from + JIF_DELAY_MAX);
}

static void find_levels(void)
{
	for (unsigned i = SEC; i < LEVELS; i++)
		for (unsigned slot = begin[i]; slot < begin[i + 1]; slot++)
			same("a level", i, level_of(slot));
}
int main(int argc, char **argv)
{
	if (argc > 1) {
		find((unsigned)atoi(argv[1]));
		return 0;
	}
	find_levels();
	for (week = begin[WEEK]; week < begin[LEVELS]; week++)
		for (uint32_t from = 0; from < ROUNDS * unit[WEEK]; from++)
			steps_from(from);
	check_divisions();
	printf("# %lu steps and places\n", tried);
	return 0;
}
