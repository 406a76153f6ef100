/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/table.c - every state of a table of three keys, with
 * room for two
 *
 * Times count from the clock, and the hands are not looked at: that the wheel
 * does the same whatever they show is what exploring the wheel is for. Handles
 * of entries that are gone are told apart by how many generations ago that was.
 */
#include <jif/jiffies.h>
#include <string.h>

#include "../../../firmware/model/map.h"
#include "explore.h"
#include "tape.h"

#define KEYS	3
#define ENTRIES 2
#define LONG	2 /* generations */

JIF_STATIC_ASSERT(MOST >= KEYS && STALE == 1, "it is the small map");

/**
 * struct shape - what tells states apart
 * @free:	of the table
 * @stopped:	of the table
 * @later:	the first row was armed after the second one
 * @stale:	the entry whose handle was kept
 * @age:	in generations
 */
struct shape {
	uint8_t free;
	uint8_t stopped;
	uint8_t later;
	uint8_t stale;
	uint8_t age;
	struct {
		uint8_t id;
		uint8_t state;
		uint8_t left;
		uint8_t period;
		uint8_t times;
		uint8_t next;
		uint8_t bucket;
	} entries[ENTRIES];
	uint8_t zero[5];
};

JIF_STATIC_ASSERT(sizeof(struct shape) == 24, "a shape is hashed by words");

static void shape_row(struct shape *shape, const struct row *row)
{
	unsigned at = (jif_link_t)row->handle - 1u;
	uint64_t now = row->state == PAUSED ? 0 : map_now();

	shape->entries[at].id = (uint8_t)(row->id + 1);
	shape->entries[at].state = (uint8_t)row->state;
	shape->entries[at].left = (uint8_t)(row->due - now);
	shape->entries[at].period = (uint8_t)row->period;
	shape->entries[at].times = (uint8_t)row->times;
}

static const void *shape_now(size_t *size)
{
	static struct shape shape;
	unsigned stale = (jif_link_t)map.stale[0];
	jif_link_t age = 0;

	if (stale)
		age = (jif_link_t)(map.entries[stale - 1].generation -
				   (map.stale[0] >> sizeof(age) * 8));
	shape = (struct shape){ .free = (uint8_t)map.table.free,
				.stopped = map.stopped,
				.later = map.used == 2 &&
					 map.rows[0].armed > map.rows[1].armed,
				.stale = (uint8_t)stale,
				.age = (uint8_t)(age < LONG ? age : LONG) };
	for (unsigned i = 0; i < ENTRIES; i++) {
		shape.entries[i].next = (uint8_t)map.entries[i].next;
		shape.entries[i].bucket = (uint8_t)map.entries[i].bucket;
	}
	for (unsigned i = 0; i < map.used; i++)
		shape_row(&shape, &map.rows[i]);
	*size = sizeof(shape);
	return &shape;
}

static bool extra; /* acts within a step */

static void start(unsigned part, unsigned injections)
{
	extra = injections;
	map_begin(KEYS, ENTRIES, jif_key_hash, 0);
	map.choose = choose;
}

static void step(void)
{
	uint64_t before = map.interrupted;
	bool right = map_step(extra);

	interrupts += map.interrupted - before;
	must(right, map.difference);
}

static void look(void)
{
	same("jif_wheel_check()", 0, (uint32_t)jif_wheel_check(&map.wheel));
}

const struct subject table_subject = {
	.world = &map,
	.size = sizeof(map),
	.start = start,
	.step = step,
	.look = look,
	.shape = shape_now,
};
