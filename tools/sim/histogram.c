/* SPDX-License-Identifier: MIT */
/*
 * histogram.c - how late expiries were, in jiffies
 */
#include "histogram.h"

void histogram_add(struct histogram *histogram, int64_t lateness)
{
	if (lateness < 0)
		histogram->early++;
	else if (lateness < HISTOGRAM_EXACT)
		histogram->exact[lateness]++;
	else
		histogram->more++;
	if (!histogram->total++ || lateness > histogram->max)
		histogram->max = lateness;
}

int64_t histogram_percentile(const struct histogram *histogram, int percent)
{
	int64_t count = histogram->early;

	for (int64_t i = 0; i < HISTOGRAM_EXACT; i++) {
		count += histogram->exact[i];
		if (count * 100 >= histogram->total * percent)
			return i;
	}
	return histogram->max;
}
