/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic_key.c - keys instead of jobs
 */
#include "logic.h"

static void tells_bad_tables(void)
{
	begin_at(0, 0, WRAP);
	service.table.entries = entries;
	is(jif_service_init(&service), -JIF_EINVAL, "half a table");
	begin_at(0, 0, WRAP);
	service.key_catchup = JIF_CATCHUP_RESTART + 1;
	is(jif_service_init(&service), -JIF_EINVAL, "no policy for keys");
	begin_at(0, 0, WRAP);
	use_keys();
	service.key_fn = NULL;
	is(jif_service_init(&service), -JIF_EINVAL, "keys that call nothing");
	begin_at(0, 0, WRAP);
	use_keys();
	service.table.capacity = 0;
	is(jif_service_init(&service), -JIF_EINVAL, "keys with no entry");
	begin_at(0, 0, WRAP);
	service.key_size = 5;
	is(jif_service_init(&service), -JIF_EINVAL, "keys without their bytes");
	begin_at(0, 0, WRAP);
	service.table.capacity = 4;
	is(jif_service_init(&service), -JIF_EINVAL, "room for no entry");
}

static void needs_a_table(void)
{
	begin_at(0, 0, WRAP);
	service.key_fn = run_key;
	is(jif_service_init(&service), -JIF_EINVAL, "keys without a table");
}

static void runs_keys(void)
{
	uint64_t t = begin_keys(0);

	is(set_key(1, t + 5 * MS, true), 0, "a key is added");
	is(set_key(1, t + 5 * MS, true), -JIF_EEXIST, "but not twice");
	is(set_key(1, t + 6 * MS, false), 1, "it is set anew");
	is(set_key(2, t + 6 * MS, false), 0, "or for the first time");
	is(jif_service_move(&service, jif_key_number(2), t + 7 * MS), 1,
	   "moved");
	is(jif_service_move(&service, jif_key_number(3), t + 7 * MS),
	   -JIF_ENOENT, "an unknown key is not");
	is(jif_service_move(&service, jif_key_number(2), UINT64_MAX),
	   -JIF_ERANGE, "nor is one moved too far");
	set_key(3, t + 9 * MS, false);
	is(jif_service_add(&service, jif_key_number(4), &entries[0],
			   jif_times_every(t + 8 * MS, 10 * MS, 3)),
	   0, "a key for three times");
	is(set_key(5, t + 9 * MS, false), -JIF_ENOSPC, "the table is full");
	is(jif_service_remove(&service, jif_key_number(3)), 0,
	   "one is removed");
	is(jif_service_remove(&service, jif_key_number(3)), -JIF_ENOENT,
	   "once");
	is(jif_service_set(&service, jif_key_number(3), NULL,
			   jif_times_every(t, 10 * MS + 1, 3)),
	   -JIF_EINVAL, "a period that is no whole number of ticks");
	go_to(t + 6 * MS);
	go_to(t + 7 * MS);
	expect_by(t + 100 * MS, "12444", "each runs when it is due, so often");
	is(jif_service_counts(&service).failed, 0,
	   "no callback waits for its own key");
	end();
}

static void drains_keys(void)
{
	uint64_t t = begin_keys(0);

	set_key(1, t + 105 * MS, false);
	is(jif_service_remove_sync(&service, jif_key_number(1)), 1,
	   "removed, and waited for");
	set_key(1, t + 105 * MS, false);
	is(jif_service_stop(&service, note_drained), 1, "stopped");
	ok(noted("1"), "the key is drained");
	ok(set_key(1, t + 105 * MS, false) == -JIF_ECANCELED &&
		   jif_service_move(&service, jif_key_number(1), t) ==
			   -JIF_ECANCELED,
	   "and none is set, or moved");
}

/* One callback has not ended. */
static void removes_keys_while_it_stops(void)
{
	uint64_t t = begin_keys(1);
	struct jif_key key = jif_key_number(1);
	pthread_t thread;
	int n;

	hold_worker(t);
	set_key(1, t + HOUR, true);
	pthread_create(&thread, NULL, stop, &n);
	while (jif_service_running(&service))
		wait_a_bit();
	is(jif_service_remove_sync(&service, key), 1,
	   "a key is removed while a service stops");
	is(jif_service_remove_sync(&service, key), -JIF_ECANCELED, "once");
	sem_post(&a.gate);
	pthread_join(thread, NULL);
	is(n, 0, "so that nothing is left");
	forget();
}

