/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/workloads.h - what timers are asked to do
 */
#ifndef BENCH_WORKLOADS_H
#define BENCH_WORKLOADS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct workload - something to measure
 * @name:	how the command line calls it
 * @measure:	does it with so many timers, prints what it measured, and
 *		returns the exit status; if @once, no more than once
 */
struct workload {
	const char *name;
	int (*measure)(size_t number, bool once);
};

/**
 * workload_find - the workload of a name
 * @name:	as in struct workload
 *
 * Return: NULL if there is none.
 */
const struct workload *workload_find(const char *name);

#endif
