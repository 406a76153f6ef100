/* SPDX-License-Identifier: MIT */
/*
 * jif/firmware/await.h - tasks that wait in the middle of their code
 *
 * A task's function returns at each wait, and goes on there when the task runs
 * next; where that is, a struct jif_await remembers.
 *
 *	static void blink(struct jif_task *task)
 *	{
 *		JIF_TASK_BEGIN(task, &here);
 *		for (;;) {
 *			toggle(&led);
 *			JIF_SLEEP(500);
 *		}
 *		JIF_TASK_END;
 *	}
 *
 * Where the function returns, its locals are lost: a variable that is to
 * outlast a wait is static, or a field of the task's own structure. gcc, clang
 * by -Wall, and any C++ stop at a local initialised before a wait and in scope
 * behind it; gcc and clang, optimising, at one set before and read behind, too.
 *
 * A wait is written in the function itself, one in a line, and not within a
 * switch of the function's own: a debug build reports a task that gets there.
 */
#ifndef JIF_AWAIT_H
#define JIF_AWAIT_H

#include <jif/firmware/sched.h>

JIF_BEGIN_DECLS

/** struct jif_await - where a task goes on; zeroed memory: at the beginning */
struct jif_await {
	/* private: */
	uint32_t until; /* the wait's time is up then */
	uint16_t line;	/* 0: at the beginning */
	uint8_t state;	/* see lib/firmware/await.c */
};

/**
 * jif_await_init - have a task begin anew
 * @await:	where its function goes on; at the beginning, from now on
 *
 * The wait that it is in ends when the task is woken.
 * Context: the main loop and callbacks; not the task itself.
 */
void jif_await_init(struct jif_await *await);

/**
 * JIF_TASK_BEGIN - code before it runs each time; code behind it goes on
 * @task:	the task that runs
 * @await:	where it goes on
 */
#define JIF_TASK_BEGIN(task, await)                                            \
	{                                                                      \
		struct jif_task *const jif_task_ = (task);                     \
		struct jif_await *const jif_await_ = (await);                  \
		JIF_NO_LOCALS                                                  \
		switch (jif_await_->line) {                                    \
		case 0:                                                        \
			(void)jif_task_

/** JIF_TASK_END - nothing more to do; a wake begins anew */
#define JIF_TASK_END                                                           \
	break;                                                                 \
	default:                                                               \
		jif_await_check(jif_await_);                                   \
		}                                                              \
		jif_await_init(jif_await_);                                    \
		JIF_END_NO_LOCALS                                              \
		}                                                              \
		(void)0

/* Goes on behind it in each run, from the next one on. */
#define JIF_AWAIT_HERE                                                         \
	JIF_STATIC_ASSERT(__LINE__ <= UINT16_MAX, "lines have 16 bits");       \
	jif_await_->line = (uint16_t)__LINE__;                                 \
	if (0) {                                                               \
	case __LINE__:;                                                        \
	}

/**
 * JIF_AWAIT - go on when something is true
 * @cond:	looked at now and in each run: who makes it true wakes the task
 */
#define JIF_AWAIT(cond)                                                        \
	do {                                                                   \
		JIF_AWAIT_HERE                                                 \
		if (!(cond))                                                   \
			return;                                                \
	} while (0)

/**
 * JIF_AWAIT_FOR - go on when something is true, or time is up
 * @cond:	as for JIF_AWAIT(); is looked at once more when time is up
 * @timeout:	at least so many whole ticks; JIF_FOREVER: as JIF_AWAIT(). A
 *		debug build reports a longer delay than JIF_DELAY_MAX, which
 *		lasts JIF_DELAY_MAX; so it is in all waits
 */
#define JIF_AWAIT_FOR(cond, timeout)                                           \
	do {                                                                   \
		jif_await_start(jif_task_, jif_await_, timeout);               \
		JIF_AWAIT_HERE                                                 \
		if (!(cond) && jif_await_pending(jif_task_, jif_await_) &&     \
		    jif_task_sleep(jif_task_,                                  \
				   jif_await_left(jif_task_, jif_await_)) >=   \
			    -JIF_EBUSY)                                        \
			return;                                                \
	} while (0)

