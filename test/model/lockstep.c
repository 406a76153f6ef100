/* SPDX-License-Identifier: MIT */
/*
 * test/model/lockstep.c - random operations on a wheel and on the oracle
 *
 * The same operation is done to both, by the main loop, by callbacks and, in
 * the windows in which the engine lets interrupts in, by an interrupt. The
 * oracle is told first: an interrupt comes right after the engine has done its
 * part. A timer that the engine has taken off for its callback has expired,
 * also if an interrupt comes before the callback: it is "under way". A periodic
 * timer is then called, which arms it again, and its callback comes a window
 * later.
 */
#include "lockstep.h"

#include <inttypes.h>
#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/sim.h>
#include <jif/wheel.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "oracle.h"
#include "random.h"

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
	bool paused[ORACLE_MAX];
	uint64_t kept[ORACLE_MAX]; /* by those that are paused */
	uint64_t random;
	const uint8_t *input;
	uint64_t target; /* up to where the wheel is being run */
	bool running;
	unsigned under_way;
	bool called; /* it is periodic, and armed for its next call */
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

static void told(bool right)
{
	if (!right)
		differ(test.oracle.why);
}

/* The engine's clock with the oracle's 64 bits. */
static uint64_t clock64(void)
{
	uint32_t clk = jif_wheel_clock(&test.wheel);

	return test.oracle.clock +
	       (uint32_t)(clk - (uint32_t)test.oracle.clock);
}

