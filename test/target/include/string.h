/* SPDX-License-Identifier: MIT */
/*
 * test/target/include/string.h - where there is no C library
 */
#ifndef TARGET_STRING_H
#define TARGET_STRING_H

#include <stddef.h>

void *memset(void *to, int byte, size_t n);
void *memcpy(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
int strcmp(const char *a, const char *b);

#endif
