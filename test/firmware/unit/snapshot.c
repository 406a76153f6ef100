/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/unit/snapshot.c - timers that survive a reset
 */
#include <jif/firmware/snapshot.h>

#include "../../wheel/unit/unit.h"

#define RTC	UINT64_C(0x123456789abcdef0)
#define PRODUCT 0x11223344

static struct jif_periodic each, skip;
static struct jif_table table;
static struct jif_entry entries[3];
static uint8_t buffer[256];

static void *value_of(struct jif_table *of, struct jif_key *key)
{
	cr_assert_eq(of, &table);
	if (key->bytes)
		key->bytes = "door";
	return &entries[key->number % 3];
}

static struct jif_saved_keys keys = { &table, value_of };
static const struct jif_saved list[] = {
	JIF_SAVED_TIMER(2, &timers[2]),	  JIF_SAVED_TIMER(3, &timers[3]),
	JIF_SAVED_PERIODIC(0x105, &each), JIF_SAVED_PERIODIC(0x106, &skip),
	JIF_SAVED_KEYS(0x107, &keys),	  JIF_SAVED_TIMER(0xffff, &timers[4]),
};
static struct jif_snapshot snapshot;

/* In the order of the calls; what each is, by its number, and when. */
static struct {
	unsigned what;
	uint32_t after;
	uint32_t missed;
} calls[40];
static unsigned ncalls;
static void (*in_call)(void);

static void note(unsigned what, uint32_t missed)
{
	if (ncalls < 40) {
		calls[ncalls].what = what;
		calls[ncalls].after = now();
		calls[ncalls].missed = missed;
	}
	ncalls++;
	if (in_call)
		in_call();
}

static void on_timer(unsigned i)
{
	note(i, 0);
}

static void on_periodic(struct jif_periodic *p)
{
	note(p == &each ? 0x105 : 0x106, jif_periodic_missed(p));
}

static void on_key(struct jif_table *of, struct jif_key key, void *value)
{
	cr_assert_eq(of, &table);
	cr_assert_eq(value, &entries[key.number % 3]);
	cr_assert(!key.bytes || !memcmp(key.bytes, "door", 4));
	note(key.bytes ? 9 : 10 + (unsigned)key.number, 0);
}

/* What a reset leaves: initialised, and idle. */
static void reset(void)
{
	unit_init();
	unit_callback = on_timer;
	memset(entries, 0xa5, sizeof(entries));
	jif_periodic_init(&each, on_periodic, JIF_CATCHUP_EACH);
	jif_periodic_init(&skip, on_periodic, JIF_CATCHUP_SKIP);
	table = (struct jif_table){ .wheel = &wheel,
				    .fn = on_key,
				    .hash = jif_key_hash,
				    .entries = entries,
				    .capacity = 3 };
	jif_table_init(&table);
	snapshot = (struct jif_snapshot){ &wheel, list, 6, PRODUCT };
	ncalls = 0;
	in_call = NULL;
}

static void init(void)
{
	reset();
	memset(buffer, 0xff, sizeof(buffer));
}

TestSuite(snapshot, .init = init, .fini = unit_fini);

/* The clock of the RTC is that of the wheel, and RTC at START. */
static int save(void)
{
	return jif_snapshot_save(&snapshot, buffer, sizeof(buffer),
				 jif_wheel_clock(&wheel), RTC + now());
}

/* The machine comes up, so many ticks after START, with jiffies of @jiffies. */
static int restore(uint32_t after, uint32_t jiffies)
{
	return jif_snapshot_restore(&snapshot, buffer, sizeof(buffer), jiffies,
				    RTC + after);
}

static void start(struct jif_periodic *p, uint32_t first, uint32_t period,
		  uint32_t times)
{
	cr_assert_eq(jif_periodic_start(&wheel, p, first, period, times), 0);
}

static void set(struct jif_key key, uint32_t after, uint32_t period,
		uint32_t times)
{
	struct jif_schedule when = jif_every(at(after), period, times);

	cr_assert_eq(jif_table_set(&table, key, &entries[key.number % 3], when),
		     0);
}