static void stopped_it_has_no_keys(void)
{
	is(jif_service_remove(&service, jif_key_number(1)), -JIF_ECANCELED,
	   "or removed");
	is(jif_service_remove_sync(&service, jif_key_number(1)), -JIF_ECANCELED,
	   "or waited for");
}

/* Another thread has gone to sleep until the first one is due. */
static void keys_wake_the_clock(void)
{
	uint64_t t = begin_keys(0);

	set_key(1, t + 50 * MS, true);
	ok(stop_ns() == t + 50 * MS, "a key that is added ends the sleep");
	set_key(2, t + 40 * MS, false);
	ok(stop_ns() == t + 40 * MS, "so does one that is set");
	jif_service_move(&service, jif_key_number(1), t + 30 * MS);
	ok(stop_ns() == t + 30 * MS, "and one that is moved");
	jif_job_start(&a.job, jif_times_every(t + 20 * MS, MS, JIF_FOREVER));
	ok(stop_ns() == t + 20 * MS, "and a job that has periods");
	end();
}

static void locks_for_other_calls(void)
{
	uint64_t t = begin_keys(0);
	struct jif_key key = jif_key_number(1);
	uint32_t left;

	set_key(1, t + 50 * MS, true);
	jif_service_lock(&service);
	left = jif_table_left(&service.table, key);
	is(jif_table_pause(&service.table, key), 0, "a key is paused");
	jif_service_unlock(&service);
	is(left, 50, "with so many ticks left");
	go_to(t + 60 * MS);
	jif_service_lock(&service);
	jif_table_resume(&service.table, key);
	jif_service_unlock(&service);
	ok(stop_ns() == t + 110 * MS, "when it goes on, the sleep follows");
	expect_by(t + 110 * MS, "1", "and it runs");
	end();
}

/* With nothing due, the wheel is as far behind. */
static void runs_what_is_over_after_a_jump(unsigned days)
{
	uint64_t t = begin_keys(0) + days * 24 * HOUR;

	set_clock(t);
	set_key(1, t - MS, true);
	is(jif_job_add(&b.job, t - MS), 0, "a job is armed for what is over");
	go_to(t + MS);
	ok(noted_all("1b"), "it runs on the next tick, and so does a key");
	set_clock(t += days * 24 * HOUR);
	is(jif_job_start(&b.job, jif_times_every(t - MS, MS, 1)), 0,
	   "a job that has periods");
	set_key(2, t + MS, true);
	is(jif_service_move(&service, jif_key_number(2), t - MS), 1,
	   "and a key that is moved");
	go_to(t + MS);
	ok(noted_all("2b"), "run, too");
	end();
}

static void moves_paused_keys(void)
{
	uint64_t t = begin_keys(0);

	set_key(1, t + 50 * MS, true);
	jif_service_pause(&service, jif_key_number(1));
	is(jif_service_move(&service, jif_key_number(1), t + 40 * MS), 0,
	   "a key that is paused is moved");
	ok(stop_ns() == t + 40 * MS, "and wakes the clock");
	end();
}

