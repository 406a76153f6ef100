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

#include "sim.h"

#define WEEK	  604800 /* ticks */
#define SEEN_MORE 8

struct step {
	struct slot slot;
	int64_t tick; /* when the entry came, first of several times in a row */
};

/* The slots in which an entry has waited since it was armed. */
struct trail {
	struct step *step; /* behind the last, if it has ended: the end */
	unsigned n_steps;
	bool open; /* it is armed */
};

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
	item->message[item->failures - 1] = mem_print("%s", message);
}

/* Puts a watch on each timer of an expectation, once on each. */
static void watch_all(struct sim *sim, struct expectation *item)
{
	const struct stmt *stmt = item->stmt;

	item->watches = mem_alloc(stmt->n_refs, sizeof(*item->watches));
	for (size_t i = 0; i < stmt->n_refs; i++) {
		struct watch *watch = &item->watches[i];
		struct timer *timer = &sim->timers[stmt->refs[i].id];

		*watch = (struct watch){
			.of = item,
			.timer = timer,
			.before = NEVER,
			.after = NEVER,
			.found.level = LEVELS,
		};
		if (timer->watches && timer->watches->of == item)
			continue;
		watch->next = timer->watches;
		timer->watches = watch;
	}
	if (stmt->kind == STMT_ORDER)
		item->seen = mem_alloc(stmt->n_refs + SEEN_MORE,
				       sizeof(*item->seen));
}

void expect_init(struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;

	sim->expectations =
		mem_alloc(scenario->n_stmts, sizeof(*sim->expectations));
	for (size_t i = 0; i < scenario->n_stmts; i++)
		if (stmt_is_expectation(&scenario->stmts[i])) {
			sim->expectations[i].stmt = &scenario->stmts[i];
			watch_all(sim, &sim->expectations[i]);
		}
}

static bool is_timely(const struct watch *watch, const struct firing *firing)
{
	int64_t tick = watch->of->stmt->at.tick;

	return firing->tick == tick || firing->ran == tick;
}

static void fire_in_order(struct expectation *item, const struct timer *timer)
{
	if (item->n_seen < item->stmt->n_refs + SEEN_MORE)
		item->seen[item->n_seen++] = timer;
	if (item->in_order < item->stmt->n_refs &&
	    item->watches[item->in_order].timer == timer)
		item->in_order++;
}

void expect_fired(const struct firing *firing)
{
	struct watch *watch = firing->timer->watches;

	for (; watch; watch = watch->next) {
		const struct stmt *stmt = watch->of->stmt;

		if (stmt->kind == STMT_ORDER) {
			if (!is_timely(watch, firing))
				continue;
			watch->fired++;
			fire_in_order(watch->of, firing->timer);
		} else if (stmt->kind == STMT_FIRE &&
			   !is_timely(watch, firing)) {
			if (firing->tick < stmt->at.tick)
				watch->before = firing->tick;
			else if (watch->after == NEVER)
				watch->after = firing->tick;
		} else if (stmt->kind != STMT_NO_FIRE ||
			   stmt->at.base == WHEN_NONE ||
			   firing->ran < stmt->at.tick) {
			if (!watch->fired++)
				watch->first = firing->ran;
		}
	}
}

static bool same_slot(struct slot a, struct slot b)
{
	return a.level == b.level && a.number == b.number;
}

/* The entry has been put into a slot; not for the first time if @moved. */
static void trail_add(struct trail *trail, bool moved, struct slot slot,
		      int64_t tick)
{
	unsigned n = moved ? trail->n_steps : 0;

	trail->open = true;
	trail->n_steps = n;
	if (!n || !same_slot(trail->step[n - 1].slot, slot))
		mem_add(trail->step, trail->n_steps,
			(struct step){ slot, tick });
}

void trail_free(struct trail *trail)
{
	if (trail)
		free(trail->step);
	free(trail);
}

/* The entry left that slot on the tick on which it came. */
static bool is_passed(const struct step *step)
{
	return step->tick == step[1].tick;
}

/* In so many weeks it was in that slot, or once. */
static int64_t turns_of(const struct step *step)
{
	int64_t last = step[1].tick - !is_passed(step);

	return 1 + last / WEEK - step->tick / WEEK;
}

/* Can the steps from @step on stand for the slots from @slot on? */
static bool matches(const struct step *step, const struct step *end,
		    const struct slot *slot, size_t n_slots)
{
	if (step == end)
		return !n_slots;
	if (is_passed(step) && matches(step + 1, end, slot, n_slots))
		return true;
	for (size_t i = 0; i < n_slots && (int64_t)i < turns_of(step) &&
			   same_slot(slot[i], step->slot);
	     i++)
		if (matches(step + 1, end, slot + i + 1, n_slots - i - 1))
			return true;
	return false;
}

