/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/report.h - what a program of the benchmark says
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdint.h>

/** UNAVAILABLE - exit status: the row cannot do that, or not here */
#define UNAVAILABLE 77

/* Not inlined, nor changed to suit its caller: callgrind finds it by name. */
#define MEASURED __attribute__((noipa))

/**
 * nanoseconds - since some time
 */
uint64_t nanoseconds(void);

/**
 * print - say what was measured, in a line
 * @what:	its name
 * @operations:	by which the value is to be divided; 0: there is no value
 * @value:	nanoseconds, if nothing else is said
 */
void print(const char *what, uint64_t operations, uint64_t value);

#endif