static void check_call(unsigned i, unsigned what, uint32_t after,
		       uint32_t missed)
{
	cr_assert_lt(i, ncalls);
	cr_assert_eq(calls[i].what, what, "call %u", i);
	cr_assert_eq(calls[i].after, after, "call %u", i);
	cr_assert_eq(calls[i].missed, missed, "call %u", i);
}

/* Written by hand; the checksum is that of Python's zlib. */
static const uint8_t golden[] = {
	/* The header */
	'j', 'i', 'f', 'S', 164, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0x44, 0x33,
	0x22, 0x11, 0xf2, 0xde, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12,
	/* A timer */
	2, 0, 1, 0, 0x5a, 0xa5, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
	/* One that is paused */
	3, 0, 1, 1, 7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
	/* Two that are periodic */
	5, 1, 2, 0, 98, 0, 0, 0, 0x10, 0x27, 0, 0, 255, 255, 255, 255, 6, 1, 2,
	0, 9, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 4, 3, 2, 1,
	/* A key that is bytes */
	7, 1, 4, 0, 48, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0,
	'd', 'o', 'o', 'r',
	/* A key that is a number */
	7, 1, 3, 1, 58, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0,
	0,
	/* A timer as far as can be */
	255, 255, 1, 0, 255, 255, 255, 127, 0, 0, 0, 0, 1, 0, 0, 0,
	/* The checksum */
	0x1e, 0x04, 0x29, 0x28
};

static void arm_golden(void)
{
	run_to(2);
	arm(2, 2 + 0xa55a);
	arm(3, 2 + 7);
	jif_timer_pause(&wheel, &timers[3]);
	arm(4, 2 + LONGEST);
	start(&each, 98, 10000, JIF_FOREVER);
	start(&skip, 9, LONGEST, 0x01020304);
	set(jif_key_bytes("door", 4), 50, 0, 1);
	set(jif_key_number(0x04030201), 60, 20, 3);
	jif_table_pause(&table, jif_key_number(0x04030201));
}

/* By then, there were so many calls. */
static void expect_calls(uint32_t after, unsigned n)
{
	run_to(after);
	cr_assert_eq(ncalls, n, "%u at %u", ncalls, (unsigned)after);
}

Test(snapshot, layout_is_that_of_the_page)
{
	arm_golden();
	cr_assert_eq(save(), (int)sizeof(golden));
	cr_assert_eq(memcmp(buffer, golden, sizeof(golden)), 0);
	cr_assert_eq(buffer[sizeof(golden)], 0xff);
}

Test(snapshot, a_paused_periodic_timer_is_restored_paused)
{
	static const uint8_t record[16] = { 6, 1, 2, 1, 88, 255, 255, 255,
					    9, 0, 0, 0, 4,  0,	 0,   0 };

	jif_warn = unit_no_warning;
	jif_wheel_set_time(&wheel, jif_time_jiffies);
	set_jiffies(0);
	start(&each, 100, 10, 5);
	run_to(40);
	start(&skip, 22, 9, 4);
	jif_ticks(70);
	jif_periodic_pause(&each);
	jif_ticks(160);
	jif_periodic_pause(&skip);
	run_to(61);
	cr_assert_gt(save(), 0);
	reset();
	cr_assert_eq(restore(1000, at(2000)), 2);
	expect_calls(2000, 0);
	cr_assert(jif_periodic_pending(&each));
	cr_assert_not(jif_periodic_resume(&each));
	expect_calls(2029, 0);
	run_to(2030);
	check_call(0, 0x105, 2030, 0);
	cr_assert_eq(jif_periodic_left(&each), 4);
	cr_assert_eq(memcmp(&buffer[28 + 16], record, sizeof(record)), 0);
	cr_assert_not(jif_periodic_resume(&skip));
	run_to(2031);
	check_call(1, 0x106, 2031, 18);
	run_to(2040);
	check_call(2, 0x106, 2033, 0);
	check_call(3, 0x105, 2040, 0);
}

Test(snapshot, a_periodic_timer_with_a_ratio_is_refused_while_it_has_calls)
{
	cr_assert_eq(jif_periodic_start_ratio(&wheel, &each, 5, 10, 3, 9), 0);
	cr_assert_eq(save(), -JIF_EINVAL);
	cr_assert_eq(buffer[0], 0xff);
	jif_periodic_pause(&each);
	cr_assert_eq(save(), -JIF_EINVAL);
	jif_periodic_stop(&each);
	cr_assert_gt(save(), 0);
	start(&each, 5, 10, 9);
	cr_assert_gt(save(), 0);
	reset();
	cr_assert_eq(restore(0, START), 1);
}

