/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/traps.c - first guesses that compile and do something else
 *
 * usage: traps [TRAP [bare]]
 *
 * Without an argument, prints the names of all. With one, falls into that trap,
 * as a program would that was written without a look at the headers, and prints
 * what a debug build is to say first; that goes to standard error. With "bare",
 * jif_warn is NULL, as on a target.
 */
#include <jif/debug.h>
#include <jif/host/service.h>
#include <jif/jif.h>
#include <stdio.h>
#include <string.h>

static struct jif_wheel wheel;
static struct jif_timer timer;
static struct jif_periodic periodic;
static struct jif_sched sched;
static struct jif_task task;
static struct jif_service service;
static struct jif_job job;
static uint32_t millis;
static unsigned calls;

static void on_timer(struct jif_timer *t)
{
	(void)t;
	calls++;
}

static void on_periodic(struct jif_periodic *p)
{
	(void)p;
	calls++;
}

static void on_task(struct jif_task *t)
{
	calls++;
	(void)jif_task_sleep(t, 100);
}

static int on_job(struct jif_job *j)
{
	(void)j;
	return 0;
}

static uint32_t time_of_millis(const struct jif_wheel *w)
{
	(void)w;
	return millis;
}

static void run(unsigned ticks)
{
	while (ticks--) {
		jif_tick();
		jif_wheel_run(&wheel, jif_now());
	}
}

static void init(void)
{
	jif_wheel_init(&wheel, jif_now());
	jif_timer_init(&timer, on_timer);
	jif_periodic_init(&periodic, on_periodic, JIF_CATCHUP_EACH);
}

static void started_after_a_sleep(void)
{
	init();
	jif_ticks(3600000);
	(void)!jif_periodic_start(&wheel, &periodic, 500, 500, JIF_FOREVER);
	jif_wheel_run(&wheel, jif_now());
}

static void started_late(void)
{
	init();
	for (int i = 0; i < 5000; i++)
		jif_tick();
	(void)!jif_periodic_start(&wheel, &periodic, 1000, 1000, JIF_FOREVER);
	run(10);
}

static void run_by_millis(void)
{
	millis = 5000;
	jif_wheel_init(&wheel, millis);
	jif_timer_init(&timer, on_timer);
	(void)!jif_timer_add_in(&wheel, &timer, 2000);
	jif_wheel_run(&wheel, ++millis);
}

static void added_while_pending(void)
{
	init();
	(void)!jif_timer_add_in(&wheel, &timer, 500);
	run(400);
	(void)!jif_timer_add_in(&wheel, &timer, 500);
	run(200);
}

static void without_timer_init(void)
{
	jif_wheel_init(&wheel, jif_now());
	(void)!jif_timer_add_in(&wheel, &timer, 500);
	run(1000);
}

static void in_30_days(void)
{
	init();
	jif_timer_mod(&wheel, &timer, jif_now() + 30u * 24 * 3600 * 1000);
	run(1);
}

static void every_30_days(void)
{
	uint32_t days = 30u * 24 * 3600 * 1000;

	init();
	(void)!jif_periodic_start_at(&wheel, &periodic, jif_now() + days, 1, 1);
	run(1);
}

static void in_40_days(void)
{
	init();
	(void)!jif_timer_add_in(&wheel, &timer, 40u * 24 * 3600 * 1000);
}

static void without_count(void)
{
	init();
	(void)!jif_periodic_start(&wheel, &periodic, 100, 100, 0);
	run(500);
}

static void without_period(void)
{
	init();
	(void)!jif_periodic_start(&wheel, &periodic, 500 / 1000, 750 / 1000,
				  JIF_FOREVER);
	run(500);
}

static void init_task(unsigned priority)
{
	jif_sched_init(&sched, &wheel, NULL, NULL);
	jif_task_init(&sched, &task, on_task, priority, 0);
	jif_task_wake(&task);
}

static void priority_10(void)
{
	init();
	init_task(10);
	jif_sched_run(&sched);
}

static void task_period_0(void)
{
	init();
	init_task(1);
	(void)!jif_task_start(&task, 0, 0);
}

static void tasks_by_millis(void)
{
	millis = 5000;
	jif_wheel_init(&wheel, millis);
	init_task(1);
	for (; millis < 5300; millis++)
		jif_sched_run(&sched);
}

static void wheel_init_after_sched_init(void)
{
	jif_sched_init(&sched, &wheel, NULL, NULL);
	init();
	jif_sched_run(&sched);
}

static void without_wheel_init(void)
{
	jif_timer_init(&timer, on_timer);
	(void)!jif_timer_add_in(&wheel, &timer, 500);
	run(1);
}

static void run_and_wait(struct jif_timer *t)
{
	(void)t;
	run(20);
}

static void wait_in_a_callback(void)
{
	init();
	jif_timer_init(&timer, run_and_wait);
	(void)!jif_timer_add_in(&wheel, &timer, 5);
	run(10);
}

static void del_the_member(void)
{
	init();
	(void)!jif_periodic_start(&wheel, &periodic, 10, 10, JIF_FOREVER);
	jif_timer_del(&wheel, &periodic.timer);
	run(50);
	printf("pending %d\n", jif_periodic_pending(&periodic));
}

