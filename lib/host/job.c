/* SPDX-License-Identifier: MIT */
/*
 * lib/host/job.c - the jobs of a service
 *
 * A job is on the wheel or waits for a worker, and is pending in either. One
 * that expires once is never in both.
 */
#define _GNU_SOURCE 1
#include "calls.h"

void jif_job_init(struct jif_service *s, struct jif_job *job, jif_job_fn *fn)
{
	jif_timer_init(&job->timer, jif_job_expire);
	job->service = s;
	job->fn = fn;
	job->waiting = (struct jif_waiting){ .place = IDLE };
	job->due_ns = 0;
	job->where = NOWHERE;
}

/* On the wheel; for as long as it reaches, if that is beyond it. */
static bool put_job(struct jif_service *s, struct jif_job *job, uint64_t tick)
{
	if (!jif_loop_reach(&s->loop, tick))
		tick = tick_now(s) + JIF_DELAY_MAX;
	jif_loop_armed(&s->loop, tick);
	return jif_timer_mod(&s->loop.wheel, &job->timer, (uint32_t)tick);
}

void jif_job_put(struct jif_service *s, struct jif_job *job)
{
	put_job(s, job, tick_after(s, job->due_ns));
}

/* The next time of several; says how many periods are skipped. */
static uint32_t rearm(struct jif_service *s, struct jif_job *job, uint64_t due)
{
	uint32_t period = job->waiting.period;
	enum jif_catchup policy = (enum jif_catchup)job->waiting.policy;
	uint32_t missed;
	uint64_t tick = jif_calls_next_tick(s, due, period, policy, &missed);

	/* What is missed while it waits for a worker is none of its times. */
	if (job->times != JIF_FOREVER &&
	    (job->waiting.place == IDLE || policy == JIF_CATCHUP_EACH))
		job->times--;
	if (!job->times) {
		s->stats.pending--;
	} else {
		job->due_ns += (tick - due) * s->loop.tick_ns;
		if (missed && policy == JIF_CATCHUP_RESTART)
			job->due_ns = tick * s->loop.tick_ns;
		put_job(s, job, tick);
	}
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
	uint64_t before = (job->due_ns - !!job->due_ns) / s->loop.tick_ns;

	/* Its tick comes after @before: the wheel reached no further. */
	if (before >= due) {
		put_job(s, job, before + 1);
		return;
	}
	/* The service stops: it is pending again. */
	if (s->state != RUNNING) {
		(void)!jif_timer_add(&s->loop.wheel, timer, (uint32_t)due);
		return;
	}
	call.missed = rearm(s, job, due);
	call.waiting.due = due;
	call.waiting.again = job->waiting.policy == JIF_CATCHUP_EACH;
	jif_calls_begin(s, &job->waiting, &call);
}

static unsigned where_is(const struct jif_job *job)
{
	return JIF_LOAD(&job->where, ACQUIRE);
}

/* False if it is not paused. The exchange may fail when it is. */
static bool end_pause(struct jif_job *job, unsigned to)
{
	unsigned where = PAUSED;

	while (!JIF_COMPARE_EXCHANGE(&job->where, &where, to, SEQ_CST))
		if (where != PAUSED)
			return false;
	return true;
}

/* Returns how many callbacks do not run for that. */
static int cancel_job(struct jif_service *s, const struct jif_call *what)
{
	struct jif_job *job = what->job;
	int n;

	end_pause(job, NOWHERE);
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
		if (where == PAUSED)
			continue;
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
	job->waiting.policy = (uint8_t)when.catchup;
	/* What is past, or has slack, is due on its tick. */
	job->due_ns = tick * s->loop.tick_ns;
	if (job->due_ns - when.expires_ns < s->loop.tick_ns)
		job->due_ns = when.expires_ns;
	if (!put_job(s, job, tick))
		s->stats.pending++;
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

static int refuse_job(const struct jif_job *job, int err)
{
	return jif_calls_refuse(job->service, err, job,
				(void (*)(void))job->fn);
}

static int arm_job(struct jif_job *job, struct jif_times when, bool again)
{
	int result;

	enter_to_arm(job->service);
	result = arm_held(job->service, job, when, again);
	leave(job->service);
	return refuse_job(job, result);
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
	return refuse_job(job, result);
}

int jif_job_add(struct jif_job *job, uint64_t expires_ns)
{
	return arm_once(job, expires_ns, false);
}

int jif_job_mod(struct jif_job *job, uint64_t expires_ns)
{
	return arm_once(job, expires_ns, true);
}

static uint64_t in_ns(const struct jif_job *job, uint64_t delay_ns)
{
	return job->service ? ns_in(&job->service->loop, delay_ns) : 0;
}

int jif_job_add_in(struct jif_job *job, uint64_t delay_ns)
{
	return arm_once(job, in_ns(job, delay_ns), false);
}

int jif_job_mod_in(struct jif_job *job, uint64_t delay_ns)
{
	return arm_once(job, in_ns(job, delay_ns), true);
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
	return where_is(job) >= HELD && !is_inherited(&job->service->loop);
}

/* It may be in the inbox of another thread. */
uint64_t jif_job_left(struct jif_job *job)
{
	struct jif_service *s = job->service;
	uint64_t left = 0;

	if (!s || !try_enter(s))
		return 0;
	while (!jif_inbox_sort(s, BATCH))
		let_others_in(s);
	if (where_is(job) == PAUSED)
		left = job->due_ns;
	else if (where_is(job) == HELD && jif_timer_pending(&job->timer))
		left = ns_until(s, job->due_ns);
	leave(s);
	return left;
}

/* It is held. What waits for the last time has nothing left. */
static void pause_held(struct jif_service *s, struct jif_job *job, bool armed)
{
	uint64_t left = ns_until(s, job->due_ns);

	jif_calls_pull(s, &job->waiting);
	if (jif_timer_del(&s->loop.wheel, &job->timer)) {
		s->stats.pending--;
	} else if (!armed) {
		job->times = 1;
		left = 0;
	}
	job->due_ns = left;
	JIF_STORE(&job->where, PAUSED, RELEASE);
}

bool jif_job_pause(struct jif_job *job)
{
	struct jif_service *s = job->service;
	bool taken, was;

	if (!s || !try_enter(s))
		return false;
	taken = jif_inbox_take(job, HELD);
	was = where_is(job) == HELD;
	if (was)
		pause_held(s, job, taken);
	leave(s);
	return was;
}

int jif_job_resume(struct jif_job *job)
{
	int err = reject_job(job);

	if (err)
		return err;
	enter_to_arm(job->service);
	if (!takes_more(job->service)) {
		err = -JIF_ECANCELED;
	} else if (!end_pause(job, HELD)) {
		err = -JIF_EINVAL;
	} else {
		job->due_ns = in_ns(job, job->due_ns);
		jif_job_put(job->service, job);
		job->service->stats.pending++;
	}
	leave(job->service);
	return err;
}

bool jif_job_del(struct jif_job *job)
{
	bool was = jif_job_pending(job);

	/* A paused one is the lock's: jif_job_left() looks at it. */
	if ((!was && where_is(job) != PAUSED) || jif_inbox_take(job, NOWHERE))
		return was;
	if (!try_enter(job->service))
		return false;
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
