/* SPDX-License-Identifier: MIT */
/* A table, and a sorted map to which the same is done */
#include "map.h"

#include <inttypes.h>
#include <jif/kit/sim.h>
#include <stdlib.h>
#include <string.h>

#include "../../wheel/model/random.h"

#define BEFORE_WRAP ((UINT64_C(1) << 32) - 100000)

struct map map;

static void must(bool right, const char *what)
{
	if (right || map.difference[0])
		return;
	snprintf(map.difference, sizeof(map.difference),
		 "%s: seed %" PRIu64 ", operation %" PRIu64, what, map.seed,
		 map.acts);
}

static uint32_t choose(uint32_t end)
{
	if (map.input)
		return random_read(&map.input, map.input_end, end);
	if (map.choose)
		return map.choose(end);
	return random_next(&map.random, end);
}

/* What makes no other state is not explored; nor, within a step, is all. */
static uint32_t vary(uint32_t end)
{
	return map.choose ? 0 : choose(end);
}

static bool rarely(uint32_t end)
{
	if (map.within)
		return false;
	return !choose(map.choose ? 2 : end);
}

static bool now_and_then(uint32_t end)
{
	if (!map.choose)
		return !choose(end);
	if (!map.extra || !choose(2))
		return false;
	map.extra = false;
	map.within = true;
	return true;
}

uint64_t map_now(void)
{
	map.clock += jif_wheel_clock(&map.wheel) - (uint32_t)map.clock;
	return map.clock;
}

/* Names are of different lengths, and have their differences anywhere. */
static void make_names(void)
{
	for (unsigned i = 0; i < map.keys; i++) {
		snprintf(map.names[0][i], NAME, "%hu%.*s", (unsigned short)i,
			 (int)(i % 5), "-name");
		memcpy(map.names[1][i], map.names[0][i], NAME);
	}
}

static struct jif_key key_of(unsigned id)
{
	const char *name = map.names[vary(2)][id];

	if (id % 2 == 0)
		return jif_key_number(id / 2);
	return jif_key_bytes(name, (uint32_t)strlen(name));
}

static unsigned id_of(struct jif_key key)
{
	if (!key.bytes)
		return 2 * (unsigned)key.number;
	return (unsigned)strtoul(key.bytes, NULL, 10);
}

static int compare(const void *id, const void *row)
{
	return (int)*(const unsigned *)id - (int)((const struct row *)row)->id;
}

static struct row *look_up(unsigned id)
{
	return bsearch(&id, map.rows, map.used, sizeof(map.rows[0]), compare);
}

static struct row *insert(unsigned id)
{
	unsigned i = map.used++;

	for (; i > 0 && map.rows[i - 1].id > id; i--)
		map.rows[i] = map.rows[i - 1];
	map.rows[i] = (struct row){ .id = id };
	return &map.rows[i];
}

static void erase(struct row *row)
{
	unsigned i = (unsigned)(row - map.rows);

	if (!map.choose || choose(2))
		map.stale[vary(STALE)] = row->handle;
	map.used--;
	memmove(row, row + 1, (map.used - i) * sizeof(*row));
}

static void arm(struct row *row, uint32_t expires)
{
	uint32_t delta = expires - (uint32_t)map_now();

	row->state = ARMED;
	row->missed = 0;
	row->armed = map.armings++;
	row->due = map_now() + (delta - 1 < JIF_DELAY_MAX ? delta : 1);
}

/* Most often near, now and then in the past or as far as can be. */
static uint32_t expires(void)
{
	static const uint32_t longest[] = { 3, 70, 5000, 100000, 700000 };
	uint32_t clock = (uint32_t)map_now();

	if (map.choose)
		return clock + choose(map.within ? 2 : 3);
	switch (choose(40)) {
	case 0:
		return clock + JIF_DELAY_MAX - choose(3);
	case 1:
	case 2:
		return clock - choose(100);
	}
	return clock + choose(longest[choose(5)]);
}

