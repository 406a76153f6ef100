/* SPDX-License-Identifier: MIT */
/* Timers by key: what test/firmware/model/map.c does not say */
#include <jif/firmware/table.h>
#include <limits.h>
#include <signal.h>

#include "../../wheel/unit/panic.h"
#include "../../wheel/unit/unit.h"

#define CAPACITY 5
#define MOST	 64

/* Values are what the tests tell them apart by. */
static char a[] = "a", b[] = "b", c[] = "c";

/* The last one is not the table's, and looks as if it were to be drained. */
static struct jif_entry entries[CAPACITY + 1];
static struct jif_table table;
static struct run {
	struct jif_key key;
	void *value;
	uint32_t after;
} runs[MOST];
static unsigned nruns;
static void (*during)(struct jif_key key);

static void note(struct jif_table *from, struct jif_key key, void *value)
{
	cr_assert_eq(from, &table);
	if (nruns < MOST)
		runs[nruns] = (struct run){ key, value, now() };
	nruns++;
	if (during)
		during(key);
}

static void init(void)
{
	unit_init();
	memset(entries, 0xa5, sizeof(entries));
	memset(&entries[CAPACITY], 3, sizeof(entries[CAPACITY]));
	memset(&table, 0xa5, sizeof(table));
	table.wheel = &wheel;
	table.fn = note;
	table.hash = jif_key_hash;
	table.entries = entries;
	table.capacity = CAPACITY;
	nruns = 0;
	during = NULL;
	cr_assert_eq(jif_table_init(&table), 0);
}

TestSuite(table, .init = init, .fini = unit_fini);

static struct jif_key number(uint32_t i)
{
	return jif_key_number(i);
}

static struct jif_key text(const char *string)
{
	return jif_key_bytes(string, (uint32_t)strlen(string));
}

static int set(uint32_t i, void *value, struct jif_schedule schedule)
{
	return jif_table_set(&table, number(i), value, schedule);
}

static int add(uint32_t i, void *value, struct jif_schedule schedule)
{
	return jif_table_add(&table, number(i), value, schedule);
}

/* The numbers from 1 to @n, each due a tick after the one before. */
static void fill(unsigned n)
{
	for (unsigned i = 1; i <= n; i++)
		cr_assert_eq(add(i, a, jif_once(at(10 + i))), 0);
}

struct want {
	uint32_t key;
	const void *value;
	uint32_t after;
};

static void expect_run(unsigned i, uint32_t key, const void *value,
		       uint32_t after)
{
	cr_assert_lt(i, nruns);
	cr_assert_eq(runs[i].key.number, key, "run %u: key %u", i,
		     (unsigned)runs[i].key.number);
	cr_assert_eq(runs[i].value, value);
	cr_assert_eq(runs[i].after, after, "run %u: after %u", i,
		     runs[i].after);
}

/* By then, so many have run. */
static void expect_runs(uint32_t after, unsigned n)
{
	run_to(after);
	cr_assert_eq(nruns, n, "%u at %u", nruns, (unsigned)after);
}

/* By then, these have run, and no other. */
static void expect_log_by(uint32_t after, unsigned n, const struct want *want)
{
	expect_runs(after, n);
	for (unsigned i = 0; i < n; i++)
		expect_run(i, want[i].key, want[i].value, want[i].after);
}
#define expect_all(after, ...)                                                 \
	expect_log_by(after,                                                   \
		      sizeof((struct want[]){ __VA_ARGS__ }) /                 \
			      sizeof(struct want),                             \
		      (struct want[]){ __VA_ARGS__ })

Test(table, is_empty_at_first)
{
	cr_assert_eq(jif_table_count(&table), 0);
	cr_assert_not(jif_table_exists(&table, number(0)));
	cr_assert_eq(jif_table_next(&table, 0), 0);
	cr_assert_eq(jif_table_drain(&table, NULL), 0);
}