static void wheel_init_twice(void)
{
	init();
	(void)!jif_timer_add_in(&wheel, &timer, 10);
	jif_wheel_init(&wheel, jif_now());
	run(20);
}

static void run_back(void)
{
	init();
	run(100);
	jif_wheel_run(&wheel, jif_now() - 50);
}

static void run_ahead(void)
{
	jif_wheel_init_time(&wheel, time_of_millis);
	jif_wheel_run(&wheel, millis + 2);
}

static void without_source(void)
{
	jif_wheel_init_time(&wheel, NULL);
}

static void poll_without_source(void)
{
	init();
	for (unsigned i = 0; i < 1024; i++)
		jif_wheel_poll(&wheel);
}

static void run_by_a_delay(void)
{
	init();
	jif_wheel_set_time(&wheel, jif_time_jiffies);
	(void)!jif_timer_add_in(&wheel, &timer, 500);
	for (unsigned i = 0; i < 1000; i++) {
		jif_tick();
		jif_wheel_run(&wheel, 1);
	}
}

static void sleep_without_function(void)
{
	init();
	jif_wheel_sleep(&wheel, NULL);
}

static uint64_t an_hour(const struct jif_loop *loop)
{
	(void)loop;
	return UINT64_C(3600000000000);
}

static void job_in_500_ms(void)
{
	service.loop.clock = an_hour;
	if (jif_service_init(&service) || jif_service_start(&service))
		return;
	jif_job_init(&service, &job, on_job);
	(void)!jif_job_add(&job, 500000000);
	(void)jif_service_stop(&service, NULL);
}

/**
 * struct trap - one of them
 * @name:	of it
 * @fall:	falls into it
 * @fn:		the function that is told, if there is one
 * @what:	what a debug build says
 * @object:	of what
 */
static const struct trap {
	const char *name;
	void (*fall)(void);
	void (*fn)(void);
	const char *what;
	const void *object;
} traps[] = {
#define TRAP(name)	  #name, name, NULL
#define TRAP_OF(name, fn) #name, name, (void (*)(void))fn
	{ TRAP(started_after_a_sleep),
	  "a wheel without time source is behind jif_now()", &wheel },
	{ TRAP(started_late), "a wheel without time source is behind jif_now()",
	  &wheel },
	{ TRAP(run_by_millis),
	  "a wheel without time source is ahead of jif_now()", &wheel },
	{ TRAP_OF(added_while_pending, on_timer),
	  "a timer is added that is pending", &timer },
	{ TRAP(without_timer_init),
	  "a timer is armed that was never initialised", &timer },
	{ TRAP_OF(in_30_days, on_timer),
	  "a timer is armed too far ahead, and runs at once", &timer },
	{ TRAP_OF(every_30_days, on_periodic),
	  "a timer is armed too far ahead, and runs at once", &periodic },
	{ TRAP_OF(in_40_days, on_timer), "a delay is too long", &timer },
	{ TRAP_OF(without_count, on_periodic),
	  "a periodic timer has no period or count", &periodic },
	{ TRAP_OF(without_period, on_periodic),
	  "a periodic timer has no period or count", &periodic },
	{ TRAP_OF(priority_10, on_task), "a task has a priority too many",
	  &task },
	{ TRAP_OF(task_period_0, on_task), "a task has no such period", &task },
	{ TRAP(tasks_by_millis), "a wheel's time source is behind its clock",
	  &wheel },
	{ TRAP(wheel_init_after_sched_init),
	  "a wheel was initialised after its scheduler", &wheel },
	{ TRAP(without_wheel_init),
	  "a wheel is used that was never initialised", &wheel },
	{ TRAP(wait_in_a_callback),
	  "a wheel is run within a run, a walk or a drain", &wheel },
	{ TRAP_OF(del_the_member, on_periodic),
	  "the timer of a periodic timer was taken off", &periodic },
	{ TRAP(wheel_init_twice),
	  "a wheel is initialised that has pending timers", &wheel },
	{ TRAP(run_back), "a wheel is run with a time before its clock",
	  &wheel },
	{ TRAP(run_ahead), "a wheel is run with a time after its source's",
	  &wheel },
	{ TRAP(without_source), "a wheel is initialised with no time source",
	  &wheel },
	{ TRAP(poll_without_source), "a wheel without time source is polled",
	  &wheel },
	{ TRAP(run_by_a_delay), "a wheel is run with a delay instead of a time",
	  &wheel },
	{ TRAP(sleep_without_function), "a sleep has no function that sleeps",
	  &wheel },
	{ TRAP_OF(job_in_500_ms, on_job),
	  "a time is before the loop or service was made", &job },
};

int main(int argc, char **argv)
{
	const struct trap *trap = traps;

	for (; trap < traps + sizeof(traps) / sizeof(traps[0]); trap++) {
		if (argc < 2) {
			puts(trap->name);
		} else if (!strcmp(argv[1], trap->name)) {
			printf("jif: %s: object %p, function %#jx\n",
			       trap->what, (void *)(uintptr_t)trap->object,
			       (uintmax_t)(uintptr_t)trap->fn);
			fflush(stdout);
			if (argc > 2)
				jif_warn = NULL;
			trap->fall();
		}
	}
	return 0;
}
