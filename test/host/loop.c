/* SPDX-License-Identifier: MIT */
/*
 * test/host/loop.c - a descriptor is readable when a timer is due
 *
 * On the kernel's clock; how late it is does not matter.
 */
#include <jif/firmware/table.h>
#include <jif/host/loop.h>
#include <jif/periodic.h>
#include <poll.h>
#include <setjmp.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/host/loop_inside.h"
#include "tap.h"

#define DAY (86400000 * MS)
#define MS  UINT64_C(1000000)

static struct jif_loop loop;
static unsigned fired;
static uint64_t fired_ns;

static void fire(struct jif_timer *timer)
{
	fired++;
	fired_ns = jif_loop_now(&loop);
}

static void fire_again(struct jif_timer *timer)
{
	fire(timer);
	if (jif_loop_run(&loop) != -JIF_EINVAL)
		fired += 10;
	if (fired < 3)
		jif_loop_add(&loop, timer, jif_loop_now(&loop));
}

static void fire_key(struct jif_table *table, struct jif_key key, void *value)
{
	fired++;
}

static bool readable(int timeout)
{
	struct pollfd fd = { .fd = loop.fd, .events = POLLIN };

	return poll(&fd, 1, timeout) == 1;
}

/* Until a timer has expired; true if the descriptor said so each time. */
static bool runs(unsigned times)
{
	bool right = true;

	for (fired = 0; fired < times;) {
		right = readable(-1) && right;
		jif_loop_run(&loop);
	}
	return right && fired == times;
}

static void sets_the_descriptor(void)
{
	struct jif_timer late = JIF_TIMER_INIT(fire);
	struct jif_timer soon = JIF_TIMER_INIT(fire);
	uint64_t now = jif_loop_now(&loop);

	ok(!readable(0), "nothing is armed: not readable");
	jif_loop_run(&loop);
	ok(!fired && !readable(0), "a run changes nothing");
	is(jif_loop_add(&loop, &late, now + 3600000 * MS), 0, "an hour");
	ok(!readable(0), "is not due yet");
	is(jif_loop_add(&loop, &soon, now + 20 * MS), 0, "20 ms");
	ok(runs(1) && fired_ns >= now + 20 * MS,
	   "make it readable, and not early");
	ok(!readable(0) && jif_timer_pending(&late), "the other one waits");
	is(jif_loop_mod(&loop, &late, now), 1, "until it is moved");
	ok(runs(1) && !readable(0), "to the past");
}

/* A clock of the program's own, which is finer than the tick. */
static uint64_t fine_ns;

static uint64_t read_fine(const struct jif_loop *fine)
{
	return fine_ns;
}

static void tells_misuse(void)
{
	struct jif_loop still = { .clock = read_fine };
	struct jif_loop other = { .tick_ns = 1 };
	struct jif_timer timer = JIF_TIMER_INIT(fire);
	struct jif_timer none = JIF_TIMER_INIT(NULL);
	uint64_t last, far;
	uint32_t expires = 1;
	int next;

	jif_loop_init(&still);
	last = (still.ran + JIF_DELAY_MAX) * still.tick_ns;
	far = last + 1;
	is(jif_loop_add(&still, &timer, far), -JIF_ERANGE, "too far");
	is(jif_loop_mod(&still, &timer, far), -JIF_ERANGE, "also to be moved");
	is(jif_loop_expires(&still, far, &expires), -JIF_ERANGE,
	   "or asked for");
	ok(expires == 1 && !jif_timer_pending(&timer), "nothing has changed");
	is(jif_loop_add(&still, &none, last), -JIF_EINVAL, "no function");
	is(jif_loop_add(&still, &timer, last), 0, "as far as can be");
	is(jif_loop_add(&still, &timer, 0), -JIF_EBUSY, "armed twice");
	jif_timer_del(&still.wheel, &timer);
	jif_loop_shutdown(&still);
	next = dup(0);
	close(next);
	is(jif_loop_init(&other), -JIF_EINVAL, "a tick of a nanosecond");
	is(dup(0), next, "opens nothing");
	close(next);
	other.tick_ns = 0;
	jif_loop_run(&other);
	ok(jif_loop_add(&other, &timer, 0) == -JIF_EINVAL &&
		   jif_loop_mod(&other, &timer, 0) == -JIF_EINVAL &&
		   !jif_timer_pending(&timer),
	   "what is no loop arms nothing");
}

