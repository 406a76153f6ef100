/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/oracle.c - what is armed, when it is due, and in which order
 */
#include "oracle.h"

#include <string.h>

#include "timers.h"

static struct armed *sorted;   /* by expiry, then by order */
static struct armed *by_timer; /* its order is 0 if it is not armed */
static size_t count;
static uint64_t last_order;

void oracle_init(size_t number)
{
	sorted = allocate(number, sizeof(*sorted));
	by_timer = allocate(number, sizeof(*by_timer));
	count = 0;
}

/* Where it is, or has to be. */
static size_t find(const struct armed *armed)
{
	size_t low = 0;
	size_t high = count;
	size_t middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (sorted[middle].expires < armed->expires ||
		    (sorted[middle].expires == armed->expires &&
		     sorted[middle].order < armed->order))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool oracle_take(size_t timer, struct armed *armed)
{
	size_t place;

	*armed = by_timer[timer];
	if (!armed->order)
		return false;
	by_timer[timer].order = 0;
	place = find(armed);
	count--;
	memmove(sorted + place, sorted + place + 1,
		(count - place) * sizeof(*sorted));
	return true;
}

void oracle_arm(size_t timer, uint32_t now, uint32_t expires)
{
	struct armed armed;
	size_t place;

	oracle_take(timer, &armed);
	armed = (struct armed){ expires, now, ++last_order, timer };
	by_timer[timer] = armed;
	place = find(&armed);
	memmove(sorted + place + 1, sorted + place,
		(count - place) * sizeof(*sorted));
	sorted[place] = armed;
	count++;
}

const struct armed *oracle_first(void)
{
	return count ? sorted : NULL;
}
