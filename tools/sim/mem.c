/* SPDX-License-Identifier: MIT */
/*
 * mem.c - memory, or the end
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "mem.h"

static void *check(void *block)
{
	if (block)
		return block;
	fputs("jifsim: out of memory\n", stderr);
	exit(STATUS_INTERNAL);
}

void *mem_alloc(size_t count, size_t size)
{
	return check(calloc(count ? count : 1, size));
}

void *mem_grow(void *array, size_t *room, size_t count, size_t size)
{
	size_t want = *room ? *room : 16;

	if (count <= *room)
		return array;
	while (want < count && want <= SIZE_MAX / 2)
		want *= 2;
	if (want < count || want > SIZE_MAX / size)
		check(NULL);
	*room = want;
	return check(realloc(array, want * size));
}

char *mem_copy(const char *text, size_t length)
{
	char *copy = mem_alloc(length + 1, 1);

	memcpy(copy, text, length);
	return copy;
}

char *mem_print(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = mem_alloc((size_t)length + 1, 1);
	va_start(args, format);
	vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	return text;
}