/* Of a program that has closed its input. */
static void takes_any_descriptor(void)
{
	struct jif_loop first = { .tick_ns = MS };
	int input = dup(0);

	close(0);
	errno = EIO;
	ok(!jif_loop_init(&first) && !first.fd, "a descriptor may be 0");
	jif_loop_shutdown(&first);
	dup2(input, 0);
	close(input);
}

static void takes_other_calls(void)
{
	static struct jif_entry entry;
	struct jif_table table = { .wheel = &loop.wheel,
				   .fn = fire_key,
				   .hash = jif_key_hash,
				   .entries = &entry,
				   .capacity = 1 };
	struct jif_timer again = JIF_TIMER_INIT(fire_again);
	uint32_t expires;

	jif_table_init(&table);
	jif_loop_expires(&loop, jif_loop_now(&loop) + 5 * MS, &expires);
	(void)!jif_table_set(&table, jif_key_number(1), NULL,
			     jif_once(expires));
	jif_loop_wake(&loop);
	ok(runs(1), "a key wakes the loop up");
	jif_loop_add(&loop, &again, 0);
	ok(runs(3), "so does what a callback arms; a run in a run is none");
}

static void fire_fine(struct jif_timer *timer)
{
	fired_ns = fine_ns;
}

/* How long it lasts, with a look before each tick, and at it. */
static uint64_t span_of(struct jif_loop *fine, uint64_t delay_ns)
{
	static struct jif_timer timer = JIF_TIMER_INIT(fire_fine);
	uint64_t begin = fine_ns;
	uint64_t tick = fine_ns / fine->tick_ns;

	fired_ns = 0;
	jif_loop_add(fine, &timer, begin + delay_ns);
	while (!fired_ns && tick++ < begin / fine->tick_ns + 9) {
		fine_ns = tick * fine->tick_ns - 1;
		jif_loop_run(fine);
		fine_ns++;
		jif_loop_run(fine);
	}
	return fired_ns - begin;
}

static void lasts_at_least(uint64_t tick_ns, const char *what)
{
	struct jif_loop fine = { .tick_ns = tick_ns, .clock = read_fine };
	uint64_t delay = 3 * tick_ns;
	uint64_t span;
	unsigned wrong = 0;

	fine_ns = UINT64_C(1) << 40;
	jif_loop_init(&fine);
	for (unsigned phase = 0; phase < 1000; phase++) {
		fine_ns = (fine_ns / tick_ns + 1) * tick_ns +
			  phase * tick_ns / 1000;
		jif_loop_run(&fine);
		span = span_of(&fine, delay);
		wrong += span < delay || span > delay + tick_ns;
	}
	is(wrong, 0, what);
	jif_loop_shutdown(&fine);
}

/* By more than a wheel runs at once. */
static void jumps(void)
{
	static struct jif_timer timer = JIF_TIMER_INIT(fire_fine);
	struct jif_loop fine = { .clock = read_fine };
	uint64_t begin;

	fine_ns = UINT64_C(1) << 40;
	jif_loop_init(&fine);
	begin = fine_ns / fine.tick_ns * fine.tick_ns;
	fine_ns = begin + 5 * (uint64_t)JIF_SLEEP_MAX * fine.tick_ns;
	fired_ns = 0;
	jif_loop_add(&fine, &timer, begin + MS);
	jif_loop_run(&fine);
	is((long long)fired_ns, (long long)fine_ns, "a long jump is one run");
	is((long long)fine.ran, (long long)(fine_ns / fine.tick_ns),
	   "to its end");
	jif_loop_add(&fine, &timer, fine_ns + MS);
	jif_loop_run(&fine);
	is((long long)fired_ns, (long long)fine_ns, "nothing is due");
	fine_ns += MS;
	jif_loop_run(&fine);
	is((long long)fired_ns, (long long)fine_ns, "until its tick");
	begin = fine_ns / fine.tick_ns * fine.tick_ns;
	fine_ns -= 50 * MS;
	fine.until_ns = 0;
	jif_loop_run(&fine);
	jif_loop_add(&fine, &timer, fine_ns + 10 * MS);
	is((long long)fine.until_ns, (long long)(begin + MS),
	   "a clock that goes back does not take the wheel with it");
	jif_loop_shutdown(&fine);
}

