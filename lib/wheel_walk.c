/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_walk.c - calls that look at many timers: walk, next, sleep, drain
 *
 * Interrupts are let in after each entry, or after a few, and their handlers
 * may remove any entry, also the one just looked at. So a bookmark holds the
 * place in the list: an entry without a function, linked in like all others,
 * which no removal beside it can dislodge. It is gone when the call returns.
 */
#include <jif/jiffies.h>
#include <jif/trace.h>
#include <jif/wheel.h>
#include <limits.h>

#include "wheel_debug.h"
#include "wheel_sleep.h"

static inline struct jif_timer **list_of(struct jif_wheel *wheel, unsigned slot)
{
	return &wheel->slot[slot - 1];
}

/* The day of a timer that is due in a later week. */
static struct jif_place find_day(const struct jif_wheel *wheel,
				 const struct jif_timer *timer)
{
	const struct ring *ring = &jif_rings[DAY];
	uint32_t ticks = timer->remaining - wheel->since[DAY], weeks = 0;
	unsigned days;

	/* A run that was stopped may have left timers that are due today. */
	if (ticks >= DAY_TICKS)
		weeks = whole_weeks(ticks - DAY_TICKS);
	days = (unsigned)slots_in(ticks - weeks, ring);
	ticks -= days * DAY_TICKS;
	days += in_turn(ring, wheel->hand[DAY]);
	return (struct jif_place){ DAY, days % JIF_DAY_SLOTS, ticks };
}

struct jif_place jif_timer_find(const struct jif_wheel *wheel,
				const struct jif_timer *timer)
{
	unsigned slot = (unsigned)timer->where;
	unsigned level = level_of((index_t)slot);

	if (level == WEEK)
		return find_day(wheel, timer);
	slot = in_turn(&jif_rings[level], slot);
	return (struct jif_place){ level, slot, timer->remaining };
}

/* The shares of a drain and a walk in the nesting count. */
enum { DRAIN = 1, WALK = 0x10, MAX_NESTING = 0xf0 };

/* Keeps a tick ISR from running the wheel, and so from moving it. */
static void hold(struct jif_wheel *wheel, unsigned what)
{
	jif_irq_t flags = jif_irq_save();

	wheel->nesting = (uint8_t)(wheel->nesting + what);
	WRITE_SHARED(&wheel->quiet_until,
		     (uint8_t)(wheel->levels_due ? NO_SLOT : SEC_FIRST));
	jif_irq_restore(flags);
}

static void let_go(struct jif_wheel *wheel, unsigned what)
{
	jif_irq_t flags = jif_irq_save();

	wheel->nesting = (uint8_t)(wheel->nesting - what);
	jif_irq_restore(flags);
}

static bool is_mark(const struct jif_timer *entry)
{
	return !entry->fn;
}

/* Links a bookmark into a list that has entries: in front, or at the tail. */
static void mark_head(struct jif_timer **list, struct jif_timer *mark)
{
	mark->fn = NULL;
	mark->remaining = (*list)->remaining;
	mark->where = (*list)->where;
	timers_add_head(list, mark);
}

static void mark_tail(struct jif_timer **list, struct jif_timer *mark)
{
	mark_head(list, mark);
	*list = mark;
}

/* Moves @mark on behind the next entry, which is returned; NULL at @end. */
static struct jif_timer *mark_step(struct jif_timer **list,
				   struct jif_timer *mark,
				   const struct jif_timer *end)
{
	struct jif_timer *entry;

	do {
		entry = mark->next;
		if (entry == end)
			return NULL;
		timers_del(list, mark);
		timers_add_head(&entry, mark);
	} while (is_mark(entry));
	return entry;
}

/*
 * Entries that are appended meanwhile are behind the second bookmark. Handlers
 * may change an entry, but nobody moves the hands: so a copy is looked at.
 */
static int walk_list(struct jif_wheel *wheel, struct jif_timer **list,
		     jif_walk_fn *fn, void *arg)
{
	struct jif_timer mark, end, seen;
	struct jif_timer *entry;
	struct jif_place found;
	int ret = 0;
	jif_irq_t flags = jif_irq_save();

	if (*list) {
		mark_head(list, &mark);
		mark_tail(list, &end);
		while (!ret && (entry = mark_step(list, &mark, &end))) {
			seen.where = entry->where;
			seen.remaining = entry->remaining;
			jif_irq_restore(flags);
			found = jif_timer_find(wheel, &seen);
			ret = fn(arg, entry, found.level, found.slot,
				 found.remaining);
			flags = jif_irq_save();
		}
		jif_timer_del(wheel, &mark);
		jif_timer_del(wheel, &end);
	}
	jif_irq_restore(flags);
	return ret;
}

int jif_wheel_walk(struct jif_wheel *wheel, jif_walk_fn *fn, void *arg)
{
	int ret = 0;

	if (!check_walk(wheel, MAX_NESTING))
		return 0;
	hold(wheel, WALK);
	for (unsigned slot = SEC_FIRST; !ret && slot <= LAST_SLOT; slot++)
		ret = walk_list(wheel, list_of(wheel, slot), fn, arg);
	let_go(wheel, WALK);
	return ret;
}