/**
 * JIF_SLEEP - go on when some time has passed
 * @delay:	at least so many whole ticks, whoever wakes the task;
 *		JIF_FOREVER: when it is woken
 */
#define JIF_SLEEP(delay)                                                       \
	do {                                                                   \
		jif_await_start(jif_task_, jif_await_, delay);                 \
		JIF_AWAIT_HERE                                                 \
		if (jif_await_sleep(jif_task_, jif_await_))                    \
			return;                                                \
	} while (0)

/**
 * JIF_WAIT - go on when an event has come, or time is up
 * @event:	the event
 * @timeout:	as for JIF_AWAIT_FOR(); jif_task_wait() has more on what ends
 *		the wait, and jif_task_timed_out() says whether time was up
 */
#define JIF_WAIT(event, timeout)                                               \
	do {                                                                   \
		jif_await_start(jif_task_, jif_await_, timeout);               \
		JIF_AWAIT_HERE                                                 \
		if (jif_await_wait(jif_task_, jif_await_, event))              \
			return;                                                \
	} while (0)

/**
 * JIF_WAIT_FLAGS - go on when flags are set, or time is up
 * @flags:	the flags
 * @want:	as for jif_flags_wait()
 * @how:	as for jif_flags_wait()
 * @timeout:	as for JIF_AWAIT_FOR()
 * @got:	a variable, set to those that the task has got; 0: time was up
 */
#define JIF_WAIT_FLAGS(flags, want, how, timeout, got)                         \
	do {                                                                   \
		jif_await_start(jif_task_, jif_await_, timeout);               \
		jif_flags_take(jif_task_);                                     \
		JIF_AWAIT_HERE(got) = jif_flags_take(jif_task_);               \
		if (!(got) && jif_await_pending(jif_task_, jif_await_) &&      \
		    jif_flags_wait(flags, jif_task_, want, how,                \
				   jif_await_left(jif_task_, jif_await_)) >=   \
			    -JIF_EBUSY)                                        \
			return;                                                \
	} while (0)

/**
 * JIF_RECEIVE - go on with a message, or when time is up
 * @queue:	the queue
 * @message:	where it is copied to
 * @timeout:	as for JIF_AWAIT_FOR()
 * @err:	a variable, which is set to 0, or to -JIF_ENOENT: time was up
 */
#define JIF_RECEIVE(queue, message, timeout, err)                              \
	do {                                                                   \
		jif_await_start(jif_task_, jif_await_, timeout);               \
		JIF_AWAIT_HERE(err) = jif_queue_receive(queue, message);       \
		if ((err) && jif_await_pending(jif_task_, jif_await_) &&       \
		    jif_queue_wait(queue, jif_task_,                           \
				   jif_await_left(jif_task_, jif_await_)) >=   \
			    -JIF_EBUSY)                                        \
			return;                                                \
	} while (0)

/** JIF_YIELD - go on after others that are ready */
#define JIF_YIELD()                                                            \
	do {                                                                   \
		jif_await_start(jif_task_, jif_await_, JIF_FOREVER);           \
		JIF_AWAIT_HERE                                                 \
		if (jif_await_turn(jif_task_, jif_await_))                     \
			return;                                                \
	} while (0)

/* What the macros call. True: it waits; what refuses is below -JIF_EBUSY. */
void jif_await_start(const struct jif_task *task, struct jif_await *await,
		     uint32_t timeout);
bool jif_await_pending(const struct jif_task *task,
		       const struct jif_await *await);
uint32_t jif_await_left(const struct jif_task *task,
			const struct jif_await *await);
bool jif_await_sleep(struct jif_task *task, struct jif_await *await);
bool jif_await_wait(struct jif_task *task, struct jif_await *await,
		    struct jif_event *event);
bool jif_await_turn(struct jif_task *task, struct jif_await *await);
void jif_await_check(const struct jif_await *await);

JIF_END_DECLS

#endif
