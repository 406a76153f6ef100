/* SPDX-License-Identifier: MIT */
/*
 * run.c - let time pass, and do what the scenario says
 *
 * What is to be done waits in a heap. From one stop to the next the wheel is
 * run in one go, however far that is: it is the engine that jumps.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "expect.h"
#include "mem.h"
#include "report.h"
#include "run.h"
#include "timer.h"

#define WEEK_US (7 * DAY_US)

/* What a scenario does when a timer fires, line by line. */
struct hook {
	struct hook *next; /* of the same timer */
	const struct stmt *stmt;
	const struct ref *refs; /* whom it is done to */
	size_t n_refs;
};

/* What happens on one tick after the expiries: in this order. */
enum phase { PHASE_LINES, PHASE_CHECKS, PHASE_FRAMES };

/* Something to be done. */
struct event {
	int64_t tick;
	uint64_t order;		 /* the phase, and the place in the file */
	const struct stmt *stmt; /* NULL: a drawing */
	size_t row;		 /* of an import: the next row */
};

static bool is_before(const struct event *a, const struct event *b)
{
	if (a->tick != b->tick)
		return a->tick < b->tick;
	return a->order < b->order;
}

static void queue_add(struct queue *queue, struct event event)
{
	struct event *events =
		mem_push(queue->events, queue->n_events, sizeof(event));
	size_t at = queue->n_events++;

	queue->events = events;
	for (; at && is_before(&event, &events[(at - 1) / 2]);
	     at = (at - 1) / 2)
		events[at] = events[(at - 1) / 2];
	events[at] = event;
}

