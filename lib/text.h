/* SPDX-License-Identifier: MIT */
/*
 * lib/text.h - the texts of lib/bug.h as others can read them
 */
#ifndef JIF_LIB_TEXT_H
#define JIF_LIB_TEXT_H

#include "bug.h"

#define TEXT_MAX 64

#ifdef JIF_IN_FLASH
/* A copy, which is right until the next one is made. */
static const char *text_of(const char *kept)
{
	static char copy[TEXT_MAX];
	char *to = copy;

	do
		__asm__ volatile("lpm %0, Z+" : "=r"(*to), "+z"(kept));
	while (*to++ && to < &copy[TEXT_MAX - 1]);
	return copy;
}
#else
static inline const char *text_of(const char *kept)
{
	return kept;
}
#endif

#endif
