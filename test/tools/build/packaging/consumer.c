/* SPDX-License-Identifier: MIT */
/*
 * test/tools/build/packaging/consumer.c - what somebody builds with a package:
 * a timer that expires
 */
#ifdef TWO_FILES
#include <jif.h>
#else
#include <jif/wheel.h>
#endif
#include <stdio.h>

static struct jif_wheel wheel;
static uint32_t expired;

static void expire(struct jif_timer *timer)
{
	(void)timer;
	expired = jif_wheel_clock(&wheel);
}

int main(void)
{
	struct jif_timer timer = JIF_TIMER_INIT(expire);

	jif_wheel_init(&wheel, 0);
	(void)!jif_timer_add(&wheel, &timer, 7100);
	jif_wheel_run(&wheel, 100000);
	printf("expired at %lu\n", (unsigned long)expired);
	return expired != 7100;
}
