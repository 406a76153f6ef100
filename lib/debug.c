/* SPDX-License-Identifier: MIT */
/*
 * lib/debug.c - CONFIG_JIF_DEBUG: which misuse it is
 *
 * It knows no rings and no port: so it serves each wheel that a test builds.
 * What an entry points at is read, even if the entry may be broken: a pointer
 * to no memory at all faults here instead of later.
 */
#include <jif/debug.h>
#include <jif/jiffies.h>
#include <stdint.h>

#include "bug.h"
#include "wheel_debug.h"

bool jif_powers_on;
uint32_t jif_times_told;

/* How often each misuse has come up lately, of one kind and object. */
static struct misuse {
	const char *what;
	const void *object;
	uint32_t times;
} misuses[CONFIG_JIF_DEBUG && JIF_ON_SYSTEM ? 64 : 8];

#define MISUSES (sizeof(misuses) / sizeof(*misuses))

/* One wheel's runs in a row up to where its clock was, but not its time. */
static struct {
	const void *wheel;
	uint32_t clk, runs;
	bool agrees; /* its clock, with what is taken for its time */
} stale;

/* A machine that begins anew has reported nothing. */
void jif_power_on(bool on)
{
	jif_powers_on = on;
	stale.wheel = NULL;
	for (unsigned i = 0; i < MISUSES; i++)
		misuses[i].times = 0;
}

/* Where there are more, objects of one kind are counted together. */
static uint32_t count_misuse(const char *what, const void *object)
{
	struct misuse *rarest = misuses;
	uint32_t times = 0;

	for (unsigned i = 0; i < MISUSES; i++) {
		struct misuse *it = &misuses[i];

		if (LOOK(it->what) == what && LOOK(it->object) == object) {
			rarest = it;
			break;
		}
		if (LOOK(it->times) < LOOK(rarest->times))
			rarest = it;
	}
	if (LOOK(rarest->what) == what)
		times = LOOK(rarest->times);
	NOTE(rarest->what, what);
	NOTE(rarest->object, object);
	NOTE(rarest->times, times + 1);
	return times + 1;
}

/* The first one and, of its repetitions, each power of two. */
void jif_tell_refused(const char *what, const void *object, void (*fn)(void))
{
	uint32_t times;

	if (!jif_warn)
		return;
	times = count_misuse(what, object);
	NOTE(jif_times_told, times);
	if (!(times & (times - 1)))
		jif_warn(text_of(what), object, fn);
}

void jif_tell_misused(const char *what, const void *object, void (*fn)(void))
{
	if (CONFIG_JIF_DEBUG && !jif_warn)
		jif_panic(text_of(what));
	jif_tell_refused(what, object, fn);
}

void jif_tell_damaged(const char *what, const void *object, void (*fn)(void))
{
	jif_times_told = 1;
	if (jif_warn)
		jif_warn(text_of(what), object, fn);
	if (CONFIG_JIF_DEBUG)
		jif_panic(text_of(what));
}

/* While jiffies are not counted, a wheel has a time of its own. */
void jif_clock_check(const void *wheel, uint32_t clk)
{
	uint32_t now = jif_now();

	if (now != (uint32_t)CONFIG_JIF_INITIAL_JIFFIES &&
	    now - clk - 1 < JIF_DELAY_MAX)
		jif_misused("a wheel without time source is behind jif_now()",
			    wheel, NULL);
}

void jif_source_check(const void *wheel, uint32_t ahead)
{
	if (ahead > JIF_DELAY_MAX)
		jif_refused("a wheel's time source is behind its clock", wheel,
			    NULL);
}

void jif_delay_check(const void *wheel, uint32_t behind)
{
	if (behind > JIF_DELAY_MAX)
		jif_misused("a wheel without time source is ahead of jif_now()",
			    wheel, NULL);
}

/*
 * With a time that its source has not got to? Or again and again with one that
 * is over: a delay that is taken for a time is soon far behind. Without a
 * source, jiffies tell, if they have agreed with the clock.
 */
void jif_run_check(const void *wheel, uint32_t now, uint32_t clk,
		   const uint32_t *source)
{
	uint32_t time = source ? *source : jif_now();

	if (now == time || !now)
		return;
	if (now != clk) {
		if (source && now - time - 1 < JIF_SLEEP_MAX)
			jif_misused(
				"a wheel is run with a time after its source's",
				wheel, NULL);
		return;
	}
	if (wheel != LOOK(stale.wheel) || clk != LOOK(stale.clk)) {
		NOTE(stale.wheel, wheel);
		NOTE(stale.clk, clk);
		NOTE(stale.runs, 0);
		NOTE(stale.agrees, source || time == clk + 1);
	}
	NOTE(stale.runs, LOOK(stale.runs) + 1);
	if (LOOK(stale.agrees) && LOOK(stale.runs) >= 64 && time / 2 > clk)
		jif_misused("a wheel is run with a delay instead of a time",
			    wheel, NULL);
}

void jif_timer_refused(const struct jif_timer *timer, int err)
{
	const char *what = TEXT("a timer is armed that was never initialised");
	jif_timer_fn *fn = timer->fn;

	if (err == -JIF_EBUSY)
		what = TEXT("a timer is added that is pending");
	else if (timer->where == JIF_TIMER_NEW)
		what = TEXT("a timer is armed that has no function");
	else if (timer->where == JIF_TIMER_DEAD && timer->fn)
		what = TEXT("a timer is armed that was shut down");
	else
		fn = NULL;
	jif_tell_refused(what, timer, (void (*)(void))fn);
}

static bool is_in_slot(const struct jif_timer *entry, int slot)
{
	return entry->where == slot && IS_LINKED(entry) &&
	       entry->next->where == slot && entry->prev->where == slot;
}

/*
 * An entry points to @other: is @other the broken one? It is if it left the
 * slot; but not if it is an idle timer that does not point back, to which the
 * entry points by mistake. One that was zeroed and initialised has no links.
 */
static bool has_left(const struct jif_timer *other, int slot, bool points_back)
{
	return other->where != slot && (points_back || !other->next ||
					(other->where != JIF_TIMER_NEW &&
					 other->where != JIF_TIMER_IDLE));
}

/* Reports @entry or, if that is as it should be, a neighbour. */
static void tell_fault(const struct jif_timer *entry, int slot)
{
	const char *what = TEXT("W2: a pending timer was freed or overwritten");
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
		what = TEXT("W2: links of a pending timer are broken");
	else if (entry->where == JIF_TIMER_NEW)
		what = TEXT("W2: a pending timer was initialised");
	else if (entry->where > JIF_TIMER_DEAD && entry->where < JIF_TIMER_IDLE)
		what = TEXT(
			"W2: a pending timer was initialised and armed again");
	else if (entry->where == JIF_TIMER_DEAD && !fn)
		what = TEXT("W2: a pending timer was zeroed");
	else
		fn = NULL;
	jif_tell_damaged(what, entry, (void (*)(void))fn);
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
		if (!IS_LINKED(entry))
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
		jif_timer_misused("a pending timer was copied", timer);
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
