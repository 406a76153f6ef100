/* SPDX-License-Identifier: MIT */
/*
 * lib/panic.h - on an operating system, a panic says why and aborts
 *
 * On a bare machine, only the product knows how to stop: none of this is there,
 * and a debug build without its jif_panic() does not link.
 */
#ifndef JIF_LIB_PANIC_H
#define JIF_LIB_PANIC_H

#include <jif/port.h>

#if JIF_ON_SYSTEM && defined(JIF_WEAK)
#include <stdio.h>
#include <stdlib.h>

JIF_WEAK void jif_panic(const char *why)
{
	(void)fprintf(stderr, "jif: panic: %s\n", why);
	abort();
}
#endif

#endif
