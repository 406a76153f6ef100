/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/now.c - what is armed, left, paused and resumed while its
 * owner sleeps, against a time that is a 64-bit number
 *
 * The model knows what time it is, and for each object the tick on which it is
 * due. Of the library it sees only the wheel's clock. Calls come from the main
 * loop, from callbacks and from a handler in any window of a run or a sleep,
 * where the wheel may be behind by any time. The sleep is not longer than to
 * the first that is due, and each comes on its tick.
 *
 * NOW_OPERATIONS, in the environment, is the number per owner; NOW_SEED is for
 * others.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <jif/debug.h>
#include <jif/face/kernel.h>
#include <jif/firmware/calendar.h>
#include <jif/firmware/sched.h>
#include <jif/firmware/table.h>
#include <jif/jiffies.h>
#include <jif/kit/sim.h>
#include <jif/periodic.h>
#include <stdio.h>

#include "../../../lib/port/kernel/kernel.h"
#include "environment.h"
#include "random.h"

#define OPERATIONS  60000
#define BEFORE_WRAP UINT64_C(0x1ffffff00)
#define NEAR_WEEK   700000
#define REACH	    (JIF_DELAY_MAX / 2 - 10000000)

enum { TIMER, PERIODIC = 6, KEY = 8, WORK = 12, TASK = 14, ALARM, THINGS };

enum state { IDLE, PENDING, PAUSED };

/**
 * struct thing - what the model knows of an object
 * @state:	is it pending?
 * @due:	if so, on which tick
 * @left:	what was left of it when it was paused
 * @period:	from one call to the next
 * @calls:	how many are to come
 */
static struct thing {
	enum state state;
	uint64_t due;
	uint64_t left;
	uint32_t period;
	uint32_t calls;
} things[THINGS];

/**
 * struct owner - who runs the wheel, and when
 * @begin:	makes the wheel
 * @turn:	runs what is due by now, and may sleep
 * @source:	the wheel's now is the time, else its clock
 * @in:		the calls that end in _in count from the time
 * @sleeps:	it sleeps, and what is armed is nearer than its longest sleep
 * @counts:	jiffies stand still
 */
struct owner {
	void (*begin)(void);
	void (*turn)(void);
	bool source;
	bool in;
	bool sleeps;
	bool counts;
};

static const struct owner *owner;
static struct jif_wheel own_wheel, *wheel;
static struct jif_sched sched;
static struct jif_kernel kernel;
static struct jif_timer timers[PERIODIC];
static struct jif_periodic periodics[KEY - PERIODIC];
static struct jif_entry entries[WORK - KEY];
static struct jif_table table;
static struct jif_workqueue queue, *works;
static struct jif_delayed_work delayed[TASK - WORK];
static struct jif_task task;
static struct jif_calendar calendar;
static struct jif_alarm alarm_of_day;

/* The time; up to when the wheel was run; when the calendar began. */
static uint64_t time_now, clock_seen, began;
static uint32_t began_local;
static uint64_t random;
static bool is_open;
static bool has_slept, is_signalled;
static uint64_t done, fired, from_handler, from_callback;

static uint32_t below(uint32_t end)
{
	return random_next(&random, end);
}

/* The clock only goes forward, by less than 2^32 from look to look. */
static uint64_t clock_now(void)
{
	clock_seen += (uint32_t)(jif_wheel_clock(wheel) - (uint32_t)clock_seen);
	return clock_seen;
}

static uint64_t now(void)
{
	return owner->source ? time_now : clock_now();
}

static uint32_t hal(const struct jif_wheel *of)
{
	return (uint32_t)time_now;
}

/* A product with a counter of its own has no jiffies. */
static void pass(uint32_t ticks)
{
	time_now += ticks;
	if (!owner->counts)
		jif_ticks(ticks);
}

static const char *say(unsigned i, const char *what)
{
	static char text[160];

	snprintf(text, sizeof(text),
		 "%s of %u at %" PRIx64 ", clock %" PRIx64 ", due %" PRIx64
		 ", operation %" PRIu64,
		 what, i, time_now, clock_now(), things[i].due, done);
	return text;
}

static void same(unsigned i, const char *what, uint64_t want, uint64_t got)
{
	cr_assert(want == got, "%s: %" PRIx64 ", not %" PRIx64, say(i, what),
		  got, want);
}

