/* SPDX-License-Identifier: MIT */
/*
 * usage: oracle RATE HZ COUNT BOUND < RECORDS
 *
 * Judges what a firmware has said, by a list of what is armed, and by the
 * emulator's clock, which counts RATE in a second. A count of the firmware's
 * timer is COUNT of them. BOUND is how late an expiry may be, and a time that
 * was read.
 *
 * early: before the tick of its expiry, or before jif_now() may be there
 * late:  after it by more than BOUND
 * wrong: not armed, another tick, another result, a time that is not
 * lost:  due, and not there by the end
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "chips.h"

#define ALL (CONTEXTS * TIMERS)

struct arming {
	bool on;
	double expires, since;
};

/* What the loop has taken off, but not said yet, is owed. */
static struct {
	struct arming armed, owed;
} timers[ALL];

static double tick, count, bound;
static double began, started, last, worst, at;
static uint32_t operations, interrupts, early, late, wrong, lost, wraps;

/* The whole number next to @near that has these lower 32 bits. */
static double whole(uint32_t low, double near)
{
	double turn = 4294967296.0;

	return low + turn * round((near - low) / turn);
}

/* When a tick comes at the soonest, and at the latest. */
static double soonest(double ticks)
{
	return began + ticks * tick - count;
}

static double latest(double ticks)
{
	return started + ticks * tick + count;
}

/* Ticks count from the start on: @first is what jiffies were there. */
static double ticks_of(uint32_t value, uint32_t first)
{
	return whole(value - first, (at - began) / tick);
}

/* Whether it was found armed: what is due may be on its way. */
static void found(unsigned t, bool on)
{
	struct arming *armed = &timers[t].armed;

	if (on == armed->on)
		return;
	if (on || t < TIMERS || timers[t].owed.on ||
	    soonest(armed->expires) > at) {
		wrong++;
		return;
	}
	timers[t].owed = *armed;
	armed->on = false;
}

/* What was due as it was armed may come with the next tick. */
static void expired(unsigned t, double ticks)
{
	struct arming *of = timers[t].owed.on ? &timers[t].owed :
						&timers[t].armed;
	double after = ticks - of->expires;
	double due = fmax(latest(ticks), of->since);

	if (!of->on ||
	    (after != 0 && (after != 1 || of->since < soonest(of->expires))))
		wrong++;
	of->on = false;
	early += at < soonest(ticks);
	late += at > due + bound;
	worst = fmax(worst, at - due);
}

static void told(double ticks)
{
	wrong += ticks < last || at > latest(ticks + 1) + bound;
	early += at < soonest(ticks);
	last = ticks;
}

static void arm(unsigned t, double expires)
{
	timers[t].armed = (struct arming){ true, expires, at };
}

static void take(const struct record *record, unsigned t, double ticks)
{
	switch (record->what & 0xff) {
	case MOD:
	case MOD_ARMED:
		found(t, (record->what & 0xff) == MOD_ARMED);
		arm(t, ticks);
		break;
	case DEL:
	case DEL_ARMED:
		found(t, (record->what & 0xff) == DEL_ARMED);
		timers[t].armed.on = false;
		break;
	case PENDING:
	case PENDING_ARMED:
		found(t, (record->what & 0xff) == PENDING_ARMED);
		break;
	case FIRED:
		operations--;
		expired(t, ticks);
		break;
	case INTERRUPT:
		operations--;
		interrupts++;
		told(ticks);
		break;
	case NOW:
		told(ticks);
		break;
	default:
		wrong++;
	}
	operations++;
}

static void end(void)
{
	for (unsigned t = 0; t < ALL; t++) {
		lost += timers[t].owed.on;
		lost += timers[t].armed.on &&
			latest(timers[t].armed.expires + 1) + bound < at;
	}
}

int main(int argc, char **argv)
{
	struct record record;
	uint32_t first = 0;
	bool ended = false;
	double rate;

	if (argc != 5)
		return 2;
	rate = atof(argv[1]);
	tick = rate / atof(argv[2]);
	count = atof(argv[3]);
	bound = atof(argv[4]);
	while (!ended && fread(&record, sizeof(record), 1, stdin)) {
		at = record.at;
		switch (record.what & 0xff) {
		case START:
			began = at;
			first = record.value;
			break;
		case STARTED:
			started = at;
			break;
		case END:
			ended = true;
			break;
		default:
			take(&record, (record.what >> 8) % ALL,
			     ticks_of(record.value, first));
		}
	}
	end();
	wraps = (uint32_t)(at * 1e6 / rate / 4294967296.0);
	printf("%s%u operations, %u early, %u late, %u wrong, %u lost, "
	       "%u interrupts; %.0f s, %u times 2^32 us, "
	       "%.0f us at worst\n",
	       ended ? "" : "no end: ", operations, early, late, wrong, lost,
	       interrupts, (at - began) / rate, wraps, worst * 1e6 / rate);
	return !ended || early || late || wrong || lost;
}
