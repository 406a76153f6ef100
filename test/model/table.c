/* SPDX-License-Identifier: MIT */
/*
 * test/model/table.c - random operations on a table and on a sorted map
 *
 * The map is an array of rows in the order of their keys, with time in 64 bits.
 * The main loop, the function of the table, and an interrupt in the windows of
 * a run do the same to both, and every result is compared. When an entry
 * expires, the map says which it may be, and that none is left behind.
 * LOCKSTEP_SEED and LOCKSTEP_OPERATIONS, in the environment, are for more.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <jif/sim.h>
#include <jif/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define DEFAULT	    1000000
#define MOST	    400
#define STALE	    64
#define NAME	    12
#define BEFORE_WRAP ((UINT64_C(1) << 32) - 100000)

enum state { ARMED, PAUSED, DRAINED };

/**
 * struct row - what the map holds
 * @id:		the number of the key; even ones are numbers, odd ones names
 * @state:	one of enum state
 * @handle:	that of the entry
 * @value:	as it was set
 * @bytes:	the key's, of the copy that it was set with last
 * @due:	when it expires, in 64 bits; or what was left, if paused
 * @period:	in jiffies
 * @times:	how often
 */
struct row {
	unsigned id;
	enum state state;
	jif_handle_t handle;
	void *value;
	const void *bytes;
	uint64_t due;
	uint32_t period;
	uint32_t times;
};

static struct {
	uint64_t seed;
	uint64_t random;
	unsigned keys;
	uint64_t acts;
	uint64_t interrupted;
	uint64_t expired;
	char difference[160];
	bool running; /* in the wheel, not in the table's function */
	bool draining;
	bool stopped;
	int taken; /* key of the entry that has expired, but not been called */
	uint64_t clock;
	struct row rows[MOST];
	unsigned used;
	jif_handle_t stale[STALE];
	char names[2][MOST][NAME];
	struct jif_wheel wheel;
	struct jif_table table;
	struct jif_entry entries[MOST];
} test;

static uint32_t random_below(uint32_t end)
{
	return random_next(&test.random, end);
}

static void must(bool right, const char *what)
{
	if (right || test.difference[0])
		return;
	snprintf(test.difference, sizeof(test.difference),
		 "%s: seed %" PRIu64 ", operation %" PRIu64, what, test.seed,
		 test.acts);
}

/* The wheel's clock, in 64 bits. */
static uint64_t now(void)
{
	test.clock += jif_wheel_clock(&test.wheel) - (uint32_t)test.clock;
	return test.clock;
}

/* Names are of different lengths, and have their differences anywhere. */
static void make_names(void)
{
	for (unsigned i = 0; i < MOST; i++) {
		snprintf(test.names[0][i], NAME, "%u%.*s", i, (int)(i % 5),
			 "-name");
		memcpy(test.names[1][i], test.names[0][i], NAME);
	}
}

static struct jif_key key_of(unsigned id)
{
	const char *name = test.names[random_below(2)][id];

	if (id % 2 == 0)
		return jif_key_number(id / 2);
	return jif_key_bytes(name, (uint32_t)strlen(name));
}

static unsigned id_of(struct jif_key key)
{
	if (!key.bytes)
		return 2 * key.number;
	return (unsigned)strtoul(key.bytes, NULL, 10);
}

static int compare(const void *id, const void *row)
{
	return (int)*(const unsigned *)id - (int)((const struct row *)row)->id;
}

static struct row *look_up(unsigned id)
{
	return bsearch(&id, test.rows, test.used, sizeof(test.rows[0]),
		       compare);
}

static struct row *insert(unsigned id)
{
	unsigned i = test.used++;

	for (; i > 0 && test.rows[i - 1].id > id; i--)
		test.rows[i] = test.rows[i - 1];
	test.rows[i] = (struct row){ .id = id };
	return &test.rows[i];
}

static void erase(struct row *row)
{
	unsigned i = (unsigned)(row - test.rows);

	test.stale[random_below(STALE)] = row->handle;
	test.used--;
	memmove(row, row + 1, (test.used - i) * sizeof(*row));
}

static void arm(struct row *row, uint32_t expires)
{
	uint32_t delta = expires - (uint32_t)now();

	row->state = ARMED;
	row->due = now() + (delta - 1 < JIF_DELAY_MAX ? delta : 1);
}

/* Most often near, now and then in the past or as far as can be. */
static uint32_t expires(void)
{
	static const uint32_t longest[] = { 3, 70, 5000, 100000, 700000 };
	uint32_t clock = (uint32_t)now();

	switch (random_below(40)) {
	case 0:
		return clock + JIF_DELAY_MAX - random_below(3);
	case 1:
	case 2:
		return clock - random_below(100);
	}
	return clock + random_below(longest[random_below(5)]);
}

static struct jif_schedule schedule(void)
{
	if (random_below(2))
		return jif_once(expires());
	return jif_every(expires(), random_below(300),
			 random_below(3) ? random_below(5) : JIF_ENDLESS);
}

