/* SPDX-License-Identifier: MIT */
/*
 * test/proof/theorem/lockstep.c - lib/wheel.c does what the model has done
 *
 * Reads the calls that lockstep.ml has made, and what came of each.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/jif_port.h"
#include "trace_points.h"

static void let_in(void);
#define jif_irq_restore(flags) ((void)(flags), let_in())
#define jif_irq_window(flags)  (let_in(), (flags))
#define trace_slot(event, wheel, timer, value)                                 \
	((void)(value),                                                        \
	 moved_due = (event) == JIF_TRACE_CASCADE ? (wheel)->levels_due : 1)
static unsigned moved_due = 1; /* what an entry was moved for, or 1 */
#include "jiffies.c"
#include "timer_delay.c"
#include "wheel.c"
#include "wheel_next.c"
#include "wheel_now.c"

#define TIMERS (WEEK_TICKS < 1000 ? 100 : 40)
#if CONFIG_JIF_SPREAD
#define MOVES_LEFT wheel.moves_left
#else
#define MOVES_LEFT 0u
#endif
#define LISTS (JIF_WHEEL_TURNS + 1u) /* of the weeks */

static struct jif_wheel wheel;
static struct jif_timer timer[TIMERS];
static unsigned long operations, windows;
static uint32_t seen; /* the clock when interrupts were let in last */
static unsigned left; /* how many more have to expire in this run */

/* States to come back to. */
static struct kept {
	struct jif_wheel wheel;
	struct jif_timer timer[4];
} * kept;

void jif_panic(const char *why)
{
	puts(why);
	exit(2);
}

static void same(const char *what, int64_t want, int64_t got)
{
	if (want == got)
		return;
	printf("operation %lu: %s is %" PRId64 ", the model's is %" PRId64 "\n",
	       operations, what, got, want);
	exit(1);
}

static void break_off(void)
{
	puts("the model has come to no end");
	exit(1);
}

static int64_t number(void)
{
	int64_t n;

	if (scanf("%" SCNd64, &n) != 1)
		break_off();
	return n;
}

/* Is there anything to cascade on this tick? */
static bool is_cascading(void)
{
	for (unsigned level = MIN; level < wheel.levels_due; level++)
		if (wheel.slot[wheel.hand[level] - 1])
			return true;
	return false;
}

/*
 * What an interrupt does: lockstep.ml has the same. It comes when interrupts
 * are let in after a move, or after time has moved on.
 */
static void let_in(void)
{
	uint32_t clk = clock_of(&wheel);
	unsigned due = moved_due;

	if (clk != seen && is_cascading())
		due = wheel.levels_due;
	moved_due = 1;
	seen = clk;
	if (!kept && due != 1 && (++windows % 5 == 0 || due > WEEK))
		(void)!jif_timer_add(
			&wheel, &timer[windows % TIMERS],
			clk + (uint32_t)(windows * 7919 % (20 * WEEK_TICKS)));
}

static void callback(struct jif_timer *t)
{
	uint32_t i = (uint32_t)(t - timer);

	if (!left--)
		same("the expiries that are too many", 0, 1);
	same("what expires", number(), i);
	same("its tick", number(), clock_of(&wheel));
	if (i % 4 == 0 && i < 20)
		(void)!jif_timer_add(&wheel, t,
				     clock_of(&wheel) +
					     (86399 + i * i * 20003) %
						     (9 * WEEK_TICKS));
	else if (i % 4 == 1)
		jif_timer_del(&wheel, &timer[i + 1]);
}

static void check_place(const struct jif_timer *t)
{
	int64_t level = number(), place = number(), rest = number();
	unsigned slot = (unsigned)t->where;

	same("whether it is pending", level >= 0, is_pending(t));
	if (level < 0)
		return;
	same("its level", level, level_of(slot));
	if (level == WEEK)
		slot += LISTS - wheel.hand[WEEK] + WEEK_FIRST;
	slot -= jif_rings[level].first;
	same("its slot", place, level == WEEK ? slot % LISTS : slot);
	same("what remains", rest, t->remaining);
}

static void check_stop(void)
{
	int64_t stop = number();
	uint32_t when = 0;

	same("whether there is a stop", stop >= 0,
	     jif_wheel_next_stop(&wheel, &when));
	if (stop >= 0)
		same("the next stop", stop, when);
}

static void call(char name, struct jif_timer *t, uint32_t expires)
{
	switch (name) {
	case 'A':
		(void)!jif_timer_add(&wheel, t, expires);
		break;
	case 'D':
		jif_timer_del(&wheel, t);
		break;
	case 'M':
		jif_timer_mod(&wheel, t, expires);
		break;
	case 'L':
		jif_timer_reduce(&wheel, t, expires);
		break;
	default:
		jif_timer_postpone(&wheel, t, expires);
	}
}

static void keep(size_t i)
{
	kept = realloc(kept, (i + 1) * sizeof(*kept));
	if (!kept)
		exit(2);
	kept[i].wheel = wheel;
	memcpy(kept[i].timer, timer, sizeof(kept->timer));
}

static void go_back(size_t i)
{
	wheel = kept[i].wheel;
	memcpy(timer, kept[i].timer, sizeof(kept->timer));
}

int main(void)
{
	uint32_t expires;
	int64_t i;
	char name = 0;

	jif_wheel_init(&wheel, 0u - WEEK_TICKS / 36 * 35);
	for (i = 0; i < TIMERS; i++)
		jif_timer_init(&timer[i], callback);
	while (name != 'E' && scanf(" %c", &name) == 1) {
		i = number();
		switch (name) {
		case 'K':
			keep((size_t)i);
			continue;
		case 'B':
			go_back((size_t)i);
			continue;
		case 'E':
			printf("# %lu operations, %" PRId64 " states\n",
			       operations, i);
			continue;
		case 'R':
			left = (unsigned)number();
			jif_wheel_run(&wheel, (uint32_t)i);
			same("the expiries that are missing", 0, left);
			break;
		default:
			expires = (uint32_t)number();
			call(name, &timer[i], expires);
			check_place(&timer[i]);
		}
		check_stop();
		operations++;
	}
	if (name != 'E')
		break_off();
	return 0;
}
