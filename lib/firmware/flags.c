/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/flags.c - event flags
 *
 * Tasks wait as for an event that never comes by itself. What a task waits for
 * is noted in the task, and there stands afterwards what it has got: its @how
 * is 0 then.
 */
#include <jif/firmware/flags.h>

#include "../port/jif_port.h"
#include "waiters.h"

/* What a task that waits like that gets; 0: it goes on waiting. */
static uint32_t flags_met(uint32_t set, uint32_t want, unsigned how)
{
	uint32_t got = set & want;

	return how & JIF_FLAGS_ALL && got != want ? 0 : got;
}

void jif_flags_init(struct jif_flags *flags)
{
	jif_event_init(&flags->waiters);
	flags->set = 0;
}

/* Returns those that are to be cleared. Somebody waits. */
static uint32_t wake_met(struct jif_flags *flags, bool *woken)
{
	struct jif_work *last = flags->waiters.tail;
	struct jif_work *before = last;
	uint32_t clear = 0, got;
	struct jif_task *task;

	do {
		task = waiter_after(&flags->waiters, before);
		got = flags_met(flags->set, task->flags, task->how);
		if (got) {
			if (task->how & JIF_FLAGS_CLEAR)
				clear |= got;
			task->flags = got;
			task->how = 0;
			jif_wake_waiter(task);
			*woken = true;
		} else {
			before = &task->work;
		}
	} while (&task->work != last);
	return clear;
}

bool jif_flags_set(struct jif_flags *flags, uint32_t set)
{
	jif_irq_t irq = jif_irq_save();
	bool woken = false;

	flags->set |= set;
	if (flags->waiters.tail)
		flags->set &= ~wake_met(flags, &woken);
	jif_irq_restore(irq);
	return woken;
}

uint32_t jif_flags_clear(struct jif_flags *flags, uint32_t clear)
{
	jif_irq_t irq = jif_irq_save();
	uint32_t set = flags->set;

	flags->set = set & ~clear;
	jif_irq_restore(irq);
	return set & clear;
}

uint32_t jif_flags_get(const struct jif_flags *flags)
{
	jif_irq_t irq;
	uint32_t set;

	LOOK_ANEW();
	if (!TEARS)
		return READ_SHARED(&flags->set);
	irq = jif_irq_save();
	set = flags->set;
	jif_irq_restore(irq);
	return set;
}

/* Those that are set already make the task ready at once. */
static bool gets_some(struct jif_event *event, struct jif_task *task,
		      const struct wish *wish)
{
	struct jif_flags *flags =
		jif_container_of(event, struct jif_flags, waiters);
	uint32_t got = flags_met(flags->set, wish->want, wish->how);

	if (got) {
		if (wish->how & JIF_FLAGS_CLEAR)
			flags->set &= ~got;
		task->flags = got;
		task->how = 0;
	}
	return got;
}

int jif_flags_wait(struct jif_flags *flags, struct jif_task *task,
		   uint32_t want, unsigned how, uint32_t timeout)
{
	struct wish wish;

	if (!want || (how & ~JIF_FLAGS_CLEAR) - 1 > 1)
		return jif_invalid("a task cannot wait for flags so", task);
	wish.is_met = gets_some;
	wish.want = want;
	wish.how = how;
	return jif_wait(task, &flags->waiters, timeout, &wish);
}

uint32_t jif_flags_take(struct jif_task *task)
{
	jif_irq_t irq = jif_irq_save();
	uint32_t got = 0;

	if (!task->how) {
		got = task->flags;
		task->flags = 0;
	}
	jif_irq_restore(irq);
	return got;
}
