/* SPDX-License-Identifier: MIT */
/*
 * lib/list.h - lists of timers
 *
 * A list is a ring in both directions. Its owner keeps a pointer to the last
 * entry, whose next one is the first; NULL is an empty list.
 */
#ifndef JIF_LIB_LIST_H
#define JIF_LIB_LIST_H

#include <jif/timer.h>

/* In front of the first entry. */
static inline void list_add_head(struct jif_timer **tail,
				 struct jif_timer *timer)
{
	struct jif_timer *last = *tail;
	struct jif_timer *first = timer;

	if (last)
		first = last->next;
	else
		last = *tail = timer;
	timer->prev = last;
	timer->next = first;
	last->next = timer;
	first->prev = timer;
}

/* True if that leaves the list empty. */
static inline bool list_del(struct jif_timer **tail, struct jif_timer *timer)
{
	struct jif_timer *prev = timer->prev;
	struct jif_timer *next = timer->next;

	prev->next = next;
	next->prev = prev;
	if (*tail != timer)
		return false;
	*tail = prev == timer ? NULL : prev;
	return prev == timer;
}

#endif
