/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/lockstep.c - random operations on a wheel and on the oracle
 *
 * The same operation is done to both, by the main loop, by callbacks and, in
 * the windows in which the engine lets interrupts in, by an interrupt. The
 * oracle is told first: an interrupt comes right after the engine has done its
 * part. Some calls look first, let interrupts in, and then arm: of these, the
 * oracle is told when the timer shows that they have. A timer that the engine
 * has taken off for its callback has expired, also if an interrupt comes before
 * the callback: it is "under way". A periodic timer is then called, which arms
 * it again, and its callback comes a window later.
 */
#include "lockstep.h"

#include <inttypes.h>
#include <jif/jiffies.h>
#include <jif/kit/sim.h>
#include <jif/periodic.h>
#include <jif/wheel.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "oracle.h"
#include "quiet.h"
#include "random.h"
#include "verbs.h"

#define NO_TIMER	  UINT32_MAX
#define PERIODICS	  3

#define SHORTEST(longest) ((longest) / 64)
#define PERIOD_SPAN	  100000u

/* A run and a period, added up, are at most JIF_DELAY_MAX. */
static const uint32_t longest_run =
	JIF_DELAY_MAX - SHORTEST(JIF_DELAY_MAX) - PERIOD_SPAN - 1;

static struct {
	const struct lockstep_config *config;
	struct lockstep_result result;
	struct jif_wheel wheel;
	struct jif_timer timers[ORACLE_MAX];
	struct jif_periodic periodics[PERIODICS];
	struct oracle oracle;
	struct oracle_periodic grids[PERIODICS];
	uint64_t now; /* what jiffies are set to */
	uint64_t random;
	const uint8_t *input;
	uint64_t target; /* up to where the wheel is being run */
	bool running;
	unsigned under_way;
	bool called; /* it is periodic, and armed for its next call */
	struct doing doing;
} test;

/* Periodic timers have the numbers after those of the others. */
static bool is_periodic(unsigned i)
{
	return i >= test.config->timers;
}

static unsigned all_timers(void)
{
	return test.config->timers + PERIODICS;
}

static struct jif_timer *timer_of(unsigned i)
{
	return is_periodic(i) ? &test.periodics[i - test.config->timers].timer :
				&test.timers[i];
}

static unsigned number_of(const struct jif_timer *timer)
{
	unsigned i = 0;

	while (timer_of(i) != timer)
		i++;
	return i;
}

/* At the end of an input, what asks no more questions. */
static uint32_t random_below(uint32_t end)
{
	if (!test.input)
		return random_next(&test.random, end);
	if (test.input == test.config->input_end)
		return end - 1;
	return random_read(&test.input, test.config->input_end, end);
}

static void differ(const char *what)
{
	if (test.result.difference[0])
		return;
	snprintf(test.result.difference, sizeof(test.result.difference),
		 "seed %" PRIu64 ", operation %" PRIu64 ", clock %" PRIu64
		 ": %s",
		 test.config->seed, test.result.operations, test.oracle.clock,
		 what);
}

/* The clock, and what comes next; who does it is seen by the indent. */
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	va_list values;

	if (!test.config->told)
		return;
	va_start(values, format);
	printf("#   %12" PRIu64 "  %s", test.oracle.clock,
	       jif_sim.in_irq ? "interrupt: " :
	       test.running   ? "callback: " :
				"");
	vprintf(format, values);
	putchar('\n');
	va_end(values);
}

static void must(bool right, const char *what)
{
	if (!right)
		differ(what);
}

/* The engine's clock with the oracle's 64 bits. */
static uint64_t clock64(void)
{
	uint32_t clk = jif_wheel_clock(&test.wheel);

	return test.oracle.clock +
	       (uint32_t)(clk - (uint32_t)test.oracle.clock);
}

static size_t count_pending(void)
{
	size_t count = 0;

	for (unsigned i = 0; i < all_timers(); i++)
		count += test.oracle.timer[i].pending;
	return count;
}

/* When the first one expires; never, if there is none. */
static uint64_t first_expiry(void)
{
	unsigned first = oracle_first(&test.oracle);

	return first == ORACLE_NONE ? UINT64_MAX :
				      oracle_expires(&test.oracle, first);
}

