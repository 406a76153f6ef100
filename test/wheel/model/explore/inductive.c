/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/inductive.c - one step from every state that
 * satisfies the invariants, reached or not
 *
 * usage: inductive [positions | TIMERS POSITION]
 *
 * The engine itself, small: with each position of the hands and each place of
 * up to three timers that jif_wheel_check() and is_sound() accept, postponed or
 * not, every call is tried with many times, and an interrupt in each window of
 * a run that arms, moves or deletes. Then the invariants have to hold again,
 * and each timer has to have expired on its tick and in order, or to be due as
 * it was, in the order in which it was. So what is sound stays so for ever.
 *
 * Of three timers and, with spreading, of two, those are tried that are due
 * together: the order of others is that of fewer. With arguments, how many
 * positions of the hands there are, or one of them is tried; without, all of up
 * to one timer and a part of what is tried with more, or with spreading.
 */
#include <jif/config.h>
#undef CONFIG_JIF_PORT_SIM
#undef CONFIG_JIF_DEBUG
#undef CONFIG_JIF_TRACE
#define CONFIG_JIF_PORT_SIM 1
#define CONFIG_JIF_DEBUG    0
#define CONFIG_JIF_TRACE    0

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../lib/timer_delay.c"
#include "../../../../lib/wheel.c"
#include "../../../../lib/wheel_check.c"
#include "../../../../lib/wheel_next.c"
#include "../../../../lib/wheel_now.c"
#include "../../../../lib/wheel_walk.c"
#include "../quiet.h"

#define TIMERS	 3
#define ALL	 (TIMERS + 1) /* with the one that is armed anew */
#define NOBODY	 ALL
#define LISTS	 (JIF_WHEEL_TURNS + 1)		/* of the weeks */
#define SPAN	 (JIF_WHEEL_TURNS * WEEK_TICKS) /* of the days */
#define FURTHEST (2 * SPAN + 4)			/* more than two turns of all */
#define START	 0xfffffff0u
#define SAMPLE	 71 /* one position of the hands of so many */

static struct world {
	struct jif_wheel wheel;
	struct jif_timer timer[ALL];
} world, before;

/* The conditions after a call. @newest was armed last. */
static struct wanted {
	uint32_t due[ALL];
	bool loose[ALL]; /* it was postponed: it has no place in the order */
	bool pending[ALL];
	unsigned newest;
} wanted, asked;

static struct {
	unsigned timer;
	uint32_t clock;
} fired[ALL];
static unsigned fired_count;
static bool is_first[ALL][ALL]; /* of two that are due together */

/* In which window of a run an interrupt comes, and what it does. */
static struct {
	void (*act)(void);
	unsigned timer;
	uint32_t ticks;
	unsigned window;
} handler;
struct jif_sim jif_sim;

static unsigned timers;
static bool every;     /* tick is tried as a delay and as a jump */
static bool is_sample; /* of two timers or more */
static const char *call;
static uint32_t call_ticks;
static uint64_t states, steps;

static void fail(const char *why)
{
	printf("%s, after %s %" PRIu32 ": clock %" PRIu32 ", hands", why, call,
	       call_ticks, clock_of(&before.wheel));
	for (unsigned level = SEC; level < LEVELS; level++)
		printf(" %u", before.wheel.hand[level]);
	printf(", quiet until %u", before.wheel.quiet_until);
	for (unsigned i = 0; i < timers; i++)
		printf("; slot %d, %" PRIu32 " left, due in %" PRIu32 "%s",
		       before.timer[i].where, before.timer[i].remaining,
		       asked.due[i] - clock_of(&before.wheel),
		       asked.loose[i] ? ", postponed" : "");
	putchar('\n');
	exit(1);
}

/* There is no other time than the wheel's. */
uint32_t jif_now(void)
{
	return clock_of(&world.wheel);
}

void jif_sim_irq(void)
{
	if (handler.window--)
		return;
	jif_sim.irq = NULL;
	handler.act();
}

static void must(bool is_right, const char *why)
{
	if (!is_right)
		fail(why);
}

static void expired(struct jif_timer *timer)
{
	must(fired_count < ALL, "a timer expires twice");
	fired[fired_count].timer = (unsigned)(timer - world.timer);
	fired[fired_count++].clock = clock_of(&world.wheel);
}