static void pauses_keys(void)
{
	uint64_t t = begin_keys(1);
	struct jif_key key = jif_key_number(1), other = jif_key_number(2);

	set_key(1, t + 50 * MS, true);
	set_key(2, t + 40 * MS, true);
	ok(jif_service_left(&service, key) == 50 * MS &&
		   !jif_service_left(&service, jif_key_number(3)),
	   "a key has so long left");
	is(jif_service_pause(&service, key), 0, "a key is paused");
	is(jif_service_pause(&service, key), -JIF_EINVAL, "once");
	is(jif_service_pause(&service, jif_key_number(3)), -JIF_ENOENT,
	   "an unknown one is not");
	is(jif_service_count(&service), 2, "it counts");
	go_to(t + 10 * MS + 1);
	ok(jif_service_left(&service, key) == 50 * MS &&
		   jif_service_left(&service, other) == 30 * MS - 1,
	   "its time stands still, that of others does not");
	is(jif_service_remove(&service, other), 0, "the other one is removed");
	go_to(t + 40 * MS);
	is(jif_service_resume(&service, key), 0, "it goes on");
	ok(stop_ns() == t + 90 * MS, "the clock wakes up for it");
	is(jif_service_resume(&service, key), -JIF_EINVAL, "once");
	jif_job_add(&b.job, t + 100 * MS);
	ok(jif_job_left(&b.job) == 60 * MS && !jif_job_left(&c.job),
	   "a job has so long left");
	hold_worker(t + 75 * MS);
	go_to(t + 90 * MS);
	is(jif_service_pause(&service, key), -JIF_EBUSY,
	   "what waits for a worker is not paused");
	sem_post(&a.gate);
	end_and_forget();
	is(jif_service_pause(&service, key), -JIF_ECANCELED,
	   "nor after a stop");
	is(jif_service_resume(&service, key), -JIF_ECANCELED, "or resumed");
}

/* Timers and keys that calls of other headers have armed. */
static void drains_what_is_no_job(void)
{
	/* What a job has after its timer; here, it is no address. */
	static struct {
		struct jif_timer timer;
		uintptr_t after[4];
	} plain = { JIF_TIMER_INIT(never), { 1, 1, 1, 1 } };
	uint64_t t = begin_keys(0);

	jif_job_add(&a.job, t + 50 * MS);
	jif_service_lock(&service);
	is(jif_loop_add(&service.loop, &plain.timer, t + HOUR), 0,
	   "a timer that is no job");
	jif_service_unlock(&service);
	is(jif_service_stop(&service, note_drained), 2, "is drained, too");
	ok(noted("a") && !jif_timer_pending(&plain.timer), "but not handed on");
	jif_service_lock(&service);
	jif_table_set(&service.table, jif_key_number(1), NULL, jif_once(5));
	jif_timer_add(&service.loop.wheel, &plain.timer, 5);
	jif_service_unlock(&service);
	is(jif_service_start(&service), 0, "when it starts again,");
	ok(!jif_table_count(&service.table) && !jif_timer_pending(&plain.timer),
	   "nothing is pending");
	end();
}

/* While one runs. */
static void keys_wait_and_are_armed(uint64_t t)
{
	set_key(2, t + 40 * MS, true);
	go_to(t + 40 * MS);
	is(set_key(3, t + HOUR - 1, true) | set_key(4, t + HOUR, true), 0,
	   "keys that are not due");
	is(jif_service_drain(&service, note_drained), 3, "three are drained");
	ok(noted("243"), "that which waits comes first");
	set_every(2, t + 45 * MS, 10 * MS, 4);
	go_to(t + 45 * MS);
	is(jif_service_move(&service, jif_key_number(2), t + 46 * MS), 1,
	   "one of several times is moved");
	ok(nothing_queued(), "and does not run before");
	go_to(t + 46 * MS);
	is(jif_service_pause(&service, jif_key_number(2)), 0, "or paused");
	ok(nothing_queued(), "and does not run either");
	is(jif_service_move(&service, jif_key_number(2), t + HOUR), 0,
	   "nor is it pending then");
	sem_post(&key_gate);
	finish_work();
	ok(noted("1"), "and what ran has ended");
	go_to(t + HOUR);
	finish_work();
	ok(jif_service_left(&service, jif_key_number(2)) == 10 * MS,
	   "then it runs, and comes once more");
	forget();
}

static void keys_wait_for_workers(void)
{
	uint64_t t = begin_keys(1);

	hold_keys();
	set_key(1, t + 5 * MS, true);
	set_key(2, t + 6 * MS, true);
	begin_to(t + 5 * MS);
	await(&key_begun);
	key_held = false;
	go_to(t + 6 * MS);
	is(set_key(2, t + 50 * MS, true), -JIF_EEXIST,
	   "a key that waits for a worker is pending");
	ok(set_key(2, UINT64_MAX, false) == -JIF_ERANGE && !nothing_queued(),
	   "an error changes nothing");
	is(jif_service_move(&service, jif_key_number(2), t + 20 * MS), 1,
	   "it can be moved");
	go_to(t + 7 * MS);
	ok(nothing_queued(), "and does not wait any more");
	go_to(t + 20 * MS);
	is(set_key(2, t + 30 * MS, false), 1, "set");
	ok(nothing_queued(), "so that it does not run twice");
	go_to(t + 30 * MS);
	is(jif_service_remove(&service, jif_key_number(2)), 0, "and removed");
	keys_wait_and_are_armed(t);
	end();
}