/* In a run, the engine may be ahead of what has expired; never too far. */
static void follow_clock(void)
{
	uint64_t now = clock64();

	must(now <= test.target, "the clock is past the end of the run");
	must(now <= first_expiry(), "the clock is past an expiry");
	test.oracle.clock = now;
}

static uint32_t random_delay(void)
{
	static const uint32_t edges[] = {
		1, 60, 120, 3600, 7200, 86400, 172800, 604800, 1209600, 6048000,
	};
	uint32_t longest = test.config->longest;
	uint32_t delay;

	switch (random_below(8)) {
	case 0:
		delay = random_below(4);
		break;
	case 1:
	case 2:
		delay = random_below(130);
		break;
	case 3:
		delay = random_below(8000);
		break;
	case 4:
		delay = random_below(200000);
		break;
	case 5:
		delay = random_below(longest);
		break;
	default:
		delay = edges[random_below(10)] + random_below(5) - 2;
		break;
	}
	return delay < longest ? delay : longest;
}

/* Now and then in the past. */
static uint64_t random_expiry(void)
{
	if (!random_below(32))
		return test.oracle.clock - random_below(100);
	return test.oracle.clock + random_delay();
}

/* @when is an expiry or a delay: see verbs.h. */
static void call(unsigned verb, unsigned i, uint64_t when)
{
	const struct verb *it = &timer_verbs[verb];
	struct doing here, *doing = jif_sim.in_irq ? &here : &test.doing;
	char text[64];
	uint32_t want, got;

	say("%s %u, %" PRId64, it->name, i,
	    (int64_t)(when - (it->takes_expiry ? test.oracle.clock : 0)));
	*doing = (struct doing){ verb, i, when, test.now, 0, 0, 0 };
	doing_begin(doing, &test.oracle, jif_sim.in_irq);
	got = verb_call(verb, &test.wheel, timer_of(i), (uint32_t)when);
	want = doing_end(doing, &test.oracle, got);
	if (want == got)
		return;
	snprintf(text, sizeof(text), "%s() returns %" PRId32 ", not %" PRId32,
		 it->name, (int32_t)got, (int32_t)want);
	differ(text);
}

/* W2, W3 */
static void look(unsigned i)
{
	jif_sim.off++;
	for (unsigned verb = PENDING; verb < TIMER_VERBS; verb++)
		call(verb, i, 0);
	jif_sim.off--;
}

/* Jiffies are a little ahead of the wheel, or behind it. */
static void arm_in(unsigned i, uint64_t when)
{
	uint64_t delay;
	unsigned verb;

	test.now = test.oracle.clock - 50 + random_below(150);
	delay = when > test.now ? when - test.now - 1 : 0;
	verb = random_below(2) ? MOD_IN : ADD_IN;
	if (!random_below(8))
		delay += JIF_DELAY_MAX - test.config->longest;
	jif_ticks((uint32_t)test.now - jif_now());
	call(verb, i, delay);
}

/* Calls for each period may not be too many in one run. */
static uint32_t random_period(enum oracle_policy policy)
{
	uint32_t longest = test.config->longest;
	uint32_t least = policy == ORACLE_EACH ? SHORTEST(longest) : 0;

	return least + 1 + random_below(random_below(2) ? 100 : PERIOD_SPAN);
}

/* A start under way: it asks what time it is, and starts a window later. */
static struct starting {
	unsigned k;
	uint64_t clock;
	uint32_t first;
	uint32_t period;
	uint64_t count;
	bool was;
} * starting;

static void tell_start(struct starting *start)
{
	unsigned i = test.config->timers + start->k;
	struct oracle_periodic *grid = &test.grids[start->k];
	uint64_t passed = test.oracle.clock - start->clock;

	start->was = grid->running;
	oracle_periodic_start(&test.oracle, i, grid, start->first - passed,
			      start->period, start->count);
	if (test.under_way == i && !test.called)
		test.under_way = NO_TIMER;
}