/* --- a loop that is over ---------------------------------------------------*/

/* Each call is an error, and nothing is armed. */
static bool is_over(struct jif_loop *of)
{
	struct jif_timer timer = JIF_TIMER_INIT(fire_fine);
	uint64_t ns = jif_loop_now(of) + MS;
	uint32_t expires;

	return jif_loop_add(of, &timer, ns) == -JIF_ECANCELED &&
	       jif_loop_mod(of, &timer, ns) == -JIF_ECANCELED &&
	       jif_loop_expires(of, ns, &expires) == -JIF_ECANCELED &&
	       jif_loop_wake(of) == -JIF_ECANCELED &&
	       jif_loop_run(of) == -JIF_ECANCELED && !jif_timer_pending(&timer);
}

static struct jif_loop ending;
static jmp_buf out;

static void shut_down(struct jif_timer *timer)
{
	jif_loop_shutdown(&ending);
}

static void leave(struct jif_timer *timer)
{
	longjmp(out, 1);
}

static void run_in_drain(struct jif_timer *timer)
{
	fired = (unsigned)-jif_loop_run(&ending);
}

static void begin_to_end(void)
{
	ending = (struct jif_loop){ .clock = read_fine };
	fine_ns = UINT64_C(1) << 40;
	fired_ns = 0;
	is(jif_loop_init(&ending), 0, "a loop that will end");
}

static void ends_in_a_callback(void)
{
	struct jif_timer end = JIF_TIMER_INIT(shut_down);
	struct jif_timer same = JIF_TIMER_INIT(fire_fine);
	struct jif_timer later = JIF_TIMER_INIT(fire_fine);

	begin_to_end();
	jif_loop_add(&ending, &end, fine_ns + MS);
	jif_loop_add(&ending, &same, fine_ns + MS);
	jif_loop_add(&ending, &later, fine_ns + 2 * MS);
	fine_ns += 5 * MS;
	is(jif_loop_run(&ending), -JIF_ECANCELED, "a callback shuts it down");
	ok(!fired_ns && jif_timer_pending(&same) && jif_timer_pending(&later),
	   "what is due then does not expire");
	ok(is_over(&ending) && !fired_ns, "nor later");
}

static void is_left_by_a_callback(void)
{
	static struct jif_timer left = JIF_TIMER_INIT(leave);
	static struct jif_timer next = JIF_TIMER_INIT(fire_fine);

	begin_to_end();
	jif_loop_add(&ending, &left, fine_ns + MS);
	jif_loop_add(&ending, &next, fine_ns + MS);
	fine_ns += 5 * MS;
	if (!setjmp(out))
		jif_loop_run(&ending);
	is(jif_loop_run(&ending), -JIF_EINVAL, "what was left is over");
	ok(!fired_ns, "and runs nothing");
	jif_wheel_drain(&ending.wheel, fire_fine);
	jif_loop_shutdown(&ending);
	begin_to_end();
	jif_loop_add(&ending, &next, fine_ns + MS);
	fine_ns += 2 * MS;
	is(jif_loop_run(&ending), 0, "it is made anew");
	ok(fired_ns == fine_ns, "and runs");
	jif_loop_shutdown(&ending);
}

static void runs_in_no_drain(void)
{
	struct jif_timer timer = JIF_TIMER_INIT(run_in_drain);

	begin_to_end();
	jif_loop_add(&ending, &timer, fine_ns + MS);
	fine_ns += 5 * MS;
	jif_wheel_drain(&ending.wheel, NULL);
	is(fired, JIF_EINVAL, "a run in a drain is none");
	jif_loop_shutdown(&ending);
}

