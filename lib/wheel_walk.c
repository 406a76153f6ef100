/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_walk.c - what looks at many timers: walk, count, exact next, drain
 *
 * Interrupts are let in after each entry, or after a few, and their handlers
 * may remove any entry, also the one just looked at. So a bookmark holds the
 * place in the list: an entry without a function, linked in like all others,
 * which no removal beside it can dislodge. It is gone when the call returns.
 */
#include <jif/trace.h>
#include <jif/wheel.h>
#include <limits.h>

#include "port/jif_port.h"
#include "wheel.h"
#include "wheel_debug.h"
#include "wheel_sleep.h"
#include "wheel_spread.h"

/* The day of a timer that is due in a later week. */
static struct jif_place find_day(const struct jif_wheel *wheel,
				 const struct jif_timer *timer)
{
	const struct ring *ring = &jif_rings[DAY];
	uint32_t ticks = timer->remaining - wheel->moved[DAY];
	unsigned days;

	days = (unsigned)divide(ticks - whole_weeks(ticks, 1, DAY_TICKS),
				&ring->per_slot);
	ticks -= days * DAY_TICKS;
	days += in_turn(ring, wheel->hand[DAY]);
	return (struct jif_place){ DAY, days % JIF_DAY_SLOTS, ticks };
}

struct jif_place jif_timer_find(const struct jif_wheel *wheel,
				const struct jif_timer *timer)
{
	unsigned slot = (unsigned)timer->where;
	unsigned level = level_of(slot);

	if (level == WEEK)
		return find_day(wheel, timer);
	slot = in_turn(&jif_rings[level], slot);
	return (struct jif_place){ level, slot, timer->remaining };
}

/* What a drain and a walk add to the count of what is under way. */
enum { DRAIN = 1, WALK = 0x10, MAX_BUSY = 0xf0 };

/* Keeps a tick ISR from running the wheel, and so from moving it. */
static void hold(struct jif_wheel *wheel, unsigned what)
{
	jif_irq_t flags = jif_irq_save();

	wheel->busy = (uint8_t)(wheel->busy + what);
	wheel->quiet = 0;
	if (!wheel->due)
		watch_arming(wheel);
	jif_irq_restore(flags);
}