static void make_due(unsigned i, uint64_t due)
{
	things[i].state = PENDING;
	things[i].due = due > clock_now() ? due : clock_now() + 1;
}

static uint64_t left_of_thing(unsigned i)
{
	const struct thing *it = &things[i];

	if (it->state == PENDING)
		return it->due > now() ? it->due - now() : 0;
	return it->state == PAUSED ? it->left : 0;
}

/* --- what can be asked for -------------------------------------------------*/

static uint32_t some_delay(void)
{
	switch (below(owner->sleeps ? 6 : 7)) {
	case 0:
		return below(3);
	case 1:
	case 2:
		return below(130);
	case 3:
		return below(8000);
	case 4:
		return below(NEAR_WEEK);
	case 5:
		return below(REACH);
	default:
		return JIF_DELAY_MAX - below(below(2) ? 4 : NEAR_WEEK);
	}
}

static bool reaches(uint64_t base, uint64_t delay)
{
	return base + delay - clock_now() <= JIF_DELAY_MAX;
}

/* As the calls that end in _in. */
static bool arm_in(unsigned i, uint32_t delay)
{
	uint64_t base = owner->in ? time_now : now();

	if (!reaches(base, (uint64_t)delay + 1))
		return false;
	make_due(i, base + delay + 1);
	return true;
}

static void pause_thing(unsigned i)
{
	things[i].left = left_of_thing(i);
	things[i].state = PAUSED;
}

/* False if it is too far. */
static bool resume_thing(unsigned i)
{
	if (!reaches(now(), things[i].left))
		return false;
	make_due(i, now() + things[i].left);
	return true;
}

static int add_in(unsigned i, uint32_t delay)
{
	uint64_t base = owner->in ? time_now : now();

	if (!reaches(base, (uint64_t)delay + 1))
		return -JIF_ERANGE;
	if (things[i].state == PENDING)
		return -JIF_EBUSY;
	arm_in(i, delay);
	return 0;
}

static int resume(unsigned i)
{
	if (things[i].state != PAUSED)
		return -JIF_EINVAL;
	return resume_thing(i) ? 0 : -JIF_ERANGE;
}

static void use_timer(unsigned i)
{
	struct jif_timer *timer = &timers[i - TIMER];
	uint32_t delay = some_delay();
	int want = things[i].state == PENDING;

	switch (below(6)) {
	case 0:
		same(i, "add_in", (uint64_t)add_in(i, delay),
		     (uint64_t)jif_timer_add_in(wheel, timer, delay));
		break;
	case 1:
		want = arm_in(i, delay) ? want : -JIF_ERANGE;
		same(i, "mod_in", (uint64_t)want,
		     (uint64_t)jif_timer_mod_in(wheel, timer, delay));
		break;
	case 2:
		if (want)
			pause_thing(i);
		same(i, "pause", (uint64_t)want, jif_timer_pause(wheel, timer));
		break;
	case 3:
		same(i, "resume", (uint64_t)resume(i),
		     (uint64_t)jif_timer_resume(wheel, timer));
		break;
	default:
		break;
	}
	same(i, "left", left_of_thing(i), jif_timer_left(wheel, timer));
}

static void use_periodic(unsigned i)
{
	struct thing *it = &things[i];
	struct jif_periodic *p = &periodics[i - PERIODIC];
	uint32_t first = some_delay(), period = 1 + below(1 + below(9000));
	uint32_t calls = 1 + below(20);
	int want = it->state == PENDING;

	if (!reaches(now(), first))
		want = -JIF_ERANGE;
	else
		make_due(i, now() + first);
	if (want >= 0) {
		it->period = period;
		it->calls = calls;
	}
	same(i, "start", (uint64_t)want,
	     (uint64_t)jif_periodic_start(wheel, p, first, period, calls));
}

static void use_key(unsigned i)
{
	struct thing *it = &things[i];
	struct jif_key key = jif_key_number(i);
	uint32_t delay = 1 + below(NEAR_WEEK);
	enum state was = it->state;

	switch (below(4)) {
	case 0:
		make_due(i, clock_now() + delay);
		same(i, "set", was != IDLE,
		     (uint64_t)jif_table_set(
			     &table, key, it,
			     jif_once((uint32_t)clock_now() + delay)));
		break;
	case 1:
		if (was == PENDING)
			pause_thing(i);
		if (was != IDLE)
			same(i, "key's pause",
			     was == PENDING ? 0 : (uint64_t)-JIF_EINVAL,
			     (uint64_t)jif_table_pause(&table, key));
		break;
	case 2:
		if (was == PAUSED && resume_thing(i))
			same(i, "key's resume", 0,
			     (uint64_t)jif_table_resume(&table, key));
		break;
	default:
		break;
	}
	same(i, "key's left", left_of_thing(i), jif_table_left(&table, key));
}

