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
 * does: it may arm, move, delete and drain.
 *
 * PENDING
 *
 * A job is on the wheel or in the queue of the workers, never in both, and is
 * pending in either. The same holds for a key that expires once. What is taken
 * out to be run is not pending any more: each arming ends exactly once.
 *
 * THE END
 *
 * When a service stops, what expires in the run that is under way is put back.
 * When all threads have ended, a drain takes it off with all the rest.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <jif/service.h>
#include <signal.h>

#include "../key.h"
#include "inbox.h"
#include "loop.h"

enum { STOPPED, RUNNING, STOPPING };

/* After so many callbacks and entries moved, other threads are let in. */
#define BATCH 32

static void enter(struct jif_service *s)
{
	pthread_mutex_lock(&s->lock);
	s->depth++;
}

static void leave(struct jif_service *s)
{
	s->depth--;
	pthread_mutex_unlock(&s->lock);
}

static void wait_for(struct jif_service *s, pthread_cond_t *what)
{
	s->depth--;
	pthread_cond_wait(what, &s->lock);
	s->depth++;
}

/* Is it a call of the same job or key? */
static bool is_same(const struct jif_call *a, const struct jif_call *b)
{
	return a->job == b->job && (a->job || is_same_key(a->key, b->key));
}

static void push(struct jif_service *s, const struct jif_call *what)
{
	struct jif_call *call = s->free;

	s->free = call->next;
	*call = *what;
	call->next = &s->queue;
	call->prev = s->queue.prev;
	call->prev->next = call;
	s->queue.prev = call;
	if (call->job)
		call->job->call = call;
}

/* Takes a call out of the queue; it is free then. */
static struct jif_call pull(struct jif_service *s, struct jif_call *call)
{
	struct jif_call copy = *call;

	call->prev->next = call->next;
	call->next->prev = call->prev;
	if (call->job)
		call->job->call = NULL;
	call->next = s->free;
	s->free = call;
	pthread_cond_signal(&s->room);
	return copy;
}

static struct jif_call *find_queued(struct jif_service *s, struct jif_key key)
{
	struct jif_call what = { .key = key };
	struct jif_call *call = s->queue.next;

	while (call != &s->queue && !is_same(call, &what))
		call = call->next;
	return call != &s->queue ? call : NULL;
}

/* The thread of the clock is number 0. */
static struct jif_worker *thread_at(struct jif_service *s, unsigned i)
{
	return i ? &s->workers[i - 1] : &s->clock;
}

/* Does such a call run: at all, or in this thread? */
static bool is_running(struct jif_service *s, const struct jif_call *what,
		       bool here)
{
	struct jif_worker *w;

	for (unsigned i = 0; i < s->threads; i++) {
		w = thread_at(s, i);
		if (w->busy && is_same(&w->call, what) &&
		    (!here || pthread_equal(w->thread, pthread_self())))
			return true;
	}
	return false;
}

static bool is_order_running(struct jif_service *s, uintptr_t order)
{
	for (unsigned i = 0; i < s->threads; i++)
		if (thread_at(s, i)->busy &&
		    thread_at(s, i)->call.order == order)
			return true;
	return false;
}

/* The first call that has to wait for no other one; or NULL. */
static struct jif_call *find_ready(struct jif_service *s)
{
	struct jif_call *call = s->queue.next;

	while (call != &s->queue && call->order &&
	       is_order_running(s, call->order))
		call = call->next;
	return call != &s->queue ? call : NULL;
}

uint64_t jif_service_now(const struct jif_service *s)
{
	return jif_loop_now(&s->loop);
}

static void report(struct jif_service *s, const struct jif_call *call, int err,
		   uint64_t ns)
{
	if (s->report)
		s->report(s, call, err, ns);
}

static uint64_t stopwatch(const struct jif_service *s)
{
	return s->slow_ns ? jif_service_now(s) : 0;
}

static void mark_busy(struct jif_worker *w, const struct jif_call *call)
{
	w->call = *call;
	w->busy = true;
}

static void mark_done(struct jif_service *s, struct jif_worker *w)
{
	w->busy = false;
	if (s->waiting)
		pthread_cond_broadcast(&s->done);
}

static void be_idle(const struct jif_call *call)
{
	if (call->job)
		JIF_STORE(&call->job->where, NOWHERE, RELEASE);
}

