/* SPDX-License-Identifier: MIT */
/*
 * histogram.h - how late expiries were, in jiffies
 */
#ifndef JIFSIM_HISTOGRAM_H
#define JIFSIM_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_EXACT 1024

/*
 * struct histogram - how often each lateness came up
 * @exact:	from 0 on
 * @early:	less than 0
 * @more:	more than there is room for in @exact
 * @total:	all of them
 * @max:	the greatest lateness
 */
struct histogram {
	int64_t exact[HISTOGRAM_EXACT];
	int64_t early;
	int64_t more;
	int64_t total;
	int64_t max;
};

void histogram_add(struct histogram *histogram, int64_t lateness);

/* The least lateness that so many in a hundred do not exceed. */
int64_t histogram_percentile(const struct histogram *histogram, int percent);

#endif
