/* SPDX-License-Identifier: MIT */
/*
 * lib/host/job.c - the jobs of a service
 *
 * A job is on the wheel or waits for a worker, and is pending in either. One
 * that expires once is never in both.
 */
#define _GNU_SOURCE 1
#include "../catchup.h"
#include "calls.h"

void jif_order_init(struct jif_service *s, struct jif_order *order)
{
	order->service = s;
	order->waiting.next = order->waiting.prev = &order->waiting;
	order->ready = false;
	order->stats = (struct jif_stats){ .pending = 0 };
}

void jif_job_init(struct jif_service *s, struct jif_job *job, jif_job_fn *fn)
{
	jif_timer_init(&job->timer, jif_job_expire);
	job->service = s;
	job->fn = fn;
	job->waiting = (struct jif_waiting){ .place = IDLE };
	job->where = NOWHERE;
}

void jif_job_order(struct jif_job *job, struct jif_order *order)
{
	job->waiting.order = order;
	job->waiting.overlaps = !order;
}

/* The next time of several; says how many periods are skipped. */
static uint32_t rearm(struct jif_service *s, struct jif_job *job)
{
	uint32_t period = job->waiting.period;
	uint32_t missed = jif_calls_missed(s, period, job->policy);
	uint32_t clock = jif_wheel_clock(&s->loop.wheel);

	/* What is missed while it waits for a worker is none of its times. */
	if (job->times != JIF_FOREVER &&
	    (job->waiting.place == IDLE || job->policy == JIF_CATCHUP_EACH))
		job->times--;
	if (!job->times) {
		s->stats.pending--;
		return missed;
	}
	jif_timer_add(&s->loop.wheel, &job->timer,
		      next_grid(s->loop.wheel.target, clock, period, missed,
				job->policy));
	return missed;
}

void jif_job_expire(struct jif_timer *timer)
{
	struct jif_job *job = jif_container_of(timer, struct jif_job, timer);
	struct jif_service *s = job->service;
	uint64_t due = tick_now(s);
	struct jif_call call = { .job = job,
				 .fn = job->fn,
				 .due_ns = due * s->loop.tick_ns,
				 .waiting = job->waiting };

	/* The service stops: it is pending again. */
	if (s->state != RUNNING) {
		jif_timer_add(&s->loop.wheel, timer, (uint32_t)due);
		return;
	}
	call.missed = rearm(s, job);
	call.waiting.due = due;
	call.waiting.again = job->policy == JIF_CATCHUP_EACH;
	jif_calls_begin(s, &job->waiting, &call);
}

static unsigned where_is(const struct jif_job *job)
{
	return JIF_LOAD(&job->where, ACQUIRE);
}

/* Returns how many callbacks do not run for that. */
static int cancel_job(struct jif_service *s, const struct jif_call *what)
{
	struct jif_job *job = what->job;
	int n;

	if (jif_inbox_take(job, NOWHERE))
		return 1;
	if (where_is(job) != HELD)
		return 0;
	n = (int)jif_calls_pull(s, &job->waiting);
	if (jif_timer_del(&s->loop.wheel, &job->timer)) {
		s->stats.pending--;
		n++;
	}
	be_idle(what);
	return n;
}

/* Returns whether it was pending; or an error, if it must not be. */
static int hold_job(struct jif_job *job, bool again)
{
	unsigned where = NOWHERE;

	while (!JIF_COMPARE_EXCHANGE(&job->where, &where, HELD, ACQUIRE)) {
		if (where != NOWHERE && !again)
			return -JIF_EBUSY;
		if (where == HELD || jif_inbox_take(job, HELD))
			return 1;
		where = NOWHERE;
	}
	return 0;
}

static int arm_held(struct jif_service *s, struct jif_job *job,
		    struct jif_times when, bool again)
{
	uint64_t tick;
	int was;

	if (!takes_more(s))
		return -JIF_ECANCELED;
	was = jif_calls_tick(s, when, &tick);
	if (!was)
		was = hold_job(job, again);
	if (was < 0)
		return was;
	jif_calls_pull(s, &job->waiting);
	job->waiting.period = (uint32_t)(when.period_ns / s->loop.tick_ns);
	job->times = when.times;
	job->policy = when.catchup;
	if (!jif_timer_mod(&s->loop.wheel, &job->timer, (uint32_t)tick))
		s->stats.pending++;
	jif_loop_armed(&s->loop, tick);
	return was;
}

/* Why a job cannot be armed in this process; 0 if it can. */
static int reject_job(const struct jif_job *job)
{
	if (!job->service || !job->fn)
		return jif_invalid("a job cannot run", job);
	return is_inherited(&job->service->loop) ? -JIF_ECANCELED : 0;
}

static void check_time(const struct jif_job *job, uint64_t ns)
{
	jif_loop_check(&job->service->loop, ns, job, (void (*)(void))job->fn);
}

static int arm_job(struct jif_job *job, struct jif_times when, bool again)
{
	int result;

	enter_to_arm(job->service);
	result = arm_held(job->service, job, when, again);
	leave(job->service);
	return result;
}

/* If it can, it goes to the inbox of this thread. */
static int arm_once(struct jif_job *job, uint64_t expires_ns, bool again)
{
	bool sort = false;
	int result = reject_job(job);

	if (result)
		return result;
	check_time(job, expires_ns);
	if (!jif_inbox_arm(job, expires_ns, again, &result, &sort))
		return arm_job(job, jif_times_once(expires_ns), again);
	if (sort) {
		enter_to_arm(job->service);
		leave(job->service);
	}
	return result;
}

int jif_job_add(struct jif_job *job, uint64_t expires_ns)
{
	return arm_once(job, expires_ns, false);
}

int jif_job_mod(struct jif_job *job, uint64_t expires_ns)
{
	return arm_once(job, expires_ns, true);
}

int jif_job_start(struct jif_job *job, struct jif_times when)
{
	int err = reject_job(job);

	if (err)
		return err;
	check_time(job, when.expires_ns);
	return arm_job(job, when, true);
}

bool jif_job_pending(struct jif_job *job)
{
	return where_is(job) != NOWHERE && !is_inherited(&job->service->loop);
}

/* It may be in the inbox of another thread; on the wheel, time is read. */
uint64_t jif_job_left(struct jif_job *job)
{
	struct jif_service *s = job->service;
	uint64_t left = 0;

	if (!s || !try_enter(s))
		return 0;
	while (!jif_inbox_sort(s, BATCH))
		let_others_in(s);
	if (where_is(job) == HELD && jif_timer_pending(&job->timer))
		left = ns_until(s,
				jif_timer_expires(&s->loop.wheel, &job->timer) -
					jif_wheel_clock(&s->loop.wheel));
	leave(s);
	return left;
}

bool jif_job_del(struct jif_job *job)
{
	bool was = jif_job_pending(job);

	if (!was || jif_inbox_take(job, NOWHERE))
		return was;
	enter(job->service);
	was = cancel_job(job->service, &(struct jif_call){ .job = job });
	leave(job->service);
	return was;
}

int jif_job_del_sync(struct jif_job *job)
{
	struct jif_call what = { .job = job };

	if (!job->service)
		return 0;
	return jif_calls_cancel_sync(job->service, &what, cancel_job);
}