/* Whoever waits for the end of the call waits for the report, too. */
static void run_call(struct jif_service *s, struct jif_worker *w,
		     const struct jif_call *call)
{
	uint64_t ns;
	int err;
	bool slow;

	mark_busy(w, call);
	be_idle(call);
	leave(s);
	ns = stopwatch(s);
	err = call->job ? call->fn(call->job) :
			  s->key_fn(s, call->key, call->value);
	ns = stopwatch(s) - ns;
	slow = s->slow_ns && ns >= s->slow_ns;
	if (err || slow)
		report(s, call, err, ns);
	enter(s);
	s->counts.ran++;
	s->counts.failed += err != 0;
	s->counts.slow += slow;
	mark_done(s, w);
}

/* Whoever deletes the job waits for the report; its order does not. */
static void refuse(struct jif_service *s, const struct jif_call *call)
{
	s->counts.refused++;
	mark_busy(&s->clock, call);
	s->clock.call.order = 0;
	be_idle(call);
	leave(s);
	report(s, call, -JIF_ENOSPC, 0);
	enter(s);
	mark_done(s, &s->clock);
}

/* The queue is full. */
static void make_room(struct jif_service *s)
{
	struct jif_call *ready = NULL;
	struct jif_call call;

	if (s->full == JIF_FULL_INLINE)
		ready = find_ready(s);
	if (ready) {
		s->counts.helped++;
		call = pull(s, ready);
		run_call(s, &s->clock, &call);
		/* What had to wait for that call may be ready now. */
		pthread_cond_signal(&s->work);
	} else {
		wait_for(s, &s->room);
	}
}

/* The service stops: what has expired is pending again. */
static void put_back(struct jif_service *s, const struct jif_call *call)
{
	uint32_t now = jif_wheel_clock(&s->loop.wheel);

	if (call->job)
		jif_timer_add(&s->loop.wheel, &call->job->timer, now);
	else
		jif_table_set(&s->table, call->key, call->value, jif_once(now));
}

/*
 * Something has expired. When the queue has become full, the clock waits or
 * helps at once, so that there is room for the next one.
 */
static void begin_call(struct jif_service *s, const struct jif_call *call)
{
	if (s->state != RUNNING) {
		put_back(s, call);
	} else if (!s->worker_count) {
		run_call(s, &s->clock, call);
	} else if (!s->free) {
		refuse(s, call);
	} else {
		push(s, call);
		pthread_cond_signal(&s->work);
		while (!s->free && s->state == RUNNING &&
		       s->full != JIF_FULL_REFUSE)
			make_room(s);
	}
}

static void expire_job(struct jif_timer *timer)
{
	struct jif_job *job = jif_container_of(timer, struct jif_job, timer);
	struct jif_call call = { .job = job,
				 .fn = job->fn,
				 .order = job->order };

	begin_call(job->service, &call);
}

static void expire_key(struct jif_table *table, struct jif_key key, void *value)
{
	struct jif_service *s =
		jif_container_of(table, struct jif_service, table);
	struct jif_call call = { .key = key, .value = value };

	/* A hash is not taken for the address of a job. */
	if (s->key_order)
		call.order = (uintptr_t)table->hash(key) << 1 | 1;
	begin_call(s, &call);
}

static void let_others_in(struct jif_service *s)
{
	leave(s);
	enter(s);
}

static void sort_jobs(struct jif_service *s)
{
	while (!jif_inbox_sort(s, BATCH))
		let_others_in(s);
}

/* The time is taken first: what is armed by then runs on its tick. */
static void run_due(struct jif_service *s)
{
	uint64_t now = jif_service_now(s) / s->loop.tick_ns;

	sort_jobs(s);
	while (s->state == RUNNING && !jif_loop_step(&s->loop, now, BATCH)) {
		let_others_in(s);
		sort_jobs(s);
	}
}

static void *run_clock(void *arg)
{
	struct jif_worker *w = arg;
	struct jif_service *s = w->service;

	enter(s);
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
	leave(s);
	return NULL;
}

static void *run_worker(void *arg)
{
	struct jif_worker *w = arg;
	struct jif_service *s = w->service;
	struct jif_call *ready;
	struct jif_call call;

	enter(s);
	while (s->state == RUNNING) {
		ready = find_ready(s);
		if (ready) {
			call = pull(s, ready);
			run_call(s, w, &call);
		} else {
			wait_for(s, &s->work);
		}
	}
	leave(s);
	return NULL;
}

