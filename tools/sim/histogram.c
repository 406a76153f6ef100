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

uint64_t histogram_count(const struct histogram *histogram, int64_t from,
			 int64_t to)
{
	uint64_t count = from < 0 ? histogram->early : 0;

	for (int64_t i = from < 0 ? 0 : from; i <= to && i < HISTOGRAM_EXACT;
	     i++)
		count += histogram->exact[i];
	return to < HISTOGRAM_EXACT ? count : count + histogram->more;
}

int64_t histogram_percentile(const struct histogram *histogram,
			     unsigned percent)
{
	uint64_t count = histogram->early;

	for (int64_t i = 0; i < HISTOGRAM_EXACT; i++) {
		count += histogram->exact[i];
		if (count * 100 >= histogram->total * percent)
			return i;
	}
	return histogram->max;
}