/* Work that is due at once is queued by the call. */
static void use_work(unsigned i)
{
	uint32_t delay = 1 + some_delay();
	int want = things[i].state == PENDING;

	want = arm_in(i, delay) ? want : -JIF_ERANGE;
	same(i, "delayed work's mod", (uint64_t)want,
	     (uint64_t)jif_delayed_work_mod(works, &delayed[i - WORK], delay));
}

static void use_task(unsigned i)
{
	uint32_t delay = below(below(2) ? 100 : REACH);

	if (works != &sched.work)
		return;
	arm_in(i, delay);
	same(i, "sleep", 0, (uint64_t)jif_task_sleep(&task, delay));
}

static uint32_t local_at(uint64_t time)
{
	return began_local +
	       (uint32_t)((time - began) / (owner->sleeps ? 2 : 1));
}

static uint64_t next_ring(uint64_t time, uint32_t second)
{
	uint32_t local = local_at(time) + 1;

	local += (86400 + second - local % 86400) % 86400;
	return began +
	       (uint64_t)(local - began_local) * (owner->sleeps ? 2 : 1);
}

static void use_alarm(unsigned i)
{
	struct thing *it = &things[i];
	bool was = it->state == PENDING;

	same(i, "calendar's clock", local_at(now()),
	     jif_calendar_clock(&calendar));
	it->period = (local_at(now()) + below(20000)) % 86400;
	make_due(i, next_ring(now(), it->period));
	same(i, "start", was,
	     (uint64_t)jif_alarm_start(&calendar, &alarm_of_day, JIF_DAILY,
				       it->period));
}

static void use(unsigned i)
{
	done++;
	if (i >= ALARM)
		use_alarm(i);
	else if (i >= TASK)
		use_task(i);
	else if (i >= WORK)
		use_work(i);
	else if (i >= KEY)
		use_key(i);
	else if (i >= PERIODIC)
		use_periodic(i);
	else
		use_timer(i);
	same(i, "now", now() > clock_now() ? now() : clock_now(),
	     clock_now() +
		     (uint32_t)(jif_wheel_now(wheel) - (uint32_t)clock_now()));
}

/* What is due on this tick, or is queued, may be under way. */
static void use_any(bool in_handler)
{
	unsigned i = below(THINGS);
	struct thing *it = &things[i];

	if (it->state == PENDING && it->due <= clock_now() &&
	    (in_handler || i >= PERIODIC))
		return;
	use(i);
}

/* --- what comes of it ------------------------------------------------------*/

static void act_in_callback(void)
{
	fired++;
	for (unsigned n = below(3); n; n--) {
		from_callback++;
		use_any(false);
	}
}

static void come(unsigned i, bool on_its_tick)
{
	struct thing *it = &things[i];
	bool was_open = is_open;

	is_open = false;
	same(i, "pending", PENDING, it->state);
	cr_assert(time_now >= it->due, "%s", say(i, "too early"));
	if (on_its_tick)
		same(i, "tick", it->due, clock_now());
	cr_assert(clock_now() >= it->due, "%s", say(i, "too early"));
	it->state = IDLE;
	if (i == ALARM) {
		it->state = PENDING;
		for (uint32_t n = jif_alarm_missed(&alarm_of_day) + 1; n; n--) {
			cr_assert(it->due <= time_now, "%s",
				  say(i, "skipped before it is due"));
			it->due = next_ring(it->due, it->period);
		}
	} else if (i >= PERIODIC && i < KEY && --it->calls) {
		it->state = PENDING;
		it->due += it->period;
	}
	act_in_callback();
	is_open = was_open;
}

static void on_timer(struct jif_timer *timer)
{
	come((unsigned)(timer - timers) + TIMER, true);
}

static void on_period(struct jif_periodic *p)
{
	come((unsigned)(p - periodics) + PERIODIC, true);
}