static void start_periodic(unsigned k)
{
	struct oracle_periodic *grid = &test.grids[k];
	struct starting start = { .k = k,
				  .clock = test.oracle.clock,
				  .first = random_delay(),
				  .period = random_period(grid->policy) };
	uint32_t count = random_below(4);
	int ret;

	start.count = count ? count : UINT64_MAX;
	say("start periodic %u in %" PRIu32 ", every %" PRIu32 ", %" PRIu32
	    " times",
	    k, start.first, start.period, count);
	if (jif_sim.in_irq)
		tell_start(&start);
	else
		starting = &start;
	ret = jif_periodic_start(&test.wheel, &test.periodics[k], start.first,
				 start.period, count ? count : JIF_FOREVER);
	must(ret == start.was, "periodic_start() returned something else");
}

static void stop_periodic(unsigned k)
{
	unsigned i = test.config->timers + k;
	bool was = oracle_periodic_stop(&test.oracle, i, &test.grids[k]);

	say("stop periodic %u", k);
	must(jif_periodic_stop(&test.periodics[k]) == was,
	     "periodic_stop() returned something else");
	if (test.under_way == i && !test.called)
		test.under_way = NO_TIMER;
}

static void operate_periodic(void)
{
	unsigned k = random_below(PERIODICS);

	test.result.operations++;
	if (random_below(3))
		start_periodic(k);
	else
		stop_periodic(k);
}

static void operate(void)
{
	static const uint8_t moves[] = { REDUCE, POSTPONE, MOD_PENDING, MOD,
					 MOD };
	unsigned i = random_below(test.config->timers);
	uint64_t when = random_expiry();
	uint32_t pick = random_below(12);
	const struct oracle_timer *it = &test.oracle.timer[i];

	test.result.operations++;
	if (pick < 3)
		call(ADD, i, when);
	else if (pick == 3)
		call(DEL, i, 0);
	else if (pick == 4)
		call(it->shut ? INIT : SHUTDOWN, i, 0);
	else if (pick == 5)
		look(i);
	else if (pick == 6)
		arm_in(i, when);
	else if (pick == 7)
		call(it->paused || !random_below(4) ? RESUME : PAUSE, i, 0);
	else
		call(moves[random_below(5)], i, when);
	if (it->shut && random_below(2))
		call(INIT, i, 0);
}

/* W5, W6: the engine has taken a timer off, in a run or in a drain. */
static void expire(unsigned i)
{
	must(test.oracle.timer[i].pending, "what is not pending was taken off");
	for (unsigned j = 0; j < all_timers(); j++)
		must(!test.oracle.timer[j].pending ||
			     !oracle_before(&test.oracle, j, i),
		     "it was another one's turn");
	oracle_del(&test.oracle, i);
}

static void under_way(unsigned i)
{
	uint64_t expires = oracle_expires(&test.oracle, i);

	test.oracle.clock = clock64();
	must(expires == test.oracle.clock, "a timer ran on another tick");
	expire(i);
	test.result.fired++;
	test.under_way = i;
	test.called = false;
}

static void call_periodic(unsigned i)
{
	unsigned k = i - test.config->timers;

	oracle_periodic_call(&test.oracle, i, &test.grids[k], test.target);
	test.called = true;
}

/* The engine has taken it off: it is idle, or armed for its next call. */
static bool is_off(unsigned i, uint64_t expires)
{
	return !jif_timer_pending(timer_of(i)) ||
	       jif_timer_expires(&test.wheel, timer_of(i)) != (uint32_t)expires;
}

/* Has the engine taken a timer off that has not been called yet? */
static void find_under_way(void)
{
	uint64_t now = clock64();

	for (unsigned i = 0; test.under_way == NO_TIMER && i < all_timers();
	     i++)
		if (test.oracle.timer[i].pending &&
		    oracle_expires(&test.oracle, i) == now && is_off(i, now))
			under_way(i);
}

/* Has it armed a periodic timer again? */
static void find_called(void)
{
	unsigned i = test.under_way;
	const struct jif_periodic *p;

	if (i == NO_TIMER || test.called || !is_periodic(i))
		return;
	p = &test.periodics[i - test.config->timers];
	if (jif_timer_pending(&p->timer) || !p->period)
		call_periodic(i);
}