static int init_table(struct jif_service *s)
{
	if (!s->table.entries)
		return s->table.capacity || s->key_fn ? -JIF_EINVAL : 0;
	s->table.wheel = &s->loop.wheel;
	s->table.fn = expire_key;
	return s->key_fn ? jif_table_init(&s->table) : -JIF_EINVAL;
}

int jif_service_init(struct jif_service *s)
{
	pthread_mutexattr_t nesting;

	if (!jif_loop_is_valid(&s->loop) || !s->worker_count != !s->workers ||
	    !s->call_count != !s->calls || !s->call_count != !s->worker_count ||
	    s->full > JIF_FULL_REFUSE || init_table(s))
		return jif_invalid("a service lacks a field", s);
	pthread_mutexattr_init(&nesting);
	pthread_mutexattr_settype(&nesting, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&s->lock, &nesting);
	pthread_cond_init(&s->work, NULL);
	pthread_cond_init(&s->room, NULL);
	pthread_cond_init(&s->done, NULL);
	/* Starting sets its clock; a drain may come before. */
	jif_wheel_init(&s->loop.wheel, 0);
	s->counts = (struct jif_counts){ 0 };
	s->state = STOPPED;
	s->drain = NULL;
	s->depth = s->threads = s->waiting = 0;
	s->clock.busy = false;
	jif_inbox_init(s);
	s->queue.next = s->queue.prev = &s->queue;
	s->free = NULL;
	for (unsigned i = 0; i < s->call_count; i++) {
		s->calls[i].next = s->free;
		s->free = &s->calls[i];
	}
	return 0;
}

/* The lock is held; it is let go of meanwhile. */
static void join_threads(struct jif_service *s)
{
	unsigned n = s->threads;

	s->state = STOPPING;
	jif_inbox_close(s);
	jif_loop_awake(&s->loop);
	jif_loop_kick(&s->loop);
	pthread_cond_broadcast(&s->work);
	pthread_cond_broadcast(&s->room);
	leave(s);
	for (unsigned i = 0; i < n; i++)
		pthread_join(thread_at(s, i)->thread, NULL);
	enter(s);
	s->threads = 0;
	jif_loop_shutdown(&s->loop);
}

