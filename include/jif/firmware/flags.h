/* SPDX-License-Identifier: MIT */
/*
 * jif/firmware/flags.h - event flags: tasks wait for any or all of up to 32
 *
 * A flag stays set until it is cleared, by a call or for a task that has waited
 * for it so. Setting flags wakes all tasks whose wait that fulfils. They have
 * their flags from then on, even if others change these before they run.
 */
#ifndef JIF_FLAGS_H
#define JIF_FLAGS_H

#include <jif/firmware/sched.h>

JIF_BEGIN_DECLS

/* How a task waits: for one of the first two, and maybe with the third. */
#define JIF_FLAGS_ANY	1u /* for one of the flags or more */
#define JIF_FLAGS_ALL	2u /* for all of them at once */
#define JIF_FLAGS_CLEAR 4u /* and those that it gets are cleared */

/** struct jif_flags - flags, and the tasks that wait for some */
struct jif_flags {
	/* private: */
	struct jif_event waiters; /* its @set has a bit for each */
};

/** JIF_FLAGS_INIT - static initialiser of a struct jif_flags: none is set */
#define JIF_FLAGS_INIT                                                         \
	{                                                                      \
		JIF_EVENT_INIT                                                 \
	}

/**
 * jif_flags_init - make flags, with none set
 * @flags:	memory that no task waits for; zeroed memory is such flags
 * Context: any.
 */
void jif_flags_init(struct jif_flags *flags);

/**
 * jif_flags_set - set some, and wake the tasks whose wait that fulfils
 * @flags:	the flags
 * @set:	which ones
 *
 * Each task that waits is asked, with all of @set there. Only then is cleared
 * what those that are woken want to be cleared.
 * Context: any. Interrupts are off for all tasks that wait.
 * Return: true if a task was woken.
 */
bool jif_flags_set(struct jif_flags *flags, uint32_t set);

/**
 * jif_flags_clear - clear some
 * @flags:	the flags
 * @clear:	which ones
 * Context: any.
 * Return: those of @clear that were set.
 */
uint32_t jif_flags_clear(struct jif_flags *flags, uint32_t clear);

/**
 * jif_flags_get - which ones are set?
 * @flags:	the flags
 * Context: any.
 * Return: a bit for each.
 */
uint32_t jif_flags_get(const struct jif_flags *flags);

/**
 * jif_flags_wait - have a task run when flags are set, or time is up
 * @flags:	the flags
 * @task:	a task that has been initialised; most often the one that runs
 * @want:	which ones; at least one
 * @how:	JIF_FLAGS_ANY or JIF_FLAGS_ALL, maybe with JIF_FLAGS_CLEAR
 * @timeout:	as for jif_task_wait()
 *
 * Like jif_task_wait(). If they are set already, the task gets them, and is
 * ready at once. jif_task_wake() and a release end the wait, too.
 * Context: any.
 * Return: as jif_task_wait(); -JIF_EINVAL also if @want is 0 or @how is wrong.
 */
int jif_flags_wait(struct jif_flags *flags, struct jif_task *task,
		   uint32_t want, unsigned how, uint32_t timeout);

/**
 * jif_flags_take - which flags has a task got?
 * @task:	a task that has been initialised
 * Context: any; most often its function.
 * Return: those of its latest jif_flags_wait() that have ended it; 0 if they
 * did not, or have been taken.
 */
uint32_t jif_flags_take(struct jif_task *task);

JIF_END_DECLS

#endif
