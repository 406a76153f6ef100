/* SPDX-License-Identifier: MIT */
/*
 * test/faults/coverage/count.c - what keeps counts right
 *
 * Linked with --wrap=abort: a panic keeps its counts, and what handles the
 * signal is counted, too. With --wrap=_exit, so does a child. And counting is
 * no access that takes time, where those of a port do.
 */
#include <signal.h>
#include <stdint.h>

void __gcov_dump(void);
void __real_abort(void);
void __wrap_abort(void);
void __attribute__((weak)) __real__exit(int status);
void __wrap__exit(int status);
uint64_t __tsan_atomic64_fetch_add(uint64_t *count, uint64_t more, int order);

void __wrap_abort(void)
{
	void (*handler)(int) = signal(SIGABRT, SIG_DFL);

	if (handler != SIG_DFL)
		handler(SIGABRT);
	__gcov_dump();
	__real_abort();
}

void __wrap__exit(int status)
{
	__gcov_dump();
	__real__exit(status);
}

uint64_t __tsan_atomic64_fetch_add(uint64_t *count, uint64_t more, int order)
{
	(void)order;
	*count += more;
	return *count - more;
}
