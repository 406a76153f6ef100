/* SPDX-License-Identifier: MIT */
/*
 * expect.c - what a scenario expects, and what came of it
 *
 * Nothing is kept of a firing but what some expectation of that timer needs.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "mem.h"

static void __attribute__((format(printf, 2, 3)))
fail(struct expectation *item, const char *format, ...)
{
	char message[512];
	va_list args;

	if (item->failures++ >= MESSAGES_SHOWN)
		return;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	item->message[item->failures - 1] = mem_copy(message, strlen(message));
}

/* Does it need to know of each firing or each slot of a timer? */
static bool is_watching(const struct stmt *stmt)
{
	return stmt->kind == STMT_FIRE || stmt->kind == STMT_NO_FIRE ||
	       stmt->kind == STMT_ORDER || stmt->kind == STMT_PATH;
}

static void watch_path(struct watch *watch, struct timer *timer)
{
	struct entry *entry = &timer->entry;

	watch->trail = mem_alloc(1, sizeof(*watch->trail));
	for (; entry; entry = entry->next)
		if (!entry->trail)
			entry->trail = mem_alloc(1, sizeof(*entry->trail));
}

/* Puts a watch on each timer of an expectation; returns how many. */
static size_t watch_all(struct sim *sim, struct expectation *item,
			struct watch *watch)
{
	const struct stmt *stmt = item->stmt;
	struct timer *timer;

	for (size_t i = 0; i < stmt->n_refs; i++, watch++) {
		timer = &sim->timers[stmt->refs[i].id];
		watch->of = item;
		if (timer->watches && timer->watches->of == item)
			continue;
		watch->next = timer->watches;
		timer->watches = watch;
		if (stmt->kind == STMT_PATH)
			watch_path(watch, timer);
	}
	if (stmt->kind == STMT_ORDER)
		item->seen = mem_alloc(stmt->n_refs, sizeof(*item->seen));
	return stmt->n_refs;
}

struct expect *expect_init(struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	struct expect *expect = mem_alloc(1, sizeof(*expect));
	size_t n_watches = 0;

	for (size_t i = 0; i < scenario->n_stmts; i++) {
		const struct stmt *stmt = &scenario->stmts[i];

		expect->n_items += stmt_is_expectation(stmt);
		if (is_watching(stmt))
			n_watches += stmt->n_refs;
	}
	expect->items = mem_alloc(expect->n_items, sizeof(*expect->items));
	expect->watches = mem_alloc(n_watches, sizeof(*expect->watches));
	expect->n_items = n_watches = 0;
	for (size_t i = 0; i < scenario->n_stmts; i++) {
		struct expectation *item = &expect->items[expect->n_items];

		if (!stmt_is_expectation(&scenario->stmts[i]))
			continue;
		item->stmt = &scenario->stmts[i];
		if (is_watching(item->stmt))
			n_watches += watch_all(sim, item,
					       &expect->watches[n_watches]);
		expect->n_items++;
	}
	return expect;
}

static void fire_near(struct watch *watch, const struct firing *firing)
{
	int64_t tick = watch->of->stmt->at.tick;

	if (firing->tick == tick || firing->ran == tick) {
		watch->met = true;
	} else if (firing->tick < tick) {
		watch->any_before = true;
		watch->before = firing->tick;
	} else if (!watch->any_after) {
		watch->any_after = true;
		watch->after = firing->tick;
	}
}

static void fire_not(struct watch *watch, const struct firing *firing)
{
	const struct stmt *stmt = watch->of->stmt;

	if (stmt->at.base != WHEN_NONE && firing->ran >= stmt->at.tick)
		return;
	if (!watch->bad++)
		watch->before = firing->ran;
}

static void fire_in_order(struct expectation *item, const struct firing *firing)
{
	const struct stmt *stmt = item->stmt;
	uint32_t id = firing->timer->id;

	if (firing->tick != stmt->at.tick && firing->ran != stmt->at.tick)
		return;
	if (item->n_seen < stmt->n_refs)
		item->seen[item->n_seen++] = id;
	if (item->in_order < stmt->n_refs &&
	    stmt->refs[item->in_order].id == id)
		item->in_order++;
}

void expect_fire(const struct firing *firing)
{
	struct watch *watch = firing->timer->watches;

	for (; watch; watch = watch->next)
		switch (watch->of->stmt->kind) {
		case STMT_FIRE:
			fire_near(watch, firing);
			break;
		case STMT_NO_FIRE:
			fire_not(watch, firing);
			break;
		case STMT_ORDER:
			fire_in_order(watch->of, firing);
			break;
		default:
			break;
		}
}

void expect_trail(const struct entry *entry, int64_t tick)
{
	struct watch *watch = entry->timer->watches;

	if (!entry->trail || !entry->trail->open)
		return;
	trail_stop(entry->trail, tick);
	for (; watch; watch = watch->next) {
		if (watch->of->stmt->kind != STMT_PATH)
			continue;
		watch->met |= trail_matches(entry->trail, watch->of->stmt);
		*watch->trail = *entry->trail;
	}
}

