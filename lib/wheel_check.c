/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_check.c - are the invariants true?
 *
 * The slow twin of wheel.c: it counts where the engine computes, and looks at
 * every entry where the engine trusts its map. The numbers are those of the
 * invariants in wheel.c and docs/invariants.md.
 */
#include <jif/wheel.h>

#include "port/jif_port.h"
#include "wheel.h"

static const uint32_t unit[] = { 1, MIN_TICKS, HOUR_TICKS, DAY_TICKS };

/* W1: each hand is within its ring, and moved when the lower ones say. */
static bool hands_are_right(const struct jif_wheel *wheel)
{
	uint32_t at = wheel->at[SEC];

	for (unsigned level = SEC; level <= DAY; level++) {
		size_t hand = hand_of(wheel, level);

		if (hand - base_of(level) >= (end_of(level) - base_of(level)) ||
		    hand % chains_of(level) || wheel->at[level] != at)
			return false;
		at -= position_of(hand, level) * unit[level];
	}
	return wheel->taken <= LAST_SLOT;
}

static bool is_occupied(const struct jif_wheel *wheel, size_t slot)
{
	return wheel->occupied[slot / JIF_WORD_BITS] >> slot % JIF_WORD_BITS &
	       1;
}

/* The slot that all entries of list @i name; BUCKET if there is none. */
static size_t slot_of_list(const struct jif_wheel *wheel, size_t i)
{
	if (!wheel->slot[i].tail)
		return BUCKET;
	return slot_of(wheel->slot[i].tail);
}

/* The list is a ring in both directions; its entries know where they are. */
static bool list_is_right(const struct jif_wheel *wheel, size_t i)
{
	const struct jif_timer *tail = wheel->slot[i].tail;
	const struct jif_timer *entry = tail;
	size_t slot = slot_of_list(wheel, i);
	int where = JIF_TIMER_SLOT + (int)slot;

	if (!tail)
		return true;
	if (slot == BUCKET || slot >= end_of(DAY))
		return false;
	if (i < BUCKETS ? slot - i != wheel->taken : fold(slot) != i)
		return false;
	do {
		if (!entry->next || entry->next->prev != entry)
			return false;
		if (entry->where !=
		    where + (entry == tail ? JIF_TIMER_LAST : 0))
			return false;
		entry = entry->next;
	} while (entry != tail);
	return true;
}

/* W2: pending is on one list; a slot's bit is set if it has entries. */
static bool lists_are_right(const struct jif_wheel *wheel)
{
	size_t slot;

	for (size_t i = BUCKET; i < JIF_WHEEL_LISTS; i++)
		if (!list_is_right(wheel, i))
			return false;
	for (slot = BUCKET; slot < end_of(DAY); slot++) {
		bool has = slot != BUCKET &&
			   slot_of_list(wheel, fold(slot)) == slot;

		if (is_occupied(wheel, slot) != has)
			return false;
	}
	return true;
}

/* Counts how many slots the hand has to move on to stand on @slot. */
static uint32_t count_ticks(const struct jif_wheel *wheel, size_t slot)
{
	unsigned level = level_of(slot);
	size_t chains = chains_of(level);
	size_t turn = (end_of(level) - base_of(level)) / chains;
	size_t position = (slot - base_of(level)) / chains;
	size_t hand = (hand_of(wheel, level) - base_of(level)) / chains;
	uint32_t ticks = wheel->at[level] - wheel->at[SEC];

	if (hand == position && slot / chains <= wheel->taken / chains)
		return 0;
	do {
		hand = hand + 1 < turn ? hand + 1 : 0;
		ticks += unit[level];
	} while (hand != position);
	return ticks;
}

/* The first expiry in a list, or @first if that is sooner; 0 ticks is now. */
static uint32_t first_expiry(const struct jif_wheel *wheel, size_t i,
			     uint32_t first)
{
	const struct jif_timer *entry = wheel->slot[i].tail;
	uint32_t visit;

	if (!entry)
		return first;
	visit = count_ticks(wheel, slot_of(entry));
	do {
		if (visit + entry->remaining < first)
			first = visit + entry->remaining;
		entry = entry->next;
	} while (entry != wheel->slot[i].tail);
	return first;
}

/* W3: slot and remaining value give an expiry that could be asked for. */
static bool expiries_are_right(const struct jif_wheel *wheel)
{
	const struct jif_timer *entry;
	uint32_t visit;

	for (size_t i = BUCKET; i < JIF_WHEEL_LISTS; i++) {
		entry = wheel->slot[i].tail;
		if (!entry)
			continue;
		visit = count_ticks(wheel, slot_of(entry));
		if (visit != jif_wheel_visit(wheel, slot_of(entry)))
			return false;
		do {
			if (entry->remaining > JIF_DELAY_MAX - visit)
				return false;
			entry = entry->next;
		} while (entry != wheel->slot[i].tail);
	}
	return true;
}

/* W4: what is in the slot under a hand is due a full turn later. */
static bool slots_under_hands_are_right(const struct jif_wheel *wheel)
{
	for (size_t i = 0; i < DAY_CHAINS; i++)
		if (is_occupied(wheel, hand_of(wheel, DAY) + i))
			return false;
	return wheel->taken >= MIN_BASE ||
	       !is_occupied(wheel, hand_of(wheel, SEC));
}

/* W7: next() and the next stop are never later than the first expiry. */
static bool next_is_right(const struct jif_wheel *wheel)
{
	uint32_t first = UINT32_MAX;
	uint32_t when = 0;
	bool any = jif_wheel_next(wheel, &when);

	for (size_t i = BUCKET; i < JIF_WHEEL_LISTS; i++)
		first = first_expiry(wheel, i, first);
	if (any != (first != UINT32_MAX))
		return false;
	if (any && when - wheel->at[SEC] > first)
		return false;
	if (wheel->stop > MIN_TICKS)
		return false;
	return !any || wheel->stop <= second_of(wheel) + first;
}

static int first_broken(const struct jif_wheel *wheel)
{
	if (!hands_are_right(wheel))
		return 1;
	if (!lists_are_right(wheel))
		return 2;
	if (!expiries_are_right(wheel))
		return 3;
	if (!slots_under_hands_are_right(wheel))
		return 4;
	if (!next_is_right(wheel))
		return 7;
	return 0;
}

int jif_wheel_check(const struct jif_wheel *wheel)
{
	jif_irq_t flags = jif_irq_save();
	int broken = first_broken(wheel);

	jif_irq_restore(flags);
	return broken;
}
