/* SPDX-License-Identifier: MIT */
/*
 * lib/host/saved.c - a service that survives the end of its process
 *
 * The RTC is read between two ticks of the service. It counts as the end of
 * that tick at a save, and as its beginning at a restore, and it is read after
 * the service's clock at a save, before it at a restore: nothing is early. Both
 * lock the service, so that no thread arms what they look at.
 */
#define _GNU_SOURCE 1
#include "../firmware/snapshot.h"

#include <time.h>

#include "calls.h"

/* In a record, how a job is: its policy, and whether it is paused. */
#define IS_PAUSED 4u

static bool save_job(struct jif_wheel *wheel, const void *object,
		     struct jif_record *r, jif_handle_t *cursor)
{
	const struct jif_job *job = object;
	uint64_t tick_ns = job->service->loop.tick_ns;
	bool paused = JIF_LOAD(&job->where, ACQUIRE) == PAUSED;

	*r = (struct jif_record){ .of = OF_PERIODIC,
				  .how = job->waiting.policy,
				  .period = job->waiting.period,
				  .times = job->times };
	if (paused) {
		r->how |= IS_PAUSED;
		r->left = (uint32_t)((job->due_ns + tick_ns - 1) / tick_ns);
	} else {
		r->left = jif_timer_expires(wheel, &job->timer) -
			  jif_wheel_clock(wheel);
	}
	return !(*cursor)++ && (paused || jif_timer_pending(&job->timer));
}

static int check_job(const void *object, const struct jif_record *r)
{
	const struct jif_job *job = object;

	if (r->of != OF_PERIODIC)
		return -JIF_ENOENT;
	if (r->nth || (r->how & ~IS_PAUSED) > JIF_CATCHUP_RESTART ||
	    r->left > JIF_DELAY_MAX || r->period > JIF_DELAY_MAX ||
	    (!r->period && r->times != 1))
		return -JIF_EBADMSG;
	if (!job->fn)
		return -JIF_EINVAL;
	return JIF_LOAD(&job->where, ACQUIRE) <= PAUSED ? 0 : -JIF_EBUSY;
}

static bool restore_job(struct jif_wheel *wheel, void *object,
			const struct jif_record *r)
{
	struct jif_job *job = object;
	struct jif_service *s = job->service;
	bool paused = r->how & IS_PAUSED;

	/* Not if it is on the list twice. */
	if (JIF_LOAD(&job->where, RELAXED) == HELD)
		return false;
	if (!paused)
		(void)!jif_timer_add(wheel, &job->timer,
				     jif_wheel_clock(wheel) + r->left);
	JIF_STORE(&job->where, paused ? PAUSED : HELD, RELEASE);
	job->waiting.policy = (uint8_t)(r->how & ~IS_PAUSED);
	job->times = r->times;
	job->waiting.period = r->period;
	job->due_ns = (r->left + (paused ? 0 : tick_now(s))) * s->loop.tick_ns;
	s->stats.pending += !paused;
	return true;
}

const struct jif_saved_kind jif_saved_job = { save_job, check_job,
					      restore_job };

static uint64_t read_rtc(jif_rtc_fn *rtc)
{
	struct timespec now;

	if (rtc)
		return rtc();
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* What the RTC showed when the service's tick began. */
static uint64_t at_tick(const struct jif_service *s, uint64_t now_ns,
			uint64_t rtc_ns)
{
	return rtc_ns - now_ns % s->loop.tick_ns;
}

static int refuse(const struct jif_service *s,
		  const struct jif_snapshot *snapshot)
{
	const struct jif_saved *row = snapshot->list;

	if (snapshot->wheel != &s->loop.wheel)
		return jif_invalid("a snapshot is of another wheel", s);
	for (; row != snapshot->list + snapshot->count; row++)
		if (row->kind == &jif_saved_job && row->object &&
		    ((const struct jif_job *)row->object)->service != s)
			return jif_invalid("a job is of another service", s);
	return 0;
}

int jif_service_save(struct jif_service *s, const struct jif_snapshot *snapshot,
		     void *buffer, size_t size, jif_rtc_fn *rtc)
{
	uint64_t tick_ns = s->loop.tick_ns, now, rtc_ns;
	int n;

	if (is_inherited(&s->loop))
		return -JIF_ECANCELED;
	jif_service_lock(s);
	n = refuse(s, snapshot);
	if (!n) {
		jif_inbox_sort(s, -1u);
		now = jif_service_now(s);
		rtc_ns = at_tick(s, now, read_rtc(rtc)) + tick_ns - 1;
		n = jif_snapshot_save(snapshot, buffer, size,
				      (uint32_t)(now / tick_ns),
				      rtc_ns / tick_ns);
	}
	jif_service_unlock(s);
	return n;
}

static void own_keys(struct jif_service *s)
{
	jif_handle_t handle = 0;
	struct jif_entry *entry;

	while ((handle = jif_table_next(&s->table, handle))) {
		entry = entry_at(&s->table, (jif_link_t)handle);
		entry->key = jif_calls_copy(s, entry->key,
					    (size_t)(entry - s->table.entries));
	}
}

/* The clock is set back, to before it was 0 if need be. */
static int restore(struct jif_service *s, const struct jif_snapshot *snapshot,
		   const void *buffer, size_t size, jif_rtc_fn *fn)
{
	uint64_t tick_ns = s->loop.tick_ns, rtc_ns = read_rtc(fn);
	uint64_t now = jif_service_now(s), ran = s->loop.ran, saved;
	uint64_t rtc = at_tick(s, now, rtc_ns) / tick_ns;
	int n;

	n = jif_snapshot_clock(buffer, size, &saved);
	if (n)
		return n;
	/* As jif_snapshot_restore() has it; of one tick, it is so, too. */
	if (saved > rtc)
		rtc = saved;
	now /= tick_ns;
	JIF_STORE(&s->loop.ran, now - (rtc - saved), RELAXED);
	n = jif_snapshot_restore(snapshot, buffer, size, (uint32_t)now, rtc);
	if (n < 0) {
		JIF_STORE(&s->loop.ran, ran, RELAXED);
		return n;
	}
	own_keys(s);
	jif_loop_kick(&s->loop);
	return n;
}

int jif_service_restore(struct jif_service *s,
			const struct jif_snapshot *snapshot, const void *buffer,
			size_t size, jif_rtc_fn *rtc)
{
	int n;

	if (is_inherited(&s->loop))
		return -JIF_ECANCELED;
	jif_service_lock(s);
	n = refuse(s, snapshot);
	if (!n && !takes_more(s))
		n = -JIF_ECANCELED;
	if (!n) {
		jif_inbox_sort(s, -1u);
		n = restore(s, snapshot, buffer, size, rtc);
	}
	jif_service_unlock(s);
	return n;
}