static void restore_golden(void)
{
	memcpy(buffer, golden, sizeof(golden));
	cr_assert_eq(restore(2, 77), 7);
}

Test(snapshot, restored_at_once_it_is_what_was_saved)
{
	restore_golden();
	cr_assert_eq(jif_wheel_clock(&wheel), 77);
	cr_assert_eq(jif_timer_expires(&wheel, &timers[2]), 77 + 0xa55a);
	cr_assert_not(jif_timer_pending(&timers[3]));
	cr_assert_eq(jif_timer_left(&wheel, &timers[3]), 7);
	cr_assert_eq(jif_timer_expires(&wheel, &timers[4]), 77 + LONGEST);
	cr_assert_eq(jif_timer_left(&wheel, &each.timer), 98);
	cr_assert_eq(jif_periodic_left(&each), JIF_FOREVER);
	cr_assert_eq(jif_periodic_left(&skip), 0x01020304);
	cr_assert_eq(jif_table_left(&table, jif_key_bytes("door", 4)), 48);
	cr_assert_eq(jif_table_left(&table, jif_key_number(0x04030201)), 58);
	cr_assert_eq(jif_table_times(&table, jif_key_number(0x04030201)), 3);
	memset(buffer, 0, sizeof(buffer));
	cr_assert_eq(jif_snapshot_save(&snapshot, buffer, sizeof(buffer), 77,
				       RTC + 2),
		     (int)sizeof(golden));
	cr_assert_eq(memcmp(buffer, golden, sizeof(golden)), 0);
}

Test(snapshot, keys_without_a_function_for_values_stay_in_the_buffer)
{
	void *value = buffer;
	struct jif_key key = jif_key_bytes("door", 4);

	keys.value = NULL;
	restore_golden();
	cr_assert(jif_entry_get(&table, jif_table_find(&table, key), &key,
				&value));
	cr_assert_not(value);
	cr_assert_eq(key.bytes, &buffer[28 + 5 * 16 + 8]);
	keys.value = value_of;
}

/* Of a periodic timer, it is the object's; a key begins with the first one. */
Test(snapshot, holds_no_policy)
{
	static uint8_t first[sizeof(buffer)];
	struct jif_schedule when = jif_every(at(500), 250, JIF_FOREVER);

	for (unsigned i = 0; i <= JIF_CATCHUP_RESTART; i++) {
		init();
		jif_periodic_init(&each, on_periodic, (enum jif_catchup)i);
		start(&each, 100, 300, JIF_FOREVER);
		when.catchup = (enum jif_catchup)i;
		cr_assert_eq(jif_table_set(&table, jif_key_number(1),
					   &entries[1], when),
			     0);
		cr_assert_gt(save(), 0);
		if (i == 0)
			memcpy(first, buffer, sizeof(first));
		cr_assert_eq(memcmp(first, buffer, sizeof(first)), 0);
	}
	reset();
	cr_assert_eq(restore(1000, START + 1000), 2);
	expect_calls(1000, 5);
	check_call(0, 0x105, 100, 0);
	check_call(1, 0x105, 400, 0);
	check_call(2, 11, 500, 0);
	check_call(3, 0x105, 700, 0);
	check_call(4, 0x105, 1000, 0);
}

/* All that a restore might change. */
static const struct {
	void *at;
	size_t size;
} parts[] = { { &wheel, sizeof(wheel) }, { timers, 5 * sizeof(timers[0]) },
	      { &each, sizeof(each) },	 { &skip, sizeof(skip) },
	      { &table, sizeof(table) }, { entries, sizeof(entries) } };
static uint8_t kept[sizeof(wheel) + 5 * sizeof(timers[0]) + 2 * sizeof(each) +
		    sizeof(table) + sizeof(entries)];

static void keep(void)
{
	uint8_t *to = kept;

	for (unsigned i = 0; i < 6; to += parts[i++].size)
		memcpy(to, parts[i].at, parts[i].size);
}

