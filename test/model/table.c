/* SPDX-License-Identifier: MIT */
/*
 * test/model/table.c - random operations on a table and on a sorted map
 *
 * The map is an array of rows in the order of their keys, with time in 64 bits.
 * The main loop, the function of the table, and an interrupt in the windows of
 * a run do the same to both, and every result is compared. When an entry
 * expires, the map says which it may be, and that none is left behind.
 * LOCKSTEP_SEED and LOCKSTEP_OPERATIONS, in the environment, are for more.
 *
 * What is chosen by chance there is tried one after the other in all states
 * that two entries and three keys can get into, until no new one comes up.
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
#define CHOICES	    64
#define SMALL	    2
#define PLACES	    100000
#define INDEX	    262144
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
 * @armed:	the number of the arming
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
	uint64_t armed;
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
	uint64_t armings;
	struct row rows[MOST];
	unsigned used;
	jif_handle_t stale[STALE];
	char names[2][MOST][NAME];
	struct jif_wheel wheel;
	struct jif_table table;
	struct jif_entry entries[MOST];
} test;

/*
 * When exploring, the choices of one step: an odometer. A tick, a drain or a
 * pass has room for one extra act within it.
 */
static struct {
	bool on;
	bool extra;
	unsigned used;
	unsigned at;
	uint32_t choice[CHOICES];
	uint32_t end[CHOICES];
} explore;

static uint32_t choose(uint32_t end)
{
	if (!explore.on)
		return random_next(&test.random, end);
	if (explore.at == explore.used) {
		cr_assert_lt(explore.used, CHOICES);
		explore.end[explore.used] = end;
		explore.choice[explore.used++] = 0;
	}
	return explore.choice[explore.at++];
}

static bool next_choice(void)
{
	explore.at = 0;
	while (explore.used) {
		if (++explore.choice[explore.used - 1] <
		    explore.end[explore.used - 1])
			return true;
		explore.used--;
	}
	return false;
}

/* What makes no other state is not explored. */
static uint32_t vary(uint32_t end)
{
	return explore.on ? 0 : choose(end);
}

static bool now_and_then(uint32_t end)
{
	if (!explore.on)
		return !choose(end);
	if (!explore.extra || !choose(2))
		return false;
	explore.extra = false;
	return true;
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
	const char *name = test.names[vary(2)][id];

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

	test.stale[vary(STALE)] = row->handle;
	test.used--;
	memmove(row, row + 1, (test.used - i) * sizeof(*row));
}

static void arm(struct row *row, uint32_t expires)
{
	uint32_t delta = expires - (uint32_t)now();

	row->state = ARMED;
	row->armed = test.armings++;
	row->due = now() + (delta - 1 < JIF_DELAY_MAX ? delta : 1);
}

