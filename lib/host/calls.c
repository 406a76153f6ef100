/* SPDX-License-Identifier: MIT */
/*
 * lib/host/calls.c - what has expired and waits for a worker
 *
 * TURNS
 *
 * A ring holds what may run as soon as a worker is free. What has to wait for
 * its own call is in a ring of the worker that runs that, which is never full.
 *
 * What expires again while it waits is not queued twice: it is counted.
 *
 * PLACES
 *
 * A job has its place in itself. A key gets one of the calls; one for each
 * worker more, since each may run a key that waits for its own end.
 *
 * BYTES
 *
 * A key that is a string may be copied from the table to its call and from
 * there to the worker: whoever has the lock sees bytes that nobody frees.
 */
#define _GNU_SOURCE 1
#include "calls.h"

#include <string.h>

static void init_ring(struct jif_links *ring)
{
	ring->next = ring->prev = ring;
}

static bool is_empty(const struct jif_links *ring)
{
	return ring->next == ring;
}

static void append(struct jif_links *ring, struct jif_waiting *w)
{
	w->links.next = ring;
	w->links.prev = ring->prev;
	ring->prev->next = &w->links;
	ring->prev = &w->links;
}

static void unlink_it(struct jif_waiting *w)
{
	w->links.prev->next = w->links.next;
	w->links.next->prev = w->links.prev;
}

static struct jif_waiting *first_of(struct jif_links *ring)
{
	return jif_container_of(ring->next, struct jif_waiting, links);
}

static struct jif_call *keyed_call(struct jif_waiting *w)
{
	return jif_container_of(w, struct jif_call, waiting);
}

struct jif_key jif_calls_copy(const struct jif_service *s, struct jif_key key,
			      size_t i)
{
	uint8_t *bytes = s->key_bytes;

	if (key.bytes && bytes && key.number <= s->key_size) {
		bytes += i * s->key_size;
		memmove(bytes, key.bytes, key.number);
		key.bytes = bytes;
	}
	return key;
}

/* Entries have the first numbers, then calls, spare ones and threads. */
static size_t number_of_call(const struct jif_service *s,
			     const struct jif_call *call)
{
	if (call >= s->calls && call < s->calls + s->call_count)
		return s->table.capacity + (size_t)(call - s->calls);
	for (unsigned i = 0; i < s->worker_count; i++)
		if (call == &s->workers[i].spare)
			return (size_t)s->table.capacity + s->call_count + i;
	return (size_t)s->table.capacity + s->call_count + s->worker_count;
}

static size_t number_of_thread(const struct jif_service *s,
			       const struct jif_worker *w)
{
	size_t n =
		(size_t)s->table.capacity + s->call_count + s->worker_count + 1;

	return w == &s->clock ? n : n + 1 + (size_t)(w - s->workers);
}

static struct jif_call **chain_of(const struct jif_service *s,
				  struct jif_key key)
{
	return &s->calls[s->table.hash(key) % s->call_count].bucket;
}

struct jif_call *jif_calls_find(struct jif_service *s, struct jif_key key)
{
	struct jif_call *call;

	if (!s->worker_count)
		return NULL;
	call = *chain_of(s, key);
	while (call && !is_same_key(call->key, key))
		call = call->chain;
	return call;
}

/* There is a free call. */
static struct jif_waiting *claim_call(struct jif_service *s,
				      const struct jif_call *what)
{
	struct jif_call *call = s->free, **bucket = chain_of(s, what->key);
	struct jif_call *keep = call->bucket;

	s->free = call->chain;
	*call = *what;
	call->bucket = keep;
	call->key = jif_calls_copy(s, what->key, number_of_call(s, call));
	call->chain = *bucket;
	*bucket = call;
	return &call->waiting;
}

static void release_call(struct jif_service *s, struct jif_call *call)
{
	struct jif_call **link = chain_of(s, call->key);

	while (*link != call)
		link = &(*link)->chain;
	*link = call->chain;
	call->chain = s->free;
	s->free = call;
}

static void add_place(struct jif_service *s, struct jif_call *call)
{
	*call = (struct jif_call){ .chain = s->free };
	s->free = call;
}

void jif_calls_init(struct jif_service *s)
{
	s->free = NULL;
	for (unsigned i = 0; i < s->call_count; i++)
		add_place(s, &s->calls[i]);
	for (unsigned i = 0; i <= s->worker_count; i++) {
		struct jif_worker *w = thread_at(s, i);

		w->service = s;
		w->busy = false;
		init_ring(&w->behind);
		if (s->worker_count)
			add_place(s, &w->spare);
	}
	init_ring(&s->ready);
	s->ready_count = s->idle = 0;
	s->stats = (struct jif_stats){ .pending = 0 };
}

struct jif_worker *jif_calls_runner(struct jif_service *s,
				    const struct jif_call *what, bool here)
{
	struct jif_worker *w;

	for (unsigned i = 0; i <= s->worker_count; i++) {
		w = thread_at(s, i);
		if (w->busy && w->call.job == what->job &&
		    (what->job || is_same_key(w->call.key, what->key)) &&
		    (!here || pthread_equal(w->thread, pthread_self())))
			return w;
	}
	return NULL;
}

