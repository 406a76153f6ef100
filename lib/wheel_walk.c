/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_walk.c - what looks at many timers: walk, exact next, drain
 *
 * Interrupts are let in after each entry, and their handlers may remove any
 * entry, also the one just looked at. So the place in the list is held by a
 * bookmark: an entry of no object, linked in like all others, which no removal
 * beside it dislodges. It is gone when the call returns; that is why a wheel
 * that is const to the caller is written to here.
 */
#include <jif/wheel.h>

#include "bits.h"
#include "bug.h"
#include "port/jif_port.h"
#include "wheel.h"

/* A tick ISR that runs the wheel must not move it under a walk. */
static bool hold(struct jif_wheel *wheel)
{
	jif_irq_t flags = jif_irq_save();
	bool was_running = wheel->running;

	JIF_BUG_ON(jif_in_irq() && !was_running);
	wheel->running = true;
	wheel->quiet = (uint8_t)second_of(wheel);
	jif_irq_restore(flags);
	return was_running;
}

static void release(struct jif_wheel *wheel, bool was_running)
{
	jif_irq_t flags = jif_irq_save();

	wheel->running = was_running;
	if (!was_running && wheel->taken == BUCKET)
		wheel->quiet = (uint8_t)(second_of(wheel) + 1);
	jif_irq_restore(flags);
}

static void link_after(struct jif_timer *entry, struct jif_timer *before)
{
	entry->prev = before;
	entry->next = before->next;
	entry->next->prev = entry;
	before->next = entry;
}

static void append(struct jif_slot *list, struct jif_timer *entry,
		   unsigned slot)
{
	entry->where = (int)(JIF_TIMER_SLOT + JIF_TIMER_LAST + slot);
	if (list->tail)
		list->tail->where -= JIF_TIMER_LAST;
	else
		list->tail = entry->next = entry;
	link_after(entry, list->tail);
	list->tail = entry;
}

/* Only where the list goes on behind @entry. */
static void unlink_before_tail(struct jif_timer *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
}

/* Puts the bookmark before the first entry; false if there is none. */
static bool mark_open(struct jif_slot *list, struct jif_timer *mark)
{
	if (!list->tail)
		return false;
	mark->remaining = 0;
	mark->where = list->tail->where - JIF_TIMER_LAST;
	link_after(mark, list->tail);
	return true;
}

/* Moves the bookmark behind the next entry, and returns that. */
static struct jif_timer *mark_step(struct jif_slot *list,
				   struct jif_timer *mark)
{
	struct jif_timer *entry = mark->next;

	if (list->tail == mark)
		return NULL;
	unlink_before_tail(mark);
	link_after(mark, entry);
	if (list->tail == entry) {
		entry->where -= JIF_TIMER_LAST;
		mark->where += JIF_TIMER_LAST;
		list->tail = mark;
	}
	return entry;
}

static int walk_list(struct jif_wheel *wheel, struct jif_slot *list,
		     jif_walk_fn *fn, void *arg)
{
	struct jif_timer mark;
	struct jif_timer *entry;
	unsigned level, slot;
	uint32_t remaining;
	int ret = 0;
	jif_irq_t flags = jif_irq_save();

	if (!mark_open(list, &mark)) {
		jif_irq_restore(flags);
		return 0;
	}
	while (!ret && (entry = mark_step(list, &mark))) {
		slot = slot_of(entry);
		level = level_of(slot);
		remaining = entry->remaining;
		jif_irq_restore(flags);
		ret = fn(arg, entry, level, position_of(slot, level),
			 remaining);
		flags = jif_irq_save();
	}
	jif_timer_del(wheel, &mark);
	jif_irq_restore(flags);
	return ret;
}

int jif_wheel_walk(const struct jif_wheel *wheel, jif_walk_fn *fn, void *arg)
{
	struct jif_wheel *held = (struct jif_wheel *)wheel;
	bool was_running = hold(held);
	int ret = 0;

	for (unsigned i = BUCKET; !ret && i < JIF_WHEEL_LISTS; i++)
		ret = walk_list(held, &held->slot[i], fn, arg);
	release(held, was_running);
	return ret;
}

/* The least remaining value in a list, or @least if that is less. */
static uint32_t least_remaining(struct jif_wheel *wheel, struct jif_slot *list,
				uint32_t least)
{
	struct jif_timer mark;
	struct jif_timer *entry;
	jif_irq_t flags = jif_irq_save();

	if (!mark_open(list, &mark)) {
		jif_irq_restore(flags);
		return least;
	}
	while (least && (entry = mark_step(list, &mark))) {
		if (entry->remaining < least)
			least = entry->remaining;
		jif_irq_restore(flags);
		flags = jif_irq_save();
	}
	jif_timer_del(wheel, &mark);
	jif_irq_restore(flags);
	return least;
}

/* Lowers @ticks to the first expiry in the slots from @slot to before @end. */
static uint32_t first_among(struct jif_wheel *wheel, unsigned slot,
			    unsigned end, uint32_t ticks)
{
	uint32_t visit;

	slot = bit_find(wheel->occupied, slot, end);
	while (slot < end && (visit = jif_wheel_visit(wheel, slot)) < ticks) {
		ticks = visit + least_remaining(wheel, &wheel->slot[fold(slot)],
						ticks - visit);
		slot = bit_find(wheel->occupied, slot + 1, end);
	}
	return ticks;
}