static void check_kept(void)
{
	const uint8_t *from = kept;

	for (unsigned i = 0; i < 6; from += parts[i++].size)
		cr_assert_eq(memcmp(parts[i].at, from, parts[i].size), 0,
			     "part %u", i);
}

static void check_refused(uint32_t since, int err)
{
	keep();
	cr_assert_eq(restore(2 + since, 77), err);
	check_kept();
}

/* A byte that is another one, and the checksum, by zlib, of what that makes. */
static const struct {
	uint8_t at;
	uint8_t byte;
	uint32_t checksum;
	int err;
} wrong[] = {
	{ 3, 's', 0xc63a3ef6, -JIF_ENODATA }, /* another word */
	{ 5, 1, 0xc2f7240e, -JIF_EMSGSIZE },  /* a length: beyond the buffer */
	{ 4, 31, 0x83b812f9, -JIF_EBADMSG },  /* less than a header */
	{ 4, 160, 0x5d5e3d0e, -JIF_EBADMSG }, /* without the checksum */
	{ 8, 2, 0x43337c8c, -JIF_ENOTSUP },   /* a version to come */
	{ 11, 1, 0x3881ac20, -JIF_ENOTSUP },
	{ 16, 69, 0x0e9e0823, -JIF_ESTALE }, /* another product */
	{ 12, 6, 0x5afb6084, -JIF_EBADMSG }, /* a record too few */
	{ 12, 8, 0x8f1615cb, -JIF_EBADMSG }, /* and too many */
	{ 15, 255, 0x027e56fe, -JIF_EBADMSG },
	{ 28, 1, 0xaf868a2e, -JIF_ENOENT }, /* a number: in front of all */
	{ 28, 4, 0xfc071e3f, -JIF_ENOENT }, /* between two */
	{ 29, 255, 0x1ee154af, -JIF_ENOENT },
	{ 28, 3, 0x554c7e0e, -JIF_EBADMSG }, /* twice */
	{ 44, 1, 0x2b19c9ce, -JIF_EBADMSG }, /* not ascending */
	{ 30, 2, 0x62edf4fa, -JIF_ENOENT },  /* a timer that is periodic */
	{ 30, 0, 0x11955442, -JIF_ENOENT },
	{ 62, 1, 0x9767bbe7, -JIF_ENOENT }, /* a periodic one that is not */
	{ 94, 2, 0x472dec1d, -JIF_ENOENT }, /* a key that is periodic */
	{ 146, 5, 0x31858b05, -JIF_EBADMSG },
	{ 31, 2, 0x8c9f3f99, -JIF_EBADMSG }, /* paused, and more */
	{ 95, 2, 0xf28ca793, -JIF_EBADMSG },
	{ 63, 2, 0xc3424e3c, -JIF_EBADMSG },
	{ 35, 128, 0xff92fa74, -JIF_EBADMSG }, /* too far */
	{ 99, 128, 0xa0f84079, -JIF_EBADMSG },
	{ 36, 1, 0x5c2ffe8b, -JIF_EBADMSG },   /* a timer's period */
	{ 40, 0, 0xb927eadf, -JIF_EBADMSG },   /* never */
	{ 40, 2, 0x404b311c, -JIF_EBADMSG },   /* a timer, twice */
	{ 71, 128, 0xee732332, -JIF_EBADMSG }, /* periods too long */
	{ 131, 128, 0xc54b79b0, -JIF_EBADMSG },
	{ 104, 2, 0x0e963067, -JIF_EBADMSG },	/* several times, no period */
	{ 108, 200, 0x8da29a3c, -JIF_EBADMSG }, /* a key beyond the end */
	{ 115, 255, 0x50bcf404, -JIF_EBADMSG },
	{ 76, 5, 0xc62de54f, -JIF_EBADMSG },  /* a periodic one, twice */
	{ 108, 0, 0x546bf26b, -JIF_EBADMSG }, /* a key of no bytes */
	{ 132, 0, 0x2af70339, -JIF_EBADMSG }, /* one that never expires */
};

