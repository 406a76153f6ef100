/* SPDX-License-Identifier: MIT */
/*
 * rows/virtual.h - time for libraries that read a clock and wait in poll()
 *
 * In a copy of such a library, the functions of rows/virtual.c stand for those
 * of the C library: reading the clock is a division and no system call, and to
 * wait is to let bench_now jump.
 */
#ifndef BENCH_VIRTUAL_H
#define BENCH_VIRTUAL_H

#include <stdint.h>

/** virtual_tick - nanoseconds of a tick; a row says so once */
extern uint64_t virtual_tick;

/** virtual_past - nanoseconds into a tick, at which the clock is read */
extern uint64_t virtual_past;

#endif
