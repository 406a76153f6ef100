/* SPDX-License-Identifier: MIT */
/*
 * lib/host/service.c - timers for all threads of a program
 *
 * ONE LOCK
 *
 * The lock is held around each call of the engine, which has no interrupts here
 * and no locks of its own. So a callback of the engine is called locked; it
 * queues the call for a worker, or lets go of the lock for as long as the call
 * runs. To the engine, what another thread does meanwhile is what that callback
 * does: it may arm, move, delete and drain. What arms it is in job.c and
 * keyed.c, what happens then in calls.c.
 *
 * THE END
 *
 * When a service stops, what expires in the run that is under way is put back.
 * When all threads have ended, a drain takes it off with all the rest.
 *
 * FORKS
 *
 * The child of a fork has neither the threads nor, perhaps, the lock: a service
 * that was made before belongs to the parent, which calls see by a number.
 */
#define _GNU_SOURCE 1
#include <signal.h>

#include "calls.h"

uint64_t jif_service_now(const struct jif_service *s)
{
	return jif_loop_now(&s->loop);
}

static void sort_jobs(struct jif_service *s)
{
	while (!jif_inbox_sort(s, BATCH))
		let_others_in(s);
}

/* The time is taken first: what is armed by then runs on its tick. */
static void run_due(struct jif_service *s)
{
	bool all = false;

	while (s->state == RUNNING && !all) {
		s->now_ns = jif_service_now(s);
		sort_jobs(s);
		if (s->state == RUNNING)
			all = jif_loop_step(&s->loop,
					    s->now_ns / s->loop.tick_ns, BATCH);
		if (!all)
			let_others_in(s);
	}
}

static void run_clock(struct jif_service *s)
{
	while (s->state == RUNNING) {
		jif_loop_awake(&s->loop);
		run_due(s);
		if (s->state != RUNNING)
			break;
		jif_loop_sleep(&s->loop);
		sort_jobs(s);
		leave(s);
		jif_loop_wait(&s->loop);
		enter(s);
	}
}

static void run_worker(struct jif_service *s, struct jif_worker *t)
{
	while (s->state == RUNNING) {
		if (jif_calls_run(s, t))
			continue;
		s->idle++;
		wait_for(s, &s->work);
		s->idle--;
	}
}

/* A callback may have ended it, also one that is called locked. */
static void end_thread(void *arg)
{
	struct jif_worker *t = arg;
	struct jif_service *s = t->service;

	if (!try_enter(s))
		return;
	while (s->depth > 1)
		leave(s);
	if (t->busy)
		jif_calls_end(s, t, -JIF_ECANCELED, 0);
	if (s->state == RUNNING) {
		s->state = STOPPING;
		jif_inbox_set_open(s, false);
		if (CONFIG_JIF_DEBUG)
			jif_refused("a callback has ended a thread", s, NULL);
	}
	s->alive--;
	if (s->waiting)
		pthread_cond_broadcast(&s->done);
	leave(s);
}

static void *run_thread(void *arg)
{
	struct jif_worker *t = arg;
	struct jif_service *s = t->service;

	pthread_cleanup_push(end_thread, t);
	enter(s);
	if (t == &s->clock)
		run_clock(s);
	else
		run_worker(s, t);
	pthread_cleanup_pop(1);
	return NULL;
}

static int init_table(struct jif_service *s)
{
	s->table.used = 0;
	if (!s->table.entries)
		return s->table.capacity || s->key_fn ? -JIF_EINVAL : 0;
	s->table.wheel = &s->loop.wheel;
	s->table.fn = jif_service_expire_key;
	return s->key_fn ? jif_keys_init(s) : -JIF_EINVAL;
}

int jif_service_init(struct jif_service *s)
{
	pthread_mutexattr_t nesting;

	/* Of this process: chance does not make all of that agree. */
	if (s->clock.service == s && s->threads && !is_inherited(&s->loop))
		return jif_reject(-JIF_EBUSY,
				  "a service is initialised that runs", s);
	if (!jif_loop_claim(&s->loop) || !s->worker_count != !s->workers ||
	    !s->call_count != !s->calls || !s->call_count != !s->worker_count ||
	    !s->key_size != !s->key_bytes || s->full > JIF_FULL_REFUSE ||
	    s->key_catchup > JIF_CATCHUP_RESTART || init_table(s))
		return jif_invalid("a service lacks a field", s);
	pthread_mutexattr_init(&nesting);
	pthread_mutexattr_settype(&nesting, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&s->lock, &nesting);
	pthread_mutexattr_destroy(&nesting);
	pthread_cond_init(&s->work, NULL);
	pthread_cond_init(&s->room, NULL);
	pthread_cond_init(&s->done, NULL);
	/* Starting sets its clock; a drain may come before. */
	jif_wheel_init(&s->loop.wheel, 0);
	JIF_STORE(&s->loop.began, 0, RELAXED);
	s->state = STOPPED;
	s->drain = NULL;
	s->depth = s->threads = s->alive = s->waiting = 0;
	s->stopping = false;
	jif_inbox_init(s);
	jif_calls_init(s);
	return 0;
}

/* When all have ended, their last steps take no lock. */
static void end_threads(struct jif_service *s)
{
	s->state = STOPPING;
	s->stopping = true;
	jif_inbox_set_open(s, false);
	jif_loop_awake(&s->loop);
	jif_loop_kick(&s->loop);
	pthread_cond_broadcast(&s->work);
	pthread_cond_broadcast(&s->room);
	s->waiting++;
	while (s->alive)
		wait_for(s, &s->done);
	s->waiting--;
	s->stopping = false;
	for (unsigned i = 0; i < s->threads; i++)
		pthread_join(thread_at(s, i)->thread, NULL);
	s->threads = 0;
	jif_loop_shutdown(&s->loop);
	s->state = STOPPED;
}