/*
 * Lowers @ticks to the first expiry on a level, in the order in which the hand
 * gets to the slots. The one under it comes last; but first of all in a tick
 * whose cascade has not come down to that level yet.
 */
static uint32_t first_on(struct jif_wheel *wheel, unsigned level,
			 uint32_t ticks)
{
	unsigned hand = hand_of(wheel, level);

	if (!jif_wheel_visit(wheel, hand))
		ticks = first_among(wheel, hand, hand + 1, ticks);
	ticks = first_among(wheel, hand + 1, base_of(level + 1), ticks);
	return first_among(wheel, base_of(level), hand + 1, ticks);
}

bool jif_wheel_next_expiry(const struct jif_wheel *wheel, uint32_t *when)
{
	struct jif_wheel *held = (struct jif_wheel *)wheel;
	bool was_running = hold(held);
	uint32_t ticks = least_remaining(held, &held->slot[BUCKET], UINT32_MAX);

	for (unsigned level = SEC; level <= DAY; level++)
		ticks = first_on(held, level, ticks);
	if (ticks != UINT32_MAX)
		*when = jif_wheel_clock(wheel) + ticks;
	release(held, was_running);
	return ticks != UINT32_MAX;
}

/*
 * Draining gathers all entries in the bucket, each with all of its time as the
 * remaining value, sorts them there and takes them off one by one. They are
 * pending to the last: an interrupt may delete or move any of them meanwhile.
 *
 * Gathered from the days down to the seconds, entries of one expiry are in
 * arming order, and the sort is stable. With spreading, what is still with
 * tomorrow, and a week too early there, is older than what is a week behind it.
 */
static bool gather_first(struct jif_wheel *wheel, struct jif_slot *list)
{
	jif_irq_t flags = jif_irq_save();
	bool any = list->tail;
	struct jif_timer *entry;
	uint32_t visit;

	if (any) {
		entry = list->tail->next;
		visit = jif_wheel_visit(wheel, slot_of(entry));
		jif_timer_del(wheel, entry);
		entry->remaining += visit;
		append(&wheel->slot[BUCKET], entry, wheel->taken);
	}
	jif_irq_restore(flags);
	return any;
}

static void gather(struct jif_wheel *wheel)
{
	unsigned tomorrow = hand_of(wheel, DAY) + 1;

	if (tomorrow == base_of(DAY + 1))
		tomorrow = DAY_BASE;
	while (TURNS > 1 && gather_first(wheel, &wheel->slot[fold(tomorrow)]))
		;
	for (unsigned i = JIF_WHEEL_LISTS - 1; i > BUCKET; i--)
		while (gather_first(wheel, &wheel->slot[i]))
			;
}

/*
 * One pass of a radix sort: those whose remaining value has the bit go behind
 * those that have it not. Two bookmarks part the bucket into what is to be
 * looked at, what has it not, and what has it. Returns all bits seen.
 */
static uint32_t sort_by(struct jif_wheel *wheel, uint32_t bit)
{
	struct jif_slot *bucket = &wheel->slot[BUCKET];
	struct jif_timer end = { .remaining = 0 };
	struct jif_timer clear = { .remaining = 0 };
	struct jif_timer *entry;
	uint32_t seen = 0;
	jif_irq_t flags = jif_irq_save();

	append(bucket, &end, wheel->taken);
	append(bucket, &clear, wheel->taken);
	while ((entry = bucket->tail->next) != &end) {
		seen |= entry->remaining;
		unlink_before_tail(entry);
		if (entry->remaining & bit)
			append(bucket, entry, wheel->taken);
		else
			link_after(entry, clear.prev);
		jif_irq_restore(flags);
		flags = jif_irq_save();
	}
	jif_timer_del(wheel, &end);
	jif_timer_del(wheel, &clear);
	jif_irq_restore(flags);
	return seen;
}

static unsigned deliver(struct jif_wheel *wheel, jif_timer_fn *fn)
{
	struct jif_slot *bucket = &wheel->slot[BUCKET];
	struct jif_timer *entry;
	jif_timer_fn *call;
	unsigned delivered = 0;
	jif_irq_t flags = jif_irq_save();

	while (bucket->tail) {
		entry = bucket->tail->next;
		jif_timer_del(wheel, entry);
		call = fn ? fn : entry->fn;
		jif_irq_restore(flags);
		call(entry);
		delivered++;
		flags = jif_irq_save();
	}
	jif_irq_restore(flags);
	return delivered;
}

unsigned jif_wheel_drain(struct jif_wheel *wheel, jif_timer_fn *fn)
{
	bool was_running = hold(wheel);
	jif_number_t taken = wheel->taken;
	uint32_t bit = 1;
	unsigned delivered;

	if (taken == BUCKET)
		wheel->taken = (jif_number_t)hand_of(wheel, SEC);
	gather(wheel);
	while (bit && sort_by(wheel, bit) >= bit)
		bit <<= 1;
	delivered = deliver(wheel, fn);
	wheel->taken = taken;
	release(wheel, was_running);
	return delivered;
}
