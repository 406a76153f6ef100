/* SPDX-License-Identifier: MIT */
/*
 * run.c - let time pass, and do what the scenario says
 *
 * Events wait in a heap. From one stop to the next the wheel is
 * run in one go, however far that is: it is the engine that jumps.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "sim.h"

/* What a scenario does when a timer fires, line by line. */
struct hook {
	struct hook *next; /* of the same timer */
	const struct stmt *stmt;
	const struct ref *refs; /* whom it is done to */
	size_t n_refs;
};

/* What happens on one tick after the expiries, behind the lines of the file. */
#define CHECKS	 ((uint64_t)1 << 48)
#define DRAWINGS ((uint64_t)2 << 48)

/* Something to be done. */
struct event {
	int64_t tick;
	uint64_t order;		 /* the place in the file, or behind that */
	const struct stmt *stmt; /* NULL: a drawing */
	size_t row;		 /* of an import: the next row */
};

static bool is_before(const struct event *a, const struct event *b)
{
	return a->tick < b->tick || (a->tick == b->tick && a->order < b->order);
}

static void queue_add(struct sim *sim, struct event event)
{
	size_t at = sim->n_events;
	struct event *events;

	mem_add(sim->events, sim->n_events, event);
	events = sim->events;
	for (; at && is_before(&event, &events[(at - 1) / 2]);
	     at = (at - 1) / 2)
		events[at] = events[(at - 1) / 2];
	events[at] = event;
}

static struct event queue_take(struct sim *sim)
{
	struct event *events = sim->events;
	struct event first = events[0];
	struct event last = events[--sim->n_events];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < sim->n_events) {
		if (child + 1 < sim->n_events &&
		    is_before(&events[child + 1], &events[child]))
			child++;
		if (is_before(&last, &events[child]))
			break;
		events[at] = events[child];
		at = child;
	}
	events[at] = last;
	return first;
}

/* Runs the wheel up to a tick, and sees that it gets there. */
static void run_wheel(struct sim *sim, int64_t tick)
{
	int64_t fired = sim->stats.fired;
	unsigned ran;

	sim->now = tick;
	ran = jif_wheel_run(&sim->wheel, sim_jiffies(sim, tick));
	if (ran != (unsigned)(sim->stats.fired - fired))
		sim_fail(sim,
			 "the wheel says that it ran %u callbacks at "
			 "tick %" PRId64,
			 ran, tick);
	if (sim_clock(sim) != tick)
		sim_fail(sim, "the wheel did not get to tick %" PRId64, tick);
}

/*
 * How far the wheel may be run in one go. Callbacks that look at the time must
 * not find themselves late.
 */
static int64_t next_stop(struct sim *sim, int64_t tick)
{
	uint32_t next;

	if (tick - sim->now > JIF_DELAY_MAX)
		tick = sim->now + JIF_DELAY_MAX;
	if (sim->each_expiry && jif_wheel_next_expiry(&sim->wheel, &next) &&
	    sim_tick(sim, next) < tick)
		tick = sim_tick(sim, next);
	return tick;
}

/* Time passes; where the main loop is not stuck, it runs the wheel. */
static void pass(struct sim *sim, int64_t tick)
{
	if (sim->stalled > tick) {
		sim->now = tick;
		return;
	}
	if (sim->stalled > sim->now) {
		sim->catching_up = true;
		run_wheel(sim, sim->stalled);
		sim->catching_up = false;
	}
	while (sim->now < tick)
		run_wheel(sim, next_stop(sim, tick));
}

/* Alarms at the first time after now at which it is that time of that day. */
static void arm_alarms(struct sim *sim, const struct stmt *stmt)
{
	int64_t week = stmt->period.ticks;

	for (unsigned day = 0; day < 7; day++) {
		int64_t first = (int64_t)day * DAY_US + stmt->at.us;
		int64_t wait =
			(first / sim->scenario->tick_us - sim->now) % week;

		if (wait <= 0)
			wait += week;
		for (size_t i = 0; stmt->days >> day & 1 && i < stmt->n_refs;
		     i++)
			timer_start(
				sim,
				timer_add_alarm(&sim->timers[stmt->refs[i].id]),
				sim->now + wait, stmt);
	}
}

