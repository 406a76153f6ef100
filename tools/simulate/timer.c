/* SPDX-License-Identifier: MIT */
/* What can be done to a timer of the scenario */
#include <inttypes.h>
#include <stdlib.h>

#include <jif/trace.h>

#include "sim.h"

/* The engine's callbacks have no argument for it. */
static struct sim *running;
static jif_trace_fn *recorder; /* or NULL */

/*
 * SplitMix64: G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom
 * Number Generators, OOPSLA 2014.
 */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* A delay of a line; each is as likely as any other. */
static int64_t random_delay(struct sim *sim, const struct stmt *stmt)
{
	uint64_t choices =
		(uint64_t)(stmt->period.ticks - stmt->span.ticks) + 1;
	uint64_t whole = UINT64_MAX - UINT64_MAX % choices;
	uint64_t number;

	do {
		number = random_next(&sim->random[stmt->index]);
	} while (number >= whole);
	return stmt->span.ticks + (int64_t)(number % choices);
}

/* A timer has been armed; if it was pending, in place of another arming. */
static void note_armed(struct sim *sim, bool was_pending)
{
	struct stats *stats = &sim->stats;

	stats->rearmed += was_pending;
	stats->pending -= was_pending;
	if (stats->pending > stats->peak)
		stats->peak = stats->pending;
}

static void note_moved(struct sim *sim, unsigned from, unsigned to)
{
	struct stats *stats = &sim->stats;
	int64_t tick = sim_clock(sim);

	if (to < from)
		stats->moved[from]++;
	else
		stats->again++;
	if (tick != sim->moved_tick)
		sim->moved_now = 0;
	sim->moved_tick = tick;
	if (++sim->moved_now > stats->worst) {
		stats->worst = sim->moved_now;
		stats->worst_tick = tick;
	}
}

/* The engine has put an entry into a slot. */
static void on_event(unsigned what, const struct jif_wheel *wheel,
		     const struct jif_timer *timer, uint32_t value)
{
	struct entry *entry = entry_of(timer);
	bool moved = JIF_TRACE_EVENT(what) == JIF_TRACE_CASCADE;
	struct jif_place place;

	/* A run goes far ahead, but only after a stall is it late. */
	if (JIF_TRACE_EVENT(what) == JIF_TRACE_ENTRY && !running->catching_up)
		value = 0;
	if (recorder)
		recorder(what, wheel, timer, value);
	if (!moved && JIF_TRACE_EVENT(what) != JIF_TRACE_START)
		return;
	place = jif_timer_find(wheel, timer);
	if (moved) {
		note_moved(running, entry->level, place.level);
	} else {
		running->stats.pending++;
		entry->previous = entry->number;
		entry->number = ++running->stats.armed;
	}
	entry->level = place.level;
	expect_placed(running, entry, moved,
		      (struct slot){ (uint8_t)place.level,
				     (uint8_t)place.slot });
}

/*
 * Timers come in the order of their expiries, and those of one tick in the
 * order in which they were armed, unless they were put off.
 */
static void check_order(struct sim *sim, const struct entry *entry,
			int64_t number)
{
	bool same = entry->expires == sim->last_expires;

	if (entry->expires < sim->last_expires ||
	    (same && number && number < sim->last_number))
		sim_fail(sim, "timer '%s' came out of order",
			 entry->timer->name);
	if (number || !same)
		sim->last_number = number;
	sim->last_expires = entry->expires;
}

/*
 * @number: of the arming that has come to its end
 * @missed: calls that this one stands for, beside its own
 *
 * Returns when the main loop got to it.
 */
static int64_t fire(struct sim *sim, struct entry *entry, int64_t number,
		    int64_t missed)
{
	struct stats *stats = &sim->stats;
	int64_t tick = sim_clock(sim);
	int64_t ran = sim->catching_up ? sim->now : tick;
	struct firing firing = { entry->timer, entry->asked, tick, ran,
				 missed };

	stats->fired++;
	stats->pending--;
	stats->late += ran > tick;
	if (ran - tick > stats->latest)
		stats->latest = ran - tick;
	if (tick != entry->expires) {
		stats->off++;
		sim_fail(sim,
			 "timer '%s' fired at tick %" PRId64
			 ", and was armed for tick %" PRId64,
			 entry->timer->name, tick, entry->expires);
	}
	check_order(sim, entry, number);
	expect_fired(&firing);
	report_fired(sim, &firing);
	return ran;
}

