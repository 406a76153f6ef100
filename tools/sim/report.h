/* SPDX-License-Identifier: MIT */
/*
 * report.h - what comes out of a run
 */
#ifndef JIFSIM_REPORT_H
#define JIFSIM_REPORT_H

#include "args.h"
#include "histogram.h"
#include "sim.h"

/*
 * struct report - what is printed, and how
 * @options:	the command line
 * @color:	of what goes to standard output
 * @fired:	firings that were to be printed, up to the limit
 * @firings:	the last thing that was printed are firings
 * @any:	anything has been printed
 * @lateness:	of a replay: by how many ticks firings were late
 * @started:	when the run started, in seconds
 */
struct report {
	const struct options *options;
	bool color;
	uint64_t fired;
	bool firings;
	bool any;
	struct histogram *lateness;
	double started;
};

/* @n_frames: how often report_frame() will be called. */
void report_start(struct report *report, const struct options *options,
		  const struct scenario *scenario, size_t n_frames);

void report_fire(struct report *report, const struct sim *sim,
		 const struct firing *firing);

/* Draws the wheels. */
void report_frame(struct report *report, const struct sim *sim);

/* The run is over: prints the summary, and what was not met. */
void report_stop(struct report *report, const struct sim *sim);

#endif