static void on_key(struct jif_table *of, struct jif_key key, void *value)
{
	come((unsigned)key.number, true);
}

static void on_work(struct jif_work *work)
{
	come((unsigned)(jif_container_of(work, struct jif_delayed_work, work) -
			delayed) +
		     WORK,
	     false);
}

static void on_task(struct jif_task *of)
{
	come(TASK, false);
}

static void on_alarm(struct jif_alarm *of)
{
	come(ALARM, true);
}

/* Any window: time passes, and something is asked for. */
static void handle(void)
{
	if (!is_open || below(has_slept ? 2 : 24))
		return;
	is_open = false;
	has_slept = false;
	if (!below(3))
		pass(1 + below(2));
	from_handler++;
	use_any(true);
	if (wheel == &kernel.wheel)
		jif_kernel_wake(&kernel, jif_now());
	is_open = true;
}

/* A kernel's task lets its work wait while it sleeps. */
static bool is_queued(unsigned i)
{
	return wheel == &kernel.wheel && i >= WORK && i < TASK &&
	       things[i].due <= clock_now();
}

/* Nothing is due before that, and nothing waits for a turn. */
static void look(uint64_t until)
{
	for (unsigned i = 0; i < THINGS; i++)
		cr_assert(things[i].state != PENDING ||
				  things[i].due >= until || is_queued(i),
			  "%s, until %" PRIx64, say(i, "overslept"), until);
}

static void sleep_ticks(uint32_t ticks)
{
	look(time_now + ticks);
	pass(below(3) ? ticks : below(ticks));
	has_slept = true;
}

static void run_open(unsigned (*run)(void))
{
	is_open = true;
	run();
	is_open = false;
}

/* --- the owners ------------------------------------------------------------*/

void jif_kernel_begin(struct jif_kernel *of)
{
	of->waiter = of;
}

void jif_kernel_signal(struct jif_kernel *of)
{
	is_signalled = true;
}

/* What has passed since the task has looked is not slept once more. */
void jif_kernel_wait(struct jif_kernel *of, uint32_t ticks)
{
	uint32_t rest = of->until - (uint32_t)time_now;

	if (!is_signalled && rest <= ticks)
		sleep_ticks(rest);
	is_signalled = false;
	handle();
}

static void begin_jiffies(void)
{
	jif_wheel_init_time(wheel, jif_time_jiffies);
}

static void begin_hal(void)
{
	jif_wheel_init_time(wheel, hal);
}

static void begin_none(void)
{
	jif_wheel_init(wheel, (uint32_t)time_now);
}

static void begin_clock(void)
{
	begin_none();
	jif_wheel_set_time(wheel, jif_wheel_clock);
}

static void begin_sched(void)
{
	begin_none();
	jif_sched_init(&sched, wheel, sleep_ticks, NULL);
	works = &sched.work;
	jif_task_init(&sched, &task, on_task, 1, 0);
}

static void begin_kernel(void)
{
	wheel = &kernel.wheel;
	jif_kernel_init(&kernel);
}

static unsigned run_wheel(void)
{
	return jif_wheel_run(wheel, (uint32_t)time_now);
}

/* The first sleep sets the source. */
static void begin_sleep(void)
{
	begin_none();
	jif_wheel_sleep(wheel, sleep_ticks);
	run_wheel();
}

static unsigned poll_wheel(void)
{
	return (unsigned)jif_wheel_poll(wheel);
}

static unsigned turn_sched(void)
{
	return jif_sched_run(&sched);
}

static unsigned turn_kernel(void)
{
	jif_kernel_turn(&kernel);
	return 0;
}

static unsigned sleep_wheel(void)
{
	return jif_wheel_sleep(wheel, sleep_ticks);
}

static void pass_some(void)
{
	pass(below(30)	? below(below(8) ? 3 : 200) :
	     below(100) ? below(NEAR_WEEK) :
			  below(REACH));
}

static void run_works(void)
{
	while (jif_workqueue_run(works, 1))
		;
	look(clock_now() + 1);
}

static void poll(void)
{
	pass_some();
	run_open(poll_wheel);
	run_works();
}

static void run(void)
{
	pass_some();
	run_open(run_wheel);
	run_works();
}

static void turn_of_sched(void)
{
	run_open(turn_sched);
}

