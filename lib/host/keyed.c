/* SPDX-License-Identifier: MIT */
/*
 * lib/host/keyed.c - the timers by key of a service
 *
 * A key is in the table or waits for a worker, and is pending in either. One
 * that expires once is never in both.
 *
 * WHAT AN ENTRY KEEPS
 *
 * Armed for a tick that the wheel reaches, @left is its phase: by how much its
 * time is before that tick. Armed for one that it does not reach, @left is FAR
 * and a number of rounds: its timer expires so often before that tick, each
 * time as far ahead as the wheel reaches, and it has no phase. Paused, @left is
 * what it has left in ticks, rounded up, and @remaining of its timer, which is
 * idle then, its phase. A phase has units of unit_of(), to fit into 31 bits.
 */
#define _GNU_SOURCE 1
#include "calls.h"

static struct jif_entry *find_entry(struct jif_service *s, struct jif_key key)
{
	jif_link_t link = (jif_link_t)jif_table_find(&s->table, key);

	return link ? entry_at(&s->table, link) : NULL;
}

/* One that is in the table, and armed. */
static void keep_left(struct jif_service *s, struct jif_key key, uint32_t left)
{
	jif_link_t link = (jif_link_t)jif_table_find(&s->table, key);

	entry_at(&s->table, link)->left = left;
}

/* It is in the table, with bytes of the caller's. */
static void own_bytes(struct jif_service *s, struct jif_key key)
{
	struct jif_entry *entry = key.bytes ? find_entry(s, key) : NULL;

	if (entry)
		entry->key = jif_calls_copy(s, key,
					    (size_t)(entry - s->table.entries));
}

#define FAR UINT32_C(0x80000000)

static uint64_t unit_of(const struct jif_service *s)
{
	return s->loop.tick_ns / FAR + 1;
}

/* Of an armed entry. */
static uint64_t phase_ns(const struct jif_service *s,
			 const struct jif_entry *entry)
{
	return entry->left & FAR ? 0 : entry->left * unit_of(s);
}

/*
 * Where its timer goes first if it is armed for @tick, and its @left. What is
 * past, or has slack, has no phase: its time is its tick.
 */
static uint32_t first_tick(struct jif_service *s, uint64_t tick,
			   uint64_t due_ns, uint32_t *left)
{
	uint64_t phase, rounds = 0;

	if (!jif_loop_reach(&s->loop, tick))
		rounds = (tick - tick_now(s) - 1) / JIF_DELAY_MAX;
	phase = tick * s->loop.tick_ns - due_ns;
	*left = 0;
	if (rounds)
		*left = FAR | (uint32_t)rounds;
	else if (phase < s->loop.tick_ns)
		*left = (uint32_t)(phase / unit_of(s));
	return (uint32_t)(tick - rounds * JIF_DELAY_MAX);
}

/* It is in the table; returns whether it was armed. */
static int move_to(struct jif_service *s, struct jif_key key, uint64_t tick,
		   uint64_t due_ns)
{
	uint32_t left, first = first_tick(s, tick, due_ns, &left);
	int was = jif_table_move(&s->table, key, first);

	if (was >= 0)
		keep_left(s, key, left);
	jif_loop_armed(&s->loop, tick);
	return was;
}

static uint64_t due_of(const struct jif_service *s,
		       const struct jif_entry *entry)
{
	uint32_t ticks = jif_timer_expires(&s->loop.wheel, &entry->timer) -
			 jif_wheel_clock(&s->loop.wheel);
	uint64_t due = tick_now(s) + ticks;

	if (entry->left & FAR)
		due += (uint64_t)(entry->left & ~FAR) * JIF_DELAY_MAX;
	if (due > UINT64_MAX / s->loop.tick_ns)
		return UINT64_MAX;
	return due * s->loop.tick_ns - phase_ns(s, entry);
}

static void expire_timer(struct jif_timer *timer)
{
	struct jif_entry *entry =
		jif_container_of(timer, struct jif_entry, timer);
	struct jif_service *s =
		jif_container_of(entry->table, struct jif_service, table);
	struct jif_wheel *wheel = &s->loop.wheel;

	if (entry->left & FAR) {
		entry->left -= entry->left == (FAR | 1) ? entry->left : 1;
		(void)!jif_timer_add(wheel, timer,
				     jif_wheel_clock(wheel) + JIF_DELAY_MAX);
	} else {
		s->left = entry->left;
		s->expire_entry(timer);
	}
}

int jif_keys_init(struct jif_service *s)
{
	int err = jif_table_init(&s->table);

	s->expire_entry = err ? NULL : s->table.entries->timer.fn;
	for (jif_link_t i = 0; !err && i < s->table.capacity; i++)
		s->table.entries[i].timer.fn = expire_timer;
	return err;
}

/* What is missed is none of its times, of which it may have been the last. */
static void give_back(struct jif_service *s, struct jif_key key, void *value,
		      uint32_t period)
{
	const struct jif_entry *entry = find_entry(s, key);
	uint32_t times = entry ? entry->times : 0;
	struct jif_schedule next = { jif_wheel_clock(&s->loop.wheel) + period,
				     period, times + (times != JIF_FOREVER),
				     JIF_CATCHUP_EACH };

	(void)!jif_table_set(&s->table, key, value, next);
	own_bytes(s, key);
}