/* What it is given first deletes the next one; nothing can be armed. */
static void delete_next(struct jif_service *s, const struct jif_call *call)
{
	struct item *item = jif_container_of(call->job, struct item, job);

	note(item->name);
	if (item == &b && !jif_job_del(&c.job))
		note('!');
	if (jif_job_mod(&b.job, WRAP + HOUR) != -JIF_ECANCELED ||
	    jif_service_set(s, jif_key_number(1), NULL,
			    jif_times_once(WRAP + HOUR)) != -JIF_ECANCELED)
		note('!');
}

/* In the run that is under way when a service stops. */
static void keys_survive_a_stop(void)
{
	uint64_t t = begin_keys(0);
	pthread_t thread;
	int n;

	a.held = true;
	jif_job_add(&a.job, t + 5 * MS);
	set_key(1, t + 5 * MS, true);
	jif_job_add(&b.job, t + 5 * MS);
	begin_to(t + 5 * MS);
	await(&a.begun);
	pthread_create(&thread, NULL, stop, &n);
	while (set_key(2, t + HOUR, false) >= 0)
		;
	is(jif_service_stop(&service, NULL), -JIF_ECANCELED,
	   "another thread stops it");
	sem_post(&a.gate);
	pthread_join(thread, NULL);
	ok((n == 2 || n == 3) && jif_service_stopped(&service),
	   "what was due when it stopped");
	is(trace[0], 'a', "is drained after what ran");
	ok(strchr(trace, '1') && strchr(trace, 'b') &&
		   traced == (unsigned)n + 1,
	   "each once");
	forget();
}

/* It comes once more while it waits for the only worker. */
static void keys_wait_again(enum jif_catchup policy, const char *want,
			    uint64_t unit)
{
	uint64_t t = begin_late_keys(1, JIF_FULL_BLOCK, policy);

	service.key_order = true;
	hold_worker(t);
	set_every(2, t + 6 * unit, unit, 3);
	for (unsigned i = 6; i <= 8; i++)
		go_to(t + i * unit);
	is(jif_service_remove_sync(&service, jif_key_number(3)), 0,
	   "an unknown key is not waited for");
	finish_a();
	ok(noted(want), "a key that waits runs as often as the policy says");
	ok(key_call.missed == (policy == JIF_CATCHUP_EACH ? 0 : 2) &&
		   key_call.due_ns ==
			   t + (policy == JIF_CATCHUP_EACH ? 8 : 6) * unit,
	   "and its callback can ask for that");
	end();
}

static void drains_while_things_are_deleted(void)
{
	uint64_t t = begin_keys(1);

	a.again_ns = t + 6 * MS;
	hold_worker(t);
	jif_job_add(&b.job, t + 6 * MS);
	jif_job_add(&c.job, t + 7 * MS);
	begin_to(t + 7 * MS);
	await_full();
	jif_job_add(&d.job, t + HOUR);
	is(jif_service_drain(&service, delete_next), 3,
	   "three of four are drained, of which one waits for itself");
	ok(noted("bad"), "the other one was deleted; nothing is armed");
	is(jif_job_add(&b.job, t + 8 * MS), 0, "then it takes jobs again");
	sem_post(&a.gate);
	go_to(t + 8 * MS);
	finish_work();
	ok(noted("ab"), "which run");
	end();
}

static void keeps_the_bytes_of_a_key(void)
{
	uint64_t t = begin_keys(1);
	char looked_up[] = "alpha";
	struct jif_key key = jif_key_bytes("alpha", 5);

	hold_worker(t);
	jif_service_set(&service, key, &entries[1], jif_times_once(t + 6 * MS));
	go_to(t + 6 * MS);
	is(jif_service_move(&service, jif_key_bytes(looked_up, 5), t + HOUR), 1,
	   "a key that waits is moved by a copy of its bytes");
	memset(looked_up, 0, sizeof(looked_up));
	is(jif_service_remove(&service, key), 0, "and keeps its own");
	finish_a();
	forget();
	end();
}