static bool is_found(const struct timer *timer, const struct stmt *stmt)
{
	return timer->found.level == stmt->slots[0].level &&
	       timer->found.number == stmt->slots[0].number &&
	       timer->left == stmt->span.ticks;
}

/* Notes where a timer in question is; of several places, the expected one. */
static int find(void *arg, const struct jif_timer *entry, unsigned level,
		unsigned slot, uint32_t remaining)
{
	const struct expectation *item = arg;
	struct timer *timer = entry_of(entry)->timer;

	if (timer->checked != item ||
	    (timer->found.level < LEVELS && is_found(timer, item->stmt)))
		return 0;
	timer->found = (struct slot){ (uint8_t)level, (uint8_t)slot };
	timer->left = remaining;
	return 0;
}

static void fail_found(struct sim *sim, struct expectation *item,
		       const struct timer *timer)
{
	const struct stmt *stmt = item->stmt;
	char left[TIME_LENGTH], want[TIME_LENGTH], at[TIME_LENGTH];

	span_print(left, sim->scenario, timer->left);
	span_print(want, sim->scenario, stmt->span.ticks);
	time_print(at, sim->scenario, stmt->at.tick);
	if (timer->found.level == LEVELS)
		fail(item, "timer '%s' is not pending at %s", timer->name, at);
	else
		fail(item,
		     "timer '%s' is in %s[%u] with %s left at %s, "
		     "want %s[%u] with %s left",
		     timer->name, level_names[timer->found.level],
		     timer->found.number, left, at,
		     level_names[stmt->slots[0].level], stmt->slots[0].number,
		     want);
}

static void check_in(struct sim *sim, struct expectation *item)
{
	const struct stmt *stmt = item->stmt;

	for (size_t i = 0; i < stmt->n_refs; i++) {
		struct timer *timer = &sim->timers[stmt->refs[i].id];

		timer->checked = item;
		timer->found.level = LEVELS;
	}
	jif_wheel_walk(&sim->wheel, find, item);
	for (size_t i = 0; i < stmt->n_refs; i++) {
		struct timer *timer = &sim->timers[stmt->refs[i].id];

		if (timer->found.level == LEVELS || !is_found(timer, stmt))
			fail_found(sim, item, timer);
	}
}

/* The ticks from now on to what the engine says is next. */
static int64_t distance(const struct sim *sim, uint32_t when)
{
	int64_t ticks = sim_tick(sim, when) - sim->now;

	return ticks > 0 ? ticks : 0;
}

static void check_next(struct sim *sim, struct expectation *item)
{
	char stop[TIME_LENGTH], expiry[TIME_LENGTH], want[TIME_LENGTH];
	int64_t to_stop, to_expiry;
	uint32_t next, first;

	span_print(want, sim->scenario, item->stmt->span.ticks);
	if (!jif_wheel_next(&sim->wheel, &next) ||
	    !jif_wheel_next_expiry(&sim->wheel, &first)) {
		fail(item, "nothing is pending, want %s to the next", want);
		return;
	}
	to_stop = distance(sim, next);
	to_expiry = distance(sim, first);
	if (to_stop == item->stmt->span.ticks ||
	    to_expiry == item->stmt->span.ticks)
		return;
	span_print(stop, sim->scenario, to_stop);
	span_print(expiry, sim->scenario, to_expiry);
	fail(item, "the next stop is in %s and the next expiry in %s, want %s",
	     stop, expiry, want);
}

static int compare(const void *key, const void *item)
{
	const struct stmt *a = key;
	const struct stmt *b = ((const struct expectation *)item)->stmt;

	return a < b ? -1 : a > b;
}

void expect_check(struct sim *sim, const struct stmt *stmt)
{
	struct expectation *item = bsearch(stmt, sim->expect->items,
					   sim->expect->n_items, sizeof(*item),
					   compare);

	item->checked = true;
	sim_check(sim);
	if (stmt->kind == STMT_IN)
		check_in(sim, item);
	else
		check_next(sim, item);
}

static void stop_fire(const struct sim *sim, const struct watch *watch,
		      const struct timer *timer)
{
	const struct scenario *scenario = sim->scenario;
	char at[TIME_LENGTH], before[TIME_LENGTH], after[TIME_LENGTH];
	char end[TIME_LENGTH];

	if (watch->met)
		return;
	time_print(at, scenario, watch->of->stmt->at.tick);
	time_print(before, scenario, watch->before);
	time_print(after, scenario, watch->after);
	time_print(end, scenario, scenario->end);
	if (watch->of->stmt->at.tick > scenario->end)
		fail(watch->of,
		     "timer '%s' did not fire at %s: the run ends at %s",
		     timer->name, at, end);
	else if (!watch->any_before && !watch->any_after)
		fail(watch->of, "timer '%s' did not fire at %s, nor ever",
		     timer->name, at);
	else
		fail(watch->of, "timer '%s' did not fire at %s, but at %s%s%s",
		     timer->name, at, watch->any_before ? before : after,
		     watch->any_before && watch->any_after ? " and " : "",
		     watch->any_before && watch->any_after ? after : "");
}

