/* SPDX-License-Identifier: MIT */
/*
 * test/port/host/sweep.c - every phase of the timer against the calls of a port
 *
 * The true time is that of the machine. Nothing is put back between the calls:
 * an error of one count adds up.
 */
#include <jif/jiffies.h>
#include <jif/port.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../lib/port/jif_port.h"
#include "machine.h"

#define COUNTS ((uint64_t)(CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ))

static unsigned long runs;

/* The first tick's time, and jiffies before it. */
static uint64_t first;
static uint32_t before_first;

/* How near to the end of a tick the handler may not have counted it. */
static uint64_t slack(void)
{
	return 12 * access_counts;
}

/* The jiffies that there should be at that time. */
static uint32_t jiffies_at(uint64_t time)
{
	return before_first +
	       (time < first ? 0 : (uint32_t)((time - first) / COUNTS) + 1);
}

/* Around the end of a tick, either is right. */
static bool is_time(uint32_t jiffies)
{
	return jiffies == jiffies_at(now + slack()) ||
	       jiffies == jiffies_at(now - slack());
}

/*
 * The first one sets the grid. One that comes with a write is late; but there
 * has to be a tick that has not been counted.
 */
void tick_came(bool by_write)
{
	uint64_t off;

	if (!first)
		first = now;
	off = (now - first) % COUNTS;
	if (off > COUNTS / 2)
		off = COUNTS - off;
	if (by_write && jif_now() == jiffies_at(now))
		fail("there is an interrupt without a tick");
	if (!by_write && off > timer_off * access_counts)
		fail("a tick is off the grid");
}

void other_handler(void)
{
	if (!is_time(jif_now()))
		fail("the handler that ends a sleep sees a wrong time");
}

/* With interrupts on. */
static void wait(uint64_t counts)
{
	uint64_t end = now + counts;
	uint64_t step;

	while (now < end) {
		step = timer_ahead();
		if (step > end - now)
			step = end - now;
		advance(step);
		let_in();
	}
}

static void check_time(const char *when)
{
	if (!is_time(jif_now()))
		fail("jiffies are %d off %s",
		     (int)(jif_now() - jiffies_at(now)), when);
}

/* The timer's registers contain something that is made from @seed. */
static void start(uint64_t seed)
{
	timer_reset(seed);
	other_at = UINT64_MAX;
	other_pending = false;
	first = 0;
	before_first = jif_now();
	jif_port_start();
	wait(3 * COUNTS);
	check_time("after the start");
}

/* Waits for that count of a tick. */
static void wait_for(uint64_t phase)
{
	wait((phase + COUNTS - (now - first) % COUNTS) % COUNTS);
}

/* The main loop goes to sleep there; another interrupt comes at that time. */
static void sleep_at(uint64_t phase, uint32_t ticks, uint64_t cut)
{
	uint32_t longest = ticks < timer_longest ? ticks : timer_longest;
	unsigned before = sleeps;
	uint64_t begin, end;
	jif_irq_t flags;

	wait_for(phase);
	flags = jif_irq_save();
	begin = (now - first) / COUNTS * COUNTS + first;
	end = begin + (CONFIG_JIF_TICKLESS ? ticks : 1) * COUNTS;
	if (cut) {
		other_at = now + cut;
		end = other_at < end ? other_at : end;
	}
	advance(2 * access_counts);
	jif_port_idle(ticks);
	if (now > end + wake_counts + 64 + 100 * access_counts)
		fail("a sleep of %u ticks is %d counts too long", ticks,
		     (int)(now - end));
	if (CONFIG_JIF_TICKLESS && !cut &&
	    phase < COUNTS - 64 * access_counts &&
	    now < begin + (longest - 1) * COUNTS)
		fail("a sleep of %u ticks is too short", ticks);
	if (sleeps - before > ticks / timer_longest + 3)
		fail("the tick does not stay away");
	if (!timer_pending() && !other_pending)
		fail("the tick that ends a sleep is not left to its handler");
	jif_irq_restore(flags);
	check_time("after a sleep");
	other_at = UINT64_MAX;
	runs++;
}

/* From each count of a tick; another interrupt comes after some of them. */
static void sleep_for_some(uint32_t ticks)
{
	for (uint64_t phase = 0; phase < COUNTS; phase++) {
		sleep_at(phase, ticks, 0);
		for (uint64_t cut = 1; cut < (ticks + 1) * COUNTS; cut += 31)
			sleep_at(phase, ticks, cut);
	}
}

/* Longer than the timer can; another interrupt comes at about its longest. */
static void sleep_for_long(uint32_t ticks)
{
	uint64_t longest = (uint64_t)timer_longest * COUNTS;

	for (uint64_t phase = 0; phase < COUNTS; phase += 23) {
		sleep_at(phase, ticks, 0);
		for (uint64_t cut = longest - COUNTS;
		     cut < longest + 2 * COUNTS; cut += 7)
			sleep_at(phase, ticks, cut);
	}
}

/* The end of a tick, or two, comes while interrupts are off. */
static void keep_out(void)
{
	jif_irq_t flags;

	for (uint64_t phase = 0; phase < COUNTS; phase++) {
		wait_for(phase);
		flags = jif_irq_save();
		advance(COUNTS * 3 / 4);
		jif_irq_restore(flags);
		check_time("after a time with interrupts off");
	}
}

/* With each count of the timer's before its half is full. */
static void start_near_carry(void)
{
	for (uint64_t before = 0; before < 2 * COUNTS; before++)
		start((UINT64_C(7) << 32) - before);
}

int main(void)
{
	static const unsigned wakes[] = { 0, 7, 50 };

	for (access_counts = 1; access_counts <= 3; access_counts++) {
		wake_counts = wakes[access_counts - 1];
		start_near_carry();
		keep_out();
		for (uint32_t ticks = 1; ticks <= 4; ticks++)
			sleep_for_some(ticks);
		sleep_for_long(timer_longest - 1);
		sleep_for_long(timer_longest + 2);
		sleep_at(0, UINT32_MAX / COUNTS + 9, 0);
	}
	printf("# %lu sleeps\nok - from each count\n1..1\n", runs);
	return 0;
}