static void fork_in_a_run(struct jif_timer *timer)
{
	fired_ns = (uint64_t)fork() + 1;
}

static int use_in_child(void)
{
	struct jif_timer timer = JIF_TIMER_INIT(fire);
	bool right = is_over(&loop);

	jif_loop_shutdown(&loop);
	if (!right || jif_loop_init(&loop))
		return 1;
	jif_loop_add(&loop, &timer, 0);
	return !runs(1);
}

/* The kernel's timer is one for both: the child must not set it. */
static bool is_still_set(void)
{
	struct itimerspec when;
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		_exit(use_in_child());
	waitpid(child, &status, 0);
	timerfd_gettime(loop.fd, &when);
	return !status && when.it_value.tv_sec >= 3000;
}

static void leaves_the_parent_alone(void)
{
	struct jif_timer hour = JIF_TIMER_INIT(fire);
	struct jif_timer forks = JIF_TIMER_INIT(fork_in_a_run);
	struct jif_timer same = JIF_TIMER_INIT(fire);
	uint64_t tick = jif_loop_now(&loop) + MS;
	int status = -1, result;

	jif_loop_add(&loop, &hour, jif_loop_now(&loop) + 3600000 * MS);
	ok(is_still_set(), "a child makes its own; the parent's is set");
	jif_loop_add(&loop, &forks, tick);
	jif_loop_add(&loop, &same, tick);
	fired = 0;
	fflush(stdout);
	readable(-1);
	result = jif_loop_run(&loop);
	if (fired_ns == 1)
		_exit(result != -JIF_ECANCELED || fired);
	wait(&status);
	ok(!result && fired == 1, "a callback forks, and the parent goes on");
	is(status, 0, "and the child does not");
	jif_timer_del(&loop.wheel, &hour);
}

static uint64_t own_ns;
static struct jif_loop own;
static char order[8];

static uint64_t own_clock(const struct jif_loop *unused)
{
	return own_ns;
}

static void begin_own(void)
{
	own_ns = 1000 * MS;
	own = (struct jif_loop){ .clock = own_clock };
	jif_loop_init(&own);
	fired = 0;
}

static void note_own(struct jif_timer *timer)
{
	order[fired++] = jif_timer_pending(timer) ? '!' : 'a';
	fired_ns = own_ns;
}

static void note_late(struct jif_timer *timer)
{
	note_own(timer);
	order[fired - 1] = 'b';
}

static void takes_delays(void)
{
	struct jif_timer timer = JIF_TIMER_INIT(note_own);

	begin_own();
	own_ns++;
	is(jif_loop_mod_in(&own, &timer, 3 * MS), 0, "500 ms, as libevent's");
	is(jif_loop_mod_in(&own, &timer, 500 * MS), 1, "and once more");
	own_ns += 500 * MS;
	jif_loop_run(&own);
	is(fired, 0, "none of it is early");
	own_ns += MS - 1;
	jif_loop_run(&own);
	is(fired, 1, "nor a tick late");
	is(jif_loop_mod_in(&own, &timer, UINT64_MAX), -JIF_ERANGE,
	   "for ever is too long");
	is(jif_loop_mod_in(&own, &timer, 0), 0, "none is the next tick");
	jif_loop_run(&own);
	is(fired, 1, "not this one");
	own_ns += MS;
	jif_loop_run(&own);
	is(fired, 2, "that one");
	jif_loop_shutdown(&own);
}

/* A jump with nothing due, by so many ticks; then a time that is over. */
static void runs_what_is_over(uint64_t ticks)
{
	struct jif_timer timer = JIF_TIMER_INIT(note_own);
	uint32_t expires = 0;

	begin_own();
	own_ns += ticks * MS;
	is(jif_loop_expires(&own, own_ns - MS, &expires), 0,
	   "after a jump, the tick of what is over");
	ok(expires - (uint32_t)(own_ns / MS) + 1 <= 2,
	   "is the next one, or itself if the clock has not got there");
	is(jif_loop_mod(&own, &timer, own_ns - MS), 0, "it is armed");
	own_ns += MS;
	jif_loop_run(&own);
	is(fired, 1, "and runs");
	jif_loop_shutdown(&own);
}