static int create_threads(struct jif_service *s)
{
	sigset_t all, before;
	struct jif_worker *w;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (unsigned i = 0; !err && i <= s->worker_count; i++) {
		w = thread_at(s, i);
		w->service = s;
		w->busy = false;
		err = pthread_create(&w->thread, NULL,
				     i ? run_worker : run_clock, w);
		s->threads += !err;
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

	if (timer->fn != expire_job)
		return;
	call.fn = job->fn;
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
	struct jif_call call;
	unsigned n = 0;

	s->drain = drain;
	for (; s->queue.next != &s->queue; n++) {
		call = pull(s, s->queue.next);
		be_idle(&call);
		drain_call(s, &call);
	}
	if (s->table.entries)
		n += jif_table_drain(&s->table, drain_key);
	n += jif_wheel_drain(&s->loop.wheel, drain_job);
	s->drain = NULL;
	return (int)n;
}

int jif_service_start(struct jif_service *s)
{
	int err = 0;

	enter(s);
	if (!s->queue.next)
		err = jif_invalid("a service was never initialised", s);
	else if (s->depth > 1)
		err = -JIF_EDEADLK;
	else if (s->state != STOPPED)
		err = -JIF_EBUSY;
	if (!err) {
		drain_all(s, NULL);
		err = jif_loop_open(&s->loop, 0);
	}
	if (!err) {
		s->state = RUNNING;
		jif_inbox_open(s);
		err = create_threads(s);
		if (err) {
			join_threads(s);
			s->state = STOPPED;
		}
	}
	leave(s);
	return err;
}

int jif_service_drain(struct jif_service *s, jif_call_fn *drain)
{
	int n = -JIF_EDEADLK;

	enter(s);
	if (s->depth == 1) {
		jif_inbox_close(s);
		n = drain_all(s, drain);
		if (s->state == RUNNING)
			jif_inbox_open(s);
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

	enter(s);
	if (s->depth > 1 || is_own_thread(s)) {
		n = -JIF_EDEADLK;
	} else if (s->state != RUNNING) {
		n = -JIF_ECANCELED;
	} else {
		join_threads(s);
		n = drain_all(s, drain);
		s->state = STOPPED;
	}
	leave(s);
	return n;
}

void jif_service_wake(struct jif_service *s)
{
	enter(s);
	if (s->state == RUNNING)
		jif_loop_kick(&s->loop);
	leave(s);
}

struct jif_counts jif_service_counts(struct jif_service *s)
{
	struct jif_counts counts;

	enter(s);
	counts = s->counts;
	leave(s);
	return counts;
}

void jif_service_lock(struct jif_service *s)
{
	enter(s);
	if (s->depth == 1)
		jif_inbox_close(s);
}

/* By a thread that has not locked it, it changes nothing. */
void jif_service_unlock(struct jif_service *s)
{
	bool others = pthread_mutex_trylock(&s->lock);

	if (others || !s->depth) {
		if (CONFIG_JIF_DEBUG)
			jif_misused("a service is unlocked that is not locked",
				    s, NULL);
	} else {
		if (s->depth == 1 && s->state == RUNNING) {
			jif_loop_wake(&s->loop);
			jif_inbox_open(s);
		}
		leave(s);
	}
	if (!others)
		pthread_mutex_unlock(&s->lock);
}

/* Not while it is stopped or drained. */
static bool takes_more(const struct jif_service *s)
{
	return s->state == RUNNING && !s->drain;
}

void jif_job_init(struct jif_service *s, struct jif_job *job, jif_job_fn *fn)
{
	jif_timer_init(&job->timer, expire_job);
	job->service = s;
	job->fn = fn;
	job->order = (uintptr_t)job;
	job->call = NULL;
	job->where = NOWHERE;
}

void jif_job_order(struct jif_job *job, uintptr_t order)
{
	job->order = order;
}

static unsigned where_is(const struct jif_job *job)
{
	return JIF_LOAD(&job->where, ACQUIRE);
}

/* Returns how many armings there were: 0 or 1. */
static int cancel_job(const struct jif_call *what)
{
	struct jif_job *job = what->job;

	if (jif_inbox_take(job, NOWHERE))
		return 1;
	if (where_is(job) != HELD)
		return 0;
	if (job->call)
		pull(job->service, job->call);
	jif_timer_del(&job->service->loop.wheel, &job->timer);
	be_idle(what);
	return 1;
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

/* What this thread has armed before is on the wheel by then. */
static void enter_to_arm(struct jif_service *s)
{
	enter(s);
	while (!jif_inbox_sort_own(s, BATCH))
		let_others_in(s);
}

static int arm_held(struct jif_service *s, struct jif_job *job,
		    uint64_t expires_ns, bool again)
{
	uint64_t tick;
	int was;

	if (!takes_more(s))
		return -JIF_ECANCELED;
	was = jif_loop_tick(&s->loop, expires_ns, &tick);
	if (!was)
		was = hold_job(job, again);
	if (was < 0)
		return was;
	if (job->call)
		pull(s, job->call);
	jif_timer_mod(&s->loop.wheel, &job->timer, (uint32_t)tick);
	jif_loop_armed(&s->loop, tick);
	return was;
}

static int arm_job(struct jif_job *job, uint64_t expires_ns, bool again)
{
	struct jif_service *s = job->service;
	bool done, sooner = false;
	int result = 0;

	if (!s || !job->fn)
		return jif_invalid("a job cannot run", job);
	done = jif_inbox_arm(job, expires_ns, again, &result, &sooner);
	if (done && !sooner)
		return result;
	enter_to_arm(s);
	if (!done)
		result = arm_held(s, job, expires_ns, again);
	leave(s);
	return result;
}

int jif_job_add(struct jif_job *job, uint64_t expires_ns)
{
	return arm_job(job, expires_ns, false);
}

int jif_job_mod(struct jif_job *job, uint64_t expires_ns)
{
	return arm_job(job, expires_ns, true);
}

bool jif_job_del(struct jif_job *job)
{
	struct jif_call what = { .job = job };
	int was;

	if (!job->service || where_is(job) == NOWHERE)
		return false;
	if (jif_inbox_take(job, NOWHERE))
		return true;
	enter(job->service);
	was = cancel_job(&what);
	leave(job->service);
	return was;
}

bool jif_job_pending(struct jif_job *job)
{
	return job->service && where_is(job) != NOWHERE;
}

/* What waits for a worker does not run. Returns how many calls there were. */
static int pull_key(struct jif_service *s, struct jif_key key)
{
	struct jif_call *call;
	int n = 0;

	for (; (call = find_queued(s, key)); n++)
		pull(s, call);
	return n;
}

static int cancel_key(struct jif_service *s, struct jif_key key)
{
	int n = !jif_table_remove(&s->table, key);

	return n + pull_key(s, key);
}

/* The callback may arm it again, and so what it arms is cancelled, too. */
static int cancel_sync(struct jif_service *s, const struct jif_call *what)
{
	int n = 0;

	enter(s);
	if (s->depth > 1 || is_running(s, what, true))
		n = -JIF_EDEADLK;
	while (n >= 0) {
		n += what->job ? cancel_job(what) : cancel_key(s, what->key);
		if (!is_running(s, what, false))
			break;
		s->waiting++;
		wait_for(s, &s->done);
		s->waiting--;
	}
	leave(s);
	return n;
}

int jif_job_del_sync(struct jif_job *job)
{
	struct jif_call what = { .job = job };

	return job->service ? cancel_sync(job->service, &what) : 0;
}

/* Puts it into the table if it can, by jif_table_set() or jif_table_add(). */
static int put_key(struct jif_service *s, struct jif_key key, void *value,
		   struct jif_times when, bool replace)
{
	struct jif_schedule schedule = { .times = when.times };
	uint64_t tick;
	int err = jif_loop_tick(&s->loop, when.expires_ns, &tick);

	if (err)
		return err;
	if (!replace && find_queued(s, key))
		return -JIF_EEXIST;
	if (when.period_ns % s->loop.tick_ns ||
	    when.period_ns / s->loop.tick_ns > JIF_DELAY_MAX)
		return -JIF_EINVAL;
	schedule.expires = (uint32_t)tick;
	schedule.period = (uint32_t)(when.period_ns / s->loop.tick_ns);
	err = (replace ? jif_table_set : jif_table_add)(&s->table, key, value,
							schedule);
	if (err >= 0)
		jif_loop_armed(&s->loop, tick);
	return err;
}

/* Why no timer of a key can be armed. */
static int reject_key(const struct jif_service *s)
{
	if (!s->table.entries)
		return -JIF_EINVAL;
	return takes_more(s) ? 0 : -JIF_ECANCELED;
}

/* With @replace, also what waits for a worker. */
static int arm_key(struct jif_service *s, struct jif_key key, void *value,
		   struct jif_times when, bool replace)
{
	int err;

	enter_to_arm(s);
	err = reject_key(s);
	if (!err)
		err = put_key(s, key, value, when, replace);
	if (err >= 0 && replace && pull_key(s, key))
		err = 1;
	leave(s);
	return err;
}

int jif_service_set(struct jif_service *s, struct jif_key key, void *value,
		    struct jif_times when)
{
	return arm_key(s, key, value, when, true);
}

int jif_service_add(struct jif_service *s, struct jif_key key, void *value,
		    struct jif_times when)
{
	return arm_key(s, key, value, when, false);
}

int jif_service_move(struct jif_service *s, struct jif_key key,
		     uint64_t expires_ns)
{
	struct jif_call *call;
	uint64_t tick;
	int err;

	enter_to_arm(s);
	err = reject_key(s);
	if (!err)
		err = jif_loop_tick(&s->loop, expires_ns, &tick);
	if (!err)
		err = jif_table_move(&s->table, key, (uint32_t)tick);
	call = find_queued(s, key);
	if (err == -JIF_ENOENT && call)
		err = put_key(s, call->key, call->value,
			      jif_times_once(expires_ns), true);
	else if (err >= 0)
		jif_loop_armed(&s->loop, tick);
	if (err >= 0 && pull_key(s, key))
		err = 1;
	leave(s);
	return err;
}

int jif_service_remove(struct jif_service *s, struct jif_key key)
{
	int n = 0;

	enter(s);
	if (s->table.entries)
		n = cancel_key(s, key);
	leave(s);
	return n ? 0 : -JIF_ENOENT;
}

int jif_service_remove_sync(struct jif_service *s, struct jif_key key)
{
	struct jif_call what = { .key = key };

	return s->table.entries ? cancel_sync(s, &what) : 0;
}