/* Most often near, now and then in the past or as far as can be. */
static uint32_t expires(void)
{
	static const uint32_t longest[] = { 3, 70, 5000, 100000, 700000 };
	uint32_t clock = (uint32_t)now();

	if (explore.on)
		return clock + choose(3);
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
	if (explore.on && choose(2))
		return jif_every(expires(), 2, choose(2) ? 2 : JIF_ENDLESS);
	if (explore.on)
		return jif_once(expires());
	if (choose(2))
		return jif_once(expires());
	return jif_every(expires(), choose(300),
			 choose(3) ? choose(5) : JIF_ENDLESS);
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
	void *value = &test.names[0][vary(MOST)];
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
	jif_handle_t handle = test.stale[vary(STALE)];
	int err = test.stopped ? -JIF_ECANCELED : -JIF_ENOENT;

	if (!choose(8))
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
	jif_handle_t handle = 0;
	struct jif_key key;

	for (unsigned i = 0; i < test.used; i++)
		there[test.rows[i].id] = 1;
	while ((handle = jif_table_next(&test.table, handle))) {
		must(jif_entry_get(&test.table, handle, &key, NULL), "next");
		if (test.difference[0])
			return;
		seen[id_of(key)]++;
		if (now_and_then(4))
			act_remove(choose(2) ? id_of(key) : choose(test.keys));
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

/* The first few are all there are; the others come more often, by chance. */
static void act(void)
{
	static void (*const acts[])(unsigned id) = {
		act_set,   act_add,  act_move,	 act_remove,
		act_pause, act_look, act_resume, act_stale,
		act_set,   act_set,  act_set,	 act_add,
		act_move,  act_move, act_remove, act_look,
	};

	test.acts++;
	acts[choose(explore.on ? 7 : 16)](choose(test.keys));
}

/* A row expires. The key may be removed or set again from now on. */
static void expire(struct row *row)
{
	must(row->state == ARMED && row->due == now(), "it is not due");
	test.expired++;
	if (row->times != JIF_ENDLESS)
		row->times--;
	row->due += row->period;
	row->armed = test.armings++;
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
	if (!test.running || !now_and_then(10))
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
	for (unsigned n = explore.on ? now_and_then(2) : choose(4); n > 0; n--)
		act();
	test.running = was_running;
}

/* The wheel has run all that was due. */
static void run(void)
{
	uint64_t until = now() + 1;

	if (!explore.on)
		until = now() + choose(choose(20) ? 100 : 20000);

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
	for (unsigned n = choose(12); n > 0; n--)
		act();
	if (!choose(30))
		act_pass();
	if (!choose(3000))
		drain(choose(2));
	if (test.stopped && !choose(4)) {
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
	memset(&explore, 0, sizeof(explore));
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
	struct shape shape = { .free = (uint8_t)test.table.free,
			       .stopped = test.stopped,
			       .later = test.used == SMALL &&
					test.rows[0].armed >
						test.rows[1].armed };

	for (unsigned i = 0; i < SMALL; i++) {
		shape.entries[i].next = (uint8_t)test.entries[i].next;
		shape.entries[i].bucket = (uint8_t)test.entries[i].bucket;
	}
	for (unsigned i = 0; i < test.used; i++) {
		const struct row *row = &test.rows[i];
		unsigned at = (uint16_t)row->handle - 1u;

		shape.entries[at].id = (uint8_t)(row->id + 1);
		shape.entries[at].state = (uint8_t)row->state;
		shape.entries[at].left =
			(uint8_t)(row->due -
				  (row->state == PAUSED ? 0 : now()));
		shape.entries[at].period = (uint8_t)row->period;
		shape.entries[at].times = (uint8_t)row->times;
	}
	return shape;
}

static void save(struct place *place)
{
	place->clock = test.clock;
	place->armings = test.armings;
	place->used = test.used;
	place->stopped = test.stopped;
	place->stale = test.stale[0];
	place->wheel = test.wheel;
	place->table = test.table;
	memcpy(place->rows, test.rows, sizeof(place->rows));
	memcpy(place->entries, test.entries, sizeof(place->entries));
}

static void restore(const struct place *place)
{
	test.clock = place->clock;
	test.armings = place->armings;
	test.used = place->used;
	test.stopped = place->stopped;
	test.stale[0] = place->stale;
	test.wheel = place->wheel;
	test.table = place->table;
	memcpy(test.rows, place->rows, sizeof(place->rows));
	memcpy(test.entries, place->entries, sizeof(place->entries));
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

static void step(void)
{
	explore.extra = true;
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
		jif_table_start(&test.table);
		test.stopped = false;
	}
	for (unsigned id = 0; id < test.keys; id++)
		act_look(id);
}

Test(table_states, three_keys_and_two_entries)
{
	uint64_t steps = 0;

	begin(3, SMALL, jif_key_hash);
	places = calloc(PLACES, sizeof(*places));
	index_of = calloc(INDEX, sizeof(*index_of));
	cr_assert(places && index_of);
	explore.on = true;
	keep_place();
	for (unsigned i = 0; i < nplaces; i++) {
		do {
			restore(&places[i]);
			step();
			cr_assert_str_empty(test.difference,
					    "state %u, step %" PRIu64
					    " of all: %s",
					    i, steps, test.difference);
			keep_place();
			steps++;
		} while (next_choice());
	}
	printf("table: %u states, %" PRIu64 " steps, %" PRIu64
	       " expiries compared\n",
	       nplaces, steps, test.expired);
	cr_assert_gt(nplaces, 1000);
	cr_assert_gt(test.expired, steps / 20);
	free(places);
	free(index_of);
}