static struct jif_schedule schedule(void)
{
	if (map.choose && !map.within && choose(2))
		return jif_every(expires(), 2, choose(2) ? 2 : JIF_FOREVER);
	if (map.choose)
		return jif_once(expires());
	if (choose(2))
		return jif_once(expires());
	return jif_every(expires(), choose(300),
			 choose(3) ? choose(5) : JIF_FOREVER);
}

static int expect_put(const struct row *row, struct jif_schedule schedule,
		      bool add)
{
	if (map.stopped)
		return -JIF_ECANCELED;
	if (!schedule.times || (!schedule.period && schedule.times > 1) ||
	    schedule.catchup == 3)
		return -JIF_EINVAL;
	if (row)
		return add ? -JIF_EEXIST : 1;
	return map.used == map.table.capacity ? -JIF_ENOSPC : 0;
}

static void act_put(unsigned id, bool add)
{
	struct jif_schedule when = schedule();
	struct jif_key key = key_of(id);
	struct row *row = look_up(id);
	void *value = &map.names[0][vary(MOST)];
	jif_handle_t handle;
	int err;

	when.catchup = (enum jif_catchup)vary(4);
	err = expect_put(row, when, add);

	must((add ? jif_table_add : jif_table_set)(&map.table, key, value,
						   when) == err,
	     "set or add");
	if (err < 0)
		return;
	handle = jif_table_find(&map.table, key);
	must(handle && (!row || row->handle == handle), "handle");
	if (!row)
		row = insert(id);
	row->handle = handle;
	row->value = value;
	row->bytes = key.bytes;
	row->period = when.period;
	row->times = when.times;
	row->policy = when.catchup;
	arm(row, when.expires);
}

static int expect_found(const struct row *row)
{
	if (map.stopped)
		return -JIF_ECANCELED;
	return row ? 0 : -JIF_ENOENT;
}

static void act_move(unsigned id)
{
	uint32_t when = expires();
	struct row *row = look_up(id);
	int err = expect_found(row);

	if (!err)
		err = row->state == ARMED;
	must(jif_table_move(&map.table, key_of(id), when) == err, "move");
	if (err >= 0)
		arm(row, when);
}

static void act_remove(unsigned id)
{
	struct row *row = look_up(id);
	int err = expect_found(row);

	must(jif_table_remove(&map.table, key_of(id)) == err, "remove");
	if (!err)
		erase(row);
}

static void act_pause(unsigned id)
{
	struct row *row = look_up(id);
	int err = expect_found(row);

	if (!err && row->state != ARMED)
		err = -JIF_EINVAL;
	must(jif_table_pause(&map.table, key_of(id)) == err, "pause");
	if (err)
		return;
	row->state = PAUSED;
	row->missed = 0;
	row->due -= map_now();
}

static void act_resume(unsigned id)
{
	struct row *row = look_up(id);
	int err = expect_found(row);

	if (!err && row->state != PAUSED)
		err = -JIF_EINVAL;
	must(jif_table_resume(&map.table, key_of(id)) == err, "resume");
	if (!err)
		arm(row, (uint32_t)(map_now() + row->due));
}

static void act_look(unsigned id)
{
	const struct row *row = look_up(id);
	struct jif_key key = key_of(id);
	uint64_t left = 0;
	void *value;

	if (row && row->state == PAUSED)
		left = row->due;
	if (row && row->state == ARMED)
		left = row->due - map_now();
	must(jif_table_left(&map.table, key) == left, "left");
	must(jif_table_times(&map.table, key) == (row ? row->times : 0),
	     "times");
	must(jif_table_exists(&map.table, key) == (row != NULL), "exists");
	must(jif_table_count(&map.table) == map.used, "count");
	if (!row)
		return;
	must(jif_table_find(&map.table, key) == row->handle, "find");
	must(jif_entry_missed(&map.table, row->handle) == row->missed,
	     "missed");
	must(jif_entry_get(&map.table, row->handle, &key, &value) &&
		     id_of(key) == id && key.bytes == row->bytes &&
		     value == row->value,
	     "get");
}