Test(table, init_refuses_what_is_incomplete)
{
	struct jif_table bad[6];

	for (unsigned i = 0; i < 6; i++)
		bad[i] = table;
	bad[0].wheel = NULL;
	bad[1].fn = NULL;
	bad[2].hash = NULL;
	bad[3].entries = NULL;
	bad[4].capacity = 0;
	bad[5].capacity = JIF_TABLE_MAX + UINT32_C(1);
	for (unsigned i = 0; i < 6; i++)
		cr_assert_eq(jif_table_init(&bad[i]), -JIF_EINVAL);
}

Test(table, refuses_schedules_that_make_no_sense)
{
	static const struct {
		uint32_t period, times;
		int err;
	} bad[] = {
		{ 0, 0, -JIF_EINVAL },
		{ 0, 2, -JIF_EINVAL },
		{ 0, JIF_FOREVER, -JIF_EINVAL },
		{ 10, 0, -JIF_EINVAL },
		{ LONGEST + 1, 2, -JIF_ERANGE },
		{ UINT32_MAX, JIF_FOREVER, -JIF_ERANGE },
	};

	set(1, a, jif_once(at(100)));
	for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct jif_schedule schedule =
			jif_every(at(5), bad[i].period, bad[i].times);

		cr_assert_eq(set(1, b, schedule), bad[i].err);
		cr_assert_eq(add(2, b, schedule), bad[i].err);
	}
	expect_all(1000, { 1, a, 100 });
}

Test(table, period_may_be_as_long_as_any_delay)
{
	set(1, a, jif_every(at(1), LONGEST, 2));
	expect_runs(1, 1);
	cr_assert_eq(jif_table_left(&table, number(1)), LONGEST);
}

Test(table, what_is_removed_or_paused_wakes_nobody)
{
	fill(2);
	jif_table_remove(&table, number(1));
	cr_assert_not(jif_wheel_empty(&wheel));
	jif_table_pause(&table, number(2));
	cr_assert(jif_wheel_empty(&wheel));
}

static uint32_t missed[MOST];

static void note_missed(struct jif_key key)
{
	missed[nruns - 1] =
		jif_entry_missed(&table, jif_table_find(&table, key));
}

Test(table, missed_is_0_when_it_is_armed_anew_or_paused)
{
	jif_handle_t handle;

	set(1, a, jif_every(at(10), 10, JIF_FOREVER));
	handle = jif_table_find(&table, number(1));
	run_to(35);
	cr_assert_eq(jif_entry_missed(&table, handle), 2);
	cr_assert_eq(jif_entry_pause(&table, handle), 0);
	cr_assert_eq(jif_entry_missed(&table, handle), 0);
	cr_assert_eq(jif_entry_resume(&table, handle), 0);
	run_to(75);
	cr_assert_gt(jif_entry_missed(&table, handle), 0);
	cr_assert_eq(jif_entry_move(&table, handle, at(90)), 1);
	cr_assert_eq(jif_entry_missed(&table, handle), 0);
	jif_table_remove(&table, number(1));
	cr_assert_eq(jif_entry_missed(&table, handle), 0);
}

/* What is covered, and one period more, is no delay: there is a second call. */
Test(table, what_is_missed_may_be_out_of_reach)
{
	const uint32_t period = LONGEST / 2;

	set(1, a, jif_every(at(1), period, JIF_FOREVER));
	during = note_missed;
	expect_runs(LONGEST, 2);
	expect_run(0, 1, a, 1);
	cr_assert_eq(missed[0], 1);
	expect_run(1, 1, a, 1 + 2 * period);
	init();
	set(1, a, jif_every(at(1), period + 1, JIF_FOREVER));
	during = note_missed;
	expect_runs(LONGEST, 2);
	cr_assert_eq(missed[0], 0);
	expect_run(1, 1, a, 2 + period);
}