/* The same with a word; the longest period, and the shortest time left. */
static const struct {
	uint8_t at;
	uint32_t word;
	uint32_t checksum;
	int err;
} words[] = {
	{ 32, 0x80000000, 0x273f3fd7, -JIF_EBADMSG },
	{ 68, 0x80000000, 0xa4d70af1, -JIF_EBADMSG },
	{ 128, 0x80000000, 0xa9980d73, -JIF_EBADMSG },
	{ 128, 0x7fffffff, 0x4f6da721, 7 },
	{ 124, 0, 0x51abbafe, 7 },
	{ 48, 0, 0xbdc194a3, 7 },
};

static void put_word(unsigned at, uint32_t word)
{
	for (unsigned end = at + 4; at < end; at++, word >>= 8)
		buffer[at] = (uint8_t)word;
}

Test(snapshot, what_no_save_writes_changes_nothing_and_says_why)
{
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		memcpy(buffer, golden, sizeof(golden));
		buffer[wrong[i].at] = wrong[i].byte;
		put_word(160, wrong[i].checksum);
		keep();
		cr_assert_eq(restore(2, 77), wrong[i].err, "row %u", i);
		check_kept();
	}
}

Test(snapshot, longest_and_shortest_that_a_save_writes)
{
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		memcpy(buffer, golden, sizeof(golden));
		put_word(words[i].at, words[i].word);
		put_word(160, words[i].checksum);
		cr_assert_eq(restore(2, 77), words[i].err, "row %u", i);
		if (words[i].err < 0)
			continue;
		cr_assert_eq(jif_table_left(&table, jif_key_number(0x04030201)),
			     words[i].at == 124 ? 0 : 58);
		cr_assert_eq(jif_timer_left(&wheel, &timers[3]),
			     words[i].at == 48 ? 0 : 7);
		reset();
	}
}

/* The last timer is not there; a key is the last. */
Test(snapshot, record_too_many_is_no_key_once_more)
{
	memcpy(buffer, golden, sizeof(golden));
	put_word(4, sizeof(golden) - 16);
	put_word(144, 0xa1b06154);
	check_refused(0, -JIF_EBADMSG);
	put_word(12, 6);
	put_word(144, 0xdcd51b44);
	cr_assert_eq(restore(2, 77), 6);
}

/* A number in the place of the other key, too; or an object on the list. */
Test(snapshot, what_comes_twice_is_armed_and_counted_once)
{
	static const struct jif_saved twice[] = {
		JIF_SAVED_TIMER(2, &timers[2]),
		JIF_SAVED_TIMER(3, &timers[2]),
		JIF_SAVED_PERIODIC(0x105, &each),
		JIF_SAVED_PERIODIC(0x106, &each),
		JIF_SAVED_KEYS(0x107, &keys),
		JIF_SAVED_TIMER(0xffff, &timers[4]),
	};

	memcpy(buffer, golden, 92);
	memcpy(buffer + 92, golden + 120, 24);
	memcpy(buffer + 116, golden + 120, 40);
	put_word(4, 160);
	put_word(156, 0xbe3cf6a8);
	cr_assert_eq(restore(2, 77), 6);
	cr_assert_eq(jif_table_count(&table), 1);
	reset();
	memcpy(buffer, golden, sizeof(golden));
	snapshot.list = twice;
	cr_assert_eq(restore(2, 77), 5);
}

Test(snapshot, no_bit_may_be_another_one)
{
	uint64_t rtc = 5;

	for (unsigned bit = 0; bit < 8 * sizeof(golden); bit++) {
		memcpy(buffer, golden, sizeof(golden));
		buffer[bit / 8] ^= (uint8_t)(1u << bit % 8);
		keep();
		cr_assert_lt(restore(2, 77), 0, "bit %u", bit);
		check_kept();
		cr_assert_lt(jif_snapshot_clock(buffer, sizeof(buffer), &rtc),
			     0);
	}
	cr_assert_eq(rtc, 5);
}

Test(snapshot, all_of_it_has_to_be_there)
{
	uint64_t rtc = 5;
	int err;

	memcpy(buffer, golden, sizeof(golden));
	for (size_t size = 0; size < sizeof(golden); size++) {
		err = size < 32 ? -JIF_ENODATA : -JIF_EMSGSIZE;
		cr_assert_eq(jif_snapshot_restore(&snapshot, buffer, size, 77,
						  RTC + 2),
			     err);
		cr_assert_eq(jif_snapshot_clock(buffer, size, &rtc), err);
	}
	cr_assert(jif_wheel_empty(&wheel));
	cr_assert_eq(jif_snapshot_clock(buffer, sizeof(golden), &rtc), 0);
	cr_assert_eq(rtc, RTC + 2);
	cr_assert_eq(jif_snapshot_restore(&snapshot, buffer, sizeof(golden), 77,
					  RTC + 2),
		     7);
}

