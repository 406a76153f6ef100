/* SPDX-License-Identifier: MIT */
/*
 * test/target/cost.c - what each operation costs its caller
 *
 * tools/budget runs this image instruction by instruction. A row of its tables
 * is a function here whose name begins with row_: what is counted lies between
 * its two calls of mark(), and so is the arguments, the call, and all until it
 * has returned. Afterwards all calls are tried in many states; for how long
 * they keep interrupts off is read from the same trace.
 */
#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/port.h>
#include <jif/sched.h>
#include <jif/trace.h>

#include "mark.h"
#include "target.h"

#if defined(__AVR__)
#define TIMERS (CONFIG_JIF_SPREAD ? 30 : 60)
#elif defined(__ARM_ARCH_6M__)
#define TIMERS 400
#else
#define TIMERS 1000
#endif

#define SOME (TIMERS > 100 ? 100 : 20)

/* How many jumps are tried, and from which on: more to find the worst ones. */
#ifndef JUMPS
#define JUMPS 150
#define FIRST 0
#endif

#define MINUTE UINT32_C(60)
#define HOUR   UINT32_C(3600)
#define DAY    UINT32_C(86400)
#define WEEK   UINT32_C(604800)
#define START  (MINUTE / 2) /* half a minute after all rings have wrapped */

static struct jif_wheel wheel;
static struct jif_timer timers[TIMERS];
static struct jif_timer timer, other;
static uint32_t answer;
static struct jif_periodic periodic;
static struct jif_sched sched;
static struct jif_task task;
static struct jif_event event;
static struct jif_work work;
static struct jif_delayed_work delayed;

void jif_panic(const char *why)
{
	(void)why;
	target_exit(1);
}

static void empty_callback(struct jif_timer *t)
{
	(void)t;
}

ROW(arm_minute, jif_timer_add(&wheel, t, when))
ROW(arm_hour, jif_timer_add(&wheel, t, when))
ROW(arm_day, jif_timer_add(&wheel, t, when))
ROW(arm_week, jif_timer_add(&wheel, t, when))
ROW(arm_far, jif_timer_add(&wheel, t, when))
ROW(arm_first, jif_timer_add(&wheel, t, when))
ROW(mod_hour, jif_timer_mod(&wheel, t, when))
ROW(mod_week, jif_timer_mod(&wheel, t, when))
ROW(mod_alone, jif_timer_mod(&wheel, t, when))
ROW(postpone, jif_timer_postpone(&wheel, t, when))
ROW(del, jif_timer_del(&wheel, t))
ROW(del_last, jif_timer_del(&wheel, t))
ROW(tick_idle, jif_wheel_run(&wheel, when))
ROW(tick_armed, jif_wheel_run(&wheel, when))
ROW(tick_minute, jif_wheel_run(&wheel, when))
ROW(tick_hour, jif_wheel_run(&wheel, when))
ROW(tick_day, jif_wheel_run(&wheel, when))
ROW(jump, jif_wheel_run(&wheel, when))
ROW(next, jif_wheel_next(&wheel, &answer))
ROW(next_expiry, jif_wheel_next_expiry(&wheel, &answer))
ROW(expire, jif_wheel_run(&wheel, when))
ROW(cascade_minute, jif_wheel_run(&wheel, when))
ROW(cascade_hour, jif_wheel_run(&wheel, when))
ROW(cascade_day, jif_wheel_run(&wheel, when))

