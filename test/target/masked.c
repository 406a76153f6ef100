/* SPDX-License-Identifier: MIT */
/*
 * test/target/masked.c - for how long calls keep interrupts off
 *
 * tools/check/budget runs this image instruction by instruction, and takes from
 * all rounds the longest stretch of each call. What happens in a round depends
 * on its number alone. A search, `tools/check/budget --search`, tries as many
 * as ROUNDS says; rounds.inc has those in which it found the longest stretches.
 *
 * A round begins anywhere in a week, with a few timers, of which about half are
 * due on one tick; then come random calls, also by callbacks, and some of what
 * tasks wait for.
 */
/* The rounds have to fit an AVR; what is measured is the library. */
#ifndef __clang__
#pragma GCC optimize("Os")
#endif

#include <jif/firmware/calendar.h>
#include <jif/firmware/flags.h>
#include <jif/firmware/queue.h>
#include <jif/firmware/sched.h>
#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/port.h>

#include "chance.h"
#include "mark.h"
#include "target.h"

#define TIMERS	    9
#define CALLS	    24
#define SIZE(array) (sizeof(array) / sizeof(*(array)))

static struct jif_wheel wheel;
static struct jif_timer timers[TIMERS];
static struct jif_periodic periodic;
static struct jif_sched sched;
static struct jif_task task;
static struct jif_event event;
static struct jif_flags flags;
static struct jif_queue queue;
static uint32_t messages[2];
static struct jif_work work;
static struct jif_delayed_work delayed;
static struct jif_calendar calendar;
static struct jif_alarm alarm;

typedef void call_fn(struct jif_timer *t, uint32_t when);

static uint8_t active;
static uint8_t patience; /* how many callbacks of a round may still call */
static uint32_t company; /* when about half of the timers are due */
static uint32_t answer;

void jif_panic(const char *why)
{
	target_exit(1);
}

static uint32_t span(uint32_t level)
{
	static const uint32_t spans[] = { MINUTE, HOUR, DAY, WEEK, 3 * WEEK };

	return spans[level];
}

/* One tick, about the end of a span, anything within it, or the furthest. */
static uint32_t draw_delay(void)
{
	uint32_t most = span(draw(5));

	switch (draw(9)) {
	case 0:
		return 1;
	case 1:
	case 2:
		return most - 1 + draw(3);
	case 3:
		return JIF_DELAY_MAX;
	default:
		return 1 + draw(most);
	}
}

/* Anything from the clock on, or on the tick that many are due on, or near. */
static uint32_t draw_expiry(void)
{
	switch (draw(5)) {
	case 0:
	case 1:
		return company;
	case 2:
		return company + draw(MINUTE);
	default:
		return jif_wheel_clock(&wheel) + draw_delay();
	}
}

/* To the next tick, to where a ring wraps, right before, or any time on. */
static uint32_t draw_jump(uint32_t now)
{
	uint32_t ticks = span(draw(5));

	switch (draw(6)) {
	case 0:
		return now + 1;
	case 1:
		return now - now % ticks + ticks;
	case 2:
		return now - now % ticks + ticks - 1;
	case 3:
		if (jif_time_after(company, now))
			return company - draw(2);
		return now;
	default:
		return now + 1 + draw(ticks);
	}
}

/* Time passes, which the wheel is to follow. */
static uint32_t later(void)
{
	uint32_t now = jif_now();

	jif_ticks(draw_jump(now) - now);
	return jif_now();
}

static struct jif_timer *any(void)
{
	return &timers[draw(active)];
}

static void no_idle(uint32_t ticks)
{
}

static void no_print(char c)
{
}

static int look(void *arg, const struct jif_timer *t, unsigned level,
		unsigned slot, uint32_t remaining)
{
	return 0;
}

#define CALL(name, call)                                                       \
	static void call_##name(struct jif_timer *t, uint32_t when)            \
	{                                                                      \
		(void)t;                                                       \
		(void)when;                                                    \
		call;                                                          \
	}

/* The flash of an ATmega328P is full without them. */
#ifdef __AVR__
#define PRINT	    ((void)no_print)
#define FLAGS(call) ((void)&flags)
#else
#define PRINT	    jif_wheel_print(&wheel, no_print, 0)
#define FLAGS(call) (call)
#endif

#define TIME draw(DAY)
#define IN   (when - jif_wheel_clock(&wheel))

