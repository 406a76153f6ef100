/* SPDX-License-Identifier: MIT */
/*
 * lib/host/keyed.c - the timers by key of a service
 *
 * A key is in the table or waits for a worker, and is pending in either. One
 * that expires once is never in both.
 */
#define _GNU_SOURCE 1
#include "../catchup.h"
#include "calls.h"

static struct jif_entry *find_entry(struct jif_service *s, struct jif_key key)
{
	jif_link_t link = (jif_link_t)jif_table_find(&s->table, key);

	return link ? entry_at(&s->table, link) : NULL;
}

/* It is in the table, with bytes of the caller's. */
static void own_bytes(struct jif_service *s, struct jif_key key)
{
	struct jif_entry *entry = key.bytes ? find_entry(s, key) : NULL;

	if (entry)
		entry->key = jif_calls_copy(s, key,
					    (size_t)(entry - s->table.entries));
}

/* What is missed is none of its times, of which it may have been the last. */
static void give_back(struct jif_service *s, struct jif_key key, void *value,
		      uint32_t period)
{
	const struct jif_entry *entry = find_entry(s, key);
	uint32_t times = entry ? entry->times : 0;

	times += times != JIF_FOREVER;
	(void)!jif_table_set(&s->table, key, value,
			     jif_every(jif_wheel_clock(&s->loop.wheel) + period,
				       period, times));
	own_bytes(s, key);
}

/* The table has armed a key of several times for the next one. */
static uint32_t skip_missed(struct jif_service *s, struct jif_key key)
{
	const struct jif_wheel *wheel = &s->loop.wheel;
	struct jif_entry *entry = find_entry(s, key);
	uint32_t period = entry ? entry->period : 0;
	uint32_t missed = jif_calls_missed(s, period, s->key_catchup);

	if (missed)
		jif_table_move(&s->table, key,
			       next_grid(wheel->target, jif_wheel_clock(wheel),
					 period, missed, s->key_catchup));
	return missed;
}

void jif_service_expire_key(struct jif_table *table, struct jif_key key,
			    void *value)
{
	struct jif_service *s =
		jif_container_of(table, struct jif_service, table);
	struct jif_call call = { .key = key, .value = value };
	struct jif_waiting *w = &call.waiting;
	struct jif_call *queued = jif_calls_find(s, key);
	struct jif_entry *entry;

	/* The service stops: it is pending again. */
	if (s->state != RUNNING) {
		(void)!jif_table_set(&s->table, key, value,
				     jif_once(jif_wheel_clock(&s->loop.wheel)));
		return;
	}
	if (queued && s->key_catchup != JIF_CATCHUP_EACH)
		give_back(s, key, value, queued->waiting.period);
	entry = find_entry(s, key);
	w->keyed = true;
	w->overlaps = !s->key_order;
	w->due = tick_now(s);
	w->again = s->key_catchup == JIF_CATCHUP_EACH;
	w->period = entry ? entry->period : 0;
	call.missed = skip_missed(s, key);
	call.due_ns = w->due * s->loop.tick_ns;
	if (s->order_of)
		w->order = s->order_of(s, key, value);
	jif_calls_begin(s, queued ? &queued->waiting : NULL, &call);
}

/* What waits for a worker does not run. Returns how many calls there were. */
static int pull_key(struct jif_service *s, struct jif_key key)
{
	struct jif_call *call = jif_calls_find(s, key);

	return call ? (int)jif_calls_pull(s, &call->waiting) : 0;
}

static int cancel_key(struct jif_service *s, const struct jif_call *what)
{
	int n = pull_key(s, what->key);

	return n + !jif_table_remove(&s->table, what->key);
}

/* Puts it into the table if it can, by jif_table_set() or jif_table_add(). */
static int put_key(struct jif_service *s, struct jif_key key, void *value,
		   struct jif_times when, bool replace)
{
	struct jif_schedule schedule = { .times = when.times };
	uint64_t tick;
	int err = jif_calls_tick(s, when, &tick);

	jif_loop_check(&s->loop, when.expires_ns, s, NULL);
	if (err)
		return err;
	if (key.bytes && s->key_bytes && key.number > s->key_size)
		return -JIF_EINVAL;
	if (!replace && jif_calls_find(s, key))
		return -JIF_EEXIST;
	schedule.expires = (uint32_t)tick;
	schedule.period = (uint32_t)(when.period_ns / s->loop.tick_ns);
	err = (replace ? jif_table_set : jif_table_add)(&s->table, key, value,
							schedule);
	if (err >= 0) {
		own_bytes(s, key);
		jif_loop_armed(&s->loop, tick);
	}
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