Test(snapshot, key_of_64_bits_is_restored_where_numbers_have_them)
{
	static const uint8_t checksum[] = { 0x58, 0x3f, 0x4e, 0x4d };
	bool fits = sizeof(jif_number_t) > 4;

	memcpy(buffer, golden, sizeof(golden));
	buffer[140] = 1;
	memcpy(buffer + sizeof(golden) - 4, checksum, 4);
	cr_assert_eq(restore(2, 77), fits ? 7 : -JIF_ENOTSUP);
	cr_assert_eq(jif_table_count(&table), fits ? 2 : 0);
}

static uint32_t jiffies_now;
static unsigned asked;

static uint32_t source(const struct jif_wheel *of)
{
	cr_assert_eq(of, &wheel);
	asked++;
	return jiffies_now;
}

/* As on a board that has lost its clock. */
Test(snapshot, clock_that_went_back_says_that_no_time_has_passed)
{
	static const uint64_t clocks[] = { RTC + 1, 0,
					   RTC + 2 - JIF_SLEEP_MAX };

	for (unsigned i = 0; i < 3; i++) {
		init();
		arm(2, 7);
		start(&skip, 9, 10, 2);
		set(jif_key_number(4), 8, 0, 1);
		run_to(2);
		cr_assert_gt(save(), 0);
		reset();
		cr_assert_eq(jif_snapshot_restore(&snapshot, buffer,
						  sizeof(buffer), at(100),
						  clocks[i]),
			     3);
		cr_assert_eq(now(), 100);
		run_to(107);
		run_to(200);
		cr_assert_eq(ncalls, 4);
		check_call(0, 2, 105, 0);
		check_call(1, 14, 106, 0);
		check_call(2, 0x106, 107, 0);
		check_call(3, 0x106, 117, 8);
	}
}

/* What is left counts from now, and what is restored is as it was saved. */
Test(snapshot, time_source_stays)
{
	arm(2, 7);
	arm(3, 20);
	set(jif_key_number(4), 30, 0, 1);
	set(jif_key_number(5), 40, 0, 1);
	jif_timer_pause(&wheel, &timers[3]);
	jif_table_pause(&table, jif_key_number(5));
	cr_assert_gt(save(), 0);
	reset();
	jif_wheel_set_time(&wheel, source);
	jiffies_now = at(105);
	asked = 0;
	cr_assert_eq(restore(5, at(105)), 4);
	cr_assert_eq(asked, 0, "all of it is as of the save");
	jif_wheel_now(&wheel);
	cr_assert_eq(asked, 1, "the source is the same");
	cr_assert_eq(jif_timer_left(&wheel, &timers[2]), 2);
	cr_assert_eq(jif_timer_left(&wheel, &timers[3]), 20);
	cr_assert_eq(jif_table_left(&table, jif_key_number(4)), 25);
	cr_assert_eq(jif_table_left(&table, jif_key_number(5)), 40);
	cr_assert_eq(jif_timer_resume(&wheel, &timers[3]), 0);
	cr_assert_eq(jif_timer_expires(&wheel, &timers[3]), at(125));
}

Test(snapshot, clock_that_went_too_far_is_refused)
{
	arm(2, 5);
	start(&each, 5, LONGEST, JIF_FOREVER);
	start(&skip, 5, LONGEST - 10, JIF_FOREVER);
	run_to(2);
	cr_assert_gt(save(), 0);
	reset();
	check_refused(JIF_SNAPSHOT_MAX + 1, -JIF_ERANGE);
	/* One that skips, and with its period too far. */
	check_refused(11, -JIF_ERANGE);
	cr_assert_eq(restore(2 + 10, 77), 3);
	reset();
	arm(2, 5);
	cr_assert_gt(save(), 0);
	reset();
	check_refused(JIF_SNAPSHOT_MAX - 1, -JIF_ERANGE);
	cr_assert_eq(restore(JIF_SNAPSHOT_MAX, 77), 1);
	cr_assert_eq(jif_wheel_clock(&wheel), 77 - JIF_SNAPSHOT_MAX);
	cr_assert_eq(jif_wheel_run(&wheel, 77), 1);
	check_call(0, 2, 77 + 5 - JIF_SNAPSHOT_MAX - START, 0);
}