/* What is due is still run, in order, when what is far makes the clock skip. */
static void reaches_over_what_is_due(void)
{
	struct jif_timer first = JIF_TIMER_INIT(note_own);
	struct jif_timer second = JIF_TIMER_INIT(note_late);
	struct jif_timer far = JIF_TIMER_INIT(note_own);
	uint64_t reach = (JIF_SLEEP_MAX - 1) * MS;

	begin_own();
	jif_loop_add(&own, &second, own_ns + 2 * DAY);
	jif_loop_add(&own, &first, own_ns + DAY);
	own_ns += 30 * DAY;
	is(jif_loop_add(&own, &far, own_ns + reach), 0,
	   "after 30 days, half of the reach is there");
	is(jif_loop_mod(&own, &far, own_ns + reach + 1), -JIF_ERANGE,
	   "not more");
	jif_loop_run(&own);
	order[fired] = 0;
	ok(!strcmp(order, "ab"), "what was due runs in order");
	own_ns += reach - MS;
	jif_loop_run(&own);
	is(fired, 2, "what is far is not early");
	own_ns += MS;
	jif_loop_run(&own);
	is(fired, 3, "nor late");
	jif_loop_shutdown(&own);
}

static uint32_t missed_then;

static void note_call(struct jif_periodic *p)
{
	fired++;
	missed_then = jif_periodic_missed(p);
}

static void expect_next(const struct jif_periodic *p, uint32_t missed,
			uint32_t tick, const char *name)
{
	uint32_t next;

	is(jif_periodic_missed(p), missed, name);
	ok(jif_periodic_next(p, &next) && next == tick, "and when it goes on");
}

/* By three thousand million ticks, from 1000 on; each is due at 1010 first. */
static void counts_periods_over_a_jump(void)
{
	struct jif_periodic p[4], each, slow;

	begin_own();
	for (unsigned i = 0; i < 4; i++)
		jif_periodic_init(&p[i], note_call,
				  i % 2 ? JIF_CATCHUP_RESTART :
					  JIF_CATCHUP_SKIP);
	for (unsigned i = 0; i < 2; i++) {
		is(jif_periodic_start(&own.wheel, &p[i], 10, 1000, JIF_FOREVER),
		   0, "a periodic timer");
		is(jif_periodic_start_ratio(&own.wheel, &p[2 + i], 10, 1000, 3,
					    JIF_FOREVER),
		   0, "and one with a ratio");
	}
	jif_periodic_init(&each, note_call, JIF_CATCHUP_EACH);
	is(jif_periodic_start(&own.wheel, &each, 10, 1000000000, JIF_FOREVER),
	   0, "and one that is called each time");
	jif_periodic_init(&slow, note_call, JIF_CATCHUP_RESTART);
	is(jif_periodic_start_ratio(&own.wheel, &slow, 10, 1000000000, 1,
				    JIF_FOREVER),
	   0, "and one that has more than 2^30 ticks");
	own_ns += 3000000000 * MS;
	jif_loop_run(&own);
	is(fired, 5 + 2, "after a jump, each is called once, or twice");
	/* From 1,926,259,176 on. */
	expect_next(&slow, 1, 4000001000, "of 1,000,001,010 and a period more");
	expect_next(&each, 0, 3000001010, "none is missed");
	expect_next(&p[0], 1073741, 3000001010, "of 1,926,259,010 and so on");
	expect_next(&p[1], 1073741, 3000002000, "skipped, and it restarts");
	expect_next(&p[2], 3221225, 3000001010, "a third of a period");
	expect_next(&p[3], 3221225, 3000001334, "and that restarts");
	jif_loop_shutdown(&own);
}