/* For which week from now on a list of the weeks is; the last, for later. */
static unsigned weeks_to(const struct jif_timer *timer)
{
	unsigned list = (unsigned)timer->where + LISTS;

	return (list - world.wheel.hand[WEEK]) % LISTS;
}

/*
 * Nothing waits for this week, and nothing is due sooner than the week that its
 * list is for; of the last list, the wheel knows no sooner week either.
 */
static bool far_is_sound(const struct jif_timer *timer)
{
	unsigned weeks = weeks_to(timer);
	uint32_t first = weeks == LISTS - 1 ? world.wheel.far_due :
					      timer->remaining;

	first -= world.wheel.since[WEEK] + weeks * WEEK_TICKS;
	return weeks && first <= JIF_DELAY_MAX;
}

/*
 * A level spans a turn of its hand from now on; with spreading, this turn and
 * the next one.
 */
static bool is_within_span(unsigned level, uint32_t due)
{
	uint32_t begin = world.wheel.since[CONFIG_JIF_SPREAD ? level + 1 : SEC];

	return due - begin < JIF_WHEEL_TURNS * jif_rings[level + 1].ticks;
}

/*
 * An entry that was not postponed has less left than a slot of its level is
 * worth, and is due within the span of its level.
 */
static bool is_sound(unsigned i, uint32_t due, bool loose)
{
	const struct jif_timer *timer = &world.timer[i];
	unsigned level = level_of((unsigned)timer->where);

	if (level == WEEK)
		return far_is_sound(timer);
	return loose || (timer->remaining < jif_rings[level].ticks &&
			 is_within_span(level, due));
}

/* With spreading: is there a slot to be moved ahead, as it is reached next? */
static bool is_any_ahead(void)
{
	const struct ring *ring = &jif_rings[MIN];
	unsigned next;

	for (unsigned level = MIN; CONFIG_JIF_SPREAD && level <= WEEK;
	     level++) {
		next = world.wheel.hand[level] + 1u - ring->first;
		if (world.wheel.slot[ring->first + next % ring->slots - 1])
			return true;
		ring++;
	}
	return false;
}

/* How many more entries may be moved on this tick. */
#if CONFIG_JIF_SPREAD
static uint8_t *moves_left(void)
{
	return &world.wheel.moves_left;
}
#else
static uint8_t *moves_left(void)
{
	static uint8_t none;

	return &none;
}
#endif

/*
 * Until then, no slot is passed that has entries, postponed ones either, and
 * nothing is left to do on this tick, nor to be moved ahead.
 */
static bool quiet_is_sound(void)
{
	if (world.wheel.quiet_until > world.wheel.hand[SEC] &&
	    (world.wheel.levels_due || is_any_ahead()))
		return false;
	for (unsigned slot = world.wheel.hand[SEC] + 1u;
	     slot < world.wheel.quiet_until; slot++)
		if (world.wheel.slot[slot - 1])
			return false;
	return true;
}

static unsigned place_in_list(const struct jif_timer *timer)
{
	const struct jif_timer *entry = world.wheel.slot[timer->where - 1];
	unsigned place = 0;

	while ((entry = entry->next) != timer)
		place++;
	return place;
}

/* Of two entries that are due together, which expires first? */
static bool expires_first(unsigned a, unsigned b)
{
	unsigned level_a = level_of((unsigned)world.timer[a].where);
	unsigned level_b = level_of((unsigned)world.timer[b].where);

	if (level_a == WEEK && level_b == WEEK &&
	    world.timer[a].where != world.timer[b].where)
		return weeks_to(&world.timer[a]) < weeks_to(&world.timer[b]);
	return level_a != level_b ? level_a > level_b :
				    place_in_list(&world.timer[a]) <
					    place_in_list(&world.timer[b]);
}

static bool have_order(unsigned a, unsigned b)
{
	return wanted.due[a] == wanted.due[b] && !wanted.loose[a] &&
	       !wanted.loose[b];
}

static bool is_to_be_first(unsigned a, unsigned b)
{
	if (a == wanted.newest || b == wanted.newest)
		return b == wanted.newest;
	return is_first[a][b];
}

