/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/tell.c - the way to a difference, and as a scenario
 *
 * The scenario is for the real wheel, with the same steps. What lies within the
 * last minutes of the last hours of the last days of a small turn lies there in
 * those of a real one: so hands that move at once there do so here, and timers
 * that are due on one tick are here, too. But a delay over the end of a minute
 * or an hour may be on another level, and what an interrupt does comes after
 * all that expires on that tick.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "tape.h"
#include "wheel.h"

#define WEEK 604800

static struct {
	char text[8192];
	size_t length;
	uint32_t shifted; /* by so much the clock was set back on the way */
	unsigned armed;	  /* a bit for each timer that has been */
} scenario;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
	size_t room = sizeof(scenario.text) - scenario.length;
	va_list values;
	int length;

	va_start(values, format);
	length = vsnprintf(scenario.text + scenario.length, room, format,
			   values);
	va_end(values);
	if (length > 0 && (size_t)length < room)
		scenario.length += (size_t)length;
}

/* Seconds from the midnight of day 0 to the tick that stands for @clock. */
static uint64_t seconds_of(uint64_t clock)
{
	uint32_t tick = (uint32_t)(clock + scenario.shifted - FIRST_TICK);

	return (uint64_t)(tick / 36) * WEEK + (5 + tick / 18 % 2) * 86400u +
	       (22 + tick / 9 % 2) * 3600u + (57 + tick / 3 % 3) * 60u + 57 +
	       tick % 3;
}

static void add_time(uint64_t clock)
{
	uint64_t s = seconds_of(clock);

	add("d%" PRIu64 " %02u:%02u:%02u", s / 86400, (unsigned)(s / 3600 % 24),
	    (unsigned)(s / 60 % 60), (unsigned)(s % 60));
}

void tell_begin(void)
{
	scenario.length = 0;
	scenario.shifted = 0;
	scenario.armed = 0;
	add("start ");
	add_time(FIRST_TICK);
	add("\n");
}

void tell_shift(uint32_t shift)
{
	if (tape_is_told())
		scenario.shifted += shift;
}

/* When it would expire; false if the move arms nothing. */
static bool find_due(const struct move *move, uint64_t *due)
{
	struct oracle after = world.model;
	const struct oracle_timer *it = &after.timer[move->timer];
	uint64_t when = (uint64_t)move->ticks;
	uint64_t was = it->expires;

	if (move->verb >= TIMER_VERBS)
		return false;
	if (timer_verbs[move->verb].takes_expiry)
		when += after.clock;
	verb_expect(&after, move->verb, move->timer, when, after.clock + AHEAD);
	*due = it->expires;
	return it->pending &&
	       (after.armings != world.model.armings || it->expires != was);
}

/* What the simulator calls it; false if there is nothing to do. */
static bool add_action(const struct move *move)
{
	char name = (char)('A' + move->timer);
	uint64_t due;

	if (find_due(move, &due)) {
		add("%s %c %" PRIu64 "s",
		    move->verb == POSTPONE ? "postpone" : "arm", name,
		    seconds_of(due) - seconds_of(world.model.clock));
		scenario.armed |= 1u << move->timer;
		return true;
	}
	if (move->verb == DRAIN)
		add("drain");
	else if ((move->verb == DEL || move->verb == PAUSE ||
		  move->verb == SHUTDOWN) &&
		 scenario.armed >> move->timer & 1)
		add("cancel %c", name);
	else
		return false;
	return true;
}

/* Ends a line with what the move does; or takes it away, from @begin on. */
static void end_line(size_t begin, const struct move *move, const char *why)
{
	if (add_action(move))
		add("%s\n", why);
	else
		scenario.length = begin;
}

static void print(const struct move *move)
{
	bool of_timer = move->verb < TIMER_VERBS;
	static const char *const verbs[] = {
		"run", "run_budget", "drain", "walk", "next_expiry", "sleep",
	};
	unsigned tick = (unsigned)(world.model.clock - FIRST_TICK) % FORTNIGHT;

	printf(" at %u %u:%u:%u (%ld): %s", tick / 18, tick / 9 % 2,
	       tick / 3 % 3, tick % 3, (long)(int32_t)world.model.clock,
	       of_timer ? timer_verbs[move->verb].name :
			  verbs[move->verb - RUN]);
	if (of_timer)
		printf(" %c", 'A' + (int)move->timer);
	if ((of_timer && (timer_verbs[move->verb].takes_expiry ||
			  timer_verbs[move->verb].takes_delay)) ||
	    move->verb == RUN || move->verb == RUN_BUDGET ||
	    move->verb == SLEEP)
		printf(" %+ld", (long)move->ticks);
	if (move->verb == RUN_BUDGET)
		printf(" max %u", move->max);
	putchar('\n');
}

static void add_line(const struct move *move, const char *why)
{
	size_t begin = scenario.length;

	add("at ");
	add_time(world.model.clock);
	add(" ");
	end_line(begin, move, why);
}

void tell_move(const struct move *move)
{
	if (!tape_is_told())
		return;
	printf("main loop");
	print(move);
	add_line(move, "");
}

void tell_callback(unsigned timer, const struct move *move)
{
	size_t begin = scenario.length;

	if (!tape_is_told())
		return;
	printf("\tcallback of %c", 'A' + (int)timer);
	print(move);
	add("on %c fire: ", 'A' + (int)timer);
	end_line(begin, move, "");
}

void tell_interrupt(unsigned window, const struct move *move)
{
	if (!tape_is_told())
		return;
	printf("\tinterrupt in window %u", window);
	print(move);
	add_line(move, "\t# an interrupt");
}

void tell_scenario(void)
{
	add("run until ");
	add_time(world.model.clock + 2 * FORTNIGHT);
	printf("\nas a scenario for jifsim:\n%s\n", scenario.text);
}
