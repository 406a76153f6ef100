/* SPDX-License-Identifier: MIT */
/*
 * lib/host/inbox.c - jobs that have been armed and are not on the wheel yet
 *
 * Most time-outs are disarmed long before they are due. So a thread arms into
 * an inbox, which has a lock of its own, and what is disarmed there never gets
 * to the wheel. A thread keeps to one inbox: what it arms stays in order. The
 * thread of the clock puts all of it on the wheel before it runs, and once more
 * when it has said for how long it sleeps.
 *
 * An idle job belongs to whoever is the first to change @where. What is in an
 * inbox changes under its lock, all else under the service's, taken first.
 */
#include "calls.h"

#define JIF_ENTRY	struct jif_timer
#define LIST_NAME(name) timers_##name
#include "../wheel_list.h"

/* So many may be in one: who locks the service sorts those of its thread. */
#define ROOM 256

static struct jif_inbox *own_inbox(struct jif_service *s, unsigned *where)
{
	static _Thread_local unsigned own;
	static unsigned threads;

	if (!own)
		own = INBOX +
		      JIF_FETCH_ADD(&threads, 1, RELAXED) % JIF_SERVICE_INBOXES;
	*where = own;
	return &s->inbox[own - INBOX];
}

void jif_inbox_init(struct jif_service *s)
{
	for (unsigned i = 0; i < JIF_SERVICE_INBOXES; i++) {
		pthread_mutex_init(&s->inbox[i].lock, NULL);
		s->inbox[i].last = NULL;
		s->inbox[i].count = 0;
		s->inbox[i].open = false;
	}
}

unsigned jif_inbox_count(struct jif_service *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < JIF_SERVICE_INBOXES; i++) {
		pthread_mutex_lock(&s->inbox[i].lock);
		n += s->inbox[i].count;
		pthread_mutex_unlock(&s->inbox[i].lock);
	}
	return n;
}

void jif_inbox_set_open(struct jif_service *s, bool open)
{
	for (unsigned i = 0; i < JIF_SERVICE_INBOXES; i++) {
		pthread_mutex_lock(&s->inbox[i].lock);
		s->inbox[i].open = open;
		pthread_mutex_unlock(&s->inbox[i].lock);
	}
}

static bool sort(struct jif_service *s, struct jif_inbox *inbox, unsigned *most)
{
	struct jif_timer *timer;
	struct jif_job *job;

	pthread_mutex_lock(&inbox->lock);
	for (; inbox->last && *most; --*most) {
		timer = inbox->last->next;
		timers_del(&inbox->last, timer);
		job = jif_container_of(timer, struct jif_job, timer);
		jif_job_put(s, job);
		JIF_STORE(&job->where, HELD, RELEASE);
		inbox->count--;
		s->stats.pending++;
	}
	pthread_mutex_unlock(&inbox->lock);
	return *most;
}

bool jif_inbox_sort_own(struct jif_service *s, unsigned most)
{
	unsigned where;

	return sort(s, own_inbox(s, &where), &most);
}

bool jif_inbox_sort(struct jif_service *s, unsigned most)
{
	for (unsigned i = 0; i < JIF_SERVICE_INBOXES; i++)
		if (!sort(s, &s->inbox[i], &most))
			return false;
	return true;
}

/* The inbox is locked, and open. */
static bool arm(struct jif_inbox *inbox, unsigned own, struct jif_job *job,
		uint64_t due_ns, bool again, int *result)
{
	unsigned where = NOWHERE;

	if (JIF_LOAD(&job->where, RELAXED) == own) {
		*result = again ? 1 : -JIF_EBUSY;
		if (!again)
			return true;
		timers_del(&inbox->last, &job->timer);
	} else if (!JIF_COMPARE_EXCHANGE(&job->where, &where, own, ACQUIRE)) {
		return false;
	}
	inbox->count += *result == 0;
	job->times = 1;
	job->waiting.period = 0;
	job->due_ns = due_ns;
	timers_add_head(&inbox->last, &job->timer);
	inbox->last = &job->timer;
	return true;
}

bool jif_inbox_arm(struct jif_job *job, uint64_t expires_ns, bool again,
		   int *result, bool *sort)
{
	struct jif_service *s = job->service;
	unsigned own;
	struct jif_inbox *inbox = own_inbox(s, &own);
	uint64_t tick;
	bool done = false;

	pthread_mutex_lock(&inbox->lock);
	if (inbox->open) {
		*result = 0;
		done = !jif_loop_tick(&s->loop, expires_ns, &tick) &&
		       arm(inbox, own, job, expires_ns, again, result);
		*sort = done && (inbox->count > ROOM ||
				 jif_loop_is_sooner(&s->loop, tick));
	}
	pthread_mutex_unlock(&inbox->lock);
	return done;
}

bool jif_inbox_take(struct jif_job *job, unsigned to)
{
	struct jif_inbox *inbox;
	unsigned where;
	bool there = false;

	while (!there && (where = JIF_LOAD(&job->where, ACQUIRE)) >= INBOX) {
		inbox = &job->service->inbox[where - INBOX];
		pthread_mutex_lock(&inbox->lock);
		there = JIF_LOAD(&job->where, RELAXED) == where;
		if (there) {
			timers_del(&inbox->last, &job->timer);
			inbox->count--;
			JIF_STORE(&job->where, to, RELEASE);
		}
		pthread_mutex_unlock(&inbox->lock);
	}
	return there;
}
