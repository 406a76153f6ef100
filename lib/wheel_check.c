/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_check.c - are the invariants true?
 *
 * The slow twin of wheel.c: it counts where the engine computes, and looks at
 * every entry where the engine trusts its map. The labels are those of wheel.c;
 * W5, W6 and W8 are about what happens over time, and are tested.
 */
#include <jif/jiffies.h>
#include <jif/wheel.h>

#include "wheel_debug.h"

/* W1: each hand is within its ring, and moved when the lower ones say so. */
static bool hands_are_right(const struct jif_wheel *wheel)
{
	const struct ring *ring = jif_rings;
	uint32_t moved = clock_of(wheel);
	index_t slots;

	for (index_t level = SEC;; level++, ring++) {
		if (!is_in_ring(ring, wheel->hand[level]) ||
		    wheel->since[level] != moved)
			return false;
		if (level == WEEK)
			break;
		slots = (index_t)in_turn(ring, wheel->hand[level]);
		moved -= slots * ring->ticks;
		if (wheel->hand[level] != turn_begin(wheel, level) + slots)
			return false;
	}
	return wheel->levels_due <= LEVELS;
}

/*
 * W2: one step forward and one back lead to the same entry, in both directions.
 * One without a function is a bookmark, or was overwritten.
 */
static bool entry_is_right(const struct jif_timer *entry, unsigned slot)
{
	return entry->where == (int)slot && entry->next && entry->prev &&
	       entry->next->prev == entry && entry->prev->next == entry;
}

/* W3: the expiry is one that could be asked for. */
static bool expiry_is_right(const struct jif_wheel *wheel,
			    const struct jif_timer *entry, uint32_t visit)
{
	uint32_t left = visit + entry->remaining;

	return left <= JIF_DELAY_MAX &&
	       expiry_of(wheel, entry) - clock_of(wheel) == left;
}

/* The ticks until the hand gets to @slot, counted one slot at a time. */
static uint32_t count_visit(const struct jif_wheel *wheel, unsigned slot)
{
	unsigned level = level_of((index_t)slot);
	unsigned hand = wheel->hand[level];
	uint32_t ticks = wheel->since[level] - clock_of(wheel);

	if (level == WEEK)
		return visit_of(wheel, slot) - clock_of(wheel);
	if (hand == slot && level < wheel->levels_due)
		return 0;
	do {
		hand++;
		if (hand == jif_rings[level + 1].first)
			hand = jif_rings[level].first;
		ticks += jif_rings[level].ticks;
	} while (hand != slot);
	return ticks;
}

/*
 * W4: when a hand has just moved, its slot has only timers due on this tick; a
 * timer armed into it later is due a full turn later. W10: nothing is left on
 * the list that was taken for this week.
 */
static bool may_have_entries(const struct jif_wheel *wheel, unsigned slot)
{
	unsigned level = level_of((index_t)slot);

	if (slot != wheel->hand[level] || level < wheel->levels_due)
		return true;
	return is_full_turn(wheel, level);
}

/*
 * W9: an entry that was not postponed has less left than a slot of its level is
 * worth, and is due within the span of its level; far ones are due later.
 */
static bool level_is_right(const struct jif_wheel *wheel, unsigned slot,
			   const struct jif_timer *entry, uint32_t visit)
{
	index_t level = level_of((index_t)slot);
	uint32_t expires = clock_of(wheel) + visit + entry->remaining;

	/* A drain gathers all where timers are due now. */
	if (slot == wheel->hand[SEC])
		return true;
	if (level == WEEK)
		return slot != far_slot(wheel) ||
		       jif_time_after_eq(expires, wheel->far_due);
	if (wheel->postponed)
		return true;
	return entry->remaining < jif_rings[level].ticks &&
	       spans(wheel, level, expires);
}

/* Checks a slot; @first becomes the ticks to its first expiry, if sooner. */
static int broken_in_slot(const struct jif_wheel *wheel, unsigned slot,
			  uint32_t *first)
{
	const struct jif_timer *tail = wheel->slot[slot - 1], *entry = tail;
	uint32_t visit;

	if (bitmap_test(wheel->occupied, slot) != (tail != NULL))
		return 2;
	if (!tail)
		return 0;
	if (!may_have_entries(wheel, slot))
		return slot < WEEK_FIRST ? 4 : 10;
	visit = count_visit(wheel, slot);
	do {
		if (!entry_is_right(entry, slot) ||
		    (!entry->fn && !wheel->nesting))
			return 2;
		if (!expiry_is_right(wheel, entry, visit))
			return 3;
		if (!level_is_right(wheel, slot, entry, visit))
			return 9;
		if (visit + entry->remaining < *first)
			*first = visit + entry->remaining;
		entry = entry->next;
	} while (entry != tail);
	return 0;
}

/* W7: neither the next stop nor what a tick relies on is later than @first. */
static bool next_is_right(const struct jif_wheel *wheel, uint32_t first)
{
	unsigned second = wheel->hand[SEC];
	uint32_t stop = jif_ticks_to_stop(wheel);

	if ((first == UINT32_MAX) != (stop == NEVER))
		return false;
	if (wheel->levels_due <= 1 && !wheel->slot[second - 1] && stop > first)
		return false;
	return wheel->quiet_until <= turn_end(wheel, SEC) &&
	       (wheel->quiet_until <= second ||
		bitmap_find(wheel->occupied, second + 1, wheel->quiet_until) ==
			wheel->quiet_until);
}

static int first_broken(const struct jif_wheel *wheel)
{
	uint32_t first = UINT32_MAX;
	int broken;

	if (!hands_are_right(wheel))
		return 1;
	for (unsigned slot = SEC_FIRST; slot <= LAST_SLOT; slot++) {
		broken = broken_in_slot(wheel, slot, &first);
		if (broken)
			return broken;
	}
	return next_is_right(wheel, first) ? 0 : 7;
}

int jif_wheel_check(const struct jif_wheel *wheel)
{
	jif_irq_t flags = jif_irq_save();
	int broken = first_broken(wheel);

	jif_irq_restore(flags);
	return broken;
}