/* What has expired was to, on its tick and in order. */
static void check_fired(void)
{
	unsigned a, b;

	for (unsigned i = 0; i < fired_count; i++) {
		a = fired[i].timer;
		must(wanted.pending[a], "a timer expires that is not pending");
		wanted.pending[a] = false;
		must(fired[i].clock == wanted.due[a], "not on its tick");
		for (unsigned j = 0; j < i; j++) {
			b = fired[j].timer;
			must((int32_t)(wanted.due[a] - wanted.due[b]) >= 0,
			     "ticks out of order");
			must(!have_order(b, a) || is_to_be_first(b, a),
			     "out of order");
		}
	}
}

static void check_order(unsigned a)
{
	for (unsigned b = 0; b < ALL; b++)
		if (a != b && wanted.pending[b] && have_order(a, b))
			must(is_to_be_first(a, b) == expires_first(a, b),
			     "the order is lost");
}

/* Whoever should be pending is, as it was asked for. */
static void check_pending(unsigned i, bool done)
{
	const struct jif_timer *timer = &world.timer[i];

	must(is_pending(timer) == wanted.pending[i], "pending or not");
	if (!wanted.pending[i])
		return;
	must(jif_timer_expires(&world.wheel, timer) == wanted.due[i],
	     "another expiry");
	if (!done)
		return;
	must((int32_t)(wanted.due[i] - clock_of(&world.wheel)) > 0,
	     "not expired");
	must(is_sound(i, wanted.due[i], wanted.loose[i]), "not sound");
	check_order(i);
}

/* While more may be moved ahead, there is nothing to move. */
static bool ahead_is_sound(void)
{
	return !*moves_left() || !is_any_ahead();
}

/* After a call; @done: a run that got to its end, or no run. */
static void check(bool done)
{
	must(jif_wheel_check(&world.wheel) == 0, "an invariant is broken");
	must(quiet_is_sound(), "a slot is passed");
	must(!done || ahead_is_sound(), "not moved ahead");
	check_fired();
	for (unsigned i = 0; i < ALL; i++)
		check_pending(i, done);
}

static void begin(const char *name, uint32_t ticks)
{
	world = before;
	wanted = asked;
	wanted.newest = NOBODY;
	fired_count = 0;
	call = name;
	call_ticks = ticks;
	steps++;
}

/* --- the calls ------------------------------------------------------------ */

static uint32_t next_ticks(uint32_t ticks)
{
	static const uint32_t some[] = { 1, 2, 3, 8, 9, 18, 36, 37 };

	if (every)
		return ticks + 1;
	for (unsigned i = 0; i < sizeof(some) / sizeof(*some); i++)
		if (some[i] > ticks)
			return some[i];
	return FURTHEST + 1;
}

static void run(uint32_t ticks)
{
	uint32_t now = clock_of(&before.wheel) + ticks;

	begin("run", ticks);
	must(jif_wheel_run(&world.wheel, now) == fired_count, "the count");
	must(clock_of(&world.wheel) == now, "the clock");
	check(true);
}

/* In each window, until the run has no more of them. */
static void run_interrupted(uint32_t ticks)
{
	uint32_t now = clock_of(&before.wheel) + ticks;
	bool came = true;

	for (unsigned window = 0; came; window++) {
		begin("interrupted run", ticks);
		handler.window = window;
		jif_sim.irq = jif_sim_irq;
		must(jif_wheel_run(&world.wheel, now) == fired_count,
		     "the count");
		came = !jif_sim.irq;
		jif_sim.irq = NULL;
		check(true);
	}
}

/* The rest is done one by one. */
static void run_budget(uint32_t ticks, unsigned max)
{
	uint32_t now = clock_of(&before.wheel) + ticks;
	bool done;

	begin("run_budget", ticks);
	done = jif_wheel_run_budget(&world.wheel, now, max);
	must(fired_count <= max, "over the budget");
	check(done);
	while (!done)
		done = jif_wheel_run_budget(&world.wheel, now, 1);
	must(clock_of(&world.wheel) == now, "the clock");
	wanted = asked;
	wanted.newest = NOBODY;
	check(true);
}