/* For the first expiry. */
struct search {
	uint32_t first; /* the ticks until then, as far as is known */
	unsigned looks; /* so many entries may still be looked at */
};

/* An entry of a slot that is reached in @visit; none is due before @soonest. */
static void look_at(struct search *search, uint32_t visit, uint32_t soonest,
		    const struct jif_timer *entry)
{
	if (visit + entry->remaining < search->first)
		search->first = visit + entry->remaining;
	if (search->looks)
		search->looks--;
	if (!search->looks)
		search->first = soonest;
}

/* So many entries of a list are looked at before interrupts are let in. */
#define FEW 2

/* All of a slot. If that has too many entries, the answer is @soonest. */
static void look_through(struct jif_wheel *wheel, unsigned slot, uint32_t visit,
			 uint32_t soonest, struct search *search)
{
	struct jif_timer **list = list_of(wheel, slot);
	struct jif_timer mark, end;
	jif_irq_t flags = jif_irq_save();
	struct jif_timer *entry = *list;

	for (unsigned few = FEW; entry && few; few--) {
		entry = entry->next;
		if (!is_mark(entry))
			look_at(search, visit, soonest, entry);
		if (entry == *list)
			entry = NULL;
	}
	if (entry) {
		mark_head(&entry, &mark);
		mark_tail(list, &end);
		flags = jif_irq_window(flags);
		while (search->first > soonest &&
		       (entry = mark_step(list, &mark, &end))) {
			look_at(search, visit, soonest, entry);
			flags = jif_irq_window(flags);
		}
		jif_timer_del(wheel, &mark);
		jif_timer_del(wheel, &end);
	}
	jif_irq_restore(flags);
}

static void look_at_weeks(struct jif_wheel *wheel, struct search *search)
{
	uint32_t visit = visit_of(wheel, WEEK_FIRST) - clock_of(wheel);
	uint32_t soonest;
	unsigned slot = WEEK_FIRST;

	for (;; slot++) {
		slot = bitmap_find(wheel->occupied, slot, LAST_SLOT + 1);
		if (slot > LAST_SLOT)
			return;
		soonest = slot == far_slot(wheel) ? wheel->far_due + visit : 0;
		if (soonest < search->first)
			look_through(wheel, slot, visit, soonest, search);
	}
}

/* How long it takes the hand of a level to move. */
static inline uint32_t ticks_to_move(const struct jif_wheel *wheel,
				     unsigned level)
{
	return jif_rings[level].ticks - (clock_of(wheel) - wheel->since[level]);
}

/*
 * A ring whose first slot with entries is @first, and whose hand moves in
 * @visit. Entries due now come first; else the slot under the hand comes last.
 * Slots behind a slot are due later, unless its entries are postponed.
 */
static inline void look_at_ring(struct jif_wheel *wheel, unsigned level,
				unsigned first, uint32_t visit,
				struct search *search)
{
	const struct ring *ring = &jif_rings[level];
	const unsigned hand = wheel->hand[level];
	unsigned from = hand + 1, end = ring[1].first, slot = first;
	bool round = first > hand;

	if (level < wheel->levels_due)
		look_through(wheel, hand, 0, 0, search);
	if (!round)
		slot = bitmap_find(wheel->occupied, from, end);
	for (;;) {
		visit += (slot - from) * ring->ticks;
		if (visit >= search->first)
			return;
		if (slot < end) {
			look_through(wheel, slot, visit, visit, search);
			visit += ring->ticks;
			if (visit >= search->first)
				return;
			from = slot + 1;
			slot = bitmap_find(wheel->occupied, from, end);
		} else if (round) {
			return;
		} else {
			round = true;
			from = ring->first;
			end = hand + 1;
			slot = first;
		}
	}
}

/* Higher hands move when those below have come round. */
static inline void look_at_rings(struct jif_wheel *wheel, struct search *search)
{
	unsigned slot, level = SEC;

	do {
		slot = bitmap_find(wheel->occupied, jif_rings[level].first,
				   LAST_SLOT + 1);
		if (slot > LAST_SLOT)
			return;
		level = level_of((index_t)slot);
		if (level == WEEK) {
			look_at_weeks(wheel, search);
			return;
		}
		look_at_ring(wheel, level, slot, ticks_to_move(wheel, level),
			     search);
		level++;
	} while (level < wheel->levels_due ||
		 ticks_to_move(wheel, level) < search->first);
}

/* The first expiry, or @most after the clock; false if there is neither. */
static bool find_expiry(struct jif_wheel *wheel, uint32_t most, unsigned looks,
			uint32_t *when)
{
	struct search search = { most, looks };

	if (!check_walk(wheel, MAX_NESTING))
		return false;
	hold(wheel, WALK);
	look_at_rings(wheel, &search);
	if (search.first != UINT32_MAX)
		*when = clock_of(wheel) + search.first;
	let_go(wheel, WALK);
	return search.first != UINT32_MAX;
}

bool jif_wheel_next_expiry(struct jif_wheel *wheel, uint32_t *when)
{
	return find_expiry(wheel, UINT32_MAX, UINT_MAX, when);
}