static void orders_keys(bool ordered)
{
	uint64_t t = begin_keys(2);

	service.key_order = ordered;
	hold_keys();
	set_every(1, t + 5 * MS, 5 * MS, 2);
	if (ordered)
		set_key(2, t + 10 * MS, true);
	begin_to(t + 5 * MS);
	await(&key_begun);
	go_to(t + 10 * MS);
	await(&key_begun);
	ok(nothing_queued() != ordered,
	   ordered ? "a key waits for itself, and others pass it" :
		     "without an order, a key overlaps itself");
	key_held = false;
	sem_post(&key_gate);
	sem_post(&key_gate);
	finish_work();
	is(jif_service_counts(&service).ran, ordered ? 3 : 2,
	   ordered ? "all three ran" : "both ran");
	is(jif_service_counts(&service).failed, 0,
	   "and did not wait for themselves");
	end();
}

static int set_bytes(char name, uint64_t ns)
{
	char bytes[2] = { name, 0 };

	return jif_service_set(&service, jif_key_bytes(bytes, 1),
			       &entries[(name - '1') % 4], jif_times_once(ns));
}

static void note_bytes(struct jif_service *s, const struct jif_call *call)
{
	note(call->job ? 'j' : name_of(call->key));
}

/* A spare place before the calls, and a byte more than there is to be. */
static struct {
	struct jif_worker worker;
	struct jif_call calls[CALLS];
	uint8_t bytes[JIF_KEY_BYTES(4, 1, CALLS, 1) + 1];
} near;

/* Keys that wait for the worker, in which a runs. */
static uint64_t queue_keys(enum jif_full full, const char *names)
{
	begin_at(1, full, START);
	service.workers = &near.worker;
	service.calls = near.calls;
	memset(near.bytes, '!', sizeof(near.bytes));
	use_keys();
	service.key_fn = run_bytes;
	service.key_bytes = near.bytes;
	service.key_size = 1;
	start_to_report();
	hold_worker(START);
	for (; *names; names++)
		set_bytes(*names, START + 6 * MS);
	begin_to(START + 6 * MS);
	return START;
}

static void keeps_the_bytes_of_what_waits(void)
{
	uint64_t t = queue_keys(JIF_FULL_BLOCK, "12");

	await_full();
	for (char name = '5'; name < '9'; name++)
		set_bytes(name, t + HOUR);
	finish_a();
	ok(noted("a12"), "keys that wait run with the bytes that they had");
	is(jif_service_stop(&service, note_bytes), 4, "the others are pending");
	ok(noted_all("5678"), "with theirs");

	t = queue_keys(JIF_FULL_BLOCK, "1");
	jif_job_add(&b.job, t + HOUR);
	jif_service_lock(&service);
	jif_table_set(&service.table, jif_key_bytes("long", 4),
		      &entries[('l' - '1') % 4],
		      jif_once((uint32_t)(t / MS) + 8));
	jif_service_unlock(&service);
	begin_to(t + 8 * MS);
	await_full();
	is(jif_service_drain(&service, note_bytes), 3, "drained");
	ok(noted("1lj"), "in turn; what is too long is not copied");
	finish_a();
	end_and_forget();
}

static void refuses_keys(void)
{
	uint64_t t = queue_keys(JIF_FULL_REFUSE, "12");

	settle();
	is(reports, 0, "so many places there are");
	set_bytes('5', t + 7 * MS);
	go_to(t + 7 * MS);
	ok(reports == 1 && reported_err == -JIF_ENOSPC &&
		   name_of(reported.key) == '5',
	   "one more is refused, and told by its bytes");
	finish_a();
	ok(noted("a12"), "the others run");
	end();
}