static void act_in_irq(void)
{
	if (test.running) {
		follow_clock();
		find_under_way();
		find_called();
	}
	if (random_below(16))
		operate();
	else
		operate_periodic();
	test.result.interrupted++;
}

static void interrupt(void)
{
	struct starting *start = starting;

	if (test.doing.verb != NOTHING)
		doing_look(&test.doing, &test.oracle, &test.wheel,
			   timer_of(test.doing.i));
	if (!random_below(test.config->interrupts))
		act_in_irq();
	starting = NULL;
	if (start)
		tell_start(start);
}

/* W7 */
static void compare_next(void)
{
	uint32_t when;
	uint64_t first = first_expiry();
	bool any = first != UINT64_MAX;

	jif_sim.irq = NULL;
	must(jif_wheel_empty(&test.wheel) == !any, "empty() is wrong");
	must(jif_wheel_next_stop(&test.wheel, &when) == any,
	     "next_stop() is wrong about empty");
	must(!any || when - (uint32_t)test.oracle.clock <=
			     first - test.oracle.clock,
	     "next_stop() is later than an expiry");
	must(jif_wheel_next_expiry(&test.wheel, &when) == any,
	     "next_expiry() is wrong about empty");
	must(!any || when == (uint32_t)first, "next_expiry() is not exact");
	jif_sim.irq = interrupt;
}

static void act(void)
{
	test.under_way = NO_TIMER;
	must(jif_wheel_run(&test.wheel, (uint32_t)test.target + 1) == 0,
	     "a nested run ran something");
	must(!jif_wheel_run_budget(&test.wheel, (uint32_t)test.target, 5),
	     "a nested run said that it was done");
	while (random_below(3) == 0)
		operate();
	if (random_below(16) == 0)
		operate_periodic();
	if (random_below(16) == 0)
		compare_next();
}

static void callback(struct jif_timer *timer)
{
	unsigned i = (unsigned)(timer - test.timers);

	if (test.under_way == NO_TIMER)
		under_way(i);
	must(test.under_way == i, "another timer was taken off");
	act();
}

static void periodic_callback(struct jif_periodic *p)
{
	unsigned k = (unsigned)(p - test.periodics);
	unsigned i = test.config->timers + k;
	uint64_t left;

	if (test.under_way == NO_TIMER)
		under_way(i);
	must(test.under_way == i, "another timer was taken off");
	if (!test.called)
		call_periodic(i);
	left = test.grids[k].left;
	must(jif_periodic_missed(p) == test.grids[k].missed, "missed is wrong");
	must(jif_periodic_left(p) == (left == UINT64_MAX ? JIF_FOREVER : left),
	     "left is wrong");
	act();
}

static int count_timer(void *arg, const struct jif_timer *timer, unsigned level,
		       unsigned slot, uint32_t remaining)
{
	static const unsigned slots[] = { 60, 60, 24, 7 };
	unsigned i = number_of(timer);

	must(test.oracle.timer[i].pending, "walk() shows an idle timer");
	must(level < 4 && slot < slots[level], "walk() shows no slot");
	++*(size_t *)arg;
	return 0;
}

/* W1 to W4, by the engine's own check */
static void compare_all(void)
{
	size_t count = 0;
	int broken;

	jif_sim.irq = NULL;
	jif_wheel_walk(&test.wheel, count_timer, &count);
	must(count == count_pending(), "walk() shows another number");
	for (unsigned i = 0; i < all_timers(); i++)
		look(i);
	broken = jif_wheel_check(&test.wheel);
	if (broken) {
		char what[32];

		snprintf(what, sizeof(what), "W%d is broken", broken);
		differ(what);
	}
	jif_sim.irq = interrupt;
}

static void finish_run(void)
{
	test.oracle.clock = test.target;
	must(first_expiry() > test.target, "a timer has not run");
	must(jif_wheel_clock(&test.wheel) == (uint32_t)test.target,
	     "the clock is not where the run ended");
	must(test.under_way == NO_TIMER, "a callback is missing");
}