/* Of two slots, the later one, as docs/timers.md says; RTC + @rtc shows now. */
static unsigned boot(uint8_t slots[2][sizeof(buffer)], uint32_t rtc)
{
	uint64_t of[2] = { 0, 0 };
	unsigned newer;

	jif_snapshot_clock(slots[0], sizeof(buffer), &of[0]);
	jif_snapshot_clock(slots[1], sizeof(buffer), &of[1]);
	newer = of[1] > of[0];
	memcpy(buffer, slots[newer], sizeof(buffer));
	reset();
	cr_assert_gt(restore(rtc, at(rtc)), 0);
	if (RTC + rtc >= of[newer])
		return !newer;
	cr_assert_gt(save(), 0);
	memcpy(slots[!newer], buffer, sizeof(buffer));
	return newer;
}

Test(snapshot, a_clock_that_is_lost_does_not_keep_the_older_slot)
{
	uint8_t slots[2][sizeof(buffer)] = { { 0 }, { 0 } };

	run_to(5000);
	arm(2, 100000);
	for (unsigned i = 0; i < 2; i++) {
		run_to(6000 + 1000 * i);
		cr_assert_gt(save(), 0);
		memcpy(slots[i], buffer, sizeof(buffer));
	}
	for (uint32_t rtc = 1, left = 93000; rtc < 600; rtc += 100) {
		unsigned slot = boot(slots, rtc);

		run_to(rtc);
		left -= rtc == 1 ? 0 : 90;
		cr_assert_eq(jif_timer_left(&wheel, &timers[2]), left);
		left -= 10;
		run_to(rtc + 10);
		cr_assert_gt(save(), 0);
		memcpy(slots[slot], buffer, sizeof(buffer));
	}
}

static void restore_within(void)
{
	in_call = NULL;
	check_refused(0, -JIF_EBUSY);
}

static void save_within(struct jif_table *of, struct jif_key key, void *value)
{
	on_key(of, key, value);
	cr_assert_eq(save(), (int)sizeof(golden) - 52, "without its keys");
}

Test(snapshot, what_is_in_use_is_not_restored)
{
	struct jif_wheel other;

	memcpy(buffer, golden, sizeof(golden));
	arm(0, 5);
	check_refused(0, -JIF_EBUSY);
	in_call = restore_within;
	run_to(5);
	cr_assert_not(in_call);
	unit_wheel(&other, 0);
	cr_assert_eq(jif_timer_add(&other, &timers[4], 50), 0);
	check_refused(0, -JIF_EBUSY);
	jif_timer_del(&other, &timers[4]);
	(void)!jif_periodic_start(&other, &skip, 5, 5, JIF_FOREVER);
	check_refused(0, -JIF_EBUSY);
	jif_periodic_pause(&skip);
	check_refused(0, -JIF_EBUSY);
	jif_periodic_stop(&skip);
	table.wheel = &other;
	for (uint32_t key = 7; key < 10; key++) {
		set(jif_key_number(key), 5, 0, 1);
		check_refused(0, -JIF_EBUSY);
	}
	jif_table_stop(&table, NULL);
	check_refused(0, -JIF_EINVAL);
	table.stopped = false;
	table.free = 0; /* as if it had not been initialised */
	check_refused(0, -JIF_EINVAL);
	table.wheel = &wheel;
	jif_table_init(&table);
	table.capacity = 1;
	check_refused(0, -JIF_ENOSPC);
	table.capacity = 2;
	cr_assert_eq(restore(2, 77), 7);
	cr_assert_eq(jif_table_drain(&table, save_within), 2);
}

