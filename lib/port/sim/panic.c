/* SPDX-License-Identifier: MIT */
/*
 * lib/port/sim/panic.c - on a host, a panic says why and aborts
 */
#include <jif/port.h>
#include <stdio.h>
#include <stdlib.h>

void jif_panic(const char *why)
{
	fprintf(stderr, "jif: panic: %s\n", why);
	abort();
}