static void stop_no_fire(const struct sim *sim, const struct watch *watch,
			 const struct timer *timer)
{
	char before[TIME_LENGTH], first[TIME_LENGTH];
	const struct stmt *stmt = watch->of->stmt;

	if (!watch->bad)
		return;
	time_print(before, sim->scenario, stmt->at.tick);
	time_print(first, sim->scenario, watch->before);
	fail(watch->of, "timer '%s' fired at %s, want no firing%s%s",
	     timer->name, first, stmt->at.base != WHEN_NONE ? " before " : "",
	     stmt->at.base != WHEN_NONE ? before : "");
}

static void stop_count(struct expectation *item, const struct timer *timer)
{
	if (timer->fired == item->stmt->number)
		return;
	fail(item, "timer '%s' fired %" PRIu64 " time%s, want %" PRIu64,
	     timer->name, timer->fired, timer->fired == 1 ? "" : "s",
	     item->stmt->number);
}

static void stop_path(const struct watch *watch, const struct timer *timer)
{
	char slots[256];

	if (watch->met)
		return;
	trail_print(watch->trail, slots, sizeof(slots));
	if (!watch->trail->n_steps)
		fail(watch->of, "timer '%s' was never armed in this run",
		     timer->name);
	else
		fail(watch->of, "timer '%s' waited in %s", timer->name, slots);
}

static bool has_seen(const struct expectation *item, uint32_t id)
{
	for (size_t i = 0; i < item->n_seen; i++)
		if (item->seen[i] == id)
			return true;
	return false;
}

static void stop_order(const struct sim *sim, struct expectation *item)
{
	const struct stmt *stmt = item->stmt;
	char order[256];
	char at[TIME_LENGTH];
	size_t used = 0;
	uint32_t id;

	if (item->in_order == stmt->n_refs)
		return;
	time_print(at, sim->scenario, stmt->at.tick);
	id = stmt->refs[item->in_order].id;
	if (!has_seen(item, id)) {
		fail(item, "timer '%s' did not fire at %s",
		     sim->timers[id].name, at);
		return;
	}
	order[0] = '\0';
	for (size_t i = 0; i < item->n_seen && used < sizeof(order) / 2; i++)
		used += (size_t)snprintf(order + used, sizeof(order) - used,
					 " %s",
					 sim->timers[item->seen[i]].name);
	fail(item, "the order at %s was%s", at, order);
}

static void stop_state(const struct sim *sim, struct expectation *item)
{
	char at[TIME_LENGTH], end[TIME_LENGTH];

	if (!item->checked)
		fail(item, "the run ends at %s, which is before %s",
		     time_print(end, sim->scenario, sim->scenario->end),
		     time_print(at, sim->scenario, item->stmt->at.tick));
}

/* What an expectation says of one of its timers. */
static void stop_timer(const struct sim *sim, struct expectation *item,
		       const struct watch *watch, const struct timer *timer)
{
	switch (item->stmt->kind) {
	case STMT_FIRE:
		stop_fire(sim, watch, timer);
		break;
	case STMT_NO_FIRE:
		stop_no_fire(sim, watch, timer);
		break;
	case STMT_COUNT:
		stop_count(item, timer);
		break;
	case STMT_PATH:
		stop_path(watch, timer);
		break;
	default:
		break;
	}
}

/* Armings that have not come to an end yet count, too. */
static void stop_trails(struct sim *sim)
{
	for (uint32_t i = 0; i < sim->scenario->names.count; i++) {
		const struct entry *entry = &sim->timers[i].entry;

		for (; entry; entry = entry->next)
			expect_trail(entry, sim_clock(sim));
	}
}

void expect_stop(struct sim *sim)
{
	struct watch *watch = sim->expect->watches;

	stop_trails(sim);
	for (size_t i = 0; i < sim->expect->n_items; i++) {
		struct expectation *item = &sim->expect->items[i];
		const struct stmt *stmt = item->stmt;

		if (stmt->kind == STMT_ORDER)
			stop_order(sim, item);
		else if (stmt->kind == STMT_IN || stmt->kind == STMT_NEXT)
			stop_state(sim, item);
		for (size_t j = 0; j < stmt->n_refs; j++)
			stop_timer(sim, item, &watch[is_watching(stmt) ? j : 0],
				   &sim->timers[stmt->refs[j].id]);
		watch += is_watching(stmt) ? stmt->n_refs : 0;
		sim->expect->n_failed += item->failures > 0;
	}
}

void expect_free(struct sim *sim)
{
	struct expect *expect = sim->expect;
	struct watch *watch = expect->watches;

	for (size_t i = 0; i < expect->n_items; i++) {
		struct expectation *item = &expect->items[i];
		size_t n = is_watching(item->stmt) ? item->stmt->n_refs : 0;

		for (size_t j = 0; j < MESSAGES_SHOWN; j++)
			free(item->message[j]);
		free(item->seen);
		for (; n; n--)
			free(watch++->trail);
	}
	free(expect->items);
	free(expect->watches);
	free(expect);
}