Test(snapshot, what_cannot_be_armed_is_refused)
{
	struct jif_saved rows[2] = { list[0], list[0] };

	memcpy(buffer, golden, sizeof(golden));
	snapshot.count = 5;
	check_refused(0, -JIF_ENOENT);
	snapshot.count = 6;
	jif_timer_shutdown(&wheel, &timers[2]);
	check_refused(0, -JIF_EINVAL);
	jif_timer_init(&timers[2], NULL);
	check_refused(0, -JIF_EINVAL);
	jif_timer_init(&timers[2], unit_fire);
	jif_periodic_init(&each, NULL, JIF_CATCHUP_EACH);
	check_refused(0, -JIF_EINVAL);
	jif_periodic_init(&each, on_periodic, (enum jif_catchup)3);
	check_refused(0, -JIF_EINVAL);
	jif_periodic_init(&each, on_periodic, JIF_CATCHUP_EACH);
	snapshot.list = rows;
	snapshot.count = 2;
	check_refused(0, -JIF_EINVAL);
	cr_assert_eq(save(), -JIF_EINVAL);
	rows[1].id++;
	rows[1].object = NULL;
	check_refused(0, -JIF_EINVAL);
	rows[1] = (struct jif_saved){ 9, NULL, &timers[3] };
	check_refused(0, -JIF_EINVAL);
	cr_assert_eq(save(), -JIF_EINVAL);
	rows[0].kind = NULL;
	snapshot.count = 1;
	check_refused(0, -JIF_EINVAL);
}

Test(snapshot, what_comes_after_the_list_is_not_on_it)
{
	static const struct jif_saved rows[] = {
		JIF_SAVED_TIMER(2, &timers[2]),
		JIF_SAVED_TIMER(3, &timers[3]),
		JIF_SAVED_TIMER(4, &timers[4]),
	};

	snapshot.list = rows;
	snapshot.count = 3;
	arm(4, 5);
	cr_assert_eq(save(), (int)JIF_SNAPSHOT_SIZE(1));
	jif_timer_del(&wheel, &timers[4]);
	snapshot.count = 1;
	check_refused(0, -JIF_ENOENT);
}

Test(snapshot, buffer_that_is_too_small_is_left_alone)
{
	arm_golden();
	for (size_t size = 0; size < sizeof(golden); size++)
		cr_assert_eq(jif_snapshot_save(&snapshot, buffer, size, at(2),
					       RTC),
			     -JIF_ENOSPC);
	for (size_t i = 0; i < sizeof(buffer); i++)
		cr_assert_eq(buffer[i], 0xff);
	cr_assert_eq(jif_snapshot_save(&snapshot, buffer, sizeof(golden), at(2),
				       RTC),
		     (int)sizeof(golden));
	cr_assert_eq(jif_snapshot_save(&snapshot, buffer, SIZE_MAX, at(2), RTC),
		     (int)sizeof(golden));
	cr_assert_eq(JIF_SNAPSHOT_SIZE(7) + 8 + 4 + 8, sizeof(golden));
}

static unsigned windows;
static bool replaces;

/* A handler, when all has been counted. */
static void set_in_window(void)
{
	if (++windows != (replaces ? 2 : 3))
		return;
	if (replaces)
		jif_table_remove(&table, jif_key_number(0));
	set(replaces ? jif_key_bytes("ab", 2) : jif_key_number(1), 90, 0, 1);
}

/* There is room for the one that is set before. */
static void save_too_much(bool that_replaces)
{
	set(jif_key_number(0), 50, 0, 1);
	snapshot.list = &list[4];
	snapshot.count = 1;
	unit_window = set_in_window;
	windows = 0;
	replaces = that_replaces;
	cr_assert_eq(jif_snapshot_save(&snapshot, buffer, 56, at(0), RTC),
		     -JIF_ENOSPC);
	unit_window = NULL;
}

Test(snapshot, keys_that_a_handler_sets_meanwhile_may_be_too_many)
{
	save_too_much(false);
	cr_assert_eq(windows, 5, "%u", windows);
	cr_assert_eq(buffer[56], 0xff);
	cr_assert_eq(save(), 80);
	set(jif_key_number(2), 90, 0, 1);
	cr_assert_eq(save(), 104);
	jif_table_stop(&table, NULL);
	jif_table_start(&table);
	table.capacity = 2;
	cr_assert_eq(restore(0, 77), -JIF_ENOSPC);
}

Test(snapshot, key_that_a_handler_replaces_may_be_too_long)
{
	save_too_much(true);
	cr_assert_eq(save(), 58);
}
