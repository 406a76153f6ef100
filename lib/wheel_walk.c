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
	wheel->stop = 0;
	jif_irq_restore(flags);
	return was_running;
}

static void release(struct jif_wheel *wheel, bool was_running)
{
	jif_irq_t flags = jif_irq_save();

	wheel->running = was_running;
	if (!was_running && wheel->taken == BUCKET)
		wheel->stop = (jif_second_t)(second_of(wheel) + 1);
	jif_irq_restore(flags);
}

static void link_after(struct jif_timer *entry, struct jif_timer *before)
{
	entry->prev = before;
	entry->next = before->next;
	entry->next->prev = entry;
	before->next = entry;
}

static void append(struct jif_slot *list, struct jif_timer *entry, size_t slot)
{
	entry->where = JIF_TIMER_SLOT + JIF_TIMER_LAST + (int)slot;
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
RARE struct jif_timer *mark_step(struct jif_slot *list, struct jif_timer *mark)
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
	unsigned level;
	size_t slot;
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

	for (size_t i = BUCKET; !ret && i < JIF_WHEEL_LISTS; i++)
		ret = walk_list(held, &held->slot[i], fn, arg);
	release(held, was_running);
	return ret;
}

/* The least remaining value in a list, or @least if that is less. */
static uint32_t least_of_many(struct jif_wheel *wheel, struct jif_slot *list,
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

FAST uint32_t least_remaining(struct jif_wheel *wheel, struct jif_slot *list,
			      uint32_t least)
{
	jif_irq_t flags = jif_irq_save();
	struct jif_timer *tail = list->tail;
	bool many = tail && tail->next != tail;

	if (tail && !many && tail->remaining < least)
		least = tail->remaining;
	jif_irq_restore(flags);
	return many ? least_of_many(wheel, list, least) : least;
}

/**
 * struct first - the first expiry found so far
 * @ticks:	until then
 * @slot:	on which list; BUCKET if no list has it alone
 * @visit:	the ticks until that is reached
 * @others:	no more than the ticks until any other list is reached
 */
struct first {
	uint32_t ticks;
	size_t slot;
	uint32_t visit;
	uint32_t others;
};

/* Another list than that of the first expiry is reached in @ticks. */
static inline void note_other(struct first *first, uint32_t ticks)
{
	if (CONFIG_JIF_HOST && ticks < first->others)
		first->others = ticks;
}

FAST void look_at(struct first *first, struct jif_wheel *wheel, size_t slot,
		  uint32_t visit)
{
	struct jif_slot *list = &wheel->slot[fold(slot)];
	uint32_t before = first->ticks - visit;
	uint32_t least = least_remaining(wheel, list, before);

	if (least == before) {
		note_other(first, visit);
		return;
	}
	first->ticks = visit + least;
	note_other(first, first->visit);
	if (CONFIG_JIF_HOST) {
		first->visit = visit;
		first->slot = slot;
	}
}

/*
 * Looks at the slots of a level from @slot to before @last that are reached
 * soon enough; false if there are some that are not.
 */
FAST bool look_among(struct first *first, struct jif_wheel *wheel,
		     unsigned level, size_t slot, size_t last)
{
	size_t begin = base_of(level);
	size_t end = end_of(level);
	uint32_t visit;

	while (slot < last &&
	       (slot = bit_find_in(wheel->occupied, begin, slot, end)) < last) {
		visit = APART ? visit_on(wheel, level, slot) :
				jif_wheel_visit(wheel, slot);
		if (visit >= first->ticks) {
			note_other(first, visit);
			return false;
		}
		look_at(first, wheel, slot, visit);
		slot++;
	}
	return true;
}

/*
 * Looks at a level, in the order in which the hand gets to the slots. The one
 * under it comes last; but first of all in a tick whose cascade has not come
 * down to that level yet.
 */
FAST void look_on(struct first *first, struct jif_wheel *wheel, unsigned level)
{
	size_t begin = base_of(level);
	size_t end = end_of(level);
	size_t after = hand_of(wheel, level);

	if (bit_none(wheel->occupied, begin, end))
		return;
	if (wheel->taken <= after)
		after += chains_of(level);
	if (look_among(first, wheel, level, after, end))
		look_among(first, wheel, level, begin, after);
}

bool jif_wheel_next_expiry(const struct jif_wheel *wheel, uint32_t *when)
{
	struct jif_wheel *held = (struct jif_wheel *)wheel;
	bool was_running = hold(held);
	struct first first = {
		.ticks = UINT32_MAX,
		.visit = UINT32_MAX,
		.others = UINT32_MAX,
	};

	expect_lone(held);
	for (size_t i = BUCKET; wheel->taken != BUCKET && i < BUCKETS; i++)
		first.ticks =
			least_remaining(held, &held->slot[i], first.ticks);
	EACH_LEVEL_APART
	for (unsigned level = SEC; level <= DAY; level++)
		look_on(&first, held, level);
	if (CONFIG_JIF_HOST && first.slot >= MIN_BASE &&
	    first.others > first.ticks)
		know_lone(held, first.slot, first.visit, first.ticks);
	else
		forget_lone(held);
	if (first.ticks != UINT32_MAX)
		*when = jif_wheel_clock(wheel) + first.ticks;
	release(held, was_running);
	return first.ticks != UINT32_MAX;
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
	size_t tomorrow = hand_of(wheel, DAY) + 1;

	if (tomorrow == end_of(DAY))
		tomorrow = DAY_BASE;
	while (TURNS > 1 && gather_first(wheel, &wheel->slot[fold(tomorrow)]))
		;
	for (size_t i = BUCKET + 1; i < BUCKETS; i++)
		while (gather_first(wheel, &wheel->slot[i]))
			;
	for (size_t i = JIF_WHEEL_LISTS - 1; i >= BUCKETS; i--)
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
