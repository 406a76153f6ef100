/* SPDX-License-Identifier: MIT */
/*
 * mem.h - memory, or the end: what these calls return is never NULL
 */
#ifndef JIFSIM_MEM_H
#define JIFSIM_MEM_H

#include <stddef.h>

/* Zeroed. */
void *mem_alloc(size_t count, size_t size);

/* Makes room for @count elements in an array that has room for *@room. */
void *mem_grow(void *array, size_t *room, size_t count, size_t size);

char *mem_copy(const char *text, size_t length);

char *mem_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
