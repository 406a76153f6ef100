/* SPDX-License-Identifier: MIT */
/* When time-outs of Zephyr end, row by row */
#include <stdio.h>
#include <zephyr/kernel.h>

#include "threads.h"

static int nothing(void)
{
	return 0;
}

/* Waits for what never comes. */
static void run(void *p1, void *p2, void *p3)
{
	thread_take(FOREVER);
}

SYS_INIT(nothing, POST_KERNEL, 50);
K_THREAD_DEFINE(other, 1024, run, NULL, NULL, NULL, 5, 0, 0);

static void say(const char *what, long long ticks, k_timeout_t timeout)
{
	struct k_sem sem = Z_SEM_INITIALIZER(sem, 0, 1);
	int64_t now = k_uptime_ticks();

	k_sem_take(&sem, timeout);
	printf("%s %lld: %lld\n", what, ticks,
	       (long long)(k_uptime_ticks() - now));
}

int main(void)
{
	static const int ahead[] = { -5, 0, 1, 2, 100 };

	for (unsigned i = 1; i < sizeof(ahead) / sizeof(*ahead); i++)
		say("relative", ahead[i], K_TICKS(ahead[i]));
	for (unsigned i = 0; i < sizeof(ahead) / sizeof(*ahead); i++)
		say("absolute, now and", ahead[i],
		    K_TIMEOUT_ABS_TICKS(k_uptime_ticks() + ahead[i]));
	return 0;
}
