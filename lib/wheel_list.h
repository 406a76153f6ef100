/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_list.h - lists, of timers and of work
 *
 * A list is a ring in both directions. Its owner keeps a pointer to the last
 * entry, whose next one is the first; NULL is an empty list. JIF_ENTRY says
 * what an entry is, LIST_NAME() what the functions are called.
 */

/* In front of the first entry. */
static inline void LIST_NAME(add_head)(JIF_ENTRY **tail, JIF_ENTRY *entry)
{
	JIF_ENTRY *last = *tail;
	JIF_ENTRY *first = entry;

	if (last)
		first = last->next;
	else
		last = *tail = entry;
	entry->prev = last;
	last->next = entry;
	entry->next = first;
	first->prev = entry;
}

/* True if that leaves the list empty. */
static inline bool LIST_NAME(del)(JIF_ENTRY **tail, JIF_ENTRY *entry)
{
	JIF_ENTRY *prev = entry->prev;
	JIF_ENTRY *next = entry->next;

	prev->next = next;
	next->prev = prev;
	if (*tail != entry)
		return false;
	*tail = prev == entry ? NULL : prev;
	return prev == entry;
}

#undef JIF_ENTRY
#undef LIST_NAME
