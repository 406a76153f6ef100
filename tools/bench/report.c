/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/report.c - what a program of the benchmark says
 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

uint64_t nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void print(const char *what, uint64_t operations, uint64_t value)
{
	printf("%s\t%" PRIu64 "\t%" PRIu64 "\n", what, operations, value);
}