static void turn_of_kernel(void)
{
	run_open(turn_kernel);
	run_works();
}

static void run_and_sleep(void)
{
	run_open(run_wheel);
	run_works();
	run_open(sleep_wheel);
}

/* Local time has 32 bits, too. */
static void begin_day(void)
{
	jif_alarm_stop(&alarm_of_day);
	things[ALARM].state = IDLE;
	began = now();
	jif_calendar_set(&calendar, began_local);
}

static void begin(const struct owner *of)
{
	for (unsigned i = 0; i < THINGS; i++)
		things[i] = (struct thing){ .state = IDLE };
	done = fired = from_handler = from_callback = 0;
	is_open = has_slept = is_signalled = false;
	owner = of;
	wheel = &own_wheel;
	works = &queue;
	time_now = BEFORE_WRAP;
	jif_ticks((uint32_t)time_now - jif_now());
	if (of->counts)
		jif_ticks(12345);
	of->begin();
	clock_seen = time_now;
	if (jif_wheel_clock(wheel) != (uint32_t)time_now)
		cr_assert_fail("the clock at the beginning");
	jif_workqueue_init(&queue, wheel);
	for (unsigned i = 0; i < PERIODIC - TIMER; i++)
		jif_timer_init(&timers[i], on_timer);
	for (unsigned i = 0; i < KEY - PERIODIC; i++)
		jif_periodic_init(&periodics[i], on_period, JIF_CATCHUP_EACH);
	for (unsigned i = 0; i < TASK - WORK; i++)
		jif_delayed_work_init(&delayed[i], on_work, 1);
	table = (struct jif_table){ .wheel = wheel,
				    .fn = on_key,
				    .hash = jif_key_hash,
				    .entries = entries,
				    .capacity = WORK - KEY };
	cr_assert_eq(jif_table_init(&table), 0);
	began = time_now;
	began_local = 1800000000;
	jif_calendar_init(&calendar, wheel, of->sleeps ? 2 : 1, began_local);
	jif_alarm_init(&alarm_of_day, on_alarm);
	jif_sim.irq = handle;
}

static void expect_same(const char *name, struct owner of)
{
	uint64_t operations = number_of("NOW_OPERATIONS", OPERATIONS);

	random = random_begin(number_of("NOW_SEED", 44));
	begin(&of);
	while (done < operations) {
		for (unsigned n = below(3); n; n--)
			use_any(false);
		of.turn();
		if (now() - began > JIF_DELAY_MAX / 2)
			begin_day();
	}
	jif_sim.irq = NULL;
	printf("now: %s: %" PRIu64 " operations, %" PRIu64
	       " in handlers, %" PRIu64 " in %" PRIu64 " callbacks\n",
	       name, done, from_handler, from_callback, fired);
	cr_assert_eq(jif_wheel_check(wheel), 0);
	cr_assert_gt(fired, operations / 50);
	cr_assert_gt(from_handler, operations / 50);
}

#define expect_no_difference(name, ...)                                        \
	expect_same(name, (struct owner){ __VA_ARGS__ })

Test(now, wheel_with_jiffies)
{
	expect_no_difference("jiffies", .begin = begin_jiffies, .turn = poll,
			     .source = true, .in = true);
}

Test(now, wheel_with_a_counter_of_the_products)
{
	expect_no_difference("HAL", .begin = begin_hal, .turn = poll,
			     .source = true, .in = true, .counts = true);
}

Test(now, wheel_without_a_source)
{
	expect_no_difference("none", .begin = begin_none, .turn = run,
			     .in = true);
}

Test(now, wheel_whose_source_is_its_clock)
{
	expect_no_difference("clock", .begin = begin_clock, .turn = run);
}

Test(now, wheel_of_a_scheduler)
{
	expect_no_difference("scheduler", .begin = begin_sched,
			     .turn = turn_of_sched, .source = true, .in = true,
			     .sleeps = true);
}

Test(now, wheel_of_a_kernels_task)
{
	expect_no_difference("kernel", .begin = begin_kernel,
			     .turn = turn_of_kernel, .source = true, .in = true,
			     .sleeps = true);
}

Test(now, wheel_of_a_main_loop_that_sleeps)
{
	expect_no_difference("main loop", .begin = begin_sleep,
			     .turn = run_and_sleep, .source = true, .in = true,
			     .sleeps = true);
}
