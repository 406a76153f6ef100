/* SPDX-License-Identifier: MIT */
/* load.h - how busy the machine is: asleep, in each task, and in the rest */
#ifndef LOAD_H
#define LOAD_H

#include <jif/firmware/sched.h>

struct load_task {
	const struct jif_task *task;
	uint32_t total; /* when the window began */
	uint32_t busy;	/* in the last one */
};

struct load {
	uint32_t (*clock)(void); /* the scheduler's, which measures tasks */
	struct load_task *tasks;
	unsigned ntasks;
	uint32_t begin, slept; /* of this window */
	uint32_t span, idle;   /* of the last one */
};

/* Ends a window and begins one; the first time, fill in the rest before. */
static inline void load_next(struct load *load)
{
	uint32_t end = load->clock();

	load->span = end - load->begin;
	load->begin = end;
	load->idle = load->slept;
	load->slept = 0;
	for (unsigned i = 0; i < load->ntasks; i++) {
		struct load_task *t = &load->tasks[i];
		uint32_t total = jif_task_record(t->task)->total;

		t->busy = total - t->total;
		t->total = total;
	}
}

/* For the scheduler's idle function: @idle sleeps. */
static inline void load_sleep(struct load *load, void (*idle)(uint32_t ticks),
			      uint32_t ticks)
{
	uint32_t begin = load->clock();

	idle(ticks);
	load->slept += load->clock() - begin;
}

/* The part of the last window that so many counts were, in 1/1000. */
static inline unsigned load_share(const struct load *load, uint32_t counts)
{
	if (load->span > UINT32_MAX / 1000)
		return (unsigned)(counts / (load->span / 1000));
	return load->span ? (unsigned)(counts * 1000 / load->span) : 0;
}

#endif
