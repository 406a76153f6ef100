/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic_order.c - orders, and what waits for a worker
 */
#include "logic.h"

/* More jobs of one order than the queue has places, one of which runs. */
static uint64_t flood(unsigned n, enum jif_full full, unsigned running_max)
{
	uint64_t t = begin(n, full);

	init_order(running_max);
	jif_job_order(&a.job, &one);
	jif_job_order(&b.job, &one);
	jif_job_order(&c.job, &one);
	jif_job_order(&d.job, &one);
	hold_worker(t);
	queue_the_others(t);
	return t;
}

static void slow_order_holds_nobody_up(void)
{
	uint64_t t = flood(2, JIF_FULL_BLOCK, 1);
	struct jif_stats stats;

	jif_job_add(&e.job, t + 16 * MS);
	go_to(t + 16 * MS);
	await_runs(1);
	ok(noted("e"), "what waits for its order holds no place of others");
	jif_order_stats(&one, &stats);
	ok(stats.queued == 3 && stats.running == 1 && !stats.counts.ran &&
		   !stats.pending,
	   "an order says what waits");
	jif_service_stats(&service, &stats);
	is(stats.queued, 3, "so does the service");
	is(jif_job_del_sync(&c.job), 1, "and can be deleted");
	finish_a();
	ok(noted("abd"), "the rest runs in order of expiry");
	jif_order_stats(&one, &stats);
	ok(!stats.queued && !stats.running && stats.counts.ran == 3,
	   "and is counted");
	end();
}

static void orders_take_turns(void)
{
	uint64_t t = flood(1, JIF_FULL_BLOCK, 0);

	jif_job_add(&e.job, t + 7 * MS);
	begin_to(t + 7 * MS);
	while (!is_full())
		wait_a_bit();
	finish_a();
	ok(noted("abecd"), "an order that floods does not hold up another one");
	end();
}

/* What is deleted before it begins hands its turn on. */
static void orders_hand_turns_on(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);

	one = (struct jif_order){ .running_max = 1 };
	jif_order_init(&service, &one);
	jif_job_order(&b.job, &one);
	jif_job_order(&c.job, &one);
	hold_worker(t);
	jif_job_add(&b.job, t + 6 * MS);
	jif_job_add(&c.job, t + 6 * MS);
	go_to(t + 6 * MS);
	is(jif_job_del(&b.job), 1, "the first of an order is deleted");
	sem_post(&a.gate);
	finish_work();
	ok(noted("ac"), "and the next one runs");
	end();
}

static void orders_run_at_a_time(void)
{
	uint64_t t = begin(2, JIF_FULL_BLOCK);

	init_order(2);
	a.held = b.held = true;
	jif_job_order(&a.job, &one);
	jif_job_order(&b.job, &one);
	jif_job_add(&a.job, t + 5 * MS);
	jif_job_add(&b.job, t + 5 * MS);
	begin_to(t + 5 * MS);
	await(&a.begun);
	await(&b.begun);
	ok(true, "two of an order may run at a time");
	sem_post(&a.gate);
	sem_post(&b.gate);
	end_and_forget();
}

static struct jif_order two, *order_now;

static struct jif_order *order_of(struct jif_service *s, struct jif_key key,
				  void *value)
{
	(void)s;
	(void)key;
	(void)value;
	return order_now;
}

static bool has_queued(unsigned n)
{
	unsigned queued;

	pthread_mutex_lock(&service.lock);
	queued = service.stats.queued + (unsigned)service.stats.counts.refused;
	pthread_mutex_unlock(&service.lock);
	return queued == n;
}

/* The end of one call lets two in: a key of another order, and a job. */
static void refuses_none_when_it_blocks(void)
{
	uint64_t t = begin_keys(1);

	service.order_of = order_of;
	one = two = (struct jif_order){ .running_max = 1 };
	jif_order_init(&service, &one);
	jif_order_init(&service, &two);
	jif_job_order(&b.job, &one);
	sem_init(&key_begun, 0, 0);
	sem_init(&key_gate, 0, 0);
	c.held = key_held = true;
	order_now = &one;
	set_key(1, t + 5 * MS, true);
	begin_to(t + 5 * MS);
	await(&key_begun);
	key_held = false;
	order_now = &two;
	jif_job_add(&b.job, t + 6 * MS);
	set_key(1, t + 6 * MS, true);
	jif_job_add(&c.job, t + 6 * MS);
	go_to(t + 6 * MS);
	sem_post(&key_gate);
	await(&c.begun);
	jif_job_add(&d.job, t + 7 * MS);
	begin_to(t + 7 * MS);
	while (!has_queued(3))
		wait_a_bit();
	sem_post(&c.gate);
	finish_work();
	ok(noted_all("11bcd"), "BLOCK: more than fit are not refused");
	end();
}

