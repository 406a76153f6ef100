/* SPDX-License-Identifier: MIT */
/*
 * test/target/cost.c - what each operation costs its caller
 *
 * tools/check/budget runs this image instruction by instruction. A row of its
 * tables is a function here whose name begins with row_: what is counted lies
 * between its two calls of mark(), and so is the arguments, the call, and all
 * until it has returned.
 */
#include <jif/firmware/sched.h>
#include <jif/jiffies.h>
#include <jif/port.h>
#include <jif/trace.h>

#include "chance.h"
#include "mark.h"
#include "target.h"

#if defined(__AVR__)
#define TIMERS (CONFIG_JIF_SPREAD ? 30 : 60)
#elif defined(__ARM_ARCH_6M__)
#define TIMERS 400
#else
#define TIMERS 1000
#endif

#define SOME  (TIMERS > 100 ? 100 : 20)

#define START (MINUTE / 2) /* half a minute after all rings have wrapped */

/* What depends on random numbers: so often, of which the most counts. */
#define MANY 100

#define LONG UINT32_C(43200000) /* half a day of milliseconds */

static struct jif_wheel wheel;
static struct jif_timer timers[TIMERS];
static struct jif_timer timer, other, another;
static uint32_t answer;
static struct jif_sched sched;
static struct jif_task task;
static struct jif_work work;

void jif_panic(const char *why)
{
	target_exit(1);
}

static void empty_callback(struct jif_timer *t)
{
}

ROW(arm_minute, (void)!jif_timer_add(&wheel, t, when))
ROW(arm_hour, (void)!jif_timer_add(&wheel, t, when))
ROW(arm_day, (void)!jif_timer_add(&wheel, t, when))
ROW(arm_week, (void)!jif_timer_add(&wheel, t, when))
ROW(arm_far, (void)!jif_timer_add(&wheel, t, when))
ROW(arm_first, (void)!jif_timer_add(&wheel, t, when))
ROW(mod, jif_timer_mod(&wheel, t, when))
ROW(mod_alone, jif_timer_mod(&wheel, t, when))
ROW(postpone, jif_timer_postpone(&wheel, t, when))
ROW(del, jif_timer_del(&wheel, t))
ROW(del_last, jif_timer_del(&wheel, t))
ROW(tick_idle, jif_wheel_run(&wheel, when))
ROW(tick_armed, jif_wheel_run(&wheel, when))
ROW(tick_minute, jif_wheel_run(&wheel, when))
ROW(tick_hour, jif_wheel_run(&wheel, when))
ROW(tick_day, jif_wheel_run(&wheel, when))
ROW(next, jif_wheel_next_stop(&wheel, &answer))
ROW(next_expiry, jif_wheel_next_expiry(&wheel, &answer))
ROW(stop_of_ten, jif_wheel_next_stop(&wheel, &answer))
ROW(next_of_ten, jif_wheel_next_expiry(&wheel, &answer))
ROW(run_to_next, jif_wheel_run(&wheel, when))
ROW(run_days, jif_wheel_run(&wheel, when))
ROW(run_100, jif_wheel_run(&wheel, when))
ROW(run_5000, jif_wheel_run(&wheel, when))
ROW(run_100000, jif_wheel_run(&wheel, when))
ROW(run_ten_50, jif_wheel_run(&wheel, when))
ROW(run_ten_1000, jif_wheel_run(&wheel, when))
ROW(run_ten_10000, jif_wheel_run(&wheel, when))
ROW(wake_10, jif_wheel_run(&wheel, when))
ROW(wake_1000, jif_wheel_run(&wheel, when))
ROW(expire, jif_wheel_run(&wheel, when))
ROW(cascade_minute, jif_wheel_run(&wheel, when))
ROW(cascade_hour, jif_wheel_run(&wheel, when))
ROW(cascade_day, jif_wheel_run(&wheel, when))

static void no_idle(uint32_t ticks)
{
}

static void main_loop(void)
{
	jif_wheel_run(&wheel, jif_now());
	jif_wheel_sleep(&wheel, no_idle);
}

ROW(turn_empty, jif_sched_run(&sched))
ROW(turn_task, jif_sched_run(&sched))
ROW(turn_work, jif_sched_run(&sched))
ROW(turn_sleep, jif_sched_run(&sched))
ROW(turns, jif_sched_run(&sched))
ROW(loop, main_loop())

#if defined(__ARM_ARCH_7M__)
ROW(record,
    jif_trace_record(JIF_TRACE_WHAT(JIF_TRACE_START, 1), &wheel, t, when))