/*
 * Notes the tick for which an entry is armed, and returns it as the engine
 * counts it; what is so far in the past that 32 bits cannot tell is just past.
 */
static uint32_t set_expiry(struct sim *sim, struct entry *entry,
			   int64_t expires)
{
	int64_t clock = sim_clock(sim);

	entry->asked = expires;
	entry->expires = expires > clock ? expires : clock + 1;
	return sim_jiffies(sim,
			   clock - expires > JIF_DELAY_MAX ? clock : expires);
}

static void fire_once(struct jif_timer *timer)
{
	struct sim *sim = running;
	struct entry *entry = entry_of(timer);
	int64_t now;

	expect_ended(sim, entry);
	now = fire(sim, entry, entry->number, 0);
	if (entry->random) {
		now += random_delay(sim, entry->random);
		jif_timer_mod(&sim->wheel, timer, set_expiry(sim, entry, now));
		note_armed(sim, false);
	}
	sim->fired(sim, entry->timer);
}

static void check_periodic(struct sim *sim, const struct entry *entry,
			   bool last, int64_t missed)
{
	const struct jif_periodic *periodic = &entry->periodic;

	if (jif_timer_pending(&periodic->timer) == last ||
	    jif_periodic_left(periodic) != entry->left)
		sim_fail(sim,
			 "timer '%s' has %" PRIu32 " calls left, want %" PRIu32,
			 entry->timer->name, jif_periodic_left(periodic),
			 entry->left);
	if (jif_periodic_missed(periodic) != missed)
		sim_fail(sim,
			 "timer '%s' missed %" PRIu32 " calls, want %" PRId64,
			 entry->timer->name, jif_periodic_missed(periodic),
			 missed);
}

/* The engine has armed the next call already. */
static void fire_periodic(struct jif_periodic *periodic)
{
	struct sim *sim = running;
	struct entry *entry =
		jif_container_of(periodic, struct entry, periodic);
	bool last = entry->left == 1;
	int64_t period = entry->cycle->period.ticks;
	int64_t missed = 0;

	if (entry->cycle->catchup != JIF_CATCHUP_EACH)
		missed = (sim->now - entry->expires) / period;
	if (last)
		expect_ended(sim, entry);
	fire(sim, entry, last ? entry->number : entry->previous, missed);
	if (missed && entry->cycle->catchup == JIF_CATCHUP_RESTART)
		entry->expires = sim->now + period;
	else
		entry->expires += (missed + 1) * period;
	entry->asked = entry->expires;
	if (entry->left != JIF_FOREVER)
		entry->left--;
	check_periodic(sim, entry, last, missed);
	note_armed(sim, false);
	sim->fired(sim, entry->timer);
}

/* Takes an entry off, so that it may be armed in any way. */
static bool stop(struct sim *sim, struct entry *entry)
{
	bool pending = jif_timer_pending(&entry->periodic.timer);

	if (entry->cycle)
		jif_periodic_stop(&entry->periodic);
	else
		jif_timer_del(&sim->wheel, &entry->periodic.timer);
	if (pending)
		expect_ended(sim, entry);
	return pending;
}

void timer_arm(struct sim *sim, struct timer *timer, int64_t expires)
{
	struct entry *entry = &timer->entry;
	struct jif_timer *jif = &entry->periodic.timer;
	bool pending = jif_timer_pending(jif);
	uint32_t jiffies;

	if (entry->cycle) {
		stop(sim, entry);
		jif_timer_init(jif, fire_once);
		entry->cycle = NULL;
	}
	jiffies = set_expiry(sim, entry, expires);
	if (jif_timer_pending(jif))
		jif_timer_mod(&sim->wheel, jif, jiffies);
	else if (jif_timer_add(&sim->wheel, jif, jiffies))
		sim_fail(sim, "timer '%s' cannot be armed", timer->name);
	note_armed(sim, pending);
}

