/* SPDX-License-Identifier: MIT */
/*
 * test/model/table.c - random operations on a table and on a sorted map
 *
 * LOCKSTEP_SEED and LOCKSTEP_OPERATIONS, in the environment, are for more.
 *
 * What is chosen by chance there is tried one after the other in all states
 * that two entries and three keys can get into, until no new one comes up.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"

#define DEFAULT 1000000
#define SMALL	2
#define PLACES	100000
#define INDEX	262144

static uint64_t environment(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

static void expect_no_difference(unsigned keys, unsigned capacity,
				 uint32_t (*hash)(struct jif_key key))
{
	uint64_t operations = environment("LOCKSTEP_OPERATIONS", DEFAULT);

	map_begin(keys, capacity, hash, environment("LOCKSTEP_SEED", keys));
	while (map.acts < operations && map_turn())
		;
	printf("table: %u keys, %u entries: %" PRIu64 " operations, %" PRIu64
	       " of them in interrupts, %" PRIu64 " expiries compared\n",
	       keys, capacity, map.acts, map.interrupted, map.expired);
	cr_assert_str_empty(map.difference);
	cr_assert_eq(jif_wheel_check(&map.wheel), 0);
	cr_assert_gt(map.expired, operations / 20);
	cr_assert_gt(map.interrupted, operations / 100);
}

Test(table_model, three_keys_and_two_entries)
{
	expect_no_difference(3, 2, jif_key_hash);
}

Test(table_model, more_keys_than_entries)
{
	expect_no_difference(60, 20, jif_key_hash);
}

Test(table_model, hardly_any_buckets)
{
	expect_no_difference(40, 40, map_two_buckets);
}

Test(table_model, many_keys)
{
	expect_no_difference(MOST, MOST - 50, jif_key_hash);
}

/**
 * struct shape - what tells states apart: times that count from the clock
 * @free:	of the table
 * @stopped:	of the table
 * @later:	the first row was armed after the second one
 */
struct shape {
	uint8_t free;
	uint8_t stopped;
	uint8_t later;
	struct {
		uint8_t id;
		uint8_t state;
		uint8_t left;
		uint8_t period;
		uint8_t times;
		uint8_t next;
		uint8_t bucket;
	} entries[SMALL];
};

/**
 * struct place - a state, and how to get back into it
 */
struct place {
	struct shape shape;
	uint64_t clock;
	uint64_t armings;
	unsigned used;
	bool stopped;
	jif_handle_t stale;
	struct row rows[SMALL];
	struct jif_wheel wheel;
	struct jif_table table;
	struct jif_entry entries[SMALL];
};

static struct place *places;
static unsigned nplaces;
static unsigned *index_of; /* by hash: the number of a place, plus 1 */

static struct shape shape_now(void)
{
	struct shape shape = { .free = (uint8_t)map.table.free,
			       .stopped = map.stopped,
			       .later = map.used == SMALL &&
					map.rows[0].armed > map.rows[1].armed };

	for (unsigned i = 0; i < SMALL; i++) {
		shape.entries[i].next = (uint8_t)map.entries[i].next;
		shape.entries[i].bucket = (uint8_t)map.entries[i].bucket;
	}
	for (unsigned i = 0; i < map.used; i++) {
		const struct row *row = &map.rows[i];
		unsigned at = (uint16_t)row->handle - 1u;

		shape.entries[at].id = (uint8_t)(row->id + 1);
		shape.entries[at].state = (uint8_t)row->state;
		shape.entries[at].left =
			(uint8_t)(row->due -
				  (row->state == PAUSED ? 0 : map_now()));
		shape.entries[at].period = (uint8_t)row->period;
		shape.entries[at].times = (uint8_t)row->times;
	}
	return shape;
}

static void save(struct place *place)
{
	place->clock = map.clock;
	place->armings = map.armings;
	place->used = map.used;
	place->stopped = map.stopped;
	place->stale = map.stale[0];
	place->wheel = map.wheel;
	place->table = map.table;
	memcpy(place->rows, map.rows, sizeof(place->rows));
	memcpy(place->entries, map.entries, sizeof(place->entries));
}

static void restore(const struct place *place)
{
	map.clock = place->clock;
	map.armings = place->armings;
	map.used = place->used;
	map.stopped = place->stopped;
	map.stale[0] = place->stale;
	map.wheel = place->wheel;
	map.table = place->table;
	memcpy(map.rows, place->rows, sizeof(place->rows));
	memcpy(map.entries, place->entries, sizeof(place->entries));
}

/* Is this state new? Then it is kept. */
static void keep_place(void)
{
	struct shape shape = shape_now();
	uint32_t hash = jif_key_hash(jif_key_bytes(&shape, sizeof(shape)));
	unsigned *at = &index_of[hash % INDEX];

	while (*at && memcmp(&places[*at - 1].shape, &shape, sizeof(shape)))
		at = at == &index_of[INDEX - 1] ? index_of : at + 1;
	if (*at)
		return;
	cr_assert_lt(nplaces, PLACES, "more states than expected");
	save(&places[nplaces]);
	places[nplaces].shape = shape;
	*at = ++nplaces;
}

Test(table_states, three_keys_and_two_entries)
{
	uint64_t steps = 0;

	map_begin(3, SMALL, jif_key_hash, 0);
	places = calloc(PLACES, sizeof(*places));
	index_of = calloc(INDEX, sizeof(*index_of));
	cr_assert(places && index_of);
	map_explore.on = true;
	keep_place();
	for (unsigned i = 0; i < nplaces; i++) {
		do {
			restore(&places[i]);
			cr_assert(map_step(),
				  "state %u, step %" PRIu64 " of all: %s", i,
				  steps, map.difference);
			keep_place();
			steps++;
		} while (map_next_choice());
	}
	printf("table: %u states, %" PRIu64 " steps, %" PRIu64
	       " expiries compared\n",
	       nplaces, steps, map.expired);
	cr_assert_gt(nplaces, 1000);
	cr_assert_gt(map.expired, steps / 20);
	free(places);
	free(index_of);
}
