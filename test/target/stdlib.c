/* SPDX-License-Identifier: MIT */
/*
 * test/target/stdlib.c - a few blocks for tests that free what they arm
 *
 * A freed block is poisoned, so that whoever uses it still is found out.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 16
#define SIZE   64

static uint64_t pool[BLOCKS][SIZE / sizeof(uint64_t)];
static bool taken[BLOCKS];

void *malloc(size_t size)
{
	for (unsigned i = 0; i < BLOCKS && size <= SIZE; i++) {
		if (taken[i])
			continue;
		taken[i] = true;
		return pool[i];
	}
	return NULL;
}

void free(void *block)
{
	for (unsigned i = 0; i < BLOCKS; i++) {
		if (pool[i] != block)
			continue;
		taken[i] = false;
		memset(block, 0xa5, SIZE);
	}
}
