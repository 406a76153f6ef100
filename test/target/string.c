/* SPDX-License-Identifier: MIT */
/* What a compiler takes for granted */
#include <string.h>

void *memset(void *to, int byte, size_t n)
{
	unsigned char *at = to;

	while (n--)
		*at++ = (unsigned char)byte;
	return to;
}

void *memcpy(void *to, const void *from, size_t n)
{
	unsigned char *at = to;
	const unsigned char *source = from;

	while (n--)
		*at++ = *source++;
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (; n--; x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

int strcmp(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return *(const unsigned char *)a - *(const unsigned char *)b;
}

#if defined(__ARM_EABI__)
/* clang's names for it. */
void __aeabi_memclr(void *to, size_t n);
void __aeabi_memclr4(void *to, size_t n);

void __aeabi_memclr(void *to, size_t n)
{
	memset(to, 0, n);
}

void __aeabi_memclr4(void *to, size_t n)
{
	memset(to, 0, n);
}
#endif
