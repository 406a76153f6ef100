/* SPDX-License-Identifier: MIT */
/*
 * lib/key.h - what a table and a service do with keys
 */
#ifndef JIF_LIB_KEY_H
#define JIF_LIB_KEY_H

#include <jif/table.h>

static inline bool is_same_key(struct jif_key a, struct jif_key b)
{
	const uint8_t *left = a.bytes;
	const uint8_t *right = b.bytes;

	if (a.number != b.number || !left != !right)
		return false;
	while (left && a.number--)
		if (*left++ != *right++)
			return false;
	return true;
}

#endif
