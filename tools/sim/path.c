/* SPDX-License-Identifier: MIT */
/*
 * path.c - the slots in which an entry has waited since it was armed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "path.h"

static bool same_slot(struct slot a, struct slot b)
{
	return a.level == b.level && a.number == b.number;
}

static struct step *last_step(struct trail *trail)
{
	if (!trail->n_steps || trail->n_steps > TRAIL_STEPS)
		return NULL;
	return &trail->step[trail->n_steps - 1];
}

/* It leaves the slot that it is in. */
static void leave(struct trail *trail, int64_t tick)
{
	struct step *last = last_step(trail);

	if (last)
		last->passed = trail->since == tick;
}

void trail_add(struct trail *trail, bool moved, struct slot slot, int64_t tick)
{
	struct step *last;

	if (moved)
		leave(trail, tick);
	else
		trail->n_steps = 0;
	trail->open = true;
	trail->since = tick;
	last = last_step(trail);
	if (last && !last->passed && same_slot(last->slot, slot)) {
		last->turns++;
		return;
	}
	trail->n_steps++;
	last = last_step(trail);
	if (last)
		*last = (struct step){ slot, false, 1 };
}

void trail_stop(struct trail *trail, int64_t tick)
{
	leave(trail, tick);
	trail->open = false;
}

/*
 * reached[i] tells whether the steps so far can stand for the first i slots of
 * the expectation; after each step, for which i it holds is found anew.
 */
bool trail_matches(const struct trail *trail, const struct stmt *stmt)
{
	size_t n = stmt->n_slots;
	bool *reached = mem_alloc(n + 1, 1);
	bool *next = mem_alloc(n + 1, 1);
	bool *spare, matches;

	reached[0] = true;
	for (unsigned i = 0; i < trail->n_steps && i < TRAIL_STEPS; i++) {
		const struct step *step = &trail->step[i];

		memset(next, 0, n + 1);
		for (size_t from = 0; from <= n; from++) {
			if (!reached[from])
				continue;
			next[from] |= step->passed;
			for (size_t to = from;
			     to < n && to - from < step->turns &&
			     same_slot(stmt->slots[to], step->slot);
			     to++)
				next[to + 1] = true;
		}
		spare = reached;
		reached = next;
		next = spare;
	}
	matches = reached[n] && trail->n_steps <= TRAIL_STEPS;
	free(reached);
	free(next);
	return matches;
}

void trail_print(const struct trail *trail, char *buffer, size_t size)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (unsigned i = 0; i < trail->n_steps && i < TRAIL_STEPS; i++) {
		const struct step *step = &trail->step[i];

		if (step->passed)
			continue;
		if (used + 16 > size)
			break;
		used += (size_t)snprintf(buffer + used, size - used, "%s%s[%u]",
					 used ? " " : "",
					 level_names[step->slot.level],
					 step->slot.number);
	}
}
