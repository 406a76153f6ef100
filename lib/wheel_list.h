/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_list.h - lists, of timers and of work
 *
 * A list is a ring in both directions. Its owner keeps a pointer to the last
 * entry, whose next one is the first; NULL is an empty list. Whoever includes
 * this says by LIST_ENTRY what an entry is, and by LIST_NAME() what the
 * functions are called.
 */

/* In front of the first entry. */
static inline void LIST_NAME(add_head)(LIST_ENTRY **tail, LIST_ENTRY *entry)
{
	LIST_ENTRY *last = *tail;
	LIST_ENTRY *first = entry;

	if (last)
		first = last->next;
	else
		last = *tail = entry;
	entry->prev = last;
	entry->next = first;
	last->next = entry;
	first->prev = entry;
}

/* True if that leaves the list empty. */
static inline bool LIST_NAME(del)(LIST_ENTRY **tail, LIST_ENTRY *entry)
{
	LIST_ENTRY *prev = entry->prev;
	LIST_ENTRY *next = entry->next;

	prev->next = next;
	next->prev = prev;
	if (*tail != entry)
		return false;
	*tail = prev == entry ? NULL : prev;
	return prev == entry;
}

#undef LIST_ENTRY
#undef LIST_NAME
