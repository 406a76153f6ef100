/* SPDX-License-Identifier: MIT */
/*
 * lib/host/stats.c - a service, and orders, as they are seen
 */
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

void jif_order_stats(struct jif_order *order, struct jif_stats *stats)
{
	*stats = (struct jif_stats){ .pending = 0 };
	if (!order->service || !try_enter(order->service))
		return;
	*stats = order->stats;
	leave(order->service);
}

unsigned jif_service_walk(struct jif_service *s, jif_running_fn *fn, void *arg)
{
	struct jif_worker *t;
	unsigned n = 0;
	uint64_t now;

	if (!try_enter(s))
		return 0;
	now = s->slow_ns ? jif_service_now(s) : 0;
	for (unsigned i = 0; i <= s->worker_count; i++) {
		t = thread_at(s, i);
		if (!t->busy)
			continue;
		fn(arg, &t->call, s->slow_ns ? now - t->begun_ns : 0);
		n++;
	}
	leave(s);
	return n;
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

static void print_line(jif_put_fn *put, const char *name, uint64_t number)
{
	char digits[20];
	unsigned n = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	while (*name)
		put(*name++);
	put(' ');
	while (n)
		put(digits[--n]);
	put('\n');
}

static void print_late(const struct jif_stats *stats, jif_put_fn *put)
{
	static const char *const names[JIF_LATE_CLASSES] = {
		"late < 1 us",	 "late < 2 us",	  "late < 4 us",
		"late < 8 us",	 "late < 16 us",  "late < 32 us",
		"late < 64 us",	 "late < 128 us", "late < 256 us",
		"late < 512 us", "late < 1 ms",	  "late < 2 ms",
		"late < 4 ms",	 "late < 8 ms",	  "late < 16 ms",
		"late < 33 ms",	 "late < 67 ms",  "late < 134 ms",
		"late < 268 ms", "late < 536 ms", "late < 1 s",
		"late < 2 s",	 "late < 4 s",	  "late by more",
	};

	for (unsigned i = 0; i < JIF_LATE_CLASSES; i++)
		if (stats->late[i])
			print_line(put, names[i], stats->late[i]);
}

void jif_stats_print(const struct jif_stats *stats, jif_put_fn *put)
{
	print_line(put, "pending", stats->pending);
	print_line(put, "queued", stats->queued);
	print_line(put, "running", stats->running);
	print_line(put, "ran", stats->counts.ran);
	print_line(put, "slow", stats->counts.slow);
	print_line(put, "failed", stats->counts.failed);
	print_line(put, "refused", stats->counts.refused);
	print_line(put, "longest, ns", stats->longest_ns);
	print_line(put, "late in all, ns", stats->late_ns);
	print_late(stats, put);
}
