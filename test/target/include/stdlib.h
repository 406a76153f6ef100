/* SPDX-License-Identifier: MIT */
/*
 * test/target/include/stdlib.h - where there is no C library
 */
#ifndef TARGET_STDLIB_H
#define TARGET_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void free(void *block);

#endif