static uint64_t any_target(void)
{
	uint64_t now = test.oracle.clock;
	uint32_t when;

	test.result.runs++;
	if (test.config->jumps && random_below(test.config->jumps))
		return now + 1;
	switch (random_below(8)) {
	case 0:
	case 1:
	case 2:
		return now + 1;
	case 3:
		return now + random_below(70);
	case 4:
		return now + random_below(10000);
	case 5:
		return now + random_delay();
	case 6:
		if (!jif_wheel_next_stop(&test.wheel, &when))
			return now + random_below(2000000);
		return now + (uint32_t)(when - (uint32_t)now);
	default:
		if (first_expiry() == UINT64_MAX)
			return now + random_below(2000000000);
		return first_expiry();
	}
}

static uint64_t random_target(void)
{
	uint64_t most = test.oracle.clock + longest_run;
	uint64_t target = any_target();

	return target < most ? target : most;
}

static void run(void)
{
	uint64_t before = test.result.fired;
	unsigned ran;

	test.target = random_target();
	say("run for %" PRIu64, test.target - test.oracle.clock);
	test.running = true;
	ran = jif_wheel_run(&test.wheel, (uint32_t)test.target);
	test.running = false;
	must(ran == test.result.fired - before, "run() counts wrong");
	finish_run();
}

static void run_budget(void)
{
	uint64_t before;
	unsigned max;
	bool done;

	test.target = random_target();
	do {
		before = test.result.fired;
		max = random_below(6);
		say("run for %" PRIu64 ", budget %u",
		    test.target - test.oracle.clock, max);
		test.running = true;
		done = jif_wheel_run_budget(&test.wheel, (uint32_t)test.target,
					    max);
		test.running = false;
		must(test.result.fired - before <= max,
		     "run_budget() ran too much");
		if (!done) {
			follow_clock();
			for (unsigned n = random_below(3); n; n--)
				operate();
			if (!random_below(4))
				compare_next();
			if (!random_below(8))
				compare_all();
		}
	} while (!done && !test.result.difference[0]);
	finish_run();
}

static void drained(struct jif_timer *timer)
{
	must(!jif_timer_pending(timer), "drain() gave a pending timer");
	expire(number_of(timer));
}

static void drain(void)
{
	size_t count = count_pending();

	say("drain");
	jif_sim.irq = NULL;
	must(jif_wheel_drain(&test.wheel, drained) == count,
	     "drain() counts wrong");
	must(jif_wheel_empty(&test.wheel), "drain() left something");
	jif_sim.irq = interrupt;
}

static void step(void)
{
	uint32_t pick = random_below(1000);

	if (pick < 590)
		operate();
	else if (pick < 600)
		operate_periodic();
	else if (pick < 850)
		run();
	else if (pick < 950)
		run_budget();
	else if (pick < 990)
		compare_next();
	else if (pick < 991)
		drain();
	if (!random_below(test.config->checks))
		compare_all();
}

static bool at_end(void)
{
	const struct lockstep_config *config = test.config;

	return test.result.operations >= config->operations ||
	       test.result.difference[0] ||
	       (config->end && test.oracle.clock >= config->end) ||
	       (test.input && test.input == config->input_end);
}

struct lockstep_result lockstep_run(const struct lockstep_config *config)
{
	memset(&test, 0xa5, sizeof(test));
	memset(&test.result, 0, sizeof(test.result));
	test.config = config;
	test.random = random_begin(config->seed);
	test.input = config->input;
	test.under_way = NO_TIMER;
	test.called = false;
	test.running = false;
	test.doing.verb = NOTHING;
	oracle_init(&test.oracle, config->start);
	jif_wheel_init_at(&test.wheel, (uint32_t)config->start, random_below(7),
			  random_below(24), random_below(60), random_below(60));
	for (unsigned i = 0; i < config->timers; i++)
		jif_timer_init(&test.timers[i], callback);
	for (unsigned k = 0; k < PERIODICS; k++) {
		memset(&test.grids[k], 0, sizeof(test.grids[k]));
		test.grids[k].policy = (enum oracle_policy)k;
		jif_periodic_init(&test.periodics[k], periodic_callback,
				  (enum jif_catchup)k);
	}
	jif_sim.irq = interrupt;
	while (!at_end())
		step();
	jif_sim.irq = NULL;
	test.result.clock = test.oracle.clock;
	return test.result;
}