Test(table, byte_keys_are_the_same_if_their_bytes_are)
{
	char copy[] = "session", other[] = "sessiom";

	(void)!jif_table_set(&table, text("session"), a, jif_once(at(10)));
	cr_assert(jif_table_exists(&table, text(copy)));
	cr_assert_not(jif_table_exists(&table, text(other)));
	cr_assert_not(jif_table_exists(&table, text("sessio")));
	cr_assert_not(jif_table_exists(&table, text("sessions")));
	cr_assert_not(jif_table_exists(&table, number(7)));
	cr_assert_eq(jif_table_set(&table, text("door"), b, jif_once(at(20))),
		     0);
	cr_assert_eq(set(4, c, jif_once(at(30))), 0);
	cr_assert_eq(jif_table_count(&table), 3);
	run_to(100);
	expect_run(0, 7, a, 10);
	expect_run(1, 4, b, 20);
	expect_run(2, 4, c, 30);
}

Test(table, empty_key_is_refused)
{
	cr_assert_eq(jif_table_set(&table, text(""), a, jif_once(at(10))),
		     -JIF_EINVAL);
	cr_assert_eq(jif_table_add(&table, text(""), a, jif_once(at(10))),
		     -JIF_EINVAL);
	cr_assert_not(jif_table_exists(&table, text("")));
	cr_assert_eq(set(0, b, jif_once(at(20))), 0);
	expect_all(100, { 0, b, 20 });
}

Test(table, hashes_bytes_by_fnv_1a)
{
	cr_assert_eq(jif_key_hash(text("")), 0x811c9dc5);
	cr_assert_eq(jif_key_hash(text("a")), 0xe40c292c);
	cr_assert_eq(jif_key_hash(text("foobar")), 0xbf9cf968);
	cr_assert_eq(jif_key_hash(number(12345)), 12345);
}

