/* SPDX-License-Identifier: MIT */
/* Which mutant a program is: see switched.py */
#include <stdlib.h>

extern int jif_mutant;
int jif_mutant;

/* What a mutant calls that takes this machine for one of another kind. */
void jif_port_count(void);
void jif_port_count(void)
{
	abort();
}

__attribute__((constructor)) static void choose(void)
{
	const char *number = getenv("JIF_MUTANT");

	jif_mutant = number ? atoi(number) : 0;
}