static void look(void)
{
	uint32_t first = UINT32_MAX;
	uint32_t stop, next;
	bool any;

	begin("next_expiry", 0);
	for (unsigned i = 0; i < timers; i++)
		if (wanted.due[i] - clock_of(&before.wheel) < first)
			first = wanted.due[i] - clock_of(&before.wheel);
	any = jif_wheel_next_stop(&world.wheel, &stop);
	must(any == (timers > 0), "is anything pending?");
	must(jif_wheel_next_expiry(&world.wheel, &next) == any, "the same");
	if (any) {
		stop -= clock_of(&before.wheel);
		must(stop && stop <= first, "the next stop");
		must(next - clock_of(&before.wheel) == first,
		     "the next expiry");
	}
	check(true);
}

static void want(unsigned i, uint32_t ticks)
{
	wanted.due[i] =
		clock_of(&world.wheel) + ((int32_t)ticks > 0 ? ticks : 1);
	wanted.loose[i] = false;
	wanted.pending[i] = true;
	wanted.newest = i;
}

static void add(uint32_t ticks)
{
	begin("add", ticks);
	want(TIMERS, ticks);
	must(jif_timer_add(&world.wheel, &world.timer[TIMERS],
			   clock_of(&before.wheel) + ticks) == 0,
	     "refused");
	check(true);
}

static void mod(unsigned i, uint32_t ticks)
{
	begin("mod", ticks);
	want(i, ticks);
	must(jif_timer_mod(&world.wheel, &world.timer[i],
			   clock_of(&before.wheel) + ticks) == 1,
	     "it was pending");
	check(true);
}

/* Sooner, it is a new arming; later, one without a place in the order. */
static void postpone(unsigned i, uint32_t ticks)
{
	uint32_t left = asked.due[i] - clock_of(&before.wheel);

	begin("postpone", ticks);
	if (ticks != left)
		want(i, ticks);
	if (ticks > left) {
		wanted.loose[i] = true;
		wanted.newest = NOBODY;
	}
	must(jif_timer_postpone(&world.wheel, &world.timer[i],
				clock_of(&before.wheel) + ticks) == 1,
	     "it was pending");
	check(true);
}

static void reduce(unsigned i, uint32_t ticks)
{
	begin("reduce", ticks);
	if (ticks < asked.due[i] - clock_of(&before.wheel))
		want(i, ticks);
	must(jif_timer_reduce(&world.wheel, &world.timer[i],
			      clock_of(&before.wheel) + ticks) == 1,
	     "it was pending");
	check(true);
}

static void del(unsigned i)
{
	begin("del", 0);
	wanted.pending[i] = false;
	must(jif_timer_del(&world.wheel, &world.timer[i]), "it was pending");
	check(true);
}

/* Resumed, it is armed anew. */
static void pause_and_resume(unsigned i)
{
	begin("pause", 0);
	must(jif_timer_pause(&world.wheel, &world.timer[i]), "it was pending");
	wanted.pending[i] = false;
	check(true);
	must(!jif_timer_resume(&world.wheel, &world.timer[i]), "it was paused");
	want(i, asked.due[i] - clock_of(&before.wheel));
	check(true);
}

static void drain(void)
{
	begin("drain", 0);
	must(jif_wheel_drain(&world.wheel, NULL) == timers, "the count");
	must(fired_count == timers, "all of them");
	for (unsigned i = 0; i < fired_count; i++)
		fired[i].clock = wanted.due[fired[i].timer];
	check(true);
	must(!memcmp(world.wheel.hand, before.wheel.hand,
		     sizeof(before.wheel.hand)) &&
		     clock_of(&world.wheel) == clock_of(&before.wheel),
	     "hands and clock");
}

/* --- interrupts ----------------------------------------------------------- */

static void arm_by_interrupt(void)
{
	want(TIMERS, handler.ticks);
	must(!jif_timer_add(&world.wheel, &world.timer[TIMERS],
			    clock_of(&world.wheel) + handler.ticks),
	     "refused");
}

static void move_by_interrupt(void)
{
	struct jif_timer *timer = &world.timer[handler.timer];

	if (!is_pending(timer))
		return;
	want(handler.timer, handler.ticks);
	must(jif_timer_mod(&world.wheel, timer,
			   clock_of(&world.wheel) + handler.ticks) == 1,
	     "it was pending");
}

