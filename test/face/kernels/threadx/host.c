/* SPDX-License-Identifier: MIT */
/* In the place of test/target, on a host */
#include <stdio.h>
#include <unistd.h>

#include "../../../target/target.h"

void (*volatile target_irq)(void);

/* No other interrupt than the tick, in which that one comes as well. */
void target_pend_after(uint32_t ns)
{
}

void target_put_text(const char *text)
{
	fputs(text, stdout);
	fflush(stdout); /* a fault may end the program */
}

void target_put_number(uint32_t number)
{
	printf("%u", (unsigned)number);
}

void target_exit(int status)
{
	fflush(stdout);
	_exit(status);
}
