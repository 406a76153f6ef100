/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/recipes.h - what calls on a page take for granted, and how
 * they are judged: see recipes.py. It stands behind the headers of a row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define IS(type, call) __builtin_types_compatible_p(__typeof__(call), type)
#define RESULT(call)   __builtin_choose_expr(IS(void, call), ((call), 1), call)

/* An int that is negative, and a bool that is false, have done nothing. */
#define MAKE(call)                                                             \
	judge(#call, IS(bool, call) ? (long)RESULT(call) - 1 :                 \
		     IS(int, call)  ? (long)RESULT(call) :                     \
				      (RESULT(call) ? 0L : 0L))

static unsigned runs;

static inline void judge(const char *what, long result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "it fails, or nothing runs: %s\n", what);
	exit(1);
}

#ifdef JIF_SERVICE_H
static inline int on_job(struct jif_job *job)
{
	(void)job;
	runs++;
	return 0;
}

static inline void end_service(struct jif_service *service)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
	judge("a job", (long)runs - 1);
	judge("stop", jif_service_stop(service, NULL));
}
#else
static struct jif_timer beside;
static unsigned beside_runs;
static uint32_t hal_ticks;

static inline uint32_t HAL_GetTick(void)
{
	return hal_ticks;
}

static inline uint32_t millis(void)
{
	return jif_now();
}

/* Of calls that name none. */
static inline struct jif_wheel *spare(void)
{
	static struct jif_wheel wheel;

	return &wheel;
}

/* A sleep may be shorter than it was to be. */
static inline void idle(uint32_t ticks)
{
	for (uint32_t i = 0; i < ticks && i < 5; i++)
		jif_tick();
}

static inline void on_timer(struct jif_timer *timer)
{
	(void)timer;
	runs++;
}

static inline void on_beside(struct jif_timer *timer)
{
	(void)timer;
	beside_runs++;
}

static inline void begin(struct jif_wheel *wheel)
{
	jif_wheel_init_time(wheel, jif_time_jiffies);
	jif_timer_init(&beside, on_beside);
	judge("beside", jif_timer_add_in(wheel, &beside, 20));
}

static inline void begin_timer(struct jif_wheel *wheel, struct jif_timer *timer,
			       int arm)
{
	jif_timer_init(timer, on_timer);
	if (arm)
		judge("begin", jif_timer_add_in(wheel, timer, 20));
}

/* What is armed, and another timer beside it, runs in the 2nd to 200th tick. */
static inline void end(struct jif_wheel *wheel, int by_clock, int expected)
{
	if (!jif_timer_pending(&beside)) {
		jif_timer_init(&beside, on_beside);
		judge("beside", jif_timer_add_in(wheel, &beside, 20));
	}
	for (int i = 0; i < 200; i++) {
		hal_ticks++;
		jif_tick();
		if (by_clock)
			jif_wheel_run(wheel, jif_wheel_clock(wheel) + 1);
		else
			(void)!jif_wheel_poll(wheel);
		judge("at once", i ? 0 : -(long)(runs + beside_runs));
	}
	judge("a timer", expected ? (long)runs - 1 : -(long)runs);
	judge("a timer beside it", (long)beside_runs - 1);
	runs = beside_runs = 0;
}

#ifdef JIF_PERIODIC_H
static inline void on_periodic(struct jif_periodic *p)
{
	(void)p;
	runs++;
}

static inline void begin_periodic(struct jif_wheel *wheel,
				  struct jif_periodic *p, int start)
{
	jif_periodic_init(p, on_periodic, JIF_CATCHUP_SKIP);
	if (start)
		judge("begin",
		      jif_periodic_start(wheel, p, 20, 20, JIF_FOREVER));
}
#endif

#ifdef JIF_AWAIT_H
static bool task_ended;

/* A task that waits goes on, at the latest when its time is up. */
static inline void end_task(jif_task_fn *fn)
{
	static struct jif_sched sched;
	static struct jif_task task;

	task_ended = false;
	jif_sched_init(&sched, spare(), NULL, NULL);
	jif_task_init(&sched, &task, fn, 0, 0);
	jif_task_wake(&task);
	for (int i = 0; i < 200 && !task_ended; i++) {
		jif_tick();
		jif_sched_run(&sched);
	}
	judge("a task", task_ended - 1);
}
#endif
#endif
