/* SPDX-License-Identifier: MIT */
/* lib/firmware/key.h - keys and entries of a table, snapshot and service */
#ifndef JIF_LIB_KEY_H
#define JIF_LIB_KEY_H

#include <jif/firmware/table.h>

static inline bool is_same_key(struct jif_key a, struct jif_key b)
{
	const uint8_t *left = a.bytes, *right = b.bytes;

	if (a.number != b.number || !left != !right)
		return false;
	while (left && a.number--)
		if (*left++ != *right++)
			return false;
	return true;
}

/* Twice, as a number of 32 bits cannot be shifted by them. */
#define HIGH_HALF(number) ((uint32_t)((number) >> 16 >> 16))

enum { KEY_FREE, KEY_ARMED, KEY_PAUSED, KEY_DRAINED };

/* A handle has the link of its entry in its lower half. */
static inline struct jif_entry *entry_at(const struct jif_table *table,
					 unsigned link)
{
	return &table->entries[link - 1];
}

#endif