static void delete_by_interrupt(void)
{
	struct jif_timer *timer = &world.timer[handler.timer];

	if (!is_pending(timer))
		return;
	wanted.pending[handler.timer] = false;
	must(jif_timer_del(&world.wheel, timer), "it was pending");
}

static void interrupt_each(uint32_t ticks)
{
	static const uint32_t delays[] = { 1, 19, FURTHEST };

	for (unsigned n = 0; n < sizeof(delays) / sizeof(*delays); n++) {
		handler.ticks = delays[n];
		handler.act = arm_by_interrupt;
		run_interrupted(ticks);
		handler.act = move_by_interrupt;
		for (handler.timer = 0; handler.timer < timers; handler.timer++)
			run_interrupted(ticks);
	}
	handler.act = delete_by_interrupt;
	for (handler.timer = 0; handler.timer < timers; handler.timer++)
		run_interrupted(ticks);
}

/* --- all of them ---------------------------------------------------------- */

static void call_each(void)
{
	static const uint32_t jumps[] = { 3, 9, FURTHEST };

	look();
	drain();
	for (uint32_t ticks = 0; ticks <= FURTHEST; ticks = next_ticks(ticks)) {
		run(ticks);
		for (unsigned max = 0; max < (every ? 4 : 2); max++)
			run_budget(ticks, max);
		add(ticks);
	}
	add(JIF_DELAY_MAX);
	add(JIF_DELAY_MAX + 1); /* past */
	add(UINT32_MAX);
	if (is_sample)
		return;
	for (unsigned i = 0; i < sizeof(jumps) / sizeof(*jumps); i++)
		interrupt_each(jumps[i]);
	for (unsigned i = 0; i < timers; i++) {
		del(i);
		pause_and_resume(i);
		for (uint32_t ticks = 1; ticks <= FURTHEST;
		     ticks = next_ticks(ticks)) {
			mod(i, ticks);
			postpone(i, ticks);
			reduce(i, ticks);
		}
	}
}

/* --- the states ----------------------------------------------------------- */

static bool state_is_sound(void)
{
	if (jif_wheel_check(&world.wheel) || !quiet_is_sound() ||
	    !ahead_is_sound())
		return false;
	for (unsigned i = 0; i < timers; i++) {
		asked.due[i] = jif_timer_expires(&world.wheel, &world.timer[i]);
		if (!is_sound(i, asked.due[i], asked.loose[i]))
			return false;
	}
	return true;
}

static void try_state(void)
{
	if (!state_is_sound())
		return;
	states++;
	before = world;
	for (unsigned a = 0; a < timers; a++)
		for (unsigned b = 0; b < timers; b++)
			if (a != b && asked.due[a] == asked.due[b])
				is_first[a][b] = expires_first(a, b);
	call_each();
	world = before;
}

/* With each number of moves that are left on this tick. */
static void try_ahead(void)
{
	unsigned left = CONFIG_JIF_SPREAD;

	do {
		*moves_left() = (uint8_t)left;
		try_state();
	} while (left--);
}

/* With nothing to do up to no second, or to any. */
static void try_quiet(void)
{
	unsigned end = turn_end(&world.wheel, SEC);

	world.wheel.quiet_until = 0;
	try_ahead();
	for (unsigned quiet = world.wheel.hand[SEC] + 1u; quiet <= end;
	     quiet++) {
		world.wheel.quiet_until = (uint8_t)quiet;
		try_ahead();
	}
	world.wheel.quiet_until = 0;
}

/* With each week in which something far is due, as far as the wheel knows. */
static void try_far(void)
{
	uint32_t far = world.wheel.since[WEEK] + SPAN;
	uint32_t first = far;
	bool any = false;

	for (unsigned i = 0; i < timers; i++) {
		const struct jif_timer *timer = &world.timer[i];

		world.wheel.postponed |= asked.loose[i];
		if (timer->where < (int)WEEK_FIRST ||
		    weeks_to(timer) != LISTS - 1)
			continue;
		if (!any || (int32_t)(timer->remaining - first) < 0)
			first = timer->remaining;
		any = true;
	}
	for (; (int32_t)(far - first) < 0; far += WEEK_TICKS) {
		world.wheel.far_due = far;
		try_quiet();
	}
	world.wheel.far_due = first;
	try_quiet();
}