static void no_idle(uint32_t ticks)
{
	(void)ticks;
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

/* @number timers are pending, the first one @delay ahead. */
static void set_up(unsigned number, uint32_t delay, uint32_t apart)
{
	jif_wheel_init(&wheel, 0);
	jif_wheel_run(&wheel, START);
	jif_timer_init(&timer, empty_callback);
	jif_timer_init(&other, empty_callback);
	for (unsigned i = 0; i < number; i++, delay += apart) {
		jif_timer_init(&timers[i], empty_callback);
		jif_timer_add(&wheel, &timers[i], START + delay);
	}
}

static void disarm(void)
{
	jif_timer_del(&wheel, &timer);
	jif_timer_del(&wheel, &other);
}

/* Into a slot that has an entry. */
static void arm(row_fn *row, uint32_t delay)
{
	jif_timer_add(&wheel, &other, START + delay);
	row(&timer, START + delay);
	disarm();
}

static void arm_each(row_fn *row, uint32_t from, uint32_t to)
{
	arm(row, from);
	arm(row, (from + to) / 2);
	arm(row, to);
}

static void arm_first(uint32_t delay)
{
	row_arm_first(&timer, START + delay);
	disarm();
}

/* The last one of its list, or the only one. */
static void mod(row_fn *row, uint32_t delay, bool alone)
{
	if (!alone)
		jif_timer_add(&wheel, &other, START + delay);
	jif_timer_add(&wheel, &timer, START + delay);
	row(&timer, START + delay);
	disarm();
}

static void postpone(uint32_t delay)
{
	jif_timer_add(&wheel, &timer, START + delay);
	row_postpone(&timer, START + delay + 5);
	disarm();
}

static void del(uint32_t delay)
{
	jif_timer_add(&wheel, &timer, START + delay);
	row_del_last(&timer, 0);
	jif_timer_add(&wheel, &other, START + delay);
	jif_timer_add(&wheel, &timer, START + delay);
	row_del_last(&timer, 0);
	jif_timer_add(&wheel, &timer, START + delay);
	row_del(&other, 0);
	disarm();
}

static void arming(void)
{
	arm_each(row_arm_minute, 1, MINUTE - 1);
	arm_each(row_arm_hour, MINUTE, HOUR - 1);
	arm_each(row_arm_day, HOUR, DAY - 1);
	arm_each(row_arm_week, DAY, WEEK - 1);
	arm_each(row_arm_far, WEEK, 0x7fffffff);
	arm_first(MINUTE - 1);
	arm_first(HOUR - 1);
	arm_first(DAY - 1);
	arm_first(WEEK - 1);
	mod(row_mod_hour, HOUR - 1, false);
	mod(row_mod_week, WEEK - 1, false);
	mod(row_mod_alone, HOUR - 1, true);
	mod(row_mod_alone, WEEK - 1, true);
	postpone(HOUR - 1);
	postpone(DAY - 1);
	del(HOUR - 1);
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
	jif_timer_add(&wheel, &timer, 2 * HOUR);
	row_next_expiry(0, 0);
	disarm();
	row_tick_armed(0, START + 1);
	idle(row_tick_idle, START + 3);
	idle(row_tick_minute, MINUTE);
	idle(row_tick_hour, HOUR);
	idle(row_tick_day, DAY);
	row_jump(0, 2 * DAY + DAY / 2 + START);
}

static void busy(row_fn *row, unsigned number, uint32_t delay, uint32_t tick)
{
	set_up(number, delay, 0);
	idle(row, tick);
}

static void empty_task(struct jif_task *t)
{
	(void)t;
}

static void empty_work(struct jif_work *w)
{
	(void)w;
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
	jif_timer_add(&wheel, &timer, 2 * HOUR);
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

/* The jumps with the longest stretch, of 9,000: tools/budget --masked. */
static const uint16_t longest[] = {
	107,  563,  776,  1033, 1486, 1881, 2312, 3672,
	4908, 4985, 5371, 5569, 5710, 5786, 6821,
};

static uint32_t seed = 2463534242u;

static uint32_t draw(uint32_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return limit > UINT16_MAX ? seed % limit : (seed >> 16) * limit >> 16;
}

static unsigned pick(unsigned limit)
{
	return (unsigned)draw(limit);
}

static uint32_t span(unsigned i)
{
	switch (i) {
	case 0:
		return MINUTE;
	case 1:
		return HOUR;
	case 2:
		return DAY;
	case 3:
		return WEEK;
	default:
		return 3 * WEEK;
	}
}

/* One tick, about the end of a span, or anything within it. */
static uint32_t draw_delay(void)
{
	uint32_t most = span(pick(5));

	switch (draw(4)) {
	case 0:
		return 1;
	case 1:
		return most - 1 + draw(3);
	default:
		return 1 + draw(most);
	}
}

/* To where a ring wraps, or right before that, or any time on. */
static uint32_t draw_jump(void)
{
	uint32_t now = jif_wheel_clock(&wheel);
	uint32_t ticks = span(pick(5));

	switch (draw(4)) {
	case 0:
		return now + 1;
	case 1:
		return now - now % ticks + ticks;
	case 2:
		return now - now % ticks + ticks - 1;
	default:
		return now + draw_delay();
	}
}

static unsigned active;
static unsigned patience; /* how many callbacks of a run may still arm */

static void any_callback(struct jif_timer *t)
{
	struct jif_timer *another = &timers[draw(active)];

	if (!patience)
		return;
	patience--;
	switch (draw(4)) {
	case 0:
		jif_timer_add(&wheel, t, jif_wheel_clock(&wheel) + 1);
		break;
	case 1:
		jif_timer_mod(&wheel, another,
			      jif_wheel_clock(&wheel) + draw_delay());
		break;
	case 2:
		jif_timer_del(&wheel, another);
		break;
	default:
		break;
	}
}

static void periodic_callback(struct jif_periodic *p)
{
	(void)p;
}

static void work_callback(struct jif_work *w)
{
	(void)w;
}

static void task_callback(struct jif_task *t)
{
	if (draw(2))
		jif_task_sleep(t, draw_delay());
	else
		jif_task_wait(t, &event, draw_delay());
}

static int look(void *arg, const struct jif_timer *t, unsigned level,
		unsigned slot, uint32_t remaining)
{
	(void)arg;
	(void)t;
	(void)level;
	(void)slot;
	return remaining == UINT32_MAX;
}

static void any_arming(struct jif_timer *t)
{
	uint32_t when =
		jif_wheel_clock(&wheel) + (draw(9) ? draw_delay() : 0x7fffffff);

	switch (draw(6)) {
	case 0:
		jif_timer_mod(&wheel, t, when);
		break;
	case 1:
		jif_timer_reduce(&wheel, t, when);
		break;
	case 2:
		jif_timer_postpone(&wheel, t, when);
		break;
	default:
		jif_timer_add(&wheel, t, when);
		break;
	}
}

static void any_look(struct jif_timer *t)
{
	switch (draw(16)) {
	case 0:
		jif_wheel_walk(&wheel, look, 0);
		break;
	case 1:
		jif_wheel_drain(&wheel, draw(2) ? empty_callback : 0);
		break;
	case 2:
		jif_timer_shutdown(&wheel, t);
		jif_timer_init(t, any_callback);
		break;
	case 3:
		jif_timer_expires(&wheel, t);
		jif_timer_pending(t);
		break;
	case 4:
	case 5:
		jif_timer_del(&wheel, t);
		break;
	case 6:
		jif_wheel_next_expiry(&wheel, &answer);
		jif_wheel_empty(&wheel);
		break;
	default:
		jif_wheel_next(&wheel, &answer);
		break;
	}
}

static void any_run(void)
{
	patience = 3;
	if (draw(4))
		jif_wheel_run(&wheel, draw_jump());
	else
		jif_wheel_run_budget(&wheel, draw_jump(), 1 + pick(4));
}

static void any_work(void)
{
	switch (draw(5)) {
	case 0:
		jif_work_queue(&sched.work, &work);
		break;
	case 1:
		jif_work_cancel(&sched.work, &work);
		break;
	case 2:
		jif_delayed_work_queue(&sched.work, &delayed, draw_delay());
		break;
	case 3:
		jif_delayed_work_mod(&sched.work, &delayed, draw_delay());
		break;
	default:
		jif_delayed_work_cancel(&delayed);
		break;
	}
}

static void any_other(void)
{
	switch (draw(8)) {
	case 0:
		jif_periodic_start(&wheel, &periodic, draw_delay(),
				   draw_delay(), draw(4));
		break;
	case 1:
		jif_periodic_stop(&wheel, &periodic);
		break;
	case 2:
		jif_task_start(&task, draw_delay(), draw_delay());
		break;
	case 3:
		jif_task_wake(&task);
		break;
	case 4:
		jif_task_stop(&task);
		break;
	case 5:
		jif_event_wake(&event);
		break;
	case 6:
		any_work();
		break;
	default:
		jif_workqueue_run(&sched.work, 1);
		jif_sched_run(&sched);
		break;
	}
}

static uint32_t draw_time(void)
{
	return draw(2) ? draw(WEEK) : WEEK - 1 - draw(2 * MINUTE);
}

/* The hands show the clock, so that draw_jump() knows when they wrap. */
static void init_anywhere(void)
{
	uint32_t now = draw_time();

	jif_wheel_init_at(&wheel, now, (unsigned)(now / DAY),
			  (unsigned)(now / HOUR % 24),
			  (unsigned)(now / MINUTE % 60),
			  (unsigned)(now % MINUTE));
}

/* Everything may be pending; it is left as it is. */
static void begin(unsigned number)
{
	active = number;
	init_anywhere();
	for (unsigned i = 0; i < active; i++)
		jif_timer_init(&timers[i], any_callback);
	jif_periodic_init(&periodic, periodic_callback, JIF_CATCHUP_SKIP);
	jif_sched_init(&sched, &wheel, no_idle, 0);
	jif_task_init(&sched, &task, task_callback, 0, 0);
	jif_event_init(&event);
	jif_work_init(&work, work_callback, 1);
	jif_delayed_work_init(&delayed, work_callback, 0);
}

static void explore(unsigned number, unsigned steps)
{
	struct jif_timer *t;

	begin(number);
	while (steps--) {
		t = &timers[draw(active)];
		switch (draw(8)) {
		case 0:
		case 1:
		case 2:
			any_arming(t);
			break;
		case 3:
		case 4:
			any_run();
			break;
		case 5:
			any_other();
			break;
		default:
			any_look(t);
			break;
		}
	}
}

/*
 * From any time, a few timers, and a run to any other time, twice. What happens
 * depends on @which alone.
 */
static void jump(uint32_t which)
{
	uint32_t week = jif_wheel_clock(&wheel) / WEEK * WEEK + WEEK;
	unsigned number;

	group();
	seed = 2463534242u + which * 2654435761u;
	draw(2);
	jif_wheel_run(&wheel, week + draw_time());
	number = 1 + pick(5);
	for (unsigned i = 0; i < number; i++)
		jif_timer_mod(&wheel, &timers[i],
			      jif_wheel_clock(&wheel) + draw_delay());
	jif_wheel_run(&wheel, draw_jump());
	jif_wheel_next(&wheel, &answer);
	jif_timer_postpone(&wheel, &timers[0],
			   jif_wheel_clock(&wheel) + 2 * WEEK);
	jif_wheel_run(&wheel, draw_jump());
	jif_wheel_next(&wheel, &answer);
	for (unsigned i = 0; i < number; i++)
		jif_timer_del(&wheel, &timers[i]);
}

#define PAINTED 300
#define PAINT	0xa5

static inline volatile uint8_t *stack_pointer(void)
{
	volatile uint8_t *sp;

#if defined(__AVR__)
	__asm__ volatile("in %A0, __SP_L__\n\tin %B0, __SP_H__" : "=r"(sp));
#elif defined(__arm__)
	__asm__ volatile("mov %0, sp" : "=r"(sp));
#else
	__asm__ volatile("mv %0, sp" : "=r"(sp));
#endif
	return sp;
}

/* The bytes of stack that an arming and a run need; all rings wrap at @tick. */
NOINLINE uint32_t stack_of_run(uint32_t tick)
{
	volatile uint8_t *sp;
	uint32_t depth = PAINTED;

	jif_wheel_run(&wheel, tick - 1);
	sp = stack_pointer();
	for (unsigned i = 1; i <= PAINTED; i++)
		sp[-(int)i] = PAINT;
	jif_timer_mod(&wheel, &timer, tick + WEEK);
	jif_wheel_run(&wheel, tick);
	while (depth && sp[-(int)depth] == PAINT)
		depth--;
	return depth;
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
	set_up(10, DAY - START, 0);
	print(TARGET_TEXT("stack"), stack_of_run(DAY));
	set_up(5, 1, 1);
	for (unsigned i = 0; i < sizeof(longest) / sizeof(*longest); i++)
		jump(longest[i]);
	for (unsigned i = 0; i < JUMPS; i++) {
		if (i % 200 == 0)
			set_up(5, 1, 1);
		jump(FIRST + i);
	}
	for (unsigned i = 0; i < 5; i++)
		explore(1 + i * i, 200);
	target_exit(0);
}