static void keys_find_no_place(void)
{
	uint64_t t = queue_keys(JIF_FULL_BLOCK, "12");

	await_full();
	set_bytes('5', t + 7 * MS);
	begin_to(t + 7 * MS);
	for (unsigned i = 0; i < 20; i++)
		wait_a_bit();
	is(jif_service_remove(&service, jif_key_bytes("2", 1)), 0,
	   "one that is removed");
	await_full();
	finish_a();
	ok(noted("a15"), "makes room for the next one");
	is(near.bytes[sizeof(near.bytes) - 1], '!', "and no byte behind them");
	end();
}

static uint64_t begin_copies(unsigned n)
{
	static uint8_t bytes[JIF_KEY_BYTES(4, WORKERS, CALLS, 5)];

	begin_at(n, JIF_FULL_BLOCK, START);
	use_keys();
	service.key_bytes = bytes;
	service.key_size = 5;
	hold_keys();
	return START;
}

static void copies_keys(unsigned n)
{
	uint64_t t = begin_copies(n);
	char name[] = "alpha", same[] = "alpha", other[] = "beta";
	struct jif_key key = jif_key_bytes(same, 5);
	struct jif_stats stats;

	ok(!jif_service_init(&service) && !jif_service_start(&service),
	   n ? "copies of keys, with workers" : "copies of keys");
	jif_service_set(&service, jif_key_bytes(name, 5), &entries[1],
			jif_times_once(t + 5 * MS));
	jif_service_add(&service, jif_key_bytes(other, 4), &entries[2],
			jif_times_once(t + HOUR));
	memset(name, 'x', 5);
	memset(other, 'x', 4);
	is(jif_service_remove(&service, jif_key_bytes("beta", 4)), 0,
	   "the bytes of a key may be freed when it is added");
	is(jif_service_move(&service, key, t + 6 * MS), 1, "or set");
	is(jif_service_set(&service, jif_key_bytes("alphas", 6), NULL,
			   jif_times_once(t)),
	   -JIF_EINVAL, "a key is too long");
	begin_to(t + 6 * MS);
	await(&key_begun);
	is(set_key(6, t + HOUR, true), 0, "a number has no bytes");
	jif_service_set(&service, jif_key_bytes("gamma", 5), &entries[3],
			jif_times_once(t + HOUR));
	jif_service_stats(&service, &stats);
	is(stats.pending, 2, "keys are pending, too");
	ok(!memcmp(key_call.key.bytes, "alpha", 5),
	   "one that runs is where it was");
	key_held = false;
	sem_post(&key_gate);
	is(jif_service_stop(&service, NULL), 2, "the others are pending");
	forget();
}

/* Places in the queue are found by the hash of a key, here by one of two. */
static void finds_what_waits(void)
{
	uint64_t t = begin_keys(1);

	hold_worker(t);
	set_key(2, t + 6 * MS, true);
	set_key(4, t + 6 * MS, true);
	begin_to(t + 6 * MS);
	await_full();
	is(jif_service_remove(&service, jif_key_number(2)), 0,
	   "a key that waits is removed");
	is(jif_service_remove(&service, jif_key_number(4)), 0,
	   "and then one whose hash is alike");
	sem_post(&a.gate);
	finish_work();
	ok(noted("a"), "and neither runs");
	end();
}

void keep_keys(void)
{
	needs_a_table();
	tells_bad_tables();
	runs_keys();
	drains_keys();
	stopped_it_has_no_keys();
	removes_keys_while_it_stops();
	locks_for_other_calls();
	pauses_keys();
	moves_paused_keys();
	drains_what_is_no_job();
	keys_wait_for_workers();
	keys_survive_a_stop();
	keys_wait_again(JIF_CATCHUP_EACH, "a222", 100000 * MS);
	keys_wait_again(JIF_CATCHUP_SKIP, "a2", MS);
	drains_while_things_are_deleted();
	keeps_the_bytes_of_a_key();
	orders_keys(true);
	orders_keys(false);
	keys_wake_the_clock();
	runs_what_is_over_after_a_jump(20);
	runs_what_is_over_after_a_jump(25);
	runs_what_is_over_after_a_jump(50);
	runs_what_is_over_after_a_jump(365);
	copies_keys(0);
	copies_keys(1);
	finds_what_waits();
	keeps_the_bytes_of_what_waits();
	keys_find_no_place();
	refuses_keys();
}
