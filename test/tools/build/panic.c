/* SPDX-License-Identifier: MIT */
/* A misuse that a debug build panics of */
#ifdef TWO_FILES
#include "jif.h"
#else
#include <jif/port.h>
#include <jif/wheel.h>
#endif
#include <stdlib.h>

#ifdef OWN
void jif_panic(const char *why)
{
	(void)why;
	exit(3);
}
#endif

static void expire(struct jif_timer *timer)
{
	(void)timer;
}

int main(void)
{
	static struct jif_wheel wheel;
	struct jif_timer timer;

	jif_wheel_init(&wheel, 0);
	jif_timer_init(&timer, expire);
	(void)!jif_timer_add(&wheel, &timer, 5);
	jif_timer_init(&timer, expire);
	jif_wheel_run(&wheel, 10);
	return 0;
}
