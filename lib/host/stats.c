/* SPDX-License-Identifier: MIT */
/* lib/host/stats.c - a service as it is seen */
#define _GNU_SOURCE 1
#include "calls.h"

struct jif_counts jif_service_counts(struct jif_service *s)
{
	struct jif_stats stats;

	jif_service_stats(s, &stats);
	return stats.counts;
}

void jif_service_stats(struct jif_service *s, struct jif_stats *stats)
{
	*stats = (struct jif_stats){ .pending = 0 };
	if (!try_enter(s))
		return;
	*stats = s->stats;
	stats->pending += jif_inbox_count(s) + jif_table_count(&s->table);
	leave(s);
}

bool jif_service_current(struct jif_service *s, struct jif_call *call)
{
	struct jif_worker *t;
	bool found = false;

	if (!try_enter(s))
		return false;
	for (unsigned i = 0; i <= s->worker_count && !found; i++) {
		t = thread_at(s, i);
		found = t->busy && pthread_equal(t->thread, pthread_self());
		if (found)
			*call = t->call;
	}
	leave(s);
	return found;
}
