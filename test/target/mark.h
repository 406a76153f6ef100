/* SPDX-License-Identifier: MIT */
/*
 * test/target/mark.h - how an image shows tools/check/budget what to count
 *
 * The count is of all between two calls of mark(): the arguments, the call,
 * and all until it has returned. The name of the function in which that is,
 * row_ and its own, is the name of the figure.
 */
#pragma once

#include <stdint.h>

/* A call is a call, also where nothing comes after it. */
#pragma GCC optimize("no-optimize-sibling-calls")

#define NOINLINE __attribute__((noinline, noclone)) static

/* Weak: the compiler may assume nothing of what it does to registers. */
#define WEAK __attribute__((weak))

WEAK void mark(void);
WEAK void group(void);

void mark(void)
{
}

/* From here on, the figures are for another number of timers. */
void group(void)
{
}

struct jif_timer;
typedef void row_fn(struct jif_timer *t, uint32_t when);

#define ROW(name, call)                                                        \
	NOINLINE void row_##name(struct jif_timer *t, uint32_t when)           \
	{                                                                      \
		(void)t;                                                       \
		(void)when;                                                    \
		__asm__ volatile("/* " #name " */"); /* unlike the others */   \
		mark();                                                        \
		call;                                                          \
		mark();                                                        \
	}