static void do_timer(struct sim *sim, const struct stmt *stmt,
		     struct timer *timer)
{
	int64_t expires = sim->now + stmt->span.ticks;

	if (stmt->kind == STMT_CANCEL)
		timer_cancel(sim, timer);
	else if (stmt->kind == STMT_POSTPONE)
		timer_postpone(sim, timer, expires);
	else if (stmt->kind == STMT_RANDOM)
		timer_arm_random(sim, timer, stmt);
	else if (stmt->period.ticks)
		timer_start(sim, &timer->entry, expires, stmt);
	else
		timer_arm(sim, timer, expires);
}

static void do_action(struct sim *sim, const struct stmt *stmt,
		      const struct ref *refs, size_t n_refs)
{
	if (stmt->kind == STMT_DRAIN)
		timer_drain(sim);
	for (size_t i = 0; i < n_refs; i++)
		do_timer(sim, stmt, &sim->timers[refs[i].id]);
}

/* In its callback. */
static void do_hooks(struct sim *sim, const struct timer *timer)
{
	for (const struct hook *hook = timer->hooks; hook; hook = hook->next)
		do_action(sim, hook->stmt, hook->refs, hook->n_refs);
}

static void do_line(struct sim *sim, const struct stmt *stmt)
{
	int64_t stalled = sim->now + stmt->span.ticks;

	if (stmt->kind == STMT_WEEKLY)
		arm_alarms(sim, stmt);
	else if (stmt->kind != STMT_STALL && stmt->kind != STMT_STARVE)
		do_action(sim, stmt, stmt->refs, stmt->n_refs);
	else if (stalled > sim->stalled)
		sim->stalled = stalled;
}

static void do_row(struct sim *sim, const struct row *row)
{
	struct timer *timer = &sim->timers[row->id];

	if (row->op == ROW_START)
		timer_arm(sim, timer, sim->scenario->start + row->expires);
	else if (row->op == ROW_CANCEL && !timer_cancel(sim, timer))
		++*(row->pending ? &sim->stats.missed : &sim->stats.idle);
}

/* Does the rows of this tick, and comes back for the next ones. */
static void do_rows(struct sim *sim, struct event event)
{
	const struct trace *trace = event.stmt->trace;
	int64_t tick = sim->now - sim->scenario->start;

	while (event.row < trace->n_rows && trace->rows[event.row].tick == tick)
		do_row(sim, &trace->rows[event.row++]);
	if (event.row == trace->n_rows)
		return;
	event.tick = sim->scenario->start + trace->rows[event.row].tick;
	queue_add(sim, event);
}

static void do_event(struct sim *sim, struct event event)
{
	const struct stmt *stmt = event.stmt;

	if (!stmt) {
		report_frame(sim);
	} else if (stmt_is_expectation(stmt)) {
		expect_check(sim, stmt);
	} else if (stmt->kind == STMT_IMPORT) {
		do_rows(sim, event);
	} else {
		do_line(sim, stmt);
		event.tick += stmt->step.ticks;
		if (stmt->step.ticks && event.tick <= stmt->until.tick)
			queue_add(sim, event);
	}
}

/* Is there something to be done at the time of a statement? */
static bool is_event(const struct stmt *stmt)
{
	return stmt->kind >= STMT_IN ||
	       (stmt->kind > STMT_RUN && !stmt_is_expectation(stmt) &&
		!stmt->n_on);
}