/* Those of entries that are gone, and others that never were. */
static void act_stale(unsigned id)
{
	jif_handle_t handle = map.stale[vary(STALE)];
	int err = map.stopped ? -JIF_ECANCELED : -JIF_ENOENT;
	uint32_t when = 0;

	if (rarely(8))
		handle = map.table.capacity + 1 + id;
	if (!map.choose)
		when = expires();
	must(jif_entry_move(&map.table, handle, when) == err &&
		     jif_entry_remove(&map.table, handle) == err &&
		     jif_entry_pause(&map.table, handle) == err &&
		     jif_entry_resume(&map.table, handle) == err &&
		     !jif_entry_left(&map.table, handle) &&
		     !jif_entry_times(&map.table, handle) &&
		     !jif_entry_missed(&map.table, handle) &&
		     !jif_entry_get(&map.table, handle, NULL, NULL),
	     "a stale handle");
}

static void act_set(unsigned id)
{
	act_put(id, false);
}

static void act_add(unsigned id)
{
	act_put(id, true);
}

/* The first few are all there are; the others come more often, by chance. */
static void act(void)
{
	static void (*const acts[])(unsigned id) = {
		act_set,   act_add,  act_move,	 act_remove,
		act_pause, act_look, act_resume, act_stale,
		act_set,   act_set,  act_set,	 act_add,
		act_move,  act_move, act_remove, act_look,
	};

	unsigned kind = choose(map.choose ? 8 : 16);
	unsigned id = choose(map.keys);

	map.acts++;
	map.touched[id] = true;
	acts[kind](id);
}

/* Interrupts are let in. */
static jif_handle_t next_of(jif_handle_t handle)
{
	map.running = true;
	handle = jif_table_next(&map.table, handle);
	map.running = false;
	return handle;
}

/* What nobody touches is seen once if it is there, and else not at all. */
static void act_pass(void)
{
	uint8_t seen[MOST] = { 0 };
	jif_handle_t handle = 0;
	struct jif_key key;

	memset(map.touched, 0, sizeof(map.touched));
	while ((handle = next_of(handle)) && !map.difference[0]) {
		if (!jif_entry_get(&map.table, handle, &key, NULL))
			continue;
		seen[id_of(key)]++;
		if (now_and_then(4))
			act();
	}
	for (unsigned id = 0; id < map.keys; id++)
		must(map.touched[id] || seen[id] == (look_up(id) != NULL),
		     "a pass");
}

/* A row expires. The key may be removed or set again from now on. */
static void expire(struct row *row)
{
	must(row->state == ARMED && row->due == map_now(), "it is not due");
	map.expired++;
	if (row->times != JIF_FOREVER)
		row->times--;
	row->missed = 0;
	row->due += row->period;
	while (row->policy != JIF_CATCHUP_EACH && row->period &&
	       row->due <= map.until) {
		row->missed++;
		row->due += row->period;
	}
	if (row->missed && row->policy == JIF_CATCHUP_RESTART)
		row->due = map.until + row->period;
	row->armed = map.armings++;
	if (!row->times)
		erase(row);
}

/*
 * An interrupt comes between the expiry and the call: the table knows already,
 * and the map finds out which one it was. The call has to follow.
 */
static void catch_up(void)
{
	for (unsigned i = 0; i < map.used && map.taken < 0; i++) {
		struct row *row = &map.rows[i];

		if (row->state != ARMED || row->due != map_now())
			continue;
		if (!jif_entry_get(&map.table, row->handle, NULL, NULL) ||
		    jif_entry_left(&map.table, row->handle)) {
			map.taken = (int)row->id;
			expire(row);
		}
	}
}

/*
 * A drain looks at one entry from window to window: first it marks it, and in a
 * second round takes off what is still marked.
 */
static void catch_up_with_drain(void)
{
	unsigned at = map.windows++;

	for (unsigned i = 0; i < map.used; i++) {
		struct row *row = &map.rows[i];

		if ((jif_link_t)row->handle != at % map.table.capacity + 1)
			continue;
		if (at < map.table.capacity) {
			row->state = DRAINED;
			row->missed = 0;
		} else if (row->state == DRAINED) {
			map.taken = (int)row->id;
			map.drained++;
			erase(row);
		}
		break;
	}
}