static void moves_on_where_nothing_is_due(void)
{
	begin_own();
	own_ns += 60 * DAY;
	is(jif_wheel_now(&own.wheel), 889033704, "where nothing is armed");
	jif_loop_shutdown(&own);
}

/* Something is armed before the run. */
static void calls_once_after_a_skip(enum jif_catchup policy, unsigned days,
				    uint32_t next)
{
	struct jif_timer far = JIF_TIMER_INIT(note_own);
	struct jif_periodic p;
	uint32_t when = 0;

	begin_own();
	jif_periodic_init(&p, note_call, policy);
	is(jif_periodic_start(&own.wheel, &p, 1000, 1900800000, JIF_FOREVER), 0,
	   "a call each 22 days");
	own_ns += days * DAY;
	is(jif_timer_mod_in(&own.wheel, &far, 1000), 0,
	   "what is armed after more days");
	jif_loop_run(&own);
	is(fired, 1, "makes it no more than one call");
	is(missed_then, 1, "for two");
	jif_periodic_next(&p, &when);
	is(when, next, "and goes on");
	jif_loop_shutdown(&own);
}

/* In 1,620,049,959 ticks are 1,620 calls; the clock jumps by 2^32 and more. */
static void skips_whole_periods_of_a_ratio(enum jif_catchup policy,
					   unsigned calls, uint32_t missed,
					   uint32_t next)
{
	struct jif_periodic p;

	begin_own();
	jif_periodic_init(&p, note_call, policy);
	is(jif_periodic_start_ratio(&own.wheel, &p, 1000, 1620049959, 1620,
				    JIF_FOREVER),
	   0, "a period of more than 2^30 ticks");
	own_ns += 4294979641 * MS;
	jif_loop_run(&own);
	is(fired, calls, "one is skipped, and the next one begins");
	expect_next(&p, missed, next, "what is missed of it");
	jif_loop_shutdown(&own);
}

static void skips_calls(void)
{
	calls_once_after_a_skip(JIF_CATCHUP_SKIP, 25, 2000 + 2 * 1900800000u);
	calls_once_after_a_skip(JIF_CATCHUP_RESTART, 25,
				1000 + 2160000000u + 1900800000u);
	/* The call of 22 days is the last one; that of 44 is to come. */
	calls_once_after_a_skip(JIF_CATCHUP_RESTART, 35,
				1000 + 3024000000u + 1900800000u);
	skips_whole_periods_of_a_ratio(JIF_CATCHUP_EACH, 2675, 0, 167158);
	skips_whole_periods_of_a_ratio(JIF_CATCHUP_SKIP, 1, 2674, 167158);
	skips_whole_periods_of_a_ratio(JIF_CATCHUP_RESTART, 1, 2674, 1013376);
}

static int reached[2];

static void reach_far(struct jif_timer *timer)
{
	uint64_t reach = own_ns + (JIF_DELAY_MAX - UINT64_C(50000)) * MS;

	reached[0] = jif_loop_mod(&own, timer, reach + 1);
	reached[1] = jif_loop_mod(&own, timer, reach);
}

/* It runs on its tick, which is as far behind as it was. */
static void reaches_from_its_tick(void)
{
	struct jif_timer timer = JIF_TIMER_INIT(reach_far);
	struct jif_periodic each;

	begin_own();
	jif_loop_add(&own, &timer, own_ns + MS);
	jif_periodic_init(&each, note_call, JIF_CATCHUP_EACH);
	is(jif_periodic_start(&own.wheel, &each, 100, 1000, JIF_FOREVER), 0,
	   "a call each second");
	own_ns += 50001 * MS;
	jif_loop_run(&own);
	ok(reached[0] == -JIF_ERANGE && !reached[1],
	   "a callback that is 50 s late reaches 50 s less far");
	is(fired, 50, "and no call is missed for it");
	jif_wheel_drain(&own.wheel, NULL);
	jif_loop_shutdown(&own);
}