void timer_start(struct sim *sim, struct entry *entry, int64_t expires,
		 const struct stmt *cycle)
{
	bool pending = stop(sim, entry);
	uint32_t count = cycle->number ? (uint32_t)cycle->number : JIF_FOREVER;

	jif_periodic_init(&entry->periodic, fire_periodic, cycle->catchup);
	entry->cycle = cycle;
	entry->left = count;
	set_expiry(sim, entry, expires);
	if (jif_periodic_start(&sim->wheel, &entry->periodic,
			       (uint32_t)(expires - sim_clock(sim)),
			       (uint32_t)cycle->period.ticks, count))
		sim_fail(sim, "timer '%s' cannot be started",
			 entry->timer->name);
	note_armed(sim, pending);
}

void timer_postpone(struct sim *sim, struct timer *timer, int64_t expires)
{
	struct entry *entry = &timer->entry;
	struct jif_timer *jif = &entry->periodic.timer;
	int64_t armed = sim->stats.armed;

	if (entry->cycle || !jif_timer_pending(jif)) {
		timer_arm(sim, timer, expires);
		return;
	}
	jif_timer_postpone(&sim->wheel, jif, set_expiry(sim, entry, expires));
	if (sim->stats.armed != armed) {
		note_armed(sim, true);
		return;
	}
	entry->number = 0;
	sim->stats.postponed++;
}

bool timer_cancel(struct sim *sim, struct timer *timer)
{
	struct entry *entry = &timer->entry;
	int64_t cancelled = 0;

	for (; entry; entry = entry->next)
		cancelled += stop(sim, entry);
	sim->stats.cancelled += cancelled;
	sim->stats.pending -= cancelled;
	return cancelled;
}

static void drain_one(struct jif_timer *timer)
{
	struct entry *entry = entry_of(timer);

	expect_ended(running, entry);
	check_order(running, entry, entry->number);
	stop(running, entry);
	running->stats.drained++;
	running->stats.pending--;
}

void timer_drain(struct sim *sim)
{
	sim->last_expires = sim_clock(sim);
	jif_wheel_drain(&sim->wheel, drain_one);
	sim->last_expires = sim_clock(sim);
}

void timer_arm_random(struct sim *sim, struct timer *timer,
		      const struct stmt *random)
{
	timer->entry.random = random;
	timer_arm(sim, timer, sim->now + random_delay(sim, random));
}

struct entry *timer_add_alarm(struct timer *timer)
{
	struct entry *entry = mem_alloc(1, sizeof(*entry));

	entry->timer = timer;
	entry->next = timer->entry.next;
	timer->entry.next = entry;
	jif_timer_init(&entry->periodic.timer, fire_once);
	return entry;
}

void timer_init(struct timer *timer, const char *name)
{
	timer->name = name;
	timer->entry.timer = timer;
	jif_timer_init(&timer->entry.periodic.timer, fire_once);
}

void timer_init_all(struct sim *sim)
{
	const struct names *names = &sim->scenario->names;

	running = sim;
	recorder = jif_trace;
	jif_trace = on_event;
	sim->timers = mem_alloc(names->count, sizeof(*sim->timers));
	for (uint32_t i = 0; i < names->count; i++)
		timer_init(&sim->timers[i], names->name[i].text);
}

void timer_free_all(struct sim *sim)
{
	jif_trace = NULL;
	running = NULL;
	for (uint32_t i = 0; i < sim->scenario->names.count; i++) {
		struct entry *entry = &sim->timers[i].entry;
		struct entry *alarm;

		trail_free(entry->trail);
		while ((alarm = entry->next)) {
			entry->next = alarm->next;
			trail_free(alarm->trail);
			free(alarm);
		}
	}
	free(sim->timers);
}