static void interrupt(void)
{
	if (!map.running)
		return;
	if (map.draining)
		catch_up_with_drain();
	if (!now_and_then(10))
		return;
	if (!map.draining)
		catch_up();
	map.interrupted++;
	act();
}

static void run_entry(struct jif_table *table, struct jif_key key, void *value)
{
	unsigned id = id_of(key);
	struct row *row = look_up(id);
	bool was_running = map.running;

	map.running = false;
	must(table == &map.table, "the table");
	if (map.draining || map.taken >= 0) {
		must(map.taken == (int)id, "another one is due");
	} else {
		must(row && row->value == value && row->bytes == key.bytes,
		     "key and value");
		if (row)
			expire(row);
	}
	map.taken = -1;
	for (unsigned n = map.choose ? now_and_then(2) : choose(4); n; n--)
		act();
	map.running = was_running;
}

/* The wheel has run all that was due. */
static void run(void)
{
	uint64_t until = map_now() + 1;

	if (!map.choose)
		until = map_now() + choose(choose(20) ? 100 : 20000);

	map.until = until;
	map.running = true;
	jif_wheel_run(&map.wheel, (uint32_t)until);
	map.running = false;
	must(map_now() == until, "the clock");
	must(map.taken < 0, "the call is missing");
	for (unsigned i = 0; i < map.used; i++)
		must(map.rows[i].state != ARMED || map.rows[i].due > until,
		     "it has not expired");
}

static void drain(bool stop)
{
	unsigned drained;

	map.draining = map.running = true;
	map.windows = map.drained = 0;
	map.stopped = map.stopped || stop;
	drained = (stop ? jif_table_stop : jif_table_drain)(&map.table, NULL);
	map.draining = map.running = false;
	must(drained == map.drained, "the number of those drained");
	must(map.windows == 2 * map.table.capacity, "the windows of a drain");
	must(map.taken < 0, "the call is missing");
	for (unsigned i = 0; i < map.used; i++)
		must(map.rows[i].state != DRAINED, "it was not drained");
}

bool map_turn(void)
{
	for (unsigned n = choose(12); n > 0; n--)
		act();
	if (!choose(30))
		act_pass();
	if (!choose(3000))
		drain(choose(2));
	if (map.stopped && !choose(4)) {
		jif_table_start(&map.table);
		map.stopped = false;
	}
	run();
	return !map.difference[0];
}

bool map_step(bool extra)
{
	map.extra = extra;
	map.within = false;
	jif_sim.in_irq = false;
	jif_sim.off = 0;
	switch (choose(5)) {
	case 0:
		act();
		break;
	case 1:
		run();
		break;
	case 2:
		act_pass();
		break;
	case 3:
		drain(choose(2));
		break;
	case 4:
		jif_table_start(&map.table);
		map.stopped = false;
	}
	for (unsigned id = 0; id < map.keys; id++)
		act_look(id);
	return !map.difference[0];
}

void map_begin(unsigned keys, unsigned capacity,
	       uint32_t (*hash)(struct jif_key key), uint64_t seed)
{
	memset(&map, 0, sizeof(map));
	memset(&jif_sim, 0, sizeof(jif_sim));
	map.seed = seed;
	map.random = random_begin(map.seed);
	map.keys = keys;
	map.clock = BEFORE_WRAP;
	map.taken = -1;
	make_names();
	jif_wheel_init(&map.wheel, (uint32_t)map.clock);
	map.table = (struct jif_table){ .wheel = &map.wheel,
					.fn = run_entry,
					.hash = hash,
					.entries = map.entries,
					.capacity = capacity };
	must(!jif_table_init(&map.table), "init");
	jif_sim.irq = interrupt;
}

uint32_t map_two_buckets(struct jif_key key)
{
	return key.number % 2;
}