CALL(add, (void)!jif_timer_add(&wheel, t, when))
CALL(mod, jif_timer_mod(&wheel, t, when))
CALL(reduce, jif_timer_reduce(&wheel, t, when))
CALL(postpone, jif_timer_postpone(&wheel, t, when))
CALL(del, jif_timer_del(&wheel, t))
CALL(expires, jif_timer_expires(&wheel, t))
CALL(mod_pending, jif_timer_mod_pending(&wheel, t, when))
CALL(add_in, (void)!jif_timer_add_in(&wheel, t, IN))
CALL(mod_in, (void)!jif_timer_mod_in(&wheel, t, IN))
CALL(left, jif_timer_left(&wheel, t))
CALL(pause, jif_timer_pause(&wheel, t))
CALL(resume, jif_timer_resume(&wheel, t))

/* What a handler or a callback may do, too. */
static call_fn *const arming[] = {
	call_add,    call_mod,	  call_reduce,	 call_postpone,	   call_del,
	call_mod,    call_reduce, call_postpone, call_mod_pending, call_add_in,
	call_mod_in, call_pause,  call_resume,	 call_left,	   call_expires,
};

static void any_arming(void)
{
	arming[draw(SIZE(arming))](any(), draw_expiry());
}

static void some_calls(void)
{
	if (patience && patience--)
		any_arming();
}

static void any_callback(struct jif_timer *t)
{
	some_calls();
}

static void periodic_callback(struct jif_periodic *p)
{
	some_calls();
}

static void work_callback(struct jif_work *w)
{
	some_calls();
}

static void alarm_callback(struct jif_alarm *a)
{
	some_calls();
}

static void task_callback(struct jif_task *t)
{
	if (draw(2))
		jif_task_sleep(t, draw_delay());
	else
		jif_task_wait(t, &event, draw_delay());
}

CALL(run, jif_wheel_run(&wheel, later()))
CALL(run_budget, jif_wheel_run_budget(&wheel, later(), 1 + (unsigned)draw(4)))
CALL(next, jif_wheel_next_stop(&wheel, &answer))
CALL(next_expiry, jif_wheel_next_expiry(&wheel, &answer))
CALL(empty, jif_wheel_empty(&wheel))
CALL(sleep, jif_wheel_sleep(&wheel, no_idle))
CALL(walk, jif_wheel_walk(&wheel, look, 0))
CALL(print, PRINT)
CALL(drain, jif_wheel_drain(&wheel, draw(2) ? any_callback : 0))
CALL(shutdown, jif_timer_shutdown(&wheel, t); jif_timer_init(t, any_callback))

static call_fn *const wheels[] = {
	call_next, call_next_expiry, call_empty, call_sleep,
	call_walk, call_print,	     call_drain, call_shutdown,
};

CALL(periodic_start,
     (void)!jif_periodic_start(&wheel, &periodic, IN, draw_delay(), 2))
CALL(periodic_start_at,
     (void)!jif_periodic_start_at(&wheel, &periodic, when, draw_delay(), 2))
CALL(periodic_stop, jif_periodic_stop(&periodic))
CALL(work_queue, jif_work_queue(&sched.work, &work))
CALL(work_cancel, jif_work_cancel(&sched.work, &work))
CALL(delayed_queue, (void)!jif_delayed_work_queue(&sched.work, &delayed, IN))
CALL(delayed_mod, (void)!jif_delayed_work_mod(&sched.work, &delayed, IN))
CALL(delayed_cancel, jif_delayed_work_cancel(&delayed))
CALL(workqueue_run, jif_workqueue_run(&sched.work, 1))
CALL(sched_run, later(); jif_sched_run(&sched))
CALL(task_start, (void)!jif_task_start(&task, IN, DAY + draw_delay()))
CALL(task_sleep, jif_task_sleep(&task, IN))
CALL(task_wait, jif_task_wait(&task, &event, IN))
CALL(task_wake, jif_task_wake(&task))
CALL(task_stop, jif_task_stop(&task))
CALL(event_wake, jif_event_wake(&event))
CALL(alarm_start, (void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, TIME))
CALL(alarm_stop, jif_alarm_stop(&alarm))
CALL(calendar_set, jif_calendar_set(&calendar, when))