ROW(record_first, jif_trace_record(JIF_TRACE_CANCEL, &wheel, t, when))

/* The first event of a tick, and another one. */
static void recording(void)
{
	static struct jif_trace_record records[8];

	jif_trace_start(&wheel, records, 8);
	row_record_first(&timer, 0);
	row_record(&timer, 0);
	jif_trace_stop();
}
#else
static void recording(void)
{
}
#endif

static void begin(uint32_t now)
{
	jif_wheel_init(&wheel, 0);
	jif_wheel_run(&wheel, now);
	jif_timer_init(&timer, empty_callback);
	jif_timer_init(&other, empty_callback);
	jif_timer_init(&another, empty_callback);
}

static void add(unsigned i, uint32_t expires)
{
	jif_timer_init(&timers[i], empty_callback);
	(void)!jif_timer_add(&wheel, &timers[i], expires);
}

/* @number timers are pending, the first one @delay ahead. */
static void set_up(unsigned number, uint32_t delay, uint32_t apart)
{
	begin(START);
	for (unsigned i = 0; i < number; i++, delay += apart)
		add(i, START + delay);
}

static void disarm(void)
{
	jif_timer_del(&wheel, &timer);
	jif_timer_del(&wheel, &other);
	jif_timer_del(&wheel, &another);
}

/* Within a span of delays. */
static uint32_t any(uint32_t from, uint32_t to)
{
	return START + from + draw(to - from + 1);
}

/* Into a slot that has an entry, or into an empty one. */
static void arm(row_fn *row, uint32_t from, uint32_t to, bool alone)
{
	uint32_t when;

	draw_from(0);
	for (unsigned i = 0; i < MANY; i++) {
		when = any(from, to);
		if (!alone)
			(void)!jif_timer_add(&wheel, &other, when);
		row(&timer, when);
		disarm();
	}
}

/* From one slot to another one, which both have others, or none. */
static void mod(row_fn *row, uint32_t most, bool alone)
{
	uint32_t from, to;

	draw_from(0);
	for (unsigned i = 0; i < MANY; i++) {
		from = any(1, most);
		to = any(1, i % 2 ? HOUR - 1 : most);
		if (!alone) {
			(void)!jif_timer_add(&wheel, &other, from);
			(void)!jif_timer_add(&wheel, &another, to);
		}
		(void)!jif_timer_add(&wheel, &timer, from);
		row(&timer, to);
		disarm();
	}
}

static void postpone_and_del(void)
{
	uint32_t when;

	draw_from(0);
	for (unsigned i = 0; i < MANY; i++) {
		when = any(1, 2 * DAY);
		(void)!jif_timer_add(&wheel, &timer, when);
		row_postpone(&timer, when + 5);
		row_del_last(&timer, 0);
		(void)!jif_timer_add(&wheel, &other, when);
		(void)!jif_timer_add(&wheel, &timer, when);
		(void)!jif_timer_add(&wheel, &another, when);
		row_del(&timer, 0);
		disarm();
	}
}

/* The others are due in three days or later. */
static void arming(void)
{
	arm(row_arm_minute, 1, MINUTE - 1, false);
	arm(row_arm_hour, MINUTE, HOUR - 1, false);
	arm(row_arm_day, HOUR, DAY - 1, false);
	arm(row_arm_week, DAY, WEEK - 1, false);
	arm(row_arm_far, WEEK, 0x7fffffff, false);
	arm(row_arm_first, 1, 2 * DAY, true);
	mod(row_mod, WEEK - 1, false);
	mod(row_mod_alone, 2 * DAY, true);
	postpone_and_del();
}

/* Of ticks on which nothing expires or moves: @tick. */
static void idle(row_fn *row, uint32_t tick)
{
	jif_wheel_run(&wheel, tick - 1);
	row(0, tick);
}

static void running(void)
{
	row_next(0, 0);
	(void)!jif_timer_add(&wheel, &timer, 2 * HOUR);
	row_next_expiry(0, 0);
	disarm();
	row_tick_armed(0, START + 1);
	idle(row_tick_idle, START + 3);
	idle(row_tick_minute, MINUTE);
	idle(row_tick_hour, HOUR);
	idle(row_tick_day, DAY);
}

static void busy(row_fn *row, unsigned number, uint32_t delay, uint32_t tick)
{
	set_up(number, delay, 0);
	idle(row, tick);
}

static void empty_task(struct jif_task *t)
{
}

