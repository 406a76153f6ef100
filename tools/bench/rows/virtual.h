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

#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>

/** virtual_tick - nanoseconds of a tick; a row says so once */
extern uint64_t virtual_tick;

/** virtual_past - nanoseconds into a tick, at which the clock is read */
extern uint64_t virtual_past;

/* What the copy of the library calls. */
int virtual_clock_gettime(clockid_t id, struct timespec *now);
int virtual_gettimeofday(struct timeval *now, void *zone);
int virtual_epoll_wait(int epoll, struct epoll_event *events, int most, int ms);
int virtual_poll(struct pollfd *fds, nfds_t count, int ms);

#endif