static void let_go(struct jif_wheel *wheel, unsigned what)
{
	jif_irq_t flags = jif_irq_save();

	wheel->busy = (uint8_t)(wheel->busy - what);
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
	list_add_head(list, mark);
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
		list_del(list, mark);
		list_add_head(&entry, mark);
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
	struct jif_place place;
	int ret = 0;
	jif_irq_t flags = jif_irq_save();

	if (*list) {
		mark_head(list, &mark);
		mark_tail(list, &end);
		while (!ret && (entry = mark_step(list, &mark, &end))) {
			seen = *entry;
			jif_irq_restore(flags);
			place = jif_timer_find(wheel, &seen);
			ret = fn(arg, entry, place.level, place.slot,
				 place.remaining);
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

	if (!check_walk(wheel, MAX_BUSY))
		return 0;
	hold(wheel, WALK);
	for (unsigned slot = SEC_FIRST; !ret && slot <= LAST_SLOT; slot++)
		ret = walk_list(wheel, list_of(wheel, slot), fn, arg);
	let_go(wheel, WALK);
	return ret;
}

static int count_one(void *arg, const struct jif_timer *timer, unsigned level,
		     unsigned slot, uint32_t remaining)
{
	unsigned *count = arg;

	(void)timer;
	(void)level;
	(void)slot;
	(void)remaining;
	++*count;
	return 0;
}

unsigned jif_wheel_count(struct jif_wheel *wheel)
{
	unsigned count = 0;

	jif_wheel_walk(wheel, count_one, &count);
	return count;
}

/**
 * struct search - for the first expiry
 * @first:	the ticks until then, as far as is known
 * @looks:	so many entries may still be looked at
 */
struct search {
	uint32_t first;
	unsigned looks;
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
#define FEW 4

/*
 * A slot that is reached in @visit ticks, and in which nothing is due sooner
 * than in @soonest. If it has too many entries, that is the answer.
 */
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

/*
 * The slots from @slot on, which has entries and is reached in @visit, up to
 * @end. Those behind it are due later, unless its entries are postponed.
 */
static void look_among(struct jif_wheel *wheel, const struct ring *ring,
		       unsigned slot, unsigned end, uint32_t visit,
		       struct search *search)
{
	unsigned from;

	while (slot < end && visit < search->first) {
		look_through(wheel, slot, visit, visit, search);
		visit += ring->ticks;
		if (visit >= search->first)
			return;
		from = slot + 1;
		slot = bitmap_find(wheel->occupied, from, end);
		visit += (slot - from) * ring->ticks;
	}
}

static void look_at_weeks(struct jif_wheel *wheel, struct search *search)
{
	uint32_t visit = ticks_to_0(wheel);
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
static uint32_t ticks_to_move(const struct jif_wheel *wheel, unsigned level)
{
	return jif_rings[level].ticks - (wheel->clk - wheel->moved[level]);
}

/*
 * Slots that are due now come first; else those under the hands come last.
 * Higher hands move when those below have come round, and weeks when all have.
 */
static void look_at_rings(struct jif_wheel *wheel, struct search *search)
{
	const struct ring *ring = jif_rings;
	unsigned slot, next, hand, level = SEC;
	uint32_t visit;

	for (;; ring++, level++) {
		slot = bitmap_find(wheel->occupied, ring->first, LAST_SLOT + 1);
		if (slot > LAST_SLOT)
			return;
		for (; slot >= ring[1].first; ring++)
			level++;
		if (level == WEEK)
			break;
		hand = wheel->hand[level];
		if (level < wheel->due)
			look_through(wheel, hand, 0, 0, search);
		next = slot;
		if (slot <= hand)
			next = bitmap_find(wheel->occupied, hand + 1,
					   ring[1].first);
		visit = ticks_to_move(wheel, level);
		look_among(wheel, ring, next, ring[1].first,
			   visit + (next - hand - 1) * ring->ticks, search);
		visit += (ring[1].first + slot - ring->first - hand - 1) *
			 ring->ticks;
		if (slot <= hand)
			look_among(wheel, ring, slot, hand + 1, visit, search);
		if (level + 1 >= wheel->due &&
		    ticks_to_move(wheel, level + 1) >= search->first)
			return;
	}
	look_at_weeks(wheel, search);
}

static bool find_expiry(struct jif_wheel *wheel, unsigned looks, uint32_t *when)
{
	struct search search = { UINT32_MAX, looks };

	if (!check_walk(wheel, MAX_BUSY))
		return false;
	hold(wheel, WALK);
	look_at_rings(wheel, &search);
	if (search.first != UINT32_MAX)
		*when = wheel->clk + search.first;
	let_go(wheel, WALK);
	return search.first != UINT32_MAX;
}

bool jif_wheel_next_expiry(struct jif_wheel *wheel, uint32_t *when)
{
	return find_expiry(wheel, UINT_MAX, when);
}

bool jif_wheel_next_wake(struct jif_wheel *wheel, uint32_t *when)
{
	return find_expiry(wheel, LOOKS, when);
}

/*
 * Draining gathers all entries in the slot under the hand of the seconds, where
 * nothing is armed, each with all of its time as the remaining value, sorts
 * them there and takes them off one by one. They are pending to the last: an
 * interrupt may delete or move any of them meanwhile.
 *
 * For one expiry, what is on a higher level was armed earlier. So gathered from
 * the weeks down to the seconds, in front of what is due now, entries are in
 * arming order, and the sort is stable. What is due later goes to the end,
 * behind what a drain around this one has gathered there.
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
		visit = jif_expiry_of(wheel, *list) - (*list)->remaining -
			wheel->clk;
		flags = jif_irq_window(flags);
	}
	while ((int)from != mark->where && last_of(wheel, from)) {
		entry = (*list)->next;
		if (!jif_timer_del(wheel, entry))
			break;
		entry->remaining += visit;
		WRITE_SHARED(&entry->where, mark->where);
		before = entry->remaining ? *to : mark->prev;
		list_add_head(&before, entry);
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

	list_add_head(list_of(wheel, to), &mark);
	bitmap_set(wheel->occupied, to);
	jif_irq_restore(flags);
	for (unsigned i = 0; i <= TURNS; i++)
		gather(wheel,
		       WEEK_FIRST + (hand - WEEK_FIRST + i) % (TURNS + 1),
		       &mark);
	for (unsigned slot = WEEK_FIRST; slot-- > SEC_FIRST;)
		gather(wheel, slot, &mark);
	jif_timer_del(wheel, &mark);
}

/*
 * One pass of a radix sort: entries whose remaining value has @bit go behind
 * those without. The bookmark @end parts what is to be looked at from what has
 * been; @set parts the latter into those without the bit and those with it.
 * Returns all bits seen.
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
			list_del(list, entry);
			before = entry->remaining & bit ? *list : set.prev;
			list_add_head(&before, entry);
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

	if (!check_walk(wheel, WALK) || wheel->busy >= WALK)
		return 0;
	/* Idle ticks pass the target; it tells callbacks how late they are. */
	if (!wheel->busy)
		wheel->target = wheel->clk;
	hold(wheel, DRAIN);
	list = list_of(wheel, wheel->hand[SEC]);
	due = wheel->due;
	wheel->due = due ? due : SEC + 1;
	gather_all(wheel);
	while (sort_by(wheel, list, bit) / 2 >= bit)
		bit *= 2;
	delivered = deliver(wheel, wheel->hand[SEC], fn);
	wheel->due = due;
	let_go(wheel, DRAIN);
	return delivered;
}