	if (!enter_to_arm(s))
		return -JIF_ECANCELED;
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

/* It is in the table, or waits for a worker, or is in neither. */
static int move_key(struct jif_service *s, struct jif_key key,
		    uint64_t expires_ns)
{
	struct jif_call *call = jif_calls_find(s, key);
	uint64_t tick;
	int err = jif_loop_tick(&s->loop, expires_ns, &tick);

	if (!err)
		err = jif_table_move(&s->table, key, (uint32_t)tick);
	if (err == -JIF_ENOENT && call)
		err = put_key(s, call->key, call->value,
			      jif_times_once(expires_ns), true);
	else if (err >= 0)
		jif_loop_armed(&s->loop, tick);
	if (err >= 0 && pull_key(s, key))
		err = 1;
	return err;
}

int jif_service_move(struct jif_service *s, struct jif_key key,
		     uint64_t expires_ns)
{
	int err;

	if (!enter_to_arm(s))
		return -JIF_ECANCELED;
	err = reject_key(s);
	if (!err)
		err = move_key(s, key, expires_ns);
	leave(s);
	return err;
}

/*
 * What is left is kept finer than in ticks, so that pauses add up to nothing:
 * @left of a paused key and the expiry of an armed one are rounded up, by so
 * many 2^-20 of a tick, which are kept in what the other one does not use.
 */
#define FINE 20

static uint64_t excess_ns(const struct jif_service *s, uint32_t excess)
{
	return excess * s->loop.tick_ns >> FINE;
}

static uint64_t key_left_ns(const struct jif_service *s,
			    const struct jif_entry *entry, uint64_t now)
{
	uint64_t due = entry->left * s->loop.tick_ns;
	uint32_t ticks;

	if (!jif_timer_pending(&entry->timer))
		return due ? due - excess_ns(s, entry->timer.remaining) : 0;
	ticks = jif_timer_expires(&s->loop.wheel, &entry->timer) -
		jif_wheel_clock(&s->loop.wheel);
	due = (tick_now(s) + ticks) * s->loop.tick_ns;
	due -= excess_ns(s, entry->left);
	return due > now ? due - now : 0;
}

static void keep_left(struct jif_service *s, struct jif_entry *entry,
		      uint64_t left)
{
	uint64_t tick_ns = s->loop.tick_ns;
	uint64_t ticks = (left + tick_ns - 1) / tick_ns;

	entry->left = (uint32_t)ticks;
	entry->timer.remaining =
		(uint32_t)(((ticks * tick_ns - left) << FINE) / tick_ns);
}

/* At the first tick that is not before the time that is left is over. */
static int resume_key(struct jif_service *s, struct jif_key key, uint64_t left)
{
	uint64_t due = jif_service_now(s) + left, tick;
	int err = jif_loop_tick(&s->loop, due, &tick);

	if (!err)
		err = jif_table_move(&s->table, key, (uint32_t)tick);
	if (err < 0)
		return err;
	if (tick * s->loop.tick_ns - due < s->loop.tick_ns)
		find_entry(s, key)->left =
			(uint32_t)(((tick * s->loop.tick_ns - due) << FINE) /
				   s->loop.tick_ns);
	jif_loop_armed(&s->loop, tick);
	return 0;
}

int jif_service_pause(struct jif_service *s, struct jif_key key)
{
	struct jif_entry *entry;
	uint64_t left = 0;
	int err;

	if (!enter_to_arm(s))
		return -JIF_ECANCELED;
	err = reject_key(s);
	entry = err ? NULL : find_entry(s, key);
	if (entry)
		left = key_left_ns(s, entry, jif_service_now(s));
	if (!err)
		err = jif_table_pause(&s->table, key);
	if (!err)
		keep_left(s, entry, left);
	if (err == -JIF_ENOENT && jif_calls_find(s, key))
		err = -JIF_EBUSY;
	leave(s);
	return err;
}

int jif_service_resume(struct jif_service *s, struct jif_key key)
{
	struct jif_entry *entry;
	uint64_t left = 0;
	int err;

	if (!enter_to_arm(s))
		return -JIF_ECANCELED;
	err = reject_key(s);
	entry = err ? NULL : find_entry(s, key);
	if (entry)
		left = key_left_ns(s, entry, 0);
	if (!err)
		err = jif_table_resume(&s->table, key);
	if (!err)
		err = resume_key(s, key, left);
	leave(s);
	return err;
}

uint64_t jif_service_left(struct jif_service *s, struct jif_key key)
{
	struct jif_entry *entry;
	uint64_t left = 0;

	if (!try_enter(s))
		return 0;
	entry = s->table.entries ? find_entry(s, key) : NULL;
	if (entry)
		left = key_left_ns(s, entry, jif_service_now(s));
	leave(s);
	return left;
}

unsigned jif_service_count(struct jif_service *s)
{
	unsigned n = 0;

	if (!try_enter(s))
		return 0;
	n = jif_table_count(&s->table);
	leave(s);
	return n;
}

int jif_service_remove(struct jif_service *s, struct jif_key key)
{
	struct jif_call what = { .key = key };
	int err = -JIF_ECANCELED;

	if (!try_enter(s))
		return err;
	if (s->table.entries && cancel_key(s, &what))
		err = 0;
	else if (s->state == RUNNING)
		err = -JIF_ENOENT;
	leave(s);
	return err;
}

int jif_service_remove_sync(struct jif_service *s, struct jif_key key)
{
	struct jif_call what = { .key = key };

	if (!s->table.entries)
		return 0;
	return jif_calls_cancel_sync(s, &what, cancel_key);
}