static call_fn *const others[] = {
	call_periodic_start, call_periodic_stop,  call_periodic_start_at,
	call_work_queue,     call_work_cancel,	  call_delayed_queue,
	call_delayed_mod,    call_delayed_cancel, call_workqueue_run,
	call_sched_run,	     call_task_start,	  call_task_sleep,
	call_task_wait,	     call_task_wake,	  call_task_stop,
	call_event_wake,     call_alarm_start,	  call_alarm_stop,
	call_calendar_set,
};

/* Of what tasks wait for. One may wait already, and its end is moved. */
#define WANT (1 + (uint32_t)draw(3))
#define HOW  (1u + (unsigned)draw(2)) | (draw(2) ? JIF_FLAGS_CLEAR : 0u)

CALL(flags_wait, FLAGS((void)!jif_flags_wait(&flags, &task, WANT, HOW, IN)))
CALL(flags_set, FLAGS(jif_flags_set(&flags, WANT)))
CALL(flags_clear, FLAGS(jif_flags_clear(&flags, WANT)))
CALL(flags_take, FLAGS(jif_flags_take(&task)))
CALL(queue_wait, (void)!jif_queue_wait(&queue, &task, IN))
CALL(queue_send, (void)!jif_queue_send(&queue, &when))
CALL(queue_receive, (void)!jif_queue_receive(&queue, messages))
CALL(event_wake_all, jif_event_wake_all(&event))
CALL(set_priority, (void)!jif_task_set_priority(&task, (unsigned)draw(2)))

static call_fn *const waits[] = {
	call_flags_wait,  call_flags_wait,     call_flags_set,
	call_flags_clear, call_flags_take,     call_queue_wait,
	call_queue_wait,  call_queue_send,     call_queue_receive,
	call_task_wait,	  call_event_wake_all, call_set_priority,
	call_task_stop,
};

static void any_call(void)
{
	switch (draw(6)) {
	case 0:
	case 1:
		any_arming();
		break;
	case 2:
		call_run(0, 0);
		break;
	case 3:
		call_run_budget(0, 0);
		break;
	case 4:
		wheels[draw(SIZE(wheels))](any(), draw_expiry());
		break;
	default:
		others[draw(SIZE(others))](any(), draw_expiry());
		break;
	}
}

/* The hands show the clock, so that draw_jump() knows when they wrap. */
static void init_wheels(void)
{
	uint32_t now = draw(2) ? draw(WEEK) : WEEK - 1 - draw(2 * MINUTE);

	jif_wheel_init(&wheel, 0);
	jif_wheel_run(&wheel, now + draw(2) * WEEK);
	jif_ticks(jif_wheel_clock(&wheel) - jif_now());
}

static void init_others(void)
{
	jif_periodic_init(&periodic, periodic_callback, JIF_CATCHUP_SKIP);
	jif_sched_init(&sched, &wheel, no_idle, 0);
	jif_task_init(&sched, &task, task_callback, 0, 0);
	jif_event_init(&event);
	FLAGS(jif_flags_init(&flags));
	(void)!jif_queue_init(&queue, messages, sizeof(*messages), 2);
	jif_work_init(&work, work_callback, 1);
	jif_delayed_work_init(&delayed, work_callback, 0);
	jif_calendar_init(&calendar, &wheel, 1, 0);
	jif_alarm_init(&alarm, alarm_callback);
}

static void play(uint32_t number)
{
	group();
	draw_from(number);
	active = (uint8_t)(1 + draw(TIMERS));
	patience = 4;
	init_wheels();
	init_others();
	company = jif_wheel_clock(&wheel) + 1 + draw(span(draw(5)));
	for (unsigned i = 0; i < active; i++) {
		jif_timer_init(&timers[i], any_callback);
		(void)!jif_timer_add(&wheel, &timers[i], draw_expiry());
	}
	for (unsigned i = 0; i < CALLS; i++)
		any_call();
	for (unsigned i = 0; i < CALLS; i++)
		waits[draw(SIZE(waits))](any(), draw_expiry());
}

int main(void)
{
#ifdef ROUNDS
	for (uint32_t i = 0; i < ROUNDS; i++)
		play(i);
#else
	static const uint16_t rounds[] = {
#include "rounds.inc"
	};

	for (unsigned i = 0; i < SIZE(rounds); i++)
		play(rounds[i]);
#endif
	target_exit(0);
}
