/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/must_check.c - whose result has to be looked at
 *
 * A part of a program, for test/tools/docs/traps.sh, in C and in C++. With
 * UNSEEN, each call is one that the compiler warns of; without, none is.
 */
#include <jif/debug.h>
#include <jif/face/kernel.h>
#include <jif/host/service.h>
#include <jif/jif.h>
#ifdef __cplusplus
#include <jif/jif.hpp>
#endif

#ifdef UNSEEN
#define MUST
#else
#define MUST (void)!
#endif

/* As docs/misuse.md has it. */
void print(const char *format, ...);
void set_warn(void);

static void warn(const char *what, const void *object, void (*fn)(void))
{
	print("jif: %s: object %p, function %p\n", what, object,
	      (void *)(uintptr_t)fn);
}

void set_warn(void)
{
	jif_warn = warn;
}

extern struct jif_wheel wheel;
extern struct jif_timer timer;
extern struct jif_periodic periodic;
extern struct jif_kernel kernel;
extern struct jif_task task;
extern struct jif_calendar calendar;
extern struct jif_alarm alarm;
extern struct jif_table table;
extern struct jif_service service;
extern struct jif_job job;
extern struct jif_workqueue queue;
extern struct jif_delayed_work work;
extern struct jif_loop loop;

void arm_all(void);
void arm_all(void)
{
	struct jif_key key = jif_key_number(1);

	MUST jif_timer_add(&wheel, &timer, 1);
	MUST jif_timer_add_in(&wheel, &timer, 1);
	MUST jif_timer_mod_in(&wheel, &timer, 1);
	MUST jif_periodic_start(&wheel, &periodic, 1, 1, 1);
	MUST jif_periodic_start_at(&wheel, &periodic, 1, 1, 1);
	MUST jif_periodic_start_ratio(&wheel, &periodic, 1, 1, 1, 1);
	MUST jif_kernel_mod_in(&kernel, &timer, 1);
	MUST jif_task_start(&task, 1, 1);
	MUST jif_alarm_start(&calendar, &alarm, JIF_DAILY, 1);
	MUST jif_table_set(&table, key, NULL, jif_once(1));
	MUST jif_table_add(&table, key, NULL, jif_once(1));
	MUST jif_service_set(&service, key, NULL, jif_times_once(1));
	MUST jif_service_add(&service, key, NULL, jif_times_once(1));
	MUST jif_job_add(&job, 1);
	MUST jif_job_mod(&job, 1);
	MUST jif_job_add_in(&job, 1);
	MUST jif_job_mod_in(&job, 1);
	MUST jif_job_start(&job, jif_times_once(1));
	MUST jif_delayed_work_queue(&queue, &work, 1);
	MUST jif_delayed_work_mod(&queue, &work, 1);
}

#ifdef __cplusplus
void arm_in_cpp(jif::Timer &t, jif::Periodic &p);
void arm_in_cpp(jif::Timer &t, jif::Periodic &p)
{
	MUST t.add(1);
	MUST t.add_in(1);
	MUST t.mod_in(1);
	MUST p.start(1, 1);
	MUST p.start_at(1, 1);
	MUST p.start_ratio(1, 1, 1);
	t.mod(1);
	t.del();
	p.stop();
}
#endif

/* What may fail without the loss of a timer, or says so by its name. */
void move_all(void);
void move_all(void)
{
	struct jif_key key = jif_key_number(1);

	jif_timer_mod(&wheel, &timer, 1);
	jif_timer_reduce(&wheel, &timer, 1);
	jif_timer_postpone(&wheel, &timer, 1);
	jif_timer_del(&wheel, &timer);
	jif_periodic_stop(&periodic);
	jif_task_stop(&task);
	jif_task_sleep(&task, 1);
	jif_alarm_stop(&alarm);
	jif_table_move(&table, key, 1);
	jif_table_remove(&table, key);
	jif_service_remove(&service, key);
	jif_job_del(&job);
	jif_loop_add(&loop, &timer, 1);
	jif_work_queue(&queue, &work.work);
	jif_delayed_work_cancel(&work);
}
