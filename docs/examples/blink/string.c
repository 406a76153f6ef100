/* SPDX-License-Identifier: MIT */
/* What compilers ask of every program: without a C library, it is here. */
#include <stddef.h>

void *memset(void *to, int value, size_t size);

void *memset(void *to, int value, size_t size)
{
	volatile unsigned char *byte = to;

	while (size--)
		*byte++ = (unsigned char)value;
	return to;
}