static void queue_init(struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	uint64_t drawings = sim->options->wheels;
	int64_t ticks = scenario->end - scenario->start;
	struct event event = { 0 };

	for (size_t i = 0; i < scenario->n_stmts; i++) {
		const struct stmt *stmt = &scenario->stmts[i];

		if (!is_event(stmt))
			continue;
		event.order = i + (stmt->kind >= STMT_IN ? CHECKS : 0);
		event.stmt = stmt;
		event.tick = stmt->at.base != WHEN_NONE ? stmt->at.tick :
							  scenario->start;
		if (stmt->trace && stmt->trace->n_rows)
			event.tick += stmt->trace->rows[0].tick;
		queue_add(sim, event);
	}
	event.order = DRAWINGS;
	event.stmt = NULL;
	for (uint64_t i = 0; i < drawings; i++, event.order++) {
		event.tick = scenario->start;
		if (i)
			event.tick += (int64_t)((double)ticks * (double)i /
						(double)(drawings - 1));
		queue_add(sim, event);
	}
}

/* Hooks a line to all timers that it is about: of as many, one by one. */
static struct hook *hook_to(struct sim *sim, const struct stmt *stmt,
			    struct hook *hook)
{
	bool pairs = stmt->n_on > 1 && stmt->n_refs > 1;

	for (size_t i = 0; i < stmt->n_on; i++, hook++) {
		struct timer *timer = &sim->timers[stmt->on[i].id];

		*hook = (struct hook){
			.next = timer->hooks,
			.stmt = stmt,
			.refs = pairs ? &stmt->refs[i] : stmt->refs,
			.n_refs = pairs ? 1 : stmt->n_refs,
		};
		timer->hooks = hook;
	}
	return hook;
}

/* From the last line to the first, so that they are done in order. */
static void init_hooks(struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	struct hook *hook;
	size_t n_hooks = 0;

	for (size_t i = 0; i < scenario->n_stmts; i++) {
		n_hooks += scenario->stmts[i].n_on;
		sim->each_expiry |= scenario->stmts[i].n_on ||
				    scenario->stmts[i].catchup !=
					    JIF_CATCHUP_EACH;
	}
	sim->hooks = hook = mem_alloc(n_hooks, sizeof(*hook));
	for (size_t i = scenario->n_stmts; i--;)
		hook = hook_to(sim, &scenario->stmts[i], hook);
	sim->fired = do_hooks;
}

/* The seed of the command line is that of the first line that needs one. */
static void init_random(struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	uint64_t seed = sim->options->seed;

	sim->random = mem_alloc(scenario->n_stmts, sizeof(*sim->random));
	for (size_t i = 0; i < scenario->n_stmts; i++)
		if (scenario->stmts[i].kind == STMT_RANDOM)
			sim->random[i] = sim->options->has_seed ?
						 seed++ :
						 scenario->stmts[i].seed;
}

void run_start(struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	uint32_t start = (uint32_t)(scenario->start %
				    (level_ticks[DAY] * JIF_DAY_SLOTS));

	sim->now = sim->stalled = scenario->start;
	sim->moved_tick = -1;
	jif_wheel_init_at(&sim->wheel, sim_jiffies(sim, scenario->start),
			  start / level_ticks[DAY],
			  start / level_ticks[HOUR] % JIF_HOUR_SLOTS,
			  start / level_ticks[MIN] % JIF_MIN_SLOTS,
			  start % JIF_SEC_SLOTS);
	if (sim->begun)
		sim->begun(sim);
	init_random(sim);
	timer_init_all(sim);
	init_hooks(sim);
	expect_init(sim);
	queue_init(sim);
}

bool run_next(struct sim *sim, int64_t *tick)
{
	if (sim->n_events)
		*tick = sim->events[0].tick;
	return sim->n_events;
}

void run_to(struct sim *sim, int64_t tick)
{
	struct event event;

	while (sim->n_events && sim->events[0].tick <= tick) {
		event = queue_take(sim);
		pass(sim, event.tick);
		do_event(sim, event);
	}
	pass(sim, tick);
}

enum status run_stop(struct sim *sim)
{
	sim_check(sim);
	expect_stop(sim);
	report_stop(sim);
	if (sim->failures)
		return STATUS_INTERNAL;
	return sim->stats.failed ? STATUS_FAILED : STATUS_OK;
}

void run_free(struct sim *sim)
{
	free(sim->events);
	free(sim->random);
	free(sim->hooks);
	free(sim->stats.lateness.more);
	expect_free(sim);
	timer_free_all(sim);
}
