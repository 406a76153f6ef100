/* SPDX-License-Identifier: MIT */
/*
 * test/host/tap.h - results as TAP, and gates between threads
 */
#ifndef TAP_H
#define TAP_H

#include <errno.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>

/* Common to all files of a program. */
__attribute__((weak)) int tap_count, tap_failed;

/* One thread only. */
static inline void ok(bool right, const char *name)
{
	printf("%sok %d - %s\n", right ? "" : "not ", ++tap_count, name);
	tap_failed += !right;
}

static inline void is(long long got, long long want, const char *name)
{
	ok(got == want, name);
	if (got != want)
		printf("#     want: %lld, got: %lld\n", want, got);
}

static inline int tap_end(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

static inline void await(sem_t *gate)
{
	while (sem_wait(gate) && errno == EINTR)
		;
}

#endif
