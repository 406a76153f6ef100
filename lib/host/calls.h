/* SPDX-License-Identifier: MIT */
/* lib/host/calls.h - what the files of a service share */
#ifndef JIF_LIB_HOST_CALLS_H
#define JIF_LIB_HOST_CALLS_H

#include <jif/host/service.h>

#include "../firmware/key.h"
#include "loop_inside.h"

/* The state of a service. */
enum { STOPPED, RUNNING, STOPPING };

/* Where something is: behind waits for the end of its own call. */
enum { IDLE, READY, BEHIND };

/* Where a job is: idle; paused; on the wheel or queued; in inbox 0, ... */
enum { NOWHERE, PAUSED, HELD, INBOX };

/* For all inboxes; whoever makes them ready, opens or closes has the lock. */
void jif_inbox_init(struct jif_service *service);
void jif_inbox_set_open(struct jif_service *service, bool open);

/* How many jobs are in all inboxes. */
unsigned jif_inbox_count(struct jif_service *service);

/*
 * Puts up to @most jobs of the calling thread's inbox on the wheel, or of all
 * inboxes; false if some are left. The service is locked.
 */
bool jif_inbox_sort_own(struct jif_service *service, unsigned most);
bool jif_inbox_sort(struct jif_service *service, unsigned most);

/*
 * Arms a job that is idle or in the inbox of this thread. False if it is
 * neither, or the inbox is closed; else @result is that of the arming, and
 * @sort: the inbox has to be sorted; it is full, or the clock sleeps too long.
 */
bool jif_inbox_arm(struct jif_job *job, uint64_t expires_ns, bool again,
		   int *result, bool *sort);

/* Takes a job out of its inbox, to be idle or held. False if it is in none. */
bool jif_inbox_take(struct jif_job *job, unsigned to);

/* Nobody is cancelled who has the lock: whatever waits, he gives it back. */
static inline void enter(struct jif_service *s)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	pthread_mutex_lock(&s->lock);
	if (!s->depth++)
		s->cancel = before;
}

static inline void leave(struct jif_service *s)
{
	int before = --s->depth ? PTHREAD_CANCEL_DISABLE : s->cancel;

	pthread_mutex_unlock(&s->lock);
	pthread_setcancelstate(before, NULL);
}

#define WAITS_FOR_ITSELF "a call waits for its own callback or lock"

static inline void wait_for(struct jif_service *s, pthread_cond_t *what)
{
	int before = s->cancel;

	s->depth--;
	pthread_cond_wait(what, &s->lock);
	s->depth++;
	s->cancel = before;
}

/* False in the child of a fork: nobody may hold the lock there, or all. */
static inline bool try_enter(struct jif_service *s)
{
	if (is_inherited(&s->loop))
		return false;
	enter(s);
	return true;
}

/* The thread of the clock is number 0; then come the workers. */
static inline struct jif_worker *thread_at(struct jif_service *s, unsigned i)
{
	return i ? &s->workers[i - 1] : &s->clock;
}

static inline uint64_t tick_now(const struct jif_service *s)
{
	return jif_loop_clock(&s->loop);
}

/* The first tick that is not sooner, and that the wheel has not passed. */
static inline uint64_t tick_after(const struct jif_service *s, uint64_t ns)
{
	uint64_t tick = ns / s->loop.tick_ns + (ns % s->loop.tick_ns != 0);
	uint64_t next = tick_now(s) + 1;

	return (int64_t)(tick - next) > 0 ? tick : next;
}

/* What is left until then. */
static inline uint64_t ns_until(const struct jif_service *s, uint64_t due_ns)
{
	uint64_t now = jif_service_now(s);

	return due_ns > now ? due_ns - now : 0;
}

/* Whose callback begins, or does not, is idle if it does not come again. */
static inline void be_idle(const struct jif_call *call)
{
	struct jif_job *job = call->job;

	if (job && job->waiting.place == IDLE &&
	    !jif_timer_pending(&job->timer))
		JIF_STORE(&job->where, NOWHERE, RELEASE);
}

static inline void let_others_in(struct jif_service *s)
{
	leave(s);
	enter(s);
}

/* After so many callbacks and entries moved, other threads are let in. */
#define BATCH 32

/* What this thread has armed before is on the wheel by then. */
static inline bool enter_to_arm(struct jif_service *s)
{
	if (!try_enter(s))
		return false;
	while (!jif_inbox_sort_own(s, BATCH))
		let_others_in(s);
	return true;
}

/* Not while it is stopped or drained. */
static inline bool takes_more(const struct jif_service *s)
{
	return s->state == RUNNING && !s->drain;
}

/* The lock is held, as for all that follows. */

void jif_calls_init(struct jif_service *s);

/* It has expired. Lets go of the lock where it runs or waits. */
void jif_calls_begin(struct jif_service *s, struct jif_waiting *w,
		     const struct jif_call *call);

/* Takes it out. Returns how many calls it was: none if it does not wait. */
unsigned jif_calls_pull(struct jif_service *s, struct jif_waiting *w);

/* The key that waits for a worker, or NULL. */
struct jif_call *jif_calls_find(struct jif_service *s, struct jif_key key);

/* The first that waits, except those behind others; fills in what it is. */
struct jif_waiting *jif_calls_next(struct jif_service *s,
				   struct jif_call *call);

/* Runs the first that waits in this thread; false if none may. */
bool jif_calls_run(struct jif_service *s, struct jif_worker *w);

/* Reports it; whoever waits for the end of the call waits for that, too. */
void jif_calls_report(struct jif_service *s, struct jif_worker *w,
		      const struct jif_call *call, int err, uint64_t ns);

/* Its callback has returned @err after so long, if that is measured; or not. */
void jif_calls_end(struct jif_service *s, struct jif_worker *w, int err,
		   uint64_t ns);

/* The one in which such a call runs, or this one if it does; or NULL. */
struct jif_worker *jif_calls_runner(struct jif_service *s,
				    const struct jif_call *what, bool here);

/*
 * The tick of the next time after @due. @missed: how many periods before that
 * the jump under way covers, if they are not called.
 */
uint64_t jif_calls_next_tick(const struct jif_service *s, uint64_t due,
			     uint32_t period, enum jif_catchup policy,
			     uint32_t *missed);

/* In a debug build, reports why a call is refused; returns @err. */
int jif_calls_refuse(const struct jif_service *s, int err, const void *object,
		     void (*fn)(void));

/* The tick for a time, or an error: also for periods that make no sense. */
int jif_calls_tick(const struct jif_service *s, struct jif_times when,
		   uint64_t *tick);

/* Returns how many armings there were, which are none any more. */
int jif_calls_cancel_sync(struct jif_service *s, const struct jif_call *what,
			  int (*cancel)(struct jif_service *s,
					const struct jif_call *what));

/* Puts a job that is off the wheel on it, for its time. */
void jif_job_put(struct jif_service *s, struct jif_job *job);

/* Makes the table. */
int jif_keys_init(struct jif_service *s);

/* Of jobs and of keys: the function of a timer, and that of a table. */
void jif_job_expire(struct jif_timer *timer);
void jif_service_expire_key(struct jif_table *table, struct jif_key key,
			    void *value);

/* A key with bytes that are copied, to place @i; as it is if they are not. */
struct jif_key jif_calls_copy(const struct jif_service *s, struct jif_key key,
			      size_t i);

#endif