static void empty_work(struct jif_work *w)
{
}

static void init_sched(void (*sleep)(uint32_t ticks), uint32_t now)
{
	jif_ticks(now - jif_now());
	jif_wheel_run(&wheel, now);
	jif_sched_init(&sched, &wheel, sleep, 0);
	jif_task_init(&sched, &task, empty_task, 1, 0);
	jif_work_init(&work, empty_work, 1);
}

/* Nothing is due but, where the row says so, a task or work. */
static void turning(unsigned number)
{
	set_up(number, 3 * DAY, 257);
	init_sched(0, START);
	row_turn_empty(0, 0);
	jif_task_wake(&task);
	row_turn_task(0, 0);
	jif_work_queue(&sched.work, &work);
	row_turn_work(0, 0);
	(void)!jif_timer_add(&wheel, &timer, 2 * HOUR);
	init_sched(no_idle, START);
	row_turn_sleep(0, 0);
	disarm();
}

/* All timers are on one slot of the days: from the first sleep to their end. */
static void looping(row_fn *row, unsigned number)
{
	static const uint32_t at[] = {
		START,		 START + 1,	  DAY,
		3 * DAY - START, 3 * DAY + START, 3 * DAY + START + 1
	};

	set_up(number, 3 * DAY, 0);
	init_sched(no_idle, START);
	for (unsigned i = 0; i < sizeof(at) / sizeof(*at); i++) {
		jif_ticks(at[i] - jif_now());
		row(0, 0);
	}
}

/* Each of these with one timer, with ten and with all of them. */
static void each(unsigned number)
{
	busy(row_expire, number, 10, START + 10);
	busy(row_cascade_minute, number, 95, 2 * MINUTE);
	busy(row_cascade_hour, number, HOUR + 90, HOUR);
	busy(row_cascade_day, number, DAY + HOUR + 90, DAY);
}

/* Through every ring, to the only timer. */
static void run_days(void)
{
	set_up(1, DAY + DAY / 2, 0);
	row_run_days(0, START + DAY + DAY / 2);
}

/* Ten timers, up to a week ahead: until the first of them. */
static void sparse(void)
{
	uint32_t now;

	draw_from(0);
	for (unsigned i = 0; i < MANY; i++) {
		now = draw(WEEK);
		begin(now);
		for (unsigned j = 0; j < 10; j++)
			add(j, now + 1 + draw(WEEK - 1));
		row_stop_of_ten(0, 0);
		row_next_of_ten(0, 0);
		row_run_to_next(0, answer);
	}
}

/* Runs that end anywhere, with @number timers that are not due. */
static void jump(row_fn *row, unsigned number, uint32_t most)
{
	uint32_t now;

	draw_from(0);
	for (unsigned i = 0; i < MANY / 20; i++) {
		now = draw(2 * WEEK);
		begin(now);
		for (unsigned j = 0; j < number; j++)
			add(j, now + 3 * DAY + draw(WEEK));
		for (unsigned j = 0; j < 20; j++) {
			now += 1 + draw(most);
			row(0, now);
		}
	}
}

/* After a long sleep: one timer is due, the others in later weeks. */
static void wake(row_fn *row, unsigned number)
{
	draw_from(0);
	begin(0);
	add(0, LONG);
	for (unsigned i = 1; i < number; i++)
		add(i, LONG + DAY + draw(10 * LONG));
	row(0, LONG);
}

static void print(const char *name, uint32_t number)
{
	target_put_text(name);
	target_puts(" ");
	target_put_number(number);
	target_puts("\n");
}

int main(void)
{
	static const uint16_t numbers[] = { 1, 10, SOME, TIMERS };

	for (unsigned i = 0; i < 4; i++) {
		print(TARGET_TEXT("number"), numbers[i]);
		group();
		if (i) {
			set_up(numbers[i], 3 * DAY, 257);
			arming();
			running();
			recording();
			turning(numbers[i]);
			looping(row_loop, numbers[i]);
			looping(row_turns, numbers[i]);
		}
		each(numbers[i]);
	}
	run_days();
	sparse();
	jump(row_run_100, 0, 100);
	jump(row_run_5000, 0, 5000);
	jump(row_run_100000, 0, 100000);
	jump(row_run_ten_50, 10, 50);
	jump(row_run_ten_1000, 10, 1000);
	jump(row_run_ten_10000, 10, 10000);
	wake(row_wake_10, 10);
	if (TIMERS == 1000)
		wake(row_wake_1000, 1000);
	target_exit(0);
}
