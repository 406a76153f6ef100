/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/load.c - how busy the machine is: asleep, in each task, and in
 * the rest
 *
 * The scheduler measures its tasks anyway, and sleeps are measured here. So a
 * window takes no more than the differences of what was counted at its ends.
 */
#include <jif/jiffies.h>
#include <jif/load.h>

/* Up to this span, a thousand times a count fits 32 bits. */
#define SHORT_SPAN (UINT32_MAX / 1000)

void jif_load_init(struct jif_load *load, uint32_t (*clock)(void))
{
	*load = (struct jif_load){ .clock = clock ? clock : jif_now };
	load->begin = load->clock();
}

void jif_load_add(struct jif_load *load, struct jif_load_task *entry,
		  const struct jif_task *task, const char *name)
{
	*entry = (struct jif_load_task){
		.next = load->tasks,
		.task = task,
		.name = name,
		.total = jif_task_record(task)->total,
	};
	load->tasks = entry;
}

void jif_load_sleep(struct jif_load *load, void (*idle)(uint32_t ticks),
		    uint32_t ticks)
{
	uint32_t begin = load->clock();

	idle(ticks);
	load->slept += load->clock() - begin;
}

void jif_load_next(struct jif_load *load)
{
	uint32_t end = load->clock();
	uint32_t total;

	load->span = end - load->begin;
	load->begin = end;
	load->idle = load->slept;
	load->slept = 0;
	for (struct jif_load_task *entry = load->tasks; entry;
	     entry = entry->next) {
		total = jif_task_record(entry->task)->total;
		entry->busy = total - entry->total;
		entry->total = total;
	}
}

unsigned jif_load_share(const struct jif_load *load, uint32_t counts)
{
	if (counts > load->span)
		counts = load->span;
	if (load->span > SHORT_SPAN)
		return (unsigned)(counts / (load->span / 1000));
	return load->span ? (unsigned)(counts * 1000 / load->span) : 0;
}