static int expect_put(const struct row *row, struct jif_schedule schedule,
		      bool add)
{
	if (test.stopped)
		return -JIF_ECANCELED;
	if (!schedule.times || (!schedule.period && schedule.times > 1))
		return -JIF_EINVAL;
	if (row)
		return add ? -JIF_EEXIST : 0;
	return test.used == test.table.capacity ? -JIF_ENOSPC : 0;
}

static void act_put(unsigned id, bool add)
{
	struct jif_schedule when = schedule();
	struct jif_key key = key_of(id);
	struct row *row = look_up(id);
	void *value = &test.names[0][random_below(MOST)];
	jif_handle_t handle;
	int err = expect_put(row, when, add);

	must((add ? jif_table_add : jif_table_set)(&test.table, key, value,
						   when) == err,
	     "set or add");
	if (err)
		return;
	handle = jif_table_find(&test.table, key);
	must(handle && (!row || row->handle == handle), "handle");
	if (!row)
		row = insert(id);
	row->handle = handle;
	row->value = value;
	row->bytes = key.bytes;
	row->period = when.period;
	row->times = when.times;
	arm(row, when.expires);
}

static int expect_found(const struct row *row)
{
	if (test.stopped)
		return -JIF_ECANCELED;
	return row ? 0 : -JIF_ENOENT;
}

static void act_move(unsigned id)
{
	uint32_t when = expires();
	struct row *row = look_up(id);
	int err = expect_found(row);

	must(jif_table_move(&test.table, key_of(id), when) == err, "move");
	if (!err)
		arm(row, when);
}

static void act_remove(unsigned id)
{
	struct row *row = look_up(id);
	int err = expect_found(row);

	must(jif_table_remove(&test.table, key_of(id)) == err, "remove");
	if (!err)
		erase(row);
}

static void act_pause(unsigned id)
{
	struct row *row = look_up(id);
	int err = expect_found(row);

	if (!err && row->state != ARMED)
		err = -JIF_EINVAL;
	must(jif_table_pause(&test.table, key_of(id)) == err, "pause");
	if (err)
		return;
	row->state = PAUSED;
	row->due -= now();
}

static void act_resume(unsigned id)
{
	struct row *row = look_up(id);
	int err = expect_found(row);

	if (!err && row->state != PAUSED)
		err = -JIF_EINVAL;
	must(jif_table_resume(&test.table, key_of(id)) == err, "resume");
	if (!err)
		arm(row, (uint32_t)(now() + row->due));
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
		left = row->due - now();
	must(jif_table_left(&test.table, key) == left, "left");
	must(jif_table_times(&test.table, key) == (row ? row->times : 0),
	     "times");
	must(jif_table_exists(&test.table, key) == (row != NULL), "exists");
	must(jif_table_count(&test.table) == test.used, "count");
	if (!row)
		return;
	must(jif_table_find(&test.table, key) == row->handle, "find");
	must(jif_entry_get(&test.table, row->handle, &key, &value) &&
		     id_of(key) == id && key.bytes == row->bytes &&
		     value == row->value,
	     "get");
}

/* Those of entries that are gone, and others that never were. */
static void act_stale(unsigned id)
{
	jif_handle_t handle = test.stale[random_below(STALE)];
	int err = test.stopped ? -JIF_ECANCELED : -JIF_ENOENT;

	if (!random_below(8))
		handle = test.table.capacity + 1 + id;
	must(jif_entry_move(&test.table, handle, expires()) == err &&
		     jif_entry_remove(&test.table, handle) == err &&
		     jif_entry_pause(&test.table, handle) == err &&
		     jif_entry_resume(&test.table, handle) == err &&
		     !jif_entry_left(&test.table, handle) &&
		     !jif_entry_times(&test.table, handle) &&
		     !jif_entry_get(&test.table, handle, NULL, NULL),
	     "a stale handle");
}

/* What is there all the time is seen once, whatever is removed meanwhile. */
static void act_pass(void)
{
	uint8_t there[MOST] = { 0 };
	uint8_t seen[MOST] = { 0 };
	unsigned remove = random_below(2) ? 0 : 1 + random_below(4);
	jif_handle_t handle = 0;
	struct jif_key key;

	for (unsigned i = 0; i < test.used; i++)
		there[test.rows[i].id] = 1;
	while ((handle = jif_table_next(&test.table, handle))) {
		must(jif_entry_get(&test.table, handle, &key, NULL), "next");
		if (test.difference[0])
			return;
		seen[id_of(key)]++;
		if (remove && !random_below(remove))
			act_remove(random_below(2) ? id_of(key) :
						     random_below(test.keys));
	}
	for (unsigned id = 0; id < test.keys; id++)
		must(seen[id] <= there[id] && (seen[id] || !look_up(id)),
		     "a pass");
}

static void act_set(unsigned id)
{
	act_put(id, false);
}

static void act_add(unsigned id)
{
	act_put(id, true);
}

static void act(void)
{
	static void (*const acts[])(unsigned id) = {
		act_set,    act_set,   act_set,	  act_set,
		act_add,    act_add,   act_move,  act_move,
		act_move,   act_look,  act_look,  act_remove,
		act_remove, act_pause, act_stale, act_resume,
	};

	test.acts++;
	acts[random_below(sizeof(acts) / sizeof(*acts))](
		random_below(test.keys));
}

