/* SPDX-License-Identifier: MIT */
/*
 * mem.h - memory, or the end: what these calls return is never NULL
 */
#ifndef JIFSIM_MEM_H
#define JIFSIM_MEM_H

#include <stddef.h>

/* Zeroed. */
void *mem_alloc(size_t count, size_t size);

void *mem_resize(void *array, size_t count, size_t size);

/* Makes room for one more than @count elements, one after the other. */
void *mem_push(void *array, size_t count, size_t size);

char *mem_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
