/* SPDX-License-Identifier: MIT */
/*
 * lib/face/linux/linux_work_running.c - which work runs, for programs that ask
 *
 * It replaces what calls the functions of work. In a library that has it behind
 * linux_work.o, other programs pay nothing.
 */
#include <jif/face/linux/workqueue.h>

#include "../../port/jif_port.h"

/* Whose function is being called; it may have flushed another work. */
struct run {
	struct work_struct *work;
	struct run *outer;
};

static struct run *volatile innermost;

void jif_linux_work_run(struct jif_work *entry)
{
	struct work_struct *work =
		jif_container_of(entry, struct work_struct, entry);
	struct run run = { work, innermost };

	innermost = &run;
	work->func(work);
	innermost = run.outer;
}

struct work_struct *current_work(void)
{
	return innermost && !jif_in_irq() ? innermost->work : NULL;
}

unsigned work_busy(struct work_struct *work)
{
	jif_irq_t flags = jif_irq_save();
	unsigned busy = work_pending(work) ? WORK_BUSY_PENDING : 0;

	for (const struct run *run = innermost; run; run = run->outer)
		if (run->work == work)
			busy |= WORK_BUSY_RUNNING;
	jif_irq_restore(flags);
	return busy;
}
