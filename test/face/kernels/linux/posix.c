/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/linux/posix.c - the kernel's timer_delete() and POSIX's in
 * one file
 *
 * With TIME_FIRST, <time.h> comes before the header of jif, else behind it.
 */
#define _POSIX_C_SOURCE 200809L
#ifdef TIME_FIRST
#include <signal.h>
#include <time.h>
#endif
#include <jif/face/linux/timer.h>
#ifndef TIME_FIRST
#include <signal.h>
#include <time.h>
#endif
#include <stdio.h>

static void expire(struct timer_list *timer)
{
	(void)timer;
}

int main(void)
{
	static struct jif_wheel wheel;
	static struct timer_list timer;
	static struct sigevent none;
	timer_t id;

	none.sigev_notify = SIGEV_NONE;
	jif_wheel_init(&wheel, jif_now());
	jif_linux_init(&wheel, 0);
	timer_setup(&timer, expire, 0);
	mod_timer(&timer, jiffies + 5);
	printf("jif %d, ", timer_delete(&timer));
	printf("%d\n", timer_delete(&timer));
	if (timer_create(CLOCK_MONOTONIC, &none, &id))
		return 1;
	printf("POSIX %d, ", (timer_delete)(id));
	printf("%d\n", (timer_delete)(id));
	return 0;
}