/* The test vectors of Linux for 32 bits. */
Test(table, hashes_with_a_seed_by_halfsiphash)
{
	static const uint32_t want[] = { 0xe7e864ca, 0xbc4b0e30, 0x01539939,
					 0x7e059ea6, 0x88e3d89b, 0xa0080b65,
					 0x9d38d9d6, 0x577999b1 };
	static const uint64_t seed = UINT64_C(0x0706050403020100);
	static const uint8_t bytes[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	for (uint32_t n = 1; n <= 8; n++)
		cr_assert_eq(jif_key_hash_seeded(jif_key_bytes(bytes, n), seed),
			     want[n - 1], "%u bytes", (unsigned)n);
	cr_assert_neq(jif_key_hash_seeded(number(1), seed),
		      jif_key_hash_seeded(number(2), seed));
	cr_assert_neq(jif_key_hash_seeded(number(1), seed),
		      jif_key_hash_seeded(number(1), seed + 1));
	cr_assert_neq(jif_key_hash_seeded(number(1), seed),
		      jif_key_hash_seeded(number(1), seed ^ UINT64_C(1) << 63));
}

static unsigned other_runs;

static void count_other(struct jif_table *from, struct jif_key key, void *value)
{
	other_runs++;
}

/* The most entries of one bucket; all are in use. */
static unsigned longest_bucket(const struct jif_table *of)
{
	unsigned longest = 0, length;

	for (unsigned i = 0; i < of->capacity; i++) {
		length = 0;
		for (unsigned link = of->entries[i].bucket; link;
		     link = of->entries[link - 1].next)
			length++;
		if (length > longest)
			longest = length;
	}
	return longest;
}

Test(table, multiples_of_any_power_of_two_are_spread)
{
	static struct jif_entry many[50];
	struct jif_table big = table;

	big.entries = many;
	big.capacity = 50;
	for (unsigned shift = 0; shift <= 26; shift++) {
		jif_table_init(&big);
		for (uint32_t i = 1; i <= 50; i++)
			cr_assert_eq(jif_table_add(&big, number(i << shift), a,
						   jif_once(at(10))),
				     0);
		cr_assert_leq(longest_bucket(&big), 6, "times 2^%u", shift);
		jif_table_drain(&big, count_other);
	}
}

#if UINTPTR_MAX > 0xffffffff
/* A machine that has them has the memory for more entries than 16 bits tell. */
Test(table, may_have_a_hundred_thousand_entries)
{
	enum { MANY = 100000 };
	static struct jif_entry many[MANY];
	static struct jif_wheel aside;
	struct jif_table big = table;
	unsigned good = 0, empty = 0;

	unit_wheel(&aside, at(0));
	big.wheel = &aside;
	big.entries = many;
	big.capacity = MANY;
	cr_assert_eq(jif_table_init(&big), 0);
	for (uint64_t i = 1; i <= MANY; i++)
		good += !jif_table_add(&big, jif_key_number(i << 24), a,
				       jif_once(at(10)));
	cr_assert_eq(good, MANY, "so many are added");
	cr_assert_eq(jif_table_add(&big, number(1), a, jif_once(at(10))),
		     -JIF_ENOSPC);
	for (uint64_t i = 1; i <= MANY; i++)
		good -= jif_table_exists(&big, jif_key_number(i << 24));
	cr_assert_eq(good, 0, "each is found");
	for (jif_handle_t h = 0; (h = jif_table_next(&big, h));)
		good += jif_entry_get(&big, h, NULL, NULL);
	cr_assert_eq(good, MANY, "each has a handle");
	cr_assert_leq(longest_bucket(&big), 12);
	for (uint32_t i = 0; i < MANY; i++)
		empty += many[i].bucket == 0;
	cr_assert_lt(empty, MANY / 2);
}

Test(table, numbers_of_64_bits_are_told_apart)
{
	struct jif_key low = jif_key_number(7);
	struct jif_key high = jif_key_number(UINT64_C(7) << 32 | 7);

	(void)!jif_table_set(&table, low, a, jif_once(at(10)));
	(void)!jif_table_set(&table, high, b, jif_once(at(20)));
	cr_assert_eq(jif_table_count(&table), 2);
	cr_assert_neq(jif_key_hash(low), jif_key_hash(high));
	cr_assert_eq(jif_table_remove(&table, low), 0);
	expect_runs(20, 1);
	cr_assert_eq(runs[0].key.number, UINT64_C(0x700000007));
}
#endif

Test(table, keys_use_all_buckets)
{
	bool used[CAPACITY] = { false };

	for (uint32_t i = 1; i <= 100; i++) {
		set(i, a, jif_once(at(10)));
		for (unsigned k = 0; k < CAPACITY; k++)
			used[k] |= entries[k].bucket != 0;
		jif_table_remove(&table, number(i));
	}
	for (unsigned k = 0; k < CAPACITY; k++)
		cr_assert(used[k], "bucket %u", k);
}

Test(table, handle_leads_to_its_entry)
{
	struct jif_key key;
	jif_handle_t one;
	void *value;

	fill(2);
	one = jif_table_find(&table, number(1));
	cr_assert_neq(one, 0);
	cr_assert(jif_entry_get(&table, one, &key, &value));
	cr_assert_eq(key.number, 1);
	cr_assert_eq(value, a);
	cr_assert_eq(jif_entry_left(&table, one), 11);
	cr_assert_eq(jif_entry_move(&table, one, at(30)), 1);
	cr_assert_eq(jif_entry_left(&table, one), 30);
	cr_assert_eq(jif_entry_remove(&table, one), 0);
	cr_assert_eq(jif_table_count(&table), 1);
}

static void expect_refused(jif_handle_t handle)
{
	struct jif_key key = number(99);
	void *value = b;

	cr_assert_eq(jif_entry_move(&table, handle, at(5)), -JIF_ENOENT);
	cr_assert_eq(jif_entry_remove(&table, handle), -JIF_ENOENT);
	cr_assert_eq(jif_entry_pause(&table, handle), -JIF_ENOENT);
	cr_assert_eq(jif_entry_resume(&table, handle), -JIF_ENOENT);
	cr_assert_eq(jif_entry_left(&table, handle), 0);
	cr_assert_eq(jif_entry_times(&table, handle), 0);
	cr_assert_not(jif_entry_get(&table, handle, &key, &value));
	cr_assert_eq(key.number, 99);
	cr_assert_eq(value, b);
}

Test(table, stale_handle_is_refused)
{
	jif_handle_t first, second;

	fill(CAPACITY);
	first = jif_table_find(&table, number(2));
	jif_table_remove(&table, number(2));
	expect_refused(first);
	set(2, b, jif_once(at(80)));
	second = jif_table_find(&table, number(2));
	cr_assert_neq(second, first);
	expect_refused(first);
	cr_assert_eq(jif_entry_left(&table, second), 80);
	run_to(80);
	expect_refused(second);
	expect_refused(0);
	expect_refused(CAPACITY + 1);
	expect_refused(UINT32_MAX);
}

Test(table, handle_of_an_entry_that_was_never_used_is_refused)
{
	for (jif_handle_t link = 1; link <= CAPACITY; link++)
		expect_refused(link);
}

Test(table, drain_hands_out_all_and_empties_it)
{
	fill(3);
	jif_table_pause(&table, number(2));
	cr_assert_eq(jif_table_drain(&table, count_other), 3);
	cr_assert_eq(other_runs, 3);
	cr_assert_eq(jif_table_count(&table), 0);
	cr_assert(jif_wheel_empty(&wheel));
	fill(2);
	cr_assert_eq(jif_table_drain(&table, NULL), 2);
	cr_assert_eq(nruns, 2);
	expect_runs(100, 2);
}

Test(table, stopped_it_refuses_everything)
{
	jif_handle_t handle;

	fill(2);
	handle = jif_table_find(&table, number(1));
	cr_assert_eq(jif_table_stop(&table, NULL), 2);
	cr_assert_eq(nruns, 2);
	cr_assert(jif_table_stopped(&table));
	cr_assert_eq(set(1, a, jif_once(at(90))), -JIF_ECANCELED);
	cr_assert_eq(add(1, a, jif_once(at(90))), -JIF_ECANCELED);
	cr_assert_eq(jif_entry_move(&table, handle, at(90)), -JIF_ECANCELED);
	cr_assert_eq(jif_table_move(&table, number(1), at(90)), -JIF_ECANCELED);
	cr_assert_eq(jif_table_remove(&table, number(1)), -JIF_ECANCELED);
	cr_assert_eq(jif_table_pause(&table, number(1)), -JIF_ECANCELED);
	cr_assert_eq(jif_table_resume(&table, number(1)), -JIF_ECANCELED);
	cr_assert_eq(jif_table_count(&table), 0);
	run_to(100);
	jif_table_start(&table);
	cr_assert_not(jif_table_stopped(&table));
	expect_refused(handle);
	cr_assert_eq(add(1, b, jif_once(at(200))), 0);
	expect_runs(200, 3);
	expect_run(2, 1, b, 200);
}

Test(table, resume_beyond_the_reach_of_a_wheel_that_is_behind_changes_nothing)
{
	set(1, NULL, jif_once(at(LONGEST)));
	jif_table_pause(&table, number(1));
	unit_set_time(1);
	cr_assert_eq(jif_table_resume(&table, number(1)), -JIF_ERANGE);
	cr_assert_eq(jif_table_left(&table, number(1)), LONGEST);
	run_to(1);
	cr_assert_eq(jif_table_resume(&table, number(1)), 0);
	cr_assert_eq(jif_table_left(&table, number(1)), LONGEST);
	expect_runs(LONGEST, 0);
	expect_runs(LONGEST + 1, 1);
}