static struct jif_call describe(const struct jif_service *s,
				struct jif_waiting *w)
{
	struct jif_call call = { .waiting = *w };

	if (w->keyed) {
		call = *keyed_call(w);
	} else {
		call.job = jif_container_of(w, struct jif_job, waiting);
		call.fn = call.job->fn;
	}
	call.due_ns = w->due * s->loop.tick_ns;
	call.missed = w->missed;
	return call;
}

/* The worker that runs the same job or key, which may not run twice. */
static struct jif_worker *runner_of(struct jif_service *s,
				    const struct jif_call *call)
{
	return call->waiting.overlaps ? NULL : jif_calls_runner(s, call, false);
}

static void route(struct jif_service *s, struct jif_waiting *w)
{
	struct jif_call call = describe(s, w);
	struct jif_worker *runner = runner_of(s, &call);

	w->place = BEHIND;
	if (runner) {
		append(&runner->behind, w);
		return;
	}
	append(&s->ready, w);
	w->place = READY;
	s->ready_count++;
	pthread_cond_signal(&s->work);
}

static void push(struct jif_service *s, struct jif_waiting *w)
{
	s->stats.queued++;
	route(s, w);
}

static void take_out(struct jif_service *s, struct jif_waiting *w)
{
	unlink_it(w);
	if (w->place == READY) {
		s->ready_count--;
		pthread_cond_signal(&s->room);
	}
	w->place = IDLE;
	s->stats.queued--;
}

unsigned jif_calls_pull(struct jif_service *s, struct jif_waiting *w)
{
	unsigned n = 1 + w->again;

	if (w->place == IDLE)
		return 0;
	take_out(s, w);
	if (w->keyed)
		release_call(s, keyed_call(w));
	pthread_cond_signal(&s->room);
	return n;
}

struct jif_waiting *jif_calls_next(struct jif_service *s, struct jif_call *call)
{
	struct jif_links *ring = &s->ready;

	for (unsigned i = 0; i <= s->worker_count && is_empty(ring); i++)
		ring = &thread_at(s, i)->behind;
	if (is_empty(ring))
		return NULL;
	*call = describe(s, first_of(ring));
	return first_of(ring);
}

static void mark_busy(struct jif_service *s, struct jif_worker *t,
		      const struct jif_call *call)
{
	t->call = *call;
	t->call.key = jif_calls_copy(s, call->key, number_of_thread(s, t));
	t->busy = true;
}

void jif_calls_report(struct jif_service *s, struct jif_worker *t,
		      const struct jif_call *call, int err, uint64_t ns)
{
	mark_busy(s, t, call);
	t->reports = true;
	leave(s);
	if (s->report)
		s->report(s, &t->call, err, ns);
	enter(s);
	jif_calls_end(s, t, 0, 0);
}

static void count_late(struct jif_stats *stats, uint64_t ns)
{
	unsigned i = 0;

	while (i < JIF_LATE_CLASSES - 1 && ns >> (10 + i))
		i++;
	stats->late[i]++;
	stats->late_ns += ns;
	stats->running++;
}

/* From here on, it runs. */
static void begin_run(struct jif_service *s, struct jif_worker *t)
{
	uint64_t now = s->now_ns, late;

	if (s->slow_ns || s->worker_count)
		now = jif_service_now(s);
	late = now - t->call.due_ns;
	if ((int64_t)late < 0)
		late = 0;
	t->begun_ns = now;
	t->reports = false;
	count_late(&s->stats, late);
}

static void count_run(struct jif_stats *stats, int err, bool slow, uint64_t ns)
{
	stats->running--;
	stats->counts.ran++;
	stats->counts.failed += err != 0;
	stats->counts.slow += slow;
	if (ns > stats->longest_ns)
		stats->longest_ns = ns;
}

void jif_calls_end(struct jif_service *s, struct jif_worker *t, int err,
		   uint64_t ns)
{
	bool slow = s->slow_ns && ns >= s->slow_ns;
	struct jif_waiting *w;

	if (!t->reports)
		count_run(&s->stats, err, slow, ns);
	t->busy = false;
	while (!is_empty(&t->behind)) {
		w = first_of(&t->behind);
		unlink_it(w);
		route(s, w);
	}
	if (s->waiting)
		pthread_cond_broadcast(&s->done);
}

/* Whoever waits for the end of the call waits for the report, too. */
static void run_call(struct jif_service *s, struct jif_worker *t)
{
	const struct jif_call *call = &t->call;
	uint64_t ns;
	int err;

	be_idle(call);
	leave(s);
	err = call->job ? call->fn(call->job) :
			  s->key_fn(s, call->key, call->value);
	ns = s->slow_ns ? jif_service_now(s) - t->begun_ns : 0;
	if (s->report && (err || (s->slow_ns && ns >= s->slow_ns)))
		s->report(s, call, err, ns);
	if (!try_enter(s))
		pthread_exit(NULL); /* in a child that it has forked */
	jif_calls_end(s, t, err, ns);
}

