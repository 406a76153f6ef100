/* SPDX-License-Identifier: MIT */
/*
 * stdlib.h - what tools/sim needs of it
 */
#ifndef WEB_STDLIB_H
#define WEB_STDLIB_H

#include <stddef.h>

void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void exit(int status) __attribute__((noreturn));

#endif
