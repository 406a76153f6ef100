/* SPDX-License-Identifier: MIT */
/*
 * lib/panic.h - on an operating system, misuse is printed, and a panic aborts
 *
 * On a bare machine, only the product knows how to print and how to stop: none
 * of this is there, and a debug build without its jif_panic() does not link.
 */
#ifndef JIF_LIB_PANIC_H
#define JIF_LIB_PANIC_H

#include <jif/debug.h>

#include "bug.h"

#if JIF_ON_SYSTEM
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#endif

#if JIF_ON_SYSTEM && CONFIG_JIF_DEBUG
static void print_warning(const char *what, const void *object,
			  void (*fn)(void))
{
	const uint32_t times = JIF_LOAD(&jif_times_told, RELAXED);

	(void)fprintf(stderr, "jif: %s: object %p, function %#jx", what, object,
		      (uintmax_t)(uintptr_t)fn);
	if (times > 1)
		(void)fprintf(stderr, " (%ju times)", (uintmax_t)times);
	(void)fprintf(stderr, "\n");
}
#define JIF_WARN_DEFAULT print_warning
#else
#define JIF_WARN_DEFAULT NULL
#endif

#if JIF_ON_SYSTEM && defined(JIF_WEAK)
JIF_WEAK void jif_panic(const char *why)
{
	(void)fprintf(stderr, "jif: panic: %s\n", why);
	abort();
}
#endif

#endif
