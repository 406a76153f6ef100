/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/flags.c - event flags
 *
 * The flags are @set of an event. What a task that waits for it wants is noted
 * in the task, and then what it has got: its @how is 0 then.
 */
#include <jif/firmware/flags.h>

#include "../port/jif_port.h"
#include "waiters.h"

void jif_flags_init(struct jif_flags *flags)
{
	jif_event_init(&flags->waiters);
}

/*
 * Returns those that are to be cleared. Somebody waits. The timer of the last
 * one that is woken is left to the caller.
 */
static uint32_t wake_met(struct jif_flags *flags, struct jif_task **woken)
{
	struct jif_work *last = flags->waiters.tail, *before = last;
	uint32_t clear = 0, got;
	struct jif_task *task;

	do {
		task = waiter_after(&flags->waiters, before);
		got = flags_met(flags->waiters.set, task->flags, task->how);
		if (got) {
			if (task->how & JIF_FLAGS_CLEAR)
				clear |= got;
			task->flags = got;
			task->how = 0;
			if (*woken)
				jif_drop_timer(*woken);
			jif_wake_waiter(task);
			*woken = task;
		} else {
			before = &task->work;
		}
	} while (&task->work != last);
	return clear;
}

bool jif_flags_set(struct jif_flags *flags, uint32_t set)
{
	jif_irq_t irq = jif_irq_save();
	struct jif_task *woken = NULL;

	flags->waiters.set |= set;
	if (flags->waiters.tail)
		flags->waiters.set &= ~wake_met(flags, &woken);
	if (woken) {
		irq = jif_irq_window(irq);
		jif_drop_timer(woken);
	}
	jif_irq_restore(irq);
	return woken;
}

uint32_t jif_flags_clear(struct jif_flags *flags, uint32_t clear)
{
	jif_irq_t irq = jif_irq_save();
	uint32_t set = flags->waiters.set;

	flags->waiters.set = set & ~clear;
	jif_irq_restore(irq);
	return set & clear;
}

uint32_t jif_flags_get(const struct jif_flags *flags)
{
	jif_irq_t irq;
	uint32_t set;

	LOOK_ANEW();
	if (!TEARS)
		return READ_SHARED(&flags->waiters.set);
	irq = jif_irq_save();
	set = flags->waiters.set;
	jif_irq_restore(irq);
	return set;
}

int jif_flags_wait(struct jif_flags *flags, struct jif_task *task,
		   uint32_t want, unsigned how, uint32_t timeout)
{
	struct wish wish;

	if (!want || (how & ~JIF_FLAGS_CLEAR) - 1 > 1)
		return jif_invalid("a task cannot wait for flags so", task);
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