static void orders_have_a_quota(void)
{
	uint64_t t = WRAP;
	struct jif_stats stats;

	begin_at(2, JIF_FULL_BLOCK, t);
	start_to_report();
	one = (struct jif_order){ .running_max = 1, .queued_max = 2 };
	jif_order_init(&service, &one);
	jif_job_order(&a.job, &one);
	jif_job_order(&b.job, &one);
	jif_job_order(&c.job, &one);
	jif_job_order(&d.job, &one);
	hold_worker(t);
	queue_the_others(t);
	settle();
	ok(reports == 1 && reported.job == &d.job &&
		   reported_err == -JIF_ENOSPC,
	   "what is beyond the quota of its order is refused");
	jif_order_stats(&one, &stats);
	ok(stats.counts.refused == 1 && stats.queued == 2, "and counted");
	finish_a();
	ok(noted("abc"), "the rest runs");
	end();
}

/* It expires three times meanwhile. */
static void counts_what_waits(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);
	struct jif_stats stats;

	hold_worker(t);
	jif_job_start(&b.job, each(jif_times_every(t + 6 * MS, 1 * MS, 3)));
	for (unsigned i = 6; i <= 8; i++)
		go_to(t + i * MS);
	is(jif_job_del_sync(&b.job), 3, "deleted, with all that it waits for");
	jif_job_add(&b.job, t + 9 * MS);
	go_to(t + 9 * MS);
	is(jif_job_del_sync(&b.job), 1, "and later only for what came since");
	jif_job_add(&c.job, t + 10 * MS);
	go_to(t + 10 * MS);
	set_clock(t + 14 * MS);
	finish_a();
	jif_service_stats(&service, &stats);
	ok(noted("ac") && stats.late_ns == 4 * MS,
	   "what has waited is late by that");
	end();
}

/* Those that two workers run. */
static void drains_what_waits_for_itself(void)
{
	uint64_t t = begin(2, JIF_FULL_BLOCK);

	init_order(1);
	jif_job_order(&a.job, &one);
	a.again_ns = b.again_ns = t + 7 * MS;
	hold(&a, t + 5 * MS);
	hold(&b, t + 6 * MS);
	go_to(t + 7 * MS);
	is(jif_service_drain(&service, note_drained), 2, "both are drained");
	ok(noted_all("ab"), "and wait for themselves no more");
	sem_post(&a.gate);
	sem_post(&b.gate);
	end();
	ok(noted_all("ab"), "each has run once");
}

static struct jif_order *first_order(struct jif_service *s, struct jif_key key,
				     void *value)
{
	return &one;
}

/* Without an order of its own, but in one that runs one at a time. */
static void counts_what_comes_again(void)
{
	uint64_t t = begin_keys(2);

	service.key_order = false;
	service.order_of = first_order;
	init_order(1);
	jif_job_order(&a.job, &one);
	hold_keys();
	hold_worker(t);
	set_every(1, t + 6 * MS, MS, 2);
	go_to(t + 6 * MS);
	go_to(t + 7 * MS);
	sem_post(&a.gate);
	await(&key_begun);
	await_idle(1);
	ok(noted("a") && !nothing_queued(),
	   "one call of an order runs, the next one waits");
	sem_post(&key_gate);
	sem_post(&key_gate);
	finish_work();
	ok(noted("11"), "until it has ended");
	end();
}

void share_workers(void)
{
	slow_order_holds_nobody_up();
	orders_take_turns();
	orders_hand_turns_on();
	orders_run_at_a_time();
	refuses_none_when_it_blocks();
	orders_have_a_quota();
	drains_what_waits_for_itself();
	counts_what_comes_again();
	counts_what_waits();
}
