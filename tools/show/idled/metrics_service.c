/* SPDX-License-Identifier: MIT */
/* The numbers of a service of jif */
#include <jif/host/service.h>

#include "metrics.h"

#define FIRST_S 1024e-9 /* the end of the first class of lateness */

void metrics_service(const struct metrics *m, const struct jif_stats *stats)
{
	const struct {
		const char *name, *type, *help;
		double value;
	} rows[] = {
		{ "pending", "gauge", "jobs and keys that are armed",
		  stats->pending },
		{ "queued", "gauge", "callbacks that wait", stats->queued },
		{ "running", "gauge", "callbacks that run", stats->running },
		{ "longest_seconds", "gauge", "the callback that took longest",
		  (double)stats->longest_ns / 1e9 },
		{ "ran_total", "counter", "callbacks that have run",
		  (double)stats->counts.ran },
		{ "slow_total", "counter", "of these, those that were slow",
		  (double)stats->counts.slow },
		{ "failed_total", "counter", "of these, those that failed",
		  (double)stats->counts.failed },
		{ "refused_total", "counter", "expiries without room to wait",
		  (double)stats->counts.refused },
	};
	double ends[JIF_LATE_CLASSES], end = FIRST_S;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		metrics_single(m, rows[i].name, rows[i].type, rows[i].help,
			       rows[i].value);
	for (unsigned i = 0; i < JIF_LATE_CLASSES; i++, end *= 2)
		ends[i] = end;
	metrics_histogram(m, "late_seconds", "how late callbacks began", ends,
			  stats->late, JIF_LATE_CLASSES,
			  (double)stats->late_ns / 1e9);
}
