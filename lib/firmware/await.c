/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/await.c - tasks that wait in the middle of their code
 *
 * A wake that came before the wait began makes the task run once more, and that
 * ends no wait: it waits from then on. The next run after it has begun ends a
 * wait for an event or a wake; one for a condition ends when that is true.
 *
 * A time further ahead than the wheel reaches, however far it is behind, is
 * waited for in two parts: so a wait is never refused for that.
 */
#include <jif/firmware/await.h>
#include <jif/jiffies.h>

#include "../bug.h"

/* What @state holds. */
enum { ENDLESS = 1, BEGUN = 2 };

/* Within reach after the longest sleep. */
#define PART_MAX (JIF_DELAY_MAX - JIF_SLEEP_MAX - 1)

void jif_await_init(struct jif_await *await)
{
	*await = (struct jif_await){ 0 };
}

static uint32_t now_of_task(const struct jif_task *task)
{
	return jif_wheel_now(task->sched->wheel);
}

void jif_await_start(const struct jif_task *task, struct jif_await *await,
		     uint32_t timeout)
{
	await->state = timeout == JIF_FOREVER ? ENDLESS : 0;
	if (timeout > JIF_DELAY_MAX && timeout != JIF_FOREVER) {
		if (CONFIG_JIF_DEBUG)
			jif_refused("a task waits for too long", await, NULL);
		timeout = JIF_DELAY_MAX;
	}
	await->until = now_of_task(task) + timeout + 1;
}

bool jif_await_pending(const struct jif_task *task,
		       const struct jif_await *await)
{
	return await->state & ENDLESS ||
	       jif_time_after(await->until, now_of_task(task));
}

/* Of this part: whole ticks; the one under way does not count. */
uint32_t jif_await_left(const struct jif_task *task,
			const struct jif_await *await)
{
	uint32_t left = await->until - now_of_task(task) - 1;

	if (await->state & ENDLESS)
		return JIF_FOREVER;
	if (left > JIF_DELAY_MAX)
		return 0;
	return left < PART_MAX ? left : PART_MAX;
}

bool jif_await_wait(struct jif_task *task, struct jif_await *await,
		    struct jif_event *event)
{
	int err;

	if (await->state & BEGUN &&
	    !(jif_task_timed_out(task) && jif_await_pending(task, await)))
		return false;
	err = jif_task_wait(task, event, jif_await_left(task, await));
	if (!err)
		await->state |= BEGUN;
	return err >= -JIF_EBUSY;
}

bool jif_await_sleep(struct jif_task *task, struct jif_await *await)
{
	if (await->state & ENDLESS)
		return jif_await_wait(task, await, NULL);
	if (!jif_await_pending(task, await))
		return false;
	return jif_task_sleep(task, jif_await_left(task, await)) >= -JIF_EBUSY;
}

bool jif_await_turn(struct jif_task *task, struct jif_await *await)
{
	bool yields = !(await->state & BEGUN);

	await->state |= BEGUN;
	if (yields)
		jif_task_wake(task);
	return yields;
}

void jif_await_check(const struct jif_await *await)
{
	if (CONFIG_JIF_DEBUG)
		jif_misused("a task waits within a switch of its own", await,
			    NULL);
}