/*
 * Are these the slots that an expectation names? Where the entry passed
 * through may be left out, and a day slot in which it stayed for several weeks
 * may be named up to that many times.
 */
static bool trail_matches(const struct trail *trail, const struct stmt *stmt)
{
	return matches(trail->step, trail->step + trail->n_steps, stmt->slots,
		       stmt->n_slots);
}

/* Where it stayed or, if nowhere, also where it passed through. */
static void trail_print(const struct trail *trail, bool passed, char *buffer,
			size_t size)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (unsigned i = 0; i < trail->n_steps; i++) {
		const struct step *step = &trail->step[i];

		if (is_passed(step) && !passed)
			continue;
		if (used + 24 > size) {
			snprintf(buffer + used, size - used, " ...");
			break;
		}
		used += (size_t)snprintf(buffer + used, size - used, "%s%s[%u]",
					 used ? " " : "",
					 level_names[step->slot.level],
					 step->slot.number);
	}
	if (!used && !passed)
		trail_print(trail, true, buffer, size);
}

void expect_ended(struct sim *sim, struct entry *entry)
{
	struct watch *watch = entry->timer->watches;
	struct trail *trail = entry->trail;

	if (!trail || !trail->open)
		return;
	trail->open = false;
	mem_add(trail->step, trail->n_steps,
		(struct step){ .tick = sim_clock(sim) });
	trail->n_steps--;
	for (; watch; watch = watch->next) {
		if (watch->of->stmt->kind != STMT_PATH)
			continue;
		watch->met |= trail_matches(trail, watch->of->stmt);
		watch->trail = trail;
	}
}

void expect_placed(struct sim *sim, struct entry *entry, bool moved,
		   struct slot slot)
{
	const struct watch *watch = entry->timer->watches;

	while (watch && watch->of->stmt->kind != STMT_PATH)
		watch = watch->next;
	if (!watch)
		return;
	if (!moved)
		expect_ended(sim, entry);
	if (!entry->trail)
		entry->trail = mem_alloc(1, sizeof(*entry->trail));
	trail_add(entry->trail, moved, slot, sim_clock(sim));
}

static bool is_found(const struct watch *watch)
{
	const struct stmt *stmt = watch->of->stmt;

	return same_slot(watch->found, stmt->slots[0]) &&
	       watch->left == stmt->span.ticks;
}

/* Notes where a timer in question is; of several places, the expected one. */
static int find(void *arg, const struct jif_timer *entry, unsigned level,
		unsigned slot, uint32_t remaining)
{
	struct watch *watch = entry_of(entry)->timer->watches;

	while (watch && watch->of != arg)
		watch = watch->next;
	if (!watch || is_found(watch))
		return 0;
	watch->found = (struct slot){ (uint8_t)level, (uint8_t)slot };
	watch->left = remaining;
	return 0;
}

static void judge_in(struct sim *sim, const struct watch *watch)
{
	const struct scenario *scenario = sim->scenario;
	const struct stmt *stmt = watch->of->stmt;
	const char *at = time_text(scenario, stmt->at.tick);

	if (is_found(watch))
		return;
	if (watch->found.level == LEVELS)
		fail(watch->of, "timer '%s' is not pending at %s",
		     watch->timer->name, at);
	else
		fail(watch->of,
		     "timer '%s' is in %s[%u] with %s left at %s, "
		     "want %s[%u] with %s left",
		     watch->timer->name, level_names[watch->found.level],
		     watch->found.number, span_text(scenario, watch->left), at,
		     level_names[stmt->slots[0].level], stmt->slots[0].number,
		     span_text(scenario, stmt->span.ticks));
}

/* The ticks from now on to what the engine says is next. */
static int64_t distance(struct sim *sim, uint32_t when)
{
	int64_t ticks = sim_tick(sim, when) - sim->now;

	return ticks > 0 ? ticks : 0;
}

static void check_next(struct sim *sim, struct expectation *item)
{
	const struct scenario *scenario = sim->scenario;
	int64_t want = item->stmt->span.ticks;
	int64_t to_stop, to_expiry;
	uint32_t next, first;

	if (!jif_wheel_next_stop(&sim->wheel, &next) ||
	    !jif_wheel_next_expiry(&sim->wheel, &first)) {
		fail(item, "nothing is pending, want %s to the next",
		     span_text(scenario, want));
		return;
	}
	to_stop = distance(sim, next);
	to_expiry = distance(sim, first);
	if (to_stop != want && to_expiry != want)
		fail(item,
		     "the next stop is in %s and the next expiry in %s, "
		     "want %s",
		     span_text(scenario, to_stop),
		     span_text(scenario, to_expiry), span_text(scenario, want));
}