/*
 * With CONFIG_JIF_SPREAD, the wheel's stops are kept, so that no run has more
 * to move than one tick may. The search is made all the same, for quiet_until.
 */
uint32_t jif_wheel_sleep_until(struct jif_wheel *wheel)
{
	uint32_t stop, until = look_at_clock(wheel);

	find_expiry(wheel, JIF_SLEEP_MAX, LOOKS, &until);
	if (CONFIG_JIF_SPREAD && jif_wheel_next_stop(wheel, &stop) &&
	    jif_time_before(stop, until))
		until = stop;
	return until;
}

/*
 * Draining gathers all entries in the slot under the hand of the seconds, where
 * nothing is armed. Each gets all of its time as the remaining value. They are
 * sorted there and taken off one by one. They are pending to the last: an
 * interrupt may delete or move any of them meanwhile.
 *
 * For one expiry, an entry on a higher level was armed earlier. Gathered from
 * the weeks down to the seconds, in front of entries due now, all are in arming
 * order, and the sort is stable. Entries due later go to the end, behind those
 * that a drain around this one has gathered there.
 */
static void gather(struct jif_wheel *wheel, unsigned from,
		   struct jif_timer *mark)
{
	struct jif_timer **list = list_of(wheel, from);
	struct jif_timer **to = list_of(wheel, (unsigned)mark->where);
	struct jif_timer *entry, *before;
	uint32_t visit = 0;
	jif_irq_t flags = jif_irq_save();

	if (*list) {
		visit = visit_of(wheel, from) - clock_of(wheel);
		flags = jif_irq_window(flags);
	}
	while ((int)from != mark->where && last_of(wheel, from)) {
		entry = (*list)->next;
		if (!jif_timer_del(wheel, entry))
			break;
		entry->remaining += visit;
		WRITE_SHARED(&entry->where, mark->where);
		before = entry->remaining ? *to : mark->prev;
		timers_add_head(&before, entry);
		if (entry->remaining)
			*to = entry;
		flags = jif_irq_window(flags);
	}
	jif_irq_restore(flags);
}

static void gather_all(struct jif_wheel *wheel)
{
	unsigned hand = wheel->hand[WEEK];
	unsigned to = wheel->hand[SEC];
	struct jif_timer mark = { .where = (int)to };
	jif_irq_t flags = jif_irq_save();

	timers_add_head(list_of(wheel, to), &mark);
	bitmap_set(wheel->occupied, to);
	jif_irq_restore(flags);
	for (unsigned i = 0; i < jif_rings[WEEK].slots; i++)
		gather(wheel, wrap(&jif_rings[WEEK], hand + i), &mark);
	for (unsigned slot = WEEK_FIRST; slot-- > SEC_FIRST;)
		gather(wheel, slot, &mark);
	jif_timer_del(wheel, &mark);
}

/*
 * One pass of a radix sort: entries whose remaining value has @bit go behind
 * those without. The bookmark @end parts entries to be looked at from those
 * that have been; @set parts the latter by the bit. Returns all bits seen.
 */
static uint32_t sort_by(struct jif_wheel *wheel, struct jif_timer **list,
			uint32_t bit)
{
	struct jif_timer end, set;
	struct jif_timer *entry, *before;
	uint32_t seen = 0;
	jif_irq_t flags = jif_irq_save();

	if (*list) {
		mark_tail(list, &end);
		mark_tail(list, &set);
		while ((entry = (*list)->next) != &end) {
			seen |= entry->remaining;
			timers_del(list, entry);
			before = entry->remaining & bit ? *list : set.prev;
			timers_add_head(&before, entry);
			if (entry->remaining & bit)
				*list = entry;
			flags = jif_irq_window(flags);
		}
		jif_timer_del(wheel, &end);
		jif_timer_del(wheel, &set);
	}
	jif_irq_restore(flags);
	return seen;
}

static unsigned deliver(struct jif_wheel *wheel, unsigned slot,
			jif_timer_fn *fn)
{
	struct jif_timer *entry;
	jif_timer_fn *call;
	unsigned delivered = 0;
	jif_irq_t flags = jif_irq_save();

	while ((entry = last_of(wheel, slot))) {
		entry = entry->next;
		if (!jif_timer_del(wheel, entry))
			break;
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
	struct jif_timer **list;
	uint8_t due;
	uint32_t bit = 1;
	unsigned delivered;

	if (!check_walk(wheel, WALK) || wheel->nesting >= WALK)
		return 0;
	/* Idle ticks pass the target; it shows callbacks how late they are. */
	if (!wheel->nesting)
		wheel->target = clock_of(wheel);
	hold(wheel, DRAIN);
	list = list_of(wheel, wheel->hand[SEC]);
	due = wheel->levels_due;
	wheel->levels_due = due ? due : SEC + 1;
	gather_all(wheel);
	while (sort_by(wheel, list, bit) / 2 >= bit)
		bit *= 2;
	delivered = deliver(wheel, wheel->hand[SEC], fn);
	wheel->levels_due = due;
	let_go(wheel, DRAIN);
	return delivered;
}
