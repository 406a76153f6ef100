/* SPDX-License-Identifier: MIT */
/*
 * test/proof/calls.c - for Frama-C's EVA: all sequences of two calls and a run
 *
 * On the small wheel of test/wheel/model/explore, with two timers. Each value
 * that is chosen is followed on its own; after each call, the invariants must
 * hold.
 */
#include <__fc_builtin.h>

#include <jif/wheel.h>

/* The choices: where the runs begin, and the last one. */
enum { RUN = 12, LAST = 16 };

static struct jif_wheel wheel;
static struct jif_timer timers[2];

/* Arms itself again, for a slot of the minutes. */
static void again(struct jif_timer *timer)
{
	(void)!jif_timer_add(&wheel, timer, jif_wheel_clock(&wheel) + 5);
}

/*@ requires \false; */
static void broken(void)
{
}

/* The next tick; a delay for the hours; one of more than a week. */
static void call(unsigned which)
{
	static const uint32_t delays[] = { 1, 11, 40 };
	struct jif_timer *timer = &timers[which / 3 % 2];
	uint32_t when = jif_wheel_clock(&wheel) + delays[which % 3];

	if (which < 6)
		(void)!jif_timer_add(&wheel, timer, when);
	else if (which < RUN)
		jif_timer_postpone(&wheel, timer, when);
	else if (which < RUN + 3)
		jif_wheel_run(&wheel, when);
	else
		jif_timer_del(&wheel, &timers[which - RUN - 3]);
}

/* Each choice ends the loop with another value of @which. */
int main(void)
{
	unsigned which;

	jif_wheel_init_at(&wheel, UINT32_MAX - 8, 1, 1, 2, 1);
	jif_timer_init(&timers[0], again);
	jif_timer_init(&timers[1], again);
	for (int i = 0; i < 2; i++) {
		for (which = 0; which < LAST; which++)
			if (Frama_C_interval(0, 1))
				break;
		call(which);
		if (jif_wheel_check(&wheel))
			broken();
	}
	call(RUN + 1);
	if (jif_wheel_check(&wheel))
		broken();
	return 0;
}
