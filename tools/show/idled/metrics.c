/* SPDX-License-Identifier: MIT */
/* Numbers as text, or in Prometheus' format */
#include "metrics.h"

#include <string.h>

void metrics_describe(const struct metrics *m, const char *name,
		      const char *type, const char *help)
{
	if (m->prefix)
		fprintf(m->to, "# HELP %s%s %s\n# TYPE %s%s %s\n", m->prefix,
			name, help, m->prefix, name, type);
}

void metrics_sample(const struct metrics *m, const char *name,
		    const char *labels, double value)
{
	fprintf(m->to, "%s%s%s %.*f\n", m->prefix ? m->prefix : "", name,
		labels, value == (double)(uint64_t)value ? 0 : 9, value);
}

void metrics_single(const struct metrics *m, const char *name, const char *type,
		    const char *help, double value)
{
	metrics_describe(m, name, type, help);
	metrics_sample(m, name, "", value);
}

/* Each class counts those before it, too. */
void metrics_histogram(const struct metrics *m, const char *name,
		       const char *help, const double *ends,
		       const uint64_t *counts, unsigned n, double sum)
{
	char part[64], end[40];
	uint64_t count = 0;

	metrics_describe(m, name, "histogram", help);
	snprintf(part, sizeof(part), "%s_bucket", name);
	for (unsigned i = 0; i < n; i++) {
		count += counts[i];
		if (i < n - 1)
			snprintf(end, sizeof(end), "{le=\"%.9g\"}", ends[i]);
		else
			strcpy(end, "{le=\"+Inf\"}");
		metrics_sample(m, part, end, (double)count);
	}
	snprintf(part, sizeof(part), "%s_sum", name);
	metrics_sample(m, part, "", sum);
	snprintf(part, sizeof(part), "%s_count", name);
	metrics_sample(m, part, "", (double)count);
}
