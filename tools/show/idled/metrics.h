/* SPDX-License-Identifier: MIT */
/*
 * tools/show/idled/metrics.h - numbers as text, or in Prometheus' format
 *
 * For a program with a service, too: metrics.c and metrics_service.c need no
 * more of idled than this.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

struct jif_stats;

/*
 * Where they go. The prefix is that of all names in Prometheus' format; NULL:
 * as text, by the names alone and without what Prometheus wants to know.
 */
struct metrics {
	FILE *to;
	const char *prefix;
};

/* What the samples that follow are: a counter, a gauge or a histogram. */
void metrics_describe(const struct metrics *m, const char *name,
		      const char *type, const char *help);
/* @labels in braces, or "". */
void metrics_sample(const struct metrics *m, const char *name,
		    const char *labels, double value);

/* One of which there is one sample. */
void metrics_single(const struct metrics *m, const char *name, const char *type,
		    const char *help, double value);

/* Of seconds: @n classes, all but the last with an upper end, and the sum. */
void metrics_histogram(const struct metrics *m, const char *name,
		       const char *help, const double *ends,
		       const uint64_t *counts, unsigned n, double sum);

/* What jif_service_stats() has set. */
void metrics_service(const struct metrics *m, const struct jif_stats *stats);