static struct event queue_take(struct queue *queue)
{
	struct event *events = queue->events;
	struct event first = events[0];
	struct event last = events[--queue->n_events];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < queue->n_events) {
		if (child + 1 < queue->n_events &&
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
static int64_t next_stop(const struct sim *sim, int64_t tick)
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

/* The first time after now at which it is that time of that day. */
static int64_t next_alarm(const struct sim *sim, const struct stmt *stmt,
			  unsigned day)
{
	int64_t tick_us = sim->scenario->tick_us;
	int64_t week = WEEK_US / tick_us;
	int64_t first = ((int64_t)day * DAY_US + stmt->at.us) / tick_us;
	int64_t wait = (first - sim->now) % week;

	return sim->now + (wait > 0 ? wait : wait + week);
}

static void arm_alarms(struct sim *sim, const struct stmt *stmt)
{
	uint32_t week = (uint32_t)(WEEK_US / sim->scenario->tick_us);

	for (unsigned day = 0; day < 7; day++)
		for (size_t i = 0; stmt->days >> day & 1 && i < stmt->n_refs;
		     i++)
			timer_arm_alarm(sim, &sim->timers[stmt->refs[i].id],
					next_alarm(sim, stmt, day), week);
}

static void arm_random(struct sim *sim, const struct stmt *stmt)
{
	struct generator *generator = &sim->generators[sim->n_generators];

	*generator = (struct generator){
		sim->seed ? *sim->seed + sim->n_generators : stmt->seed,
		(uint32_t)stmt->span.ticks,
		(uint32_t)stmt->period.ticks,
	};
	sim->n_generators++;
	for (size_t i = 0; i < stmt->n_refs; i++)
		timer_arm_random(sim, &sim->timers[stmt->refs[i].id],
				 generator);
}

static void do_timer(struct sim *sim, const struct stmt *stmt,
		     struct timer *timer)
{
	int64_t delay = stmt->span.ticks;
	struct cycle cycle = {
		(uint32_t)stmt->period.ticks,
		(uint32_t)stmt->number,
		stmt->catchup,
	};

	if (stmt->kind == STMT_CANCEL)
		timer_cancel(sim, timer);
	else if (stmt->kind == STMT_POSTPONE)
		timer_postpone(sim, timer, sim->now + delay);
	else if (stmt->period.ticks)
		timer_arm_periodic(sim, timer, sim->now + delay, &cycle);
	else
		timer_arm(sim, timer, sim->now + delay);
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
	switch (stmt->kind) {
	case STMT_STALL:
	case STMT_STARVE:
		if (sim->now + stmt->span.ticks > sim->stalled)
			sim->stalled = sim->now + stmt->span.ticks;
		break;
	case STMT_WEEKLY:
		arm_alarms(sim, stmt);
		break;
	case STMT_RANDOM:
		arm_random(sim, stmt);
		break;
	default:
		do_action(sim, stmt, stmt->refs, stmt->n_refs);
	}
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
static void do_rows(struct sim *sim, struct queue *queue, struct event event)
{
	const struct trace *trace = event.stmt->trace;
	int64_t tick = sim->now - sim->scenario->start;

	while (event.row < trace->n_rows && trace->rows[event.row].tick == tick)
		do_row(sim, &trace->rows[event.row++]);
	if (event.row == trace->n_rows)
		return;
	event.tick = sim->scenario->start + trace->rows[event.row].tick;
	queue_add(queue, event);
}

static void do_event(struct sim *sim, struct queue *queue, struct event event)
{
	const struct stmt *stmt = event.stmt;

	if (!stmt) {
		report_frame(sim);
	} else if (stmt_is_expectation(stmt)) {
		expect_check(sim, stmt);
	} else if (stmt->kind == STMT_IMPORT) {
		do_rows(sim, queue, event);
	} else {
		do_line(sim, stmt);
		event.tick += stmt->step.ticks;
		if (stmt->step.ticks && event.tick <= stmt->until.tick)
			queue_add(queue, event);
	}
}

/* Which statements have their time, and in which phase? */
static bool is_event(const struct stmt *stmt, enum phase *phase)
{
	*phase = PHASE_LINES;
	if (stmt->kind == STMT_IN || stmt->kind == STMT_NEXT)
		*phase = PHASE_CHECKS;
	else if (stmt_is_expectation(stmt) || stmt->kind <= STMT_RUN ||
		 stmt->n_on)
		return false;
	return true;
}

static void queue_init(struct queue *queue, const struct sim *sim,
		       uint64_t drawings)
{
	const struct scenario *scenario = sim->scenario;
	int64_t ticks = scenario->end - scenario->start;
	struct event event = { 0 };
	enum phase phase;

	for (size_t i = 0; i < scenario->n_stmts; i++) {
		const struct stmt *stmt = &scenario->stmts[i];

		if (!is_event(stmt, &phase))
			continue;
		event.order = (uint64_t)phase << 48 | i;
		event.stmt = stmt;
		event.tick = stmt->at.base != WHEN_NONE ? stmt->at.tick :
							  scenario->start;
		if (stmt->trace && stmt->trace->n_rows)
			event.tick += stmt->trace->rows[0].tick;
		queue_add(queue, event);
	}
	event.order = (uint64_t)PHASE_FRAMES << 48;
	event.stmt = NULL;
	for (uint64_t i = 0; i < drawings; i++, event.order++) {
		event.tick = scenario->start;
		if (i)
			event.tick += (int64_t)((double)ticks * (double)i /
						(double)(drawings - 1));
		queue_add(queue, event);
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

static void init(struct sim *sim)
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
	sim->generators =
		mem_alloc(scenario->n_stmts, sizeof(*sim->generators));
	timer_init_all(sim);
	init_hooks(sim);
	expect_init(sim->expect, sim);
}

void run_start(struct sim *sim, struct queue *queue, uint64_t drawings)
{
	*queue = (struct queue){ .n_events = 0 };
	init(sim);
	queue_init(queue, sim, drawings);
}

bool run_next(const struct queue *queue, int64_t *tick)
{
	if (queue->n_events)
		*tick = queue->events[0].tick;
	return queue->n_events;
}

void run_to(struct sim *sim, struct queue *queue, int64_t tick)
{
	struct event event;

	while (queue->n_events && queue->events[0].tick <= tick) {
		event = queue_take(queue);
		pass(sim, event.tick);
		do_event(sim, queue, event);
	}
	pass(sim, tick);
}

void run_stop(struct sim *sim)
{
	sim_check(sim);
	expect_stop(sim);
	report_stop(sim);
}

void run_free(struct sim *sim, struct queue *queue)
{
	free(queue->events);
	free(sim->generators);
	free(sim->hooks);
	expect_free(sim->expect, sim->scenario);
	timer_free_all(sim);
}

void run_scenario(struct sim *sim, uint64_t drawings)
{
	struct queue queue;

	run_start(sim, &queue, drawings);
	run_to(sim, &queue, sim->scenario->end);
	run_stop(sim);
	run_free(sim, &queue);
}
