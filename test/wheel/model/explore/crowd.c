/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/crowd.c - more timers than can be moved ahead in
 * time
 *
 * On the small wheel, a hundred timers are armed and deleted at random, some
 * weeks ahead. Each has to run on its tick and, of one tick, in the order of
 * arming. With spreading, slots and whole weeks are reached that are not empty
 * by then.
 */
#include <jif/jiffies.h>
#include <jif/port.h>
#include <jif/wheel.h>
#include <stdio.h>
#include <stdlib.h>

#include "../random.h"

#define TIMERS 100
#define STEPS  300000u
#define WEEK   36u
#define START  0xffff0000u

static struct jif_wheel wheel;
static struct {
	struct jif_timer timer;
	uint32_t due;
	unsigned arming;
} all[TIMERS];
static unsigned armings, latest, wrong;
static uint32_t latest_due = START;

void jif_panic(const char *reason)
{
	printf("crowd: %s\n", reason);
	exit(1);
}

static void expire(struct jif_timer *timer)
{
	size_t i = (size_t)((char *)timer - (char *)all) / sizeof(*all);
	uint32_t now = jif_wheel_clock(&wheel);

	if (all[i].due != now ||
	    (latest_due == now && latest > all[i].arming)) {
		printf("crowd: armed as number %u for %u, it runs at %u\n",
		       all[i].arming, all[i].due, now);
		wrong++;
	}
	latest_due = now;
	latest = all[i].arming;
}

static void arm(unsigned i, uint32_t delay)
{
	all[i].due = jif_wheel_clock(&wheel) + delay;
	all[i].arming = armings++;
	jif_timer_mod(&wheel, &all[i].timer, all[i].due);
}

/* After a run, nothing is due. */
static void find_late(uint32_t now)
{
	for (unsigned i = 0; i < TIMERS; i++)
		if (jif_timer_pending(&all[i].timer) &&
		    jif_time_before_eq(all[i].due, now)) {
			printf("crowd: armed for %u, it has not run at %u\n",
			       all[i].due, now);
			wrong++;
		}
}

/* What a week has no moves for is left, and all others are weeks away. */
static uint32_t overfill(uint32_t now)
{
	const uint32_t end = now + 3 * WEEK;

	for (unsigned i = 0; i < TIMERS; i++)
		arm(i, (i < 90 ? 2 : 5) * WEEK + i % WEEK);
	while (now++ != end && !wrong) {
		jif_wheel_run(&wheel, now);
		find_late(now);
	}
	return now - 1;
}

int main(void)
{
	uint64_t random = random_begin(1);
	uint32_t now = START, most;

	jif_wheel_init(&wheel, START);
	for (unsigned i = 0; i < TIMERS; i++)
		jif_timer_init(&all[i].timer, expire);
	now = overfill(now);
	for (unsigned step = 0; step < STEPS && !wrong; step++) {
		most = WEEK << random_next(&random, 3);
		switch (random_next(&random, 8)) {
		case 0:
			jif_timer_del(&wheel,
				      &all[random_next(&random, TIMERS)].timer);
			break;
		case 1:
			now += 1 + random_next(&random, 2);
			jif_wheel_run(&wheel, now);
			find_late(now);
			break;
		default:
			arm(random_next(&random, TIMERS),
			    1 + random_next(&random, most));
		}
	}
	printf("crowd: %u armings, %u wrong\n", armings, wrong);
	return wrong != 0;
}