static int create_threads(struct jif_service *s)
{
	sigset_t all, before;
	struct jif_worker *t;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (unsigned i = 0; !err && i <= s->worker_count; i++) {
		t = thread_at(s, i);
		err = pthread_create(&t->thread, NULL, run_thread, t);
		s->threads += !err;
		s->alive += !err;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

static void drain_call(struct jif_service *s, const struct jif_call *call)
{
	if (s->drain)
		s->drain(s, call);
}

/* A timer that was armed by a call of another header is no job. */
static void drain_job(struct jif_timer *timer)
{
	struct jif_job *job = jif_container_of(timer, struct jif_job, timer);
	struct jif_call call = { .job = job };

	if (timer->fn != jif_job_expire)
		return;
	call.fn = job->fn;
	job->service->stats.pending--;
	be_idle(&call);
	drain_call(job->service, &call);
}

static void drain_key(struct jif_table *table, struct jif_key key, void *value)
{
	struct jif_call call = { .key = key, .value = value };

	drain_call(jif_container_of(table, struct jif_service, table), &call);
}

/* The lock is held, once; @drain may delete, but not arm. */
static int drain_all(struct jif_service *s, jif_call_fn *drain)
{
	struct jif_waiting *w;
	struct jif_call call;
	unsigned n = 0;

	s->drain = drain;
	jif_inbox_sort(s, -1u);
	while ((w = jif_calls_next(s, &call)))
		for (unsigned i = jif_calls_pull(s, w); i; i--, n++) {
			be_idle(&call);
			drain_call(s, &call);
			call.due_ns += call.waiting.period * s->loop.tick_ns;
		}
	if (s->table.entries)
		n += jif_table_drain(&s->table, drain_key);
	n += jif_wheel_drain(&s->loop.wheel, drain_job);
	s->drain = NULL;
	return (int)n;
}

static int start_threads(struct jif_service *s)
{
	int err;

	drain_all(s, NULL);
	err = jif_loop_open(&s->loop, 0);
	if (err)
		return err;
	s->loop.steps = true;
	s->state = RUNNING;
	jif_inbox_set_open(s, true);
	err = create_threads(s);
	if (err)
		end_threads(s);
	return err;
}

int jif_service_start(struct jif_service *s)
{
	int err;

	if (!try_enter(s))
		return -JIF_ECANCELED;
	if (!s->ready.next)
		err = jif_invalid("a service was never initialised", s);
	else if (s->depth > 1)
		err = jif_reject(-JIF_EDEADLK, WAITS_FOR_ITSELF, s);
	else if (s->state != STOPPED)
		err = jif_reject(-JIF_EBUSY, "a service is started that runs",
				 s);
	else
		err = start_threads(s);
	leave(s);
	return err;
}

int jif_service_drain(struct jif_service *s, jif_call_fn *drain)
{
	int n;

	if (!try_enter(s))
		return -JIF_ECANCELED;
	if (s->depth == 1) {
		jif_inbox_set_open(s, false);
		n = drain_all(s, drain);
		if (s->state == RUNNING)
			jif_inbox_set_open(s, true);
	} else {
		n = jif_reject(-JIF_EDEADLK, WAITS_FOR_ITSELF, s);
	}
	leave(s);
	return n;
}

static bool is_own_thread(struct jif_service *s)
{
	for (unsigned i = 0; i < s->threads; i++)
		if (pthread_equal(thread_at(s, i)->thread, pthread_self()))
			return true;
	return false;
}

int jif_service_stop(struct jif_service *s, jif_call_fn *drain)
{
	int n;

	if (!try_enter(s))
		return -JIF_ECANCELED;
	if (s->depth > 1 || is_own_thread(s)) {
		n = jif_reject(-JIF_EDEADLK, WAITS_FOR_ITSELF, s);
	} else if (s->state == STOPPED || s->stopping) {
		n = -JIF_ECANCELED;
	} else {
		end_threads(s);
		n = drain_all(s, drain);
	}
	leave(s);
	return n;
}

static bool has_state(struct jif_service *s, int state)
{
	bool has;

	if (!try_enter(s))
		return false;
	has = s->state == state;
	leave(s);
	return has;
}

bool jif_service_running(struct jif_service *s)
{
	return has_state(s, RUNNING);
}

bool jif_service_stopped(struct jif_service *s)
{
	return has_state(s, STOPPED);
}

void jif_service_wake(struct jif_service *s)
{
	if (!try_enter(s))
		return;
	if (s->state == RUNNING)
		jif_loop_kick(&s->loop);
	leave(s);
}

void jif_service_lock(struct jif_service *s)
{
	if (enter_to_arm(s) && s->depth == 1)
		jif_inbox_set_open(s, false);
}

/* By a thread that has not locked it, it changes nothing. */
void jif_service_unlock(struct jif_service *s)
{
	bool others;

	if (is_inherited(&s->loop))
		return;
	others = pthread_mutex_trylock(&s->lock);
	if (others || !s->depth) {
		if (CONFIG_JIF_DEBUG)
			jif_misused("a service is unlocked that is not locked",
				    s, NULL);
	} else {
		if (s->depth == 1 && s->state == RUNNING) {
			jif_loop_wake(&s->loop);
			jif_inbox_set_open(s, true);
		}
		leave(s);
	}
	if (!others)
		pthread_mutex_unlock(&s->lock);
}