static void judge_fire(struct sim *sim, const struct watch *watch)
{
	const struct scenario *scenario = sim->scenario;
	const char *name = watch->timer->name;
	const char *at = time_text(scenario, watch->of->stmt->at.tick);
	bool before = watch->before != NEVER, after = watch->after != NEVER;

	if (watch->fired)
		return;
	if (!before && !after)
		fail(watch->of, "timer '%s' did not fire at %s, nor ever", name,
		     at);
	else
		fail(watch->of, "timer '%s' did not fire at %s, but at %s%s%s",
		     name, at, before ? time_text(scenario, watch->before) : "",
		     before && after ? " and " : "",
		     after ? time_text(scenario, watch->after) : "");
}

static void judge_no_fire(struct sim *sim, const struct watch *watch)
{
	const struct scenario *scenario = sim->scenario;
	const struct when *at = &watch->of->stmt->at;
	bool timed = at->base != WHEN_NONE;

	if (watch->fired)
		fail(watch->of, "timer '%s' fired at %s, want no firing%s%s",
		     watch->timer->name, time_text(scenario, watch->first),
		     timed ? " before " : "",
		     timed ? time_text(scenario, at->tick) : "");
}

static void judge_count(struct sim *sim, const struct watch *watch)
{
	uint64_t want = watch->of->stmt->number;

	if ((uint64_t)watch->fired != want)
		fail(watch->of,
		     "timer '%s' fired %" PRId64 " time%s, want %" PRIu64,
		     watch->timer->name, watch->fired,
		     watch->fired == 1 ? "" : "s", want);
}

static void judge_path(struct sim *sim, const struct watch *watch)
{
	struct entry *entry = &watch->timer->entry;
	char slots[256];

	for (; entry; entry = entry->next)
		expect_ended(sim, entry);
	if (watch->met)
		return;
	if (!watch->trail) {
		fail(watch->of, "timer '%s' was never armed in this run",
		     watch->timer->name);
		return;
	}
	trail_print(watch->trail, false, slots, sizeof(slots));
	fail(watch->of, "timer '%s' waited in %s", watch->timer->name, slots);
}

static bool has_fired(const struct expectation *item, const struct timer *timer)
{
	for (size_t i = 0; i < item->stmt->n_refs; i++)
		if (item->watches[i].timer == timer && item->watches[i].fired)
			return true;
	return false;
}

/* The first timer stands for all. */
static void judge_order(struct sim *sim, const struct watch *watch)
{
	struct expectation *item = watch->of;
	const char *at = time_text(sim->scenario, item->stmt->at.tick);
	const struct timer *timer;
	char order[256] = "";
	size_t used = 0, shown = 0, more = 0;

	if (watch != item->watches || item->in_order == item->stmt->n_refs)
		return;
	timer = item->watches[item->in_order].timer;
	if (!has_fired(item, timer)) {
		fail(item, "timer '%s' did not fire at %s", timer->name, at);
		return;
	}
	for (; shown < item->n_seen && used < sizeof(order) / 2; shown++)
		used += (size_t)snprintf(order + used, sizeof(order) - used,
					 " %s", item->seen[shown]->name);
	for (size_t i = 0; i < item->stmt->n_refs; i++)
		more += (size_t)item->watches[i].fired;
	fail(item, "the order at %s was%s%s", at, order,
	     more > shown ? " ..." : "");
}

/* What a timer did, or where it is, beside what is expected. */
static void (*const judge[])(struct sim *sim, const struct watch *watch) = {
	[STMT_FIRE] = judge_fire,   [STMT_NO_FIRE] = judge_no_fire,
	[STMT_COUNT] = judge_count, [STMT_ORDER] = judge_order,
	[STMT_IN] = judge_in,	    [STMT_PATH] = judge_path,
};

static void judge_all(struct sim *sim, const struct expectation *item)
{
	for (size_t i = 0; i < item->stmt->n_refs; i++)
		judge[item->stmt->kind](sim, &item->watches[i]);
}

void expect_check(struct sim *sim, const struct stmt *stmt)
{
	struct expectation *item = &sim->expectations[stmt->index];

	sim_check(sim);
	if (stmt->kind == STMT_NEXT) {
		check_next(sim, item);
		return;
	}
	jif_wheel_walk(&sim->wheel, find, item);
	judge_all(sim, item);
}

void expect_stop(struct sim *sim)
{
	for (size_t i = 0; i < sim->scenario->n_stmts; i++) {
		struct expectation *item = &sim->expectations[i];

		if (!item->stmt)
			continue;
		if (item->stmt->kind != STMT_IN)
			judge_all(sim, item);
		++*(item->failures ? &sim->stats.failed : &sim->stats.met);
	}
}

void expect_free(struct sim *sim)
{
	for (size_t i = 0; i < sim->scenario->n_stmts; i++) {
		struct expectation *item = &sim->expectations[i];

		for (size_t j = 0; j < MESSAGES_SHOWN; j++)
			free(item->message[j]);
		free(item->watches);
		free(item->seen);
	}
	free(sim->expectations);
}