static void put(struct jif_timer *timer, unsigned slot, uint32_t remaining,
		bool at_tail)
{
	struct jif_timer **list = list_of(&world.wheel, slot);

	timer->where = (int)slot;
	timer->remaining = remaining;
	bitmap_set(world.wheel.occupied, slot);
	timers_add_head(list, timer);
	if (at_tail)
		*list = timer;
}

/*
 * Each remaining value of a slot; after those, some of postponed timers. What
 * is due in a later week counts from tick 0, and is due within a few weeks.
 */
static bool choose(unsigned i, unsigned slot, unsigned number,
		   uint32_t *remaining)
{
	static const uint32_t more[] = { 0,  1,	 2,  3,	 5,  9,
					 17, 18, 36, 40, 73, 110 };
	bool is_far = slot >= WEEK_FIRST;
	unsigned ordinary = is_far ? (LISTS + 1) * WEEK_TICKS + 2 :
				     jif_rings[level_of(slot)].ticks;

	asked.loose[i] = number >= ordinary;
	if (number >= ordinary + sizeof(more) / sizeof(*more))
		return false;
	*remaining = number < ordinary ? number : more[number - ordinary];
	if (is_far)
		*remaining += START;
	return true;
}

/* Three timers are due together; with spreading, two are, too. */
static bool is_company(unsigned i)
{
	return timers + LISTS <= 4 ||
	       jif_timer_expires(&world.wheel, &world.timer[i]) ==
		       jif_timer_expires(&world.wheel, &world.timer[0]);
}

/* In each slot, at each end of its list; and then the next timer. */
static void place_timer(unsigned i)
{
	uint32_t remaining;

	if (i == timers) {
		try_far();
		world.wheel.postponed = false;
		return;
	}
	for (unsigned slot = SEC_FIRST; slot <= LAST_SLOT; slot++) {
		unsigned ends = *list_of(&world.wheel, slot) ? 2 : 1;

		for (unsigned n = 0; choose(i, slot, n, &remaining); n++)
			for (unsigned end = 0; end < ends; end++) {
				put(&world.timer[i], slot, remaining, end);
				asked.pending[i] = true;
				if (is_company(i))
					place_timer(i + 1);
				dequeue(&world.wheel, &world.timer[i]);
			}
		asked.pending[i] = asked.loose[i] = false;
	}
}

/* The @number of a position of all hands: that so many ticks lead to. */
static bool set_hands(unsigned number)
{
	unsigned ticks = number % SPAN;

	number /= SPAN;
	memset(&world, 0, sizeof(world));
	memset(&asked, 0, sizeof(asked));
	jif_wheel_init(&world.wheel, START - ticks);
	jif_wheel_run(&world.wheel, START);
	world.wheel.hand[WEEK] = (jif_slot_t)(WEEK_FIRST + number % LISTS);
	for (unsigned i = 0; i < ALL; i++) {
		jif_timer_init(&world.timer[i], expired);
		world.timer[i].where = JIF_TIMER_IDLE;
	}
	return number < LISTS;
}

/* From @first on, one position of so many. */
static void try_positions(unsigned first, unsigned step, unsigned count)
{
	every = timers < 2;
	states = steps = 0;
	for (unsigned n = first; count && set_hands(n); n += step, count--)
		place_timer(0);
	printf("timers: %u, %" PRIu64 " states, %" PRIu64
	       " steps, 0 differences\n",
	       timers, states, steps);
}

int main(int argc, char **argv)
{
	unsigned positions = 0;

	while (set_hands(positions))
		positions++;
	if (argc == 2 && !strcmp(argv[1], "positions"))
		printf("%u\n", positions);
	else if (argc == 2 || argc > 3)
		return 2;
	if (argc == 3) {
		timers = (unsigned)strtoul(argv[1], NULL, 10);
		try_positions((unsigned)strtoul(argv[2], NULL, 10), 1, 1);
	}
	for (; argc == 1 && timers <= TIMERS; timers++) {
		is_sample = timers > 1;
		try_positions(0, timers + LISTS > 3 ? SAMPLE : 1, positions);
	}
	return 0;
}
