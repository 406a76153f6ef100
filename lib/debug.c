/* SPDX-License-Identifier: MIT */
/*
 * lib/debug.c - CONFIG_JIF_DEBUG: which misuse it is
 *
 * It knows no rings and no port: so it serves each wheel that a test builds.
 * What an entry points at is read, even if the entry may be broken: a pointer
 * to no memory at all faults here instead of later.
 */
#include <jif/debug.h>
#include <stdint.h>

#include "bug.h"
#include "wheel_debug.h"

jif_warn_fn *jif_warn;

void jif_refused(const char *what, const void *object, void (*fn)(void))
{
	if (jif_warn)
		jif_warn(what, object, fn);
}

void jif_misused(const char *what, const void *object, void (*fn)(void))
{
	if (CONFIG_JIF_DEBUG && !jif_warn)
		jif_panic(what);
	jif_refused(what, object, fn);
}

/* What must not go on. */
static void stop_at(const char *what, const void *object, jif_timer_fn *fn)
{
	jif_refused(what, object, (void (*)(void))fn);
	if (CONFIG_JIF_DEBUG)
		jif_panic(what);
}

void jif_timer_misused(const char *what, const struct jif_timer *timer)
{
	jif_misused(what, timer, (void (*)(void))timer->fn);
}

void jif_timer_refused(const struct jif_timer *timer, int err)
{
	const char *what = "a timer is armed that was never initialised";
	jif_timer_fn *fn = timer->fn;

	if (err == -JIF_EBUSY)
		what = "a timer is added that is pending";
	else if (timer->where == JIF_TIMER_NEW)
		what = "a timer is armed that has no function";
	else if (timer->where == JIF_TIMER_DEAD && timer->fn)
		what = "a timer is armed that was shut down";
	else
		fn = NULL;
	jif_refused(what, timer, (void (*)(void))fn);
}

/* Do both neighbours point back? */
static bool is_linked(const struct jif_timer *entry)
{
	return entry->next && entry->prev && entry->next->prev == entry &&
	       entry->prev->next == entry;
}

static bool is_in_slot(const struct jif_timer *entry, int slot)
{
	return entry->where == slot && is_linked(entry) &&
	       entry->next->where == slot && entry->prev->where == slot;
}

/*
 * An entry points to @other: is @other the broken one? It is if it left the
 * slot; but not if it is an idle timer that does not point back, to which the
 * entry points by mistake.
 */
static bool has_left(const struct jif_timer *other, int slot, bool points_back)
{
	return other->where != slot &&
	       (points_back || (other->where != JIF_TIMER_NEW &&
				other->where != JIF_TIMER_IDLE));
}

/* Tells of @entry or, if that is as it should be, of a neighbour. */
static void tell_fault(const struct jif_timer *entry, int slot)
{
	const char *what = "W2: a pending timer was freed or overwritten";
	const struct jif_timer *next = entry->next, *prev = entry->prev;
	jif_timer_fn *fn;

	if (entry->where == slot && next &&
	    has_left(next, slot, next->prev == entry))
		entry = next;
	else if (entry->where == slot && prev &&
		 has_left(prev, slot, prev->next == entry))
		entry = prev;
	fn = entry->fn;
	if (entry->where == slot)
		what = "W2: links of a pending timer are broken";
	else if (entry->where == JIF_TIMER_NEW)
		what = "W2: a pending timer was initialised";
	else if (entry->where > JIF_TIMER_DEAD && entry->where < JIF_TIMER_IDLE)
		what = "W2: a pending timer was initialised and armed again";
	else if (entry->where == JIF_TIMER_DEAD && !fn)
		what = "W2: a pending timer was zeroed";
	else
		fn = NULL;
	stop_at(what, entry, fn);
}

/* Is a timer that is linked on the list that ends with @tail? */
static bool is_found(const struct jif_timer *tail,
		     const struct jif_timer *timer)
{
	const struct jif_timer *entry = timer;

	do {
		if (entry == tail)
			return true;
		entry = entry->prev;
		if (!is_linked(entry))
			tell_fault(entry, timer->where);
	} while (entry != timer);
	return false;
}

/* Its neighbours have another entry between them. */
static bool is_copy(const struct jif_timer *timer)
{
	const struct jif_timer *other = timer->next ? timer->next->prev : NULL;

	return other && other != timer && timer->prev &&
	       timer->prev->next == other && other->where == timer->where;
}

bool jif_timer_is_on(struct jif_timer *const *list,
		     const struct jif_timer *timer)
{
	int slot = timer->where;

	if (is_in_slot(timer, slot) && is_found(*list, timer))
		return true;
	if (is_copy(timer)) {
		jif_timer_misused("W2: a pending timer was copied", timer);
		return false;
	}
	if (is_in_slot(timer, slot))
		jif_timer_misused("a timer is pending on another wheel", timer);
	else
		tell_fault(timer, slot);
	return false;
}

void jif_list_check(const struct jif_timer *tail, int slot)
{
	if (!is_in_slot(tail, slot))
		tell_fault(tail, slot);
	else if (!is_in_slot(tail->next, slot))
		tell_fault(tail->next, slot);
}
