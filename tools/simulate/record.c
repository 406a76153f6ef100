/* SPDX-License-Identifier: MIT */
/* What happens on the wheel, for tools/trace */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jif/trace.h>

#include "sim.h"

#define RECORDS 4096

static struct jif_trace_record records[RECORDS];
static unsigned used; /* at most */
static int64_t last;  /* the tick of the last event */
static FILE *file;
static struct sim *of;

static void put(char c)
{
	putc(c, file);
}

/* An event takes a record, and another one if it is the first on its tick. */
static void keep(unsigned what, const struct jif_wheel *wheel,
		 const struct jif_timer *timer, uint32_t value)
{
	jif_trace_record(what, wheel, timer, value);
	used += 2;
	if (used < RECORDS)
		return;
	jif_trace_print(put);
	used = 0;
}

/* Times have 32 bits: whole turns of them are told half a turn at a time. */
static void on_event(unsigned what, const struct jif_wheel *wheel,
		     const struct jif_timer *timer, uint32_t value)
{
	int64_t now = sim_clock(of);
	uint32_t clk = jif_wheel_clock(&of->wheel);

	for (; now - last > UINT32_MAX; last += INT64_C(1) << 32) {
		keep(JIF_TRACE_TIME, NULL, NULL, clk ^ 1u << 31);
		keep(JIF_TRACE_TIME, NULL, NULL, clk);
	}
	last = now;
	keep(what, wheel, timer, value);
}

void record_start(struct sim *sim)
{
	if (sim->options->record)
		file = fopen(sim->options->record, "w");
	if (!file)
		return;
	of = sim;
	last = sim_clock(sim);
	jif_trace_start(&sim->wheel, records, RECORDS);
	jif_trace = on_event;
}

/* A timer's alarms are entries beside its own. */
static void print_names(const struct timer *timer)
{
	const struct entry *entry = &timer->entry;
	char *name;

	jif_trace_print_name(put, &entry->periodic.timer, timer->name);
	for (unsigned i = 1; (entry = entry->next); i++) {
		name = mem_print("%s/%u", timer->name, i);
		jif_trace_print_name(put, &entry->periodic.timer, name);
		free(name);
	}
}

bool record_stop(struct sim *sim)
{
	const char *path = sim->options->record;
	bool written = false;

	if (!path)
		return true;
	if (file) {
		jif_trace_print(put);
		for (uint32_t i = 0; i < sim->scenario->names.count; i++)
			print_names(&sim->timers[i]);
		if (sim->scenario->tick_us)
			fprintf(file, "jif-tick %s\n",
				tick_text(sim->scenario));
		written = !ferror(file);
		written &= !fclose(file);
	}
	if (!written)
		fprintf(stderr, "jifsim: cannot write %s: %s\n", path,
			strerror(errno));
	return written;
}
