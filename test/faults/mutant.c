/* SPDX-License-Identifier: MIT */
/*
 * test/faults/mutant.c - which mutant a program is: see switched.py
 */
#include <stdlib.h>

extern int jif_mutant;
int jif_mutant;

__attribute__((constructor)) static void choose(void)
{
	const char *number = getenv("JIF_MUTANT");

	jif_mutant = number ? atoi(number) : 0;
}
