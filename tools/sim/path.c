/* SPDX-License-Identifier: MIT */
/*
 * path.c - the slots in which an entry has waited since it was armed
 */
#include <stdio.h>

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

/* Can the steps from @step on stand for the slots from @slot on? */
static bool matches(const struct step *step, const struct step *end,
		    const struct slot *slot, size_t n_slots)
{
	if (step == end)
		return !n_slots;
	if (step->passed && matches(step + 1, end, slot, n_slots))
		return true;
	for (size_t i = 0;
	     i < n_slots && i < step->turns && same_slot(slot[i], step->slot);
	     i++)
		if (matches(step + 1, end, slot + i + 1, n_slots - i - 1))
			return true;
	return false;
}

bool trail_matches(const struct trail *trail, const struct stmt *stmt)
{
	return trail->n_steps <= TRAIL_STEPS &&
	       matches(trail->step, trail->step + trail->n_steps, stmt->slots,
		       stmt->n_slots);
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
