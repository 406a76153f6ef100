/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic_many.c - what takes more keys and calls than 16 bits count
 */
#include "logic.h"

static void deletes_beyond_16_bits(uint64_t t, struct jif_key key)
{
	hold(&c, t + 140008 * MS);
	jif_job_start(&b.job,
		      each(jif_times_every(t + 140009 * MS, MS, 70000)));
	go_to(t + 210009 * MS);
	is(jif_job_del_sync(&b.job), 70000, "70,000 are deleted, and counted");
	sem_post(&c.gate);
	finish_work();
	service.key_catchup = JIF_CATCHUP_EACH;
	hold(&a, t + 210010 * MS);
	jif_service_set(&service, key, &entries[2],
			jif_times_every(t + 210011 * MS, MS, 70000));
	go_to(t + 300000 * MS);
	is(jif_service_remove_sync(&service, key), 70000, "so are keys");
	jif_service_set(&service, key, &entries[2],
			jif_times_every(t + 300001 * MS, MS, 70000));
	go_to(t + 400000 * MS);
	is(jif_service_drain(&service, NULL), 70000, "or drained");
	sem_post(&a.gate);
}

/* What has expired so often, or missed so many periods, while a runs. */
static void counts_beyond_16_bits(void)
{
	uint64_t t = begin_late_keys(1, JIF_FULL_REFUSE, JIF_CATCHUP_SKIP);
	struct jif_key key = jif_key_number(2);

	service.key_order = true;
	hold_worker(t);
	jif_service_set(&service, key, &entries[2],
			jif_times_every(t + 6 * MS, MS, JIF_FOREVER));
	jif_job_start(&b.job, each(jif_times_every(t + 6 * MS, MS, 65536)));
	go_to(t + 6 * MS);
	go_to(t + 70006 * MS);
	is(jif_job_del(&b.job), 1, "65,536 expiries are deleted");
	finish_a();
	ok(noted("a2") && key_call.missed == 70000 &&
		   key_call.due_ns == t + 6 * MS,
	   "a key that waits misses 70,000 periods");
	go_to(t + 140007 * MS);
	finish_work();
	ok(noted("2") && key_call.missed == 70000, "or one that is late");
	jif_service_remove(&service, key);
	deletes_beyond_16_bits(t, key);
	end_and_forget();
}

#define KEYS 66000

/* In all slots, since a debug build looks for each key on its list. */
static uint64_t spread_ns(unsigned i)
{
	unsigned k = i % 150;

	if (k < 60)
		return (k + 2) * MS;
	if (k < 120)
		return (k - 58) * 60 * MS;
	return (k < 143 ? (k - 118) * 3600 : (k - 141) * 86400) * MS;
}

/* Of one in a thousand. */
static unsigned count_right(uint64_t ns)
{
	unsigned n = 0;

	for (unsigned i = 999; i < KEYS; i += 1000)
		n += jif_service_left(&service, jif_key_number(i)) ==
		     spread_ns(i) - ns;
	return n;
}

/* More than 16 bits count. */
static void keeps_many_keys(void)
{
	static struct jif_entry many[KEYS];
	uint64_t t = START;
	struct jif_stats stats;

	begin_at(0, 0, t);
	use_keys();
	service.table.entries = many;
	service.table.capacity = KEYS;
	start_service();
	for (unsigned i = 0; i < KEYS; i++)
		set_key(i, t + spread_ns(i), true);
	jif_service_stats(&service, &stats);
	ok(jif_service_count(&service) == KEYS && stats.pending == KEYS &&
		   count_right(0) == KEYS / 1000,
	   "66,000 keys");
	jif_service_pause(&service, jif_key_number(KEYS - 1));
	jif_service_pause(&service, jif_key_number(999));
	go_to(t + MS);
	is(count_right(MS), KEYS / 1000 - 2, "two of them are paused");
	is(count_right(0), 2, "the right ones");
	is(jif_service_stop(&service, NULL), KEYS, "handed out by a stop");
}

void count_beyond_16_bits(void)
{
	counts_beyond_16_bits();
	keeps_many_keys();
}
