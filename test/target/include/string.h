/* SPDX-License-Identifier: MIT */
/* Where there is no C library */
#pragma once

#include <stddef.h>

void *memset(void *to, int byte, size_t n);
void *memcpy(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
int strcmp(const char *a, const char *b);