bool jif_calls_run(struct jif_service *s, struct jif_worker *t)
{
	struct jif_waiting *w = first_of(&s->ready);
	struct jif_call call;

	if (is_empty(&s->ready))
		return false;
	call = describe(s, w);
	mark_busy(s, t, &call);
	take_out(s, w);
	begin_run(s, t);
	if (w->again) {
		w->again--;
		w->due += w->period;
		push(s, w);
	} else if (w->keyed) {
		release_call(s, keyed_call(w));
	}
	run_call(s, t);
	return true;
}

static bool is_full(const struct jif_service *s)
{
	return s->ready_count >= s->call_count + s->idle;
}

void jif_calls_begin(struct jif_service *s, struct jif_waiting *w,
		     const struct jif_call *call)
{
	if (!s->worker_count) {
		mark_busy(s, &s->clock, call);
		begin_run(s, &s->clock);
		run_call(s, &s->clock);
		return;
	}
	/* It waits: with JIF_CATCHUP_EACH once more, else that is missed. */
	if (w && w->place != IDLE) {
		w->again += call->waiting.again;
		w->missed += call->waiting.again ? 0 : 1 + call->missed;
		return;
	}
	/* What waits for others takes no place in the queue, if it is a job. */
	if (s->full == JIF_FULL_REFUSE && is_full(s) && !runner_of(s, call)) {
		s->stats.counts.refused++;
		be_idle(call);
		jif_calls_report(s, &s->clock, call, -JIF_ENOSPC, 0);
		return;
	}
	if (call->job)
		*w = call->waiting;
	else
		w = claim_call(s, call);
	w->again = 0;
	w->missed = call->missed;
	push(s, w);
	while (is_full(s) && s->state == RUNNING && s->full != JIF_FULL_REFUSE)
		wait_for(s, &s->room);
}

uint64_t jif_calls_next_tick(const struct jif_service *s, uint64_t due,
			     uint32_t period, enum jif_catchup policy,
			     uint32_t *missed)
{
	uint64_t late = s->loop.goal - due, periods = 0;

	if (policy != JIF_CATCHUP_EACH && period)
		periods = late / period;
	*missed = periods < UINT32_MAX ? (uint32_t)periods : UINT32_MAX;
	if (periods && policy == JIF_CATCHUP_RESTART)
		return s->loop.goal + period;
	return due + (periods + 1) * period;
}

/* With slack, the last multiple of a power of two that is not too late. */
static uint64_t round_up(uint64_t tick, uint64_t slack)
{
	uint64_t unit = 1;

	while (unit * 2 <= slack + 1 && unit < JIF_DELAY_MAX / 4)
		unit *= 2;
	return (tick + unit - 1) / unit * unit;
}

int jif_calls_refuse(const struct jif_service *s, int err, const void *object,
		     void (*fn)(void))
{
	if (err == -JIF_EBUSY)
		return jif_reject_fn(err, "a job is added that is pending",
				     object, fn);
	if (err == -JIF_ERANGE)
		return jif_too_far(object, fn);
	if (err == -JIF_ECANCELED && !JIF_LOAD(&s->loop.began, RELAXED))
		return jif_reject_fn(err, "a service was never started", object,
				     fn);
	return err;
}

int jif_calls_tick(const struct jif_service *s, struct jif_times when,
		   uint64_t *tick)
{
	uint64_t first, tick_ns = s->loop.tick_ns, clock = tick_now(s);
	int err = jif_loop_tick(&s->loop, when.expires_ns, &first);

	if (!err && when.period_ns / tick_ns > JIF_DELAY_MAX)
		err = -JIF_ERANGE;
	if (err)
		return err;
	if (!when.times || (!when.period_ns && when.times != 1) ||
	    when.period_ns % tick_ns || when.catchup > JIF_CATCHUP_RESTART)
		return jif_invalid("a job or key has no such times", s);
	if ((int64_t)(first - clock) <= 0)
		first = clock + 1;
	*tick = round_up(first, when.slack_ns / tick_ns);
	if (*tick - clock > JIF_DELAY_MAX)
		*tick = first;
	return 0;
}

int jif_calls_cancel_sync(struct jif_service *s, const struct jif_call *what,
			  int (*cancel)(struct jif_service *s,
					const struct jif_call *what))
{
	int n = 0;

	if (!try_enter(s))
		return -JIF_ECANCELED;
	if (s->depth > 1 || jif_calls_runner(s, what, true))
		n = jif_reject(-JIF_EDEADLK, WAITS_FOR_ITSELF, s);
	while (n >= 0) {
		n += cancel(s, what);
		if (!jif_calls_runner(s, what, false))
			break;
		s->waiting++;
		wait_for(s, &s->done);
		s->waiting--;
	}
	if (!n && !what->job && s->state != RUNNING)
		n = -JIF_ECANCELED;
	leave(s);
	return n;
}
