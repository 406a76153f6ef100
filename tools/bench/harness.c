/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/harness.c - one workload, once, on the row it is linked with
 *
 * usage: ROW WORKLOAD NUMBER [once]
 *
 * Prints what it has measured, a line each: what, how many operations, and the
 * nanoseconds of all of them together. With `once` it does no more than is
 * needed to count instructions. Exits with 77 if the row cannot do that here.
 *
 * What is measured is in functions of their own, such as arm_each(): callgrind
 * counts what is done in them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads.h"

int main(int argc, char **argv)
{
	const struct workload *workload;
	size_t number;
	char *end;

	if (argc < 3 || argc > 4) {
		fputs("usage: ROW WORKLOAD NUMBER [once]\n", stderr);
		return 2;
	}
	workload = workload_find(argv[1]);
	if (!workload) {
		fprintf(stderr, "bench: error: no workload: %s\n", argv[1]);
		return 2;
	}
	errno = 0;
	number = strtoul(argv[2], &end, 10);
	if (errno || *end || !number) {
		fprintf(stderr, "bench: error: not a number: %s\n", argv[2]);
		return 2;
	}
	return workload->measure(number, argc > 3);
}
