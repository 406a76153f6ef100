/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/look.c - does the engine say what the model says?
 *
 * Nothing here changes the world; interrupts stay away meanwhile.
 */
#include <string.h>

#include "tape.h"
#include "wheel.h"

static struct {
	unsigned seen;
	bool in_run;
} look;

/* Each one's answers (W3), and the engine's own check of W1 to W4 and W7. */
void look_at_timers(void)
{
	same("jif_wheel_clock()", (uint32_t)world.model.clock,
	     jif_wheel_clock(&world.wheel));
	same("jif_wheel_check()", 0, (uint32_t)jif_wheel_check(&world.wheel));
	for (unsigned i = 0; i < plan.timers; i++)
		for (unsigned verb = PENDING; verb < TIMER_VERBS; verb++)
			same_of(timer_verbs[verb].name, i,
				verb_expect(&world.model, verb, i, 0, 0),
				verb_call(verb, &world.wheel, &world.timer[i],
					  0));
}

/*
 * W3: the tick at which a hand is next moved to a slot, and the remaining
 * value, make the expiry. Within a tick, that may be the tick itself; with
 * spreading, it may be a turn later.
 */
static bool place_is_right(uint32_t left, unsigned level, unsigned slot,
			   uint32_t remaining)
{
	static const unsigned unit[] = { 1, 3, 9, 18 };
	static const unsigned slots[] = { 3, 3, 2, 2 };
	unsigned tick = (unsigned)(world.model.clock - FIRST_TICK) % FORTNIGHT;
	unsigned visit = tick + 1;

	if (look.in_run && tick % unit[level] == 0 &&
	    tick / unit[level] % slots[level] == slot && remaining == left)
		return true;
	while (visit % unit[level] ||
	       visit / unit[level] % slots[level] != slot)
		visit++;
	visit += remaining - tick;
	return visit == left || (CONFIG_JIF_SPREAD &&
				 visit + unit[level] * slots[level] == left);
}

static int visit(void *arg, const struct jif_timer *timer, unsigned level,
		 unsigned slot, uint32_t remaining)
{
	unsigned i = (unsigned)(timer - world.timer);
	uint32_t left = (uint32_t)oracle_left(&world.model, i);

	same_of("walk() shows a timer that is pending", i, true,
		world.model.timer[i].pending);
	same_of("walk() shows it again", i, false, look.seen >> i & 1);
	same_of("its slot and remaining value are right", i, true,
		place_is_right(left, level, slot, remaining));
	look.seen |= 1u << i;
	return 0;
}

/* W7 */
static void look_at_next(void)
{
	unsigned first = oracle_first(&world.model);
	bool any = first != ORACLE_NONE;
	uint32_t when = 0;
	uint32_t left;

	same("jif_wheel_empty()", !any, jif_wheel_empty(&world.wheel));
	same("jif_wheel_next_stop()", any,
	     jif_wheel_next_stop(&world.wheel, &when));
	if (!any)
		return;
	left = (uint32_t)oracle_left(&world.model, first);
	when -= (uint32_t)world.model.clock;
	same("jif_wheel_next_stop() is not too late", true, when <= left);
	same("jif_wheel_next_stop() is not over", true,
	     look.in_run || when > 0);
	same("jif_wheel_next_expiry()", true,
	     jif_wheel_next_expiry(&world.wheel, &when));
	same("the next expiry", (uint32_t)world.model.clock + left, when);
}

/* @in_run: the tick of the clock is not over. */
void look_at_all(bool in_run)
{
	struct world was;

	memcpy(&was, &world, sizeof(was));
	look.in_run = in_run;
	look.seen = 0;
	look_at_timers();
	look_at_next();
	jif_wheel_walk(&world.wheel, visit, NULL);
	for (unsigned i = 0; i < plan.timers; i++)
		same_of("walk() shows it", i, world.model.timer[i].pending,
			look.seen >> i & 1);
	memcpy(&world, &was, sizeof(was));
}
