/* SPDX-License-Identifier: MIT */
/*
 * mem.c - memory, or the end
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

void *mem_resize(void *array, size_t count, size_t size)
{
	return check(count <= SIZE_MAX / size ? realloc(array, count * size) :
						NULL);
}

/* The room doubles whenever the count comes to a power of two. */
void *mem_push(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	return mem_resize(array, count ? 2 * count : 1, size);
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
