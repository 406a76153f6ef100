/* SPDX-License-Identifier: MIT */
/*
 * report.h - what comes out of a run
 */
#ifndef JIFSIM_REPORT_H
#define JIFSIM_REPORT_H

#include "sim.h"

/* The command line. */
struct options {
	bool replay; /* the command is replay, not run */
	const char *file;
	const char *record; /* the file for what happens, or NULL */
	uint64_t wheels;    /* how often to draw the rings */
	bool json;
	bool all;   /* print all firings */
	bool quiet; /* print none */
	bool has_seed;
	uint64_t seed;
};

/* What is printed, and how. */
struct report {
	const struct options *options;
	int64_t fired; /* firings that were to be printed */
	bool firings;  /* the last thing that was printed are firings */
	bool any;      /* anything has been printed */
	struct histogram lateness;
};

void report_fired(const struct sim *sim, const struct firing *firing);

/* Draws the rings. */
void report_frame(const struct sim *sim);

/* The run is over: prints the summary, and what was not met. */
void report_stop(const struct sim *sim);

#endif
