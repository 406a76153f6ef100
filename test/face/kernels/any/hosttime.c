/* SPDX-License-Identifier: MIT */
/* See hosttime.h. The layouts are those of Linux on x86-64. */
#include "hosttime.h"

#define NEVER UINT64_MAX

/* The host's: a kernel's headers have others. */
#define HOST_SIGALRM 14
#define HOST_ABSTIME 1

/* A timespec or timeval; two are an interval and a time until the first. */
struct pair {
	long seconds, part;
};

static struct {
	uint64_t at, period;
} timer = { NEVER, 0 }, irq = { NEVER, 0 };

/* 2^31 ms and more since the start. */
static uint64_t now = UINT64_C(2592000000000000);

int raise(int signal);
uint32_t __real_churn_mask(void) __attribute__((weak));
int sigpending(void *set);
int __real_sigsuspend(const void *mask);

static void go_to(uint64_t when)
{
	if (when > now)
		now = when;
	if (irq.at <= now) {
		irq.at = NEVER;
		host_irq();
	}
	if (timer.at <= now) {
		timer.at = timer.period ? timer.at + timer.period : NEVER;
		raise(HOST_SIGALRM);
	}
}

static int wait_for(uint64_t ns)
{
	uint64_t when = ns == NEVER ? NEVER : now + ns;

	if (timer.at < when)
		when = timer.at;
	go_to(irq.at < when ? irq.at : when);
	return 0;
}

void host_pass(uint32_t ns)
{
	go_to(now + ns);
}

uint32_t host_us(void)
{
	return (uint32_t)(now / 1000);
}

void host_request(uint32_t us)
{
	irq.at = now + (uint64_t)us * 1000;
	go_to(now);
}

static int look(struct pair *at, uint32_t unit)
{
	host_pass(10);
	at->seconds = (long)(now / 1000000000);
	at->part = (long)(now % 1000000000 / unit);
	return 0;
}

/* Periods begin at multiples: Mynewt's is set anew, and is not late for it. */
static int set(const struct pair *to, uint64_t from, uint32_t unit)
{
	uint64_t at = (uint64_t)to[1].seconds * 1000000000 +
		      (uint64_t)to[1].part * unit;

	timer.period = (uint64_t)to[0].seconds * 1000000000 +
		       (uint64_t)to[0].part * unit;
	timer.at = at ? from + at : NEVER;
	if (at && timer.period)
		timer.at -= timer.at % timer.period;
	return 0;
}

int __wrap_clock_gettime(int clock, struct pair *at)
{
	return look(at, 1);
}

int __wrap_gettimeofday(struct pair *at, void *zone)
{
	return look(at, 1000);
}

int __wrap_timer_settime(void *of, int flags, const struct pair *to,
			 struct pair *old)
{
	return set(to, flags == HOST_ABSTIME ? 0 : now, 1);
}

int __wrap_setitimer(int which, const struct pair *to, struct pair *old)
{
	return set(to, now, 1000);
}

/* NuttX', with its signals blocked: one that is pending comes soon. */
int __wrap_usleep(unsigned us)
{
	return wait_for(10000);
}

int __wrap_select(int fds, void *in, void *out, void *except,
		  const struct pair *most)
{
	return wait_for((uint64_t)most->seconds * 1000000000 +
			(uint64_t)most->part * 1000);
}

/* Signals are blocked until it waits, and one may be pending. */
int __wrap_sigsuspend(const void *mask)
{
	uint64_t pending[16] = { 0 };

	sigpending(pending);
	if (!pending[0])
		wait_for(NEVER);
	return __real_sigsuspend(mask);
}

/* RIOT's, when no thread is ready. */
void __wrap_pm_set_lowest(void)
{
	wait_for(NEVER);
}

/* So that some ticks come between two operations, and threads are in time. */
uint32_t __wrap_churn_mask(void)
{
	host_pass(5);
	return __real_churn_mask();
}