/* What is armed makes the clock go on to now, on its way to what is far. */
static void goes_on_to_now(void)
{
	struct jif_timer far = JIF_TIMER_INIT(note_late);
	struct jif_timer other = JIF_TIMER_INIT(note_late);
	struct jif_timer soon = JIF_TIMER_INIT(note_own);

	begin_own();
	jif_loop_add(&own, &far, own_ns + 24 * DAY);
	own_ns += 10 * DAY;
	is(jif_loop_add(&own, &other, own_ns + 20 * DAY), 0,
	   "after 10 days, 20 days from now are in reach");
	jif_loop_add(&own, &soon, own_ns + 10 * MS);
	own_ns += 10 * MS;
	jif_loop_run(&own);
	ok(fired == 1 && order[0] == 'a', "and nothing else is early or late");
	jif_wheel_drain(&own.wheel, NULL);
	jif_loop_shutdown(&own);
}

static void waits_for_a_clock_that_goes_back(void)
{
	struct jif_timer timer = JIF_TIMER_INIT(note_own);
	uint32_t clock;

	begin_own();
	jif_loop_add(&own, &timer, own_ns + 10 * MS);
	own_ns += 10 * MS;
	jif_loop_run(&own);
	clock = jif_wheel_clock(&own.wheel);
	own_ns -= 20 * MS;
	is(jif_wheel_now(&own.wheel), clock,
	   "when a clock goes back, it is as late as it was");
	jif_loop_shutdown(&own);
}

/* It is due again when it ends. */
static void take_long(struct jif_timer *timer)
{
	note_own(timer);
	own_ns += 2 * MS;
	if (fired < 6)
		jif_loop_add(&own, timer, own_ns);
}

static void ends_although_more_is_due(void)
{
	struct jif_timer timers[] = { JIF_TIMER_INIT(take_long),
				      JIF_TIMER_INIT(take_long) };

	begin_own();
	for (unsigned i = 0; i < 2; i++)
		jif_loop_add(&own, &timers[i], own_ns + MS);
	own_ns += MS;
	jif_loop_run(&own);
	is(fired, 2, "a run ends, however long its callbacks take");
	jif_wheel_drain(&own.wheel, NULL);
	jif_loop_shutdown(&own);
}

/* What another thread has kicked stays so, whatever is armed then. */
static void stays_kicked(void)
{
	struct jif_timer timer = JIF_TIMER_INIT(fire);

	jif_loop_shutdown(&loop);
	memset(&loop, 0, sizeof(loop));
	jif_loop_init(&loop);
	jif_loop_kick(&loop);
	jif_loop_add(&loop, &timer, jif_loop_now(&loop) + 3600000 * MS);
	ok(readable(0), "what another thread has kicked stays readable");
	ok(jif_loop_wait(&loop) && !readable(0), "until it is read");
	jif_timer_del(&loop.wheel, &timer);
}

int main(void)
{
	is(jif_loop_init(&loop), 0, "a loop");
	lasts_at_least(10 * MS, "a delay of 3 ticks is never early at 100 Hz");
	lasts_at_least(MS, "nor at 1,000 Hz");
	lasts_at_least(MS / 10, "nor at 10,000 Hz");
	lasts_at_least(30518, "nor at 32,768 Hz");
	jumps();
	sets_the_descriptor();
	tells_misuse();
	takes_any_descriptor();
	takes_other_calls();
	ends_in_a_callback();
	is_left_by_a_callback();
	runs_in_no_drain();
	leaves_the_parent_alone();
	takes_delays();
	runs_what_is_over(1000);
	runs_what_is_over(UINT64_C(1) << 31);
	runs_what_is_over((UINT64_C(1) << 31) + 1000);
	runs_what_is_over(UINT64_C(5) << 30);
	runs_what_is_over(UINT64_C(1) << 34);
	reaches_over_what_is_due();
	counts_periods_over_a_jump();
	moves_on_where_nothing_is_due();
	skips_calls();
	reaches_from_its_tick();
	goes_on_to_now();
	waits_for_a_clock_that_goes_back();
	ends_although_more_is_due();
	stays_kicked();
	jif_loop_shutdown(&loop);
	is(loop.fd, -1, "it is shut down");
	return tap_end();
}