/* In a run, the engine may be ahead of what has expired; never too far. */
static void follow_clock(void)
{
	uint64_t now = clock64();

	must(now <= test.target, "the clock is past the end of the run");
	must(!test.oracle.count || now <= test.oracle.rows[0].expires,
	     "the clock is past an expiry");
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

/* W2, W3 */
static void compare_timer(unsigned i)
{
	struct jif_timer *timer = timer_of(i);
	bool pending = oracle_pending(&test.oracle, i);
	uint64_t expires = pending ? oracle_expires(&test.oracle, i) :
				     clock64();
	uint64_t left = expires - clock64();

	if (test.paused[i])
		left = test.kept[i];
	jif_sim.off++;
	must(jif_timer_pending(timer) == pending, "pending() is wrong");
	must(jif_timer_expires(&test.wheel, timer) == (uint32_t)expires,
	     "expires() is wrong");
	must(jif_timer_left(&test.wheel, timer) == left, "left() is wrong");
	jif_sim.off--;
}

/* With interrupts off: the oracle has no idea of what is not to be armed. */
static void shut_down(struct jif_timer *timer, bool was, uint32_t when)
{
	jif_sim.off++;
	must(jif_timer_shutdown(&test.wheel, timer) == was,
	     "shutdown() returned something else");
	must(jif_timer_add(&test.wheel, timer, when) == -JIF_EINVAL,
	     "add() arms a timer that was shut down");
	must(jif_timer_mod(&test.wheel, timer, when) == -JIF_EINVAL &&
		     !jif_timer_pending(timer),
	     "mod() arms a timer that was shut down");
	must(jif_timer_resume(&test.wheel, timer) == -JIF_EINVAL,
	     "resume() arms a timer that was shut down");
	jif_timer_init(timer, timer->fn);
	jif_sim.off--;
}

static void add(unsigned i, bool was, uint64_t when)
{
	int want = was ? -JIF_EBUSY : 0;

	if (!was) {
		test.paused[i] = false;
		oracle_mod(&test.oracle, i, when);
	}
	must(jif_timer_add(&test.wheel, &test.timers[i], (uint32_t)when) ==
		     want,
	     "add() returned something else");
}

static void del(unsigned i, bool was)
{
	oracle_del(&test.oracle, i);
	must(jif_timer_del(&test.wheel, &test.timers[i]) == was,
	     "del() returned something else");
}

/* Tells the oracle, and returns what the engine answers. */
static int move(unsigned i, uint64_t when, uint32_t how)
{
	struct jif_timer *timer = &test.timers[i];

	if (how == 2) {
		if (oracle_pending(&test.oracle, i))
			oracle_mod(&test.oracle, i, when);
		return jif_timer_mod_pending(&test.wheel, timer,
					     (uint32_t)when);
	}
	test.paused[i] = false;
	switch (how) {
	case 0:
		oracle_reduce(&test.oracle, i, when);
		return jif_timer_reduce(&test.wheel, timer, (uint32_t)when);
	case 1:
		oracle_postpone(&test.oracle, i, when);
		return jif_timer_postpone(&test.wheel, timer, (uint32_t)when);
	default:
		oracle_mod(&test.oracle, i, when);
		return jif_timer_mod(&test.wheel, timer, (uint32_t)when);
	}
}

/* Jiffies are a little ahead of the wheel, or behind it. */
static void arm_in(unsigned i, bool was, uint64_t when)
{
	struct jif_timer *timer = &test.timers[i];
	uint64_t now = test.oracle.clock - 50 + random_below(150);
	uint64_t delay = when > now ? when - now : 0;
	bool moves = random_below(2);
	int want = was && !moves ? -JIF_EBUSY : was;

	if (!random_below(8))
		delay += JIF_DELAY_MAX - test.config->longest;
	if (delay > JIF_DELAY_MAX ||
	    (int64_t)(now + delay - test.oracle.clock) > JIF_DELAY_MAX)
		want = -JIF_ERANGE;
	if (want >= 0) {
		test.paused[i] = false;
		oracle_mod(&test.oracle, i, now + delay);
	}
	jif_ticks((uint32_t)now - jif_now());
	must((moves ? jif_timer_mod_in : jif_timer_add_in)(
		     &test.wheel, timer, (uint32_t)delay) == want,
	     "add_in() or mod_in() returned something else");
}

static void pause_or_resume(unsigned i, bool was)
{
	struct jif_timer *timer = &test.timers[i];

	if (test.paused[i]) {
		test.paused[i] = false;
		oracle_mod(&test.oracle, i, test.oracle.clock + test.kept[i]);
		must(jif_timer_resume(&test.wheel, timer) == 0,
		     "resume() finds nothing paused");
	} else if (random_below(4)) {
		test.paused[i] = was;
		if (was)
			test.kept[i] = oracle_expires(&test.oracle, i) -
				       test.oracle.clock;
		oracle_del(&test.oracle, i);
		must(jif_timer_pause(&test.wheel, timer) == was,
		     "pause() returned something else");
	} else {
		must(jif_timer_resume(&test.wheel, timer) == -JIF_EINVAL,
		     "resume() arms what was not paused");
	}
}

/* Calls for each period may not be too many in one run. */
static uint32_t random_period(enum oracle_policy policy)
{
	uint32_t longest = test.config->longest;
	uint32_t least = policy == ORACLE_EACH ? SHORTEST(longest) : 0;

	return least + 1 + random_below(random_below(2) ? 100 : PERIOD_SPAN);
}

static void start_periodic(unsigned k)
{
	unsigned i = test.config->timers + k;
	struct oracle_periodic *grid = &test.grids[k];
	uint32_t first = random_delay();
	uint32_t period = random_period(grid->policy);
	uint32_t count = random_below(4);
	bool was = grid->running;

	say("start periodic %u in %" PRIu32 ", every %" PRIu32 ", %" PRIu32
	    " times",
	    k, first, period, count);
	oracle_periodic_start(&test.oracle, i, grid, first, period,
			      count ? count : UINT64_MAX);
	must(jif_periodic_start(&test.wheel, &test.periodics[k], first, period,
				count ? count : JIF_FOREVER) == was,
	     "periodic_start() returned something else");
	if (test.under_way == i && !test.called)
		test.under_way = NO_TIMER;
}

static void stop_periodic(unsigned k)
{
	unsigned i = test.config->timers + k;
	bool was = test.grids[k].running;

	say("stop periodic %u", k);
	oracle_periodic_stop(&test.oracle, i, &test.grids[k]);
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

/* What operate() picks, as it is printed. */
static const char *const names[] = {
	"add",	    "add",  "add",    "del",
	"shutdown", "look", "arm in", "pause or resume",
	"move",	    "move", "move",   "move",
};

static void operate(void)
{
	unsigned i = random_below(test.config->timers);
	uint64_t when = random_expiry();
	bool was = oracle_pending(&test.oracle, i);
	uint32_t pick = random_below(12);

	test.result.operations++;
	say("%s %u, %" PRId64 " from now", names[pick], i,
	    (int64_t)(when - test.oracle.clock));
	switch (pick) {
	case 0:
	case 1:
	case 2:
		add(i, was, when);
		break;
	case 3:
		del(i, was);
		break;
	case 4:
		oracle_del(&test.oracle, i);
		test.paused[i] = false;
		shut_down(&test.timers[i], was, (uint32_t)when);
		break;
	case 5:
		compare_timer(i);
		break;
	case 6:
		arm_in(i, was, when);
		break;
	case 7:
		pause_or_resume(i, was);
		break;
	default:
		must(move(i, when, random_below(5)) == was,
		     "mod(), reduce() or postpone() returned something else");
		break;
	}
}

static void under_way(unsigned i)
{
	told(oracle_fire(&test.oracle, i, clock64()));
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

	for (size_t row = 0;
	     test.under_way == NO_TIMER && row < test.oracle.count; row++) {
		unsigned i = test.oracle.rows[row].timer;

		if (test.oracle.rows[row].expires != now)
			return;
		if (is_off(i, now))
			under_way(i);
	}
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

static void interrupt(void)
{
	if (random_below(test.config->interrupts))
		return;
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

/* W7 */
static void compare_next(void)
{
	uint32_t when;
	uint64_t first;
	bool any;

	jif_sim.irq = NULL;
	must(jif_wheel_empty(&test.wheel) == !test.oracle.count,
	     "empty() is wrong");
	any = jif_wheel_next_stop(&test.wheel, &when);
	must(any == (test.oracle.count > 0), "next() is wrong about empty");
	if (any) {
		first = test.oracle.rows[0].expires;
		must(when - (uint32_t)test.oracle.clock <=
			     first - test.oracle.clock,
		     "next() is later than an expiry");
		must(jif_wheel_next_expiry(&test.wheel, &when),
		     "next_expiry() finds nothing");
		must(when == (uint32_t)first, "next_expiry() is not exact");
	} else {
		must(!jif_wheel_next_expiry(&test.wheel, &when),
		     "next_expiry() finds something");
	}
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

	(void)remaining;
	must(oracle_pending(&test.oracle, i), "walk() shows an idle timer");
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
	must(count == test.oracle.count, "walk() shows another number");
	for (unsigned i = 0; i < all_timers(); i++)
		compare_timer(i);
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
	told(oracle_ran(&test.oracle, test.target));
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
		if (!test.oracle.count)
			return now + random_below(2000000000);
		return test.oracle.rows[0].expires;
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
	unsigned i = number_of(timer);
	size_t first = 0;

	must(oracle_pending(&test.oracle, i), "drain() gave an idle timer");
	must(!jif_timer_pending(timer), "drain() gave a pending timer");
	while (first < test.oracle.count && test.oracle.rows[first].loose)
		first++;
	if (first < test.oracle.count && !test.oracle.rows[first].loose)
		must(test.oracle.rows[first].timer == i ||
			     oracle_expires(&test.oracle, i) <=
				     test.oracle.rows[first].expires,
		     "drain() is out of order");
	oracle_del(&test.oracle, i);
}

static void drain(void)
{
	size_t count = test.oracle.count;

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
	oracle_init(&test.oracle, config->start);
	jif_wheel_init_at(&test.wheel, (uint32_t)config->start, random_below(7),
			  random_below(24), random_below(60), random_below(60));
	for (unsigned i = 0; i < config->timers; i++)
		jif_timer_init(&test.timers[i], callback);
	memset(test.paused, 0, sizeof(test.paused));
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