/* The table has armed a key of several times for the next one. */
static uint32_t skip_missed(struct jif_service *s, struct jif_key key)
{
	const struct jif_entry *entry = find_entry(s, key);
	uint64_t next, phase;
	uint32_t missed;

	if (!entry)
		return 0;
	next = jif_calls_next_tick(s, tick_now(s), entry->period,
				   s->key_catchup, &missed);
	if (!missed)
		return 0;
	phase = phase_ns(s, entry);
	if (s->key_catchup == JIF_CATCHUP_RESTART)
		phase = 0;
	move_to(s, key, next, next * s->loop.tick_ns - phase);
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
	if (entry)
		entry->left = s->left;
	w->keyed = true;
	w->overlaps = !s->key_order;
	w->due = tick_now(s);
	w->again = s->key_catchup == JIF_CATCHUP_EACH;
	w->period = entry ? entry->period : 0;
	call.missed = skip_missed(s, key);
	call.due_ns = w->due * s->loop.tick_ns;
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
	/* The service knows what is missed. */
	struct jif_schedule schedule = { .times = when.times,
					 .catchup = JIF_CATCHUP_EACH };
	uint32_t left;
	uint64_t tick;
	int err = jif_calls_tick(s, when, &tick);

	jif_loop_check(&s->loop, when.expires_ns, s, NULL);
	if (err)
		return err;
	if (key.bytes && s->key_bytes && key.number > s->key_size)
		return jif_invalid("a key is longer than @key_size", s);
	if (!replace && jif_calls_find(s, key))
		return -JIF_EEXIST;
	schedule.expires = first_tick(s, tick, when.expires_ns, &left);
	schedule.period = (uint32_t)(when.period_ns / s->loop.tick_ns);
	err = (replace ? jif_table_set : jif_table_add)(&s->table, key, value,
							schedule);
	if (err >= 0) {
		own_bytes(s, key);
		keep_left(s, key, left);
		jif_loop_armed(&s->loop, tick);
	}
	return err;
}

/* Takes the lock, or says why no timer of a key can be armed. */
static int enter_for_key(struct jif_service *s)
{
	int err = 0;

	if (!enter_to_arm(s))
		return -JIF_ECANCELED;
	if (!s->table.entries)
		err = jif_invalid("a service has no table for keys", s);
	else if (!takes_more(s))
		err = -JIF_ECANCELED;
	if (err)
		leave(s);
	return err;
}

/* With @replace, also what waits for a worker. */
static int arm_key(struct jif_service *s, struct jif_key key, void *value,
		   struct jif_times when, bool replace)
{
	int err = enter_for_key(s);

	if (!err) {
		err = put_key(s, key, value, when, replace);
		if (err >= 0 && replace && pull_key(s, key))
			err = 1;
		leave(s);
	}
	return jif_calls_refuse(s, err, s, NULL);
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
	struct jif_times when = jif_times_once(expires_ns);
	struct jif_call *call = jif_calls_find(s, key);
	uint64_t tick;
	int err = jif_calls_tick(s, when, &tick);

	if (!err)
		err = move_to(s, key, tick, expires_ns);
	if (err == -JIF_ENOENT && call)
		err = put_key(s, call->key, call->value, when, true);
	if (err >= 0 && pull_key(s, key))
		err = 1;
	return err;
}

int jif_service_move(struct jif_service *s, struct jif_key key,
		     uint64_t expires_ns)
{
	int err = enter_for_key(s);

	if (!err) {
		err = move_key(s, key, expires_ns);
		leave(s);
	}
	return jif_calls_refuse(s, err, s, NULL);
}

/* Armed or paused; one that jif_table_pause() has paused has no phase. */
static uint64_t key_left_ns(const struct jif_service *s,
			    const struct jif_entry *entry)
{
	uint64_t left = entry->left * s->loop.tick_ns;

	if (jif_timer_pending(&entry->timer))
		return ns_until(s, due_of(s, entry));
	if (entry->state != KEY_PAUSED)
		return 0;
	if (!entry->timer.next)
		left -= entry->timer.remaining * unit_of(s);
	return left;
}

static void keep_paused(const struct jif_service *s, struct jif_entry *entry,
			uint64_t left)
{
	uint64_t tick_ns = s->loop.tick_ns;
	uint64_t ticks = left / tick_ns + (left % tick_ns != 0);

	entry->left = (uint32_t)ticks;
	entry->timer.next = NULL;
	entry->timer.remaining =
		(uint32_t)((ticks * tick_ns - left) / unit_of(s));
}

static int pause_key(struct jif_service *s, struct jif_key key)
{
	struct jif_entry *entry = find_entry(s, key);
	int err = -JIF_ENOENT;
	uint64_t left;

	if (entry) {
		left = key_left_ns(s, entry);
		err = jif_table_pause(&s->table, key);
	}
	if (!err) {
		keep_paused(s, entry, left);
		pull_key(s, key);
	}
	if (err == -JIF_ENOENT && jif_calls_find(s, key))
		err = -JIF_EBUSY;
	return err;
}

/* At the first tick at which the time that is left is over. */
static int resume_key(struct jif_service *s, struct jif_key key)
{
	struct jif_entry *entry = find_entry(s, key);
	uint64_t due_ns, tick;

	if (!entry)
		return -JIF_ENOENT;
	if (entry->state != KEY_PAUSED)
		return -JIF_EINVAL;
	due_ns = ns_in(&s->loop, key_left_ns(s, entry));
	tick = tick_after(s, due_ns);
	move_to(s, key, tick, due_ns);
	return 0;
}

int jif_service_pause(struct jif_service *s, struct jif_key key)
{
	int err = enter_for_key(s);

	if (!err) {
		err = pause_key(s, key);
		leave(s);
	}
	return err;
}

int jif_service_resume(struct jif_service *s, struct jif_key key)
{
	int err = enter_for_key(s);

	if (!err) {
		err = resume_key(s, key);
		leave(s);
	}
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
		left = key_left_ns(s, entry);
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