/* A row expires. The key may be removed or set again from now on. */
static void expire(struct row *row)
{
	must(row->state == ARMED && row->due == now(), "it is not due");
	test.expired++;
	if (row->times != JIF_ENDLESS)
		row->times--;
	row->due += row->period;
	if (!row->times)
		erase(row);
}

/*
 * An interrupt comes between the expiry and the call: the table knows already,
 * and the map finds out which one it was. The call has to follow.
 */
static void catch_up(void)
{
	for (unsigned i = 0; i < test.used && test.taken < 0; i++) {
		struct row *row = &test.rows[i];

		if (row->state != ARMED || row->due != now())
			continue;
		if (!jif_entry_get(&test.table, row->handle, NULL, NULL) ||
		    jif_entry_left(&test.table, row->handle)) {
			test.taken = (int)row->id;
			expire(row);
		}
	}
}

static void interrupt(void)
{
	if (!test.running || random_below(10))
		return;
	catch_up();
	test.interrupted++;
	act();
}

static void expire_drained(struct row *row, unsigned id)
{
	must(row && row->state == DRAINED, "it is not to be drained");
	if (row && row->id == id)
		erase(row);
}

static void run_entry(struct jif_table *table, struct jif_key key, void *value)
{
	unsigned id = id_of(key);
	struct row *row = look_up(id);
	bool was_running = test.running;

	test.running = false;
	must(table == &test.table, "the table");
	if (test.draining) {
		expire_drained(row, id);
	} else if (test.taken >= 0) {
		must(test.taken == (int)id, "another one has expired");
	} else {
		must(row && row->value == value && row->bytes == key.bytes,
		     "key and value");
		if (row)
			expire(row);
	}
	test.taken = -1;
	for (unsigned n = random_below(4); n > 0; n--)
		act();
	test.running = was_running;
}

/* The wheel has run all that was due. */
static void run(void)
{
	uint64_t until = now() + random_below(random_below(20) ? 100 : 20000);

	test.running = true;
	jif_wheel_run(&test.wheel, (uint32_t)until);
	test.running = false;
	must(now() == until, "the clock");
	must(test.taken < 0, "the call is missing");
	for (unsigned i = 0; i < test.used; i++)
		must(test.rows[i].state != ARMED || test.rows[i].due > until,
		     "it has not expired");
}

static void drain(bool stop)
{
	unsigned before = test.used;
	unsigned drained;

	for (unsigned i = 0; i < test.used; i++)
		test.rows[i].state = DRAINED;
	test.draining = true;
	test.stopped = test.stopped || stop;
	drained = (stop ? jif_table_stop : jif_table_drain)(&test.table, NULL);
	test.draining = false;
	must(drained <= before, "too many");
	for (unsigned i = 0; i < test.used; i++)
		must(test.rows[i].state != DRAINED, "it was not drained");
}

static void turn(void)
{
	for (unsigned n = random_below(12); n > 0; n--)
		act();
	if (!random_below(30))
		act_pass();
	if (!random_below(3000))
		drain(random_below(2));
	if (test.stopped && !random_below(4)) {
		jif_table_start(&test.table);
		test.stopped = false;
	}
	run();
}

static uint64_t environment(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

static void begin(unsigned keys, unsigned capacity,
		  uint32_t (*hash)(struct jif_key key))
{
	memset(&test, 0, sizeof(test));
	memset(&jif_sim, 0, sizeof(jif_sim));
	test.seed = environment("LOCKSTEP_SEED", keys);
	test.random = random_begin(test.seed);
	test.keys = keys;
	test.clock = BEFORE_WRAP;
	test.taken = -1;
	make_names();
	jif_wheel_init(&test.wheel, (uint32_t)test.clock);
	test.table = (struct jif_table){ .wheel = &test.wheel,
					 .fn = run_entry,
					 .hash = hash,
					 .entries = test.entries,
					 .capacity = (uint16_t)capacity };
	cr_assert_eq(jif_table_init(&test.table), 0);
	jif_sim.irq = interrupt;
}

static void expect_no_difference(unsigned keys, unsigned capacity,
				 uint32_t (*hash)(struct jif_key key))
{
	uint64_t operations = environment("LOCKSTEP_OPERATIONS", DEFAULT);

	begin(keys, capacity, hash);
	while (test.acts < operations && !test.difference[0])
		turn();
	printf("table: %u keys, %u entries: %" PRIu64 " operations, %" PRIu64
	       " of them in interrupts, %" PRIu64 " expiries compared\n",
	       keys, capacity, test.acts, test.interrupted, test.expired);
	cr_assert_str_empty(test.difference);
	cr_assert_eq(jif_wheel_check(&test.wheel), 0);
	cr_assert_gt(test.expired, operations / 20);
	cr_assert_gt(test.interrupted, operations / 100);
}

static uint32_t two_buckets(struct jif_key key)
{
	return key.number % 2;
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
	expect_no_difference(40, 40, two_buckets);
}

Test(table_model, many_keys)
{
	expect_no_difference(MOST, MOST - 50, jif_key_hash);
}
