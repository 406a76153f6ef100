/* SPDX-License-Identifier: MIT */
/*
 * tools/idled/status.c - what is counted, and how it is told
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "idled.h"

struct counters counters;

static const unsigned late_ends[] = LATE_ENDS;

void count_error(int err)
{
	counters.errors[err < ERRORS ? err : 0]++;
}

void say_error(const char *what, int err)
{
	fprintf(stderr, "idled: %s: %s (%s)\n", what, strerror(err),
		strerrorname_np(err));
}

void count_late(int64_t late_ns)
{
	unsigned range = 0;

	if (late_ns < 0) {
		counters.closed_early++;
		return;
	}
	while (range < LATE_RANGES - 1 &&
	       late_ns > late_ends[range] * INT64_C(1000000))
		range++;
	counters.late[range]++;
	counters.late_ns += late_ns;
}

/* Prometheus wants to know what it is; names have a prefix there. */
static void describe(FILE *to, const char *name, const char *type,
		     const char *help)
{
	fprintf(to, "# HELP idled_%s %s\n# TYPE idled_%s %s\n", name, help,
		name, type);
}

static void print_value(FILE *to, bool metrics, const char *name,
			const char *type, const char *help, uint64_t value)
{
	if (metrics)
		describe(to, name, type, help);
	fprintf(to, "%s%s %lu\n", metrics ? "idled_" : "", name,
		(unsigned long)value);
}

static void print_errors(FILE *to, bool metrics)
{
	if (metrics)
		describe(to, "errors_total", "counter",
			 "errors of system calls");
	for (int err = 1; err < ERRORS; err++)
		if (counters.errors[err])
			fprintf(to,
				metrics ? "idled_errors_total{error=\"%s\"} "
					  "%lu\n" :
					  "error %s %lu\n",
				strerrorname_np(err),
				(unsigned long)counters.errors[err]);
}

/* Each range counts those before it, too. */
static void print_late(FILE *to, bool metrics)
{
	unsigned long sum = 0;

	if (metrics)
		describe(to, "late_seconds", "histogram",
			 "how late idle connections are closed");
	for (unsigned i = 0; i < LATE_RANGES - 1; i++) {
		sum += counters.late[i];
		if (metrics)
			fprintf(to,
				"idled_late_seconds_bucket{le=\"%.3f\"} %lu\n",
				late_ends[i] / 1e3, sum);
		else
			fprintf(to, "late_up_to_%u_ms %lu\n", late_ends[i],
				sum);
	}
	sum += counters.late[LATE_RANGES - 1];
	if (metrics)
		fprintf(to,
			"idled_late_seconds_bucket{le=\"+Inf\"} %lu\n"
			"idled_late_seconds_sum %.6f\n"
			"idled_late_seconds_count %lu\n",
			sum, (double)counters.late_ns / 1e9, sum);
}

static void print_all(FILE *to, bool metrics, unsigned connections)
{
	print_value(to, metrics, "connections", "gauge",
		    "connections that are open", connections);
	print_value(to, metrics, "addresses", "gauge",
		    "addresses that they come from", peer_count());
#define PRINT(name, help)                                                      \
	print_value(to, metrics, metrics ? #name "_total" : #name, "counter",  \
		    help, counters.name);
	COUNTERS(PRINT)
	print_errors(to, metrics);
	print_late(to, metrics);
}

/* Whatever the query is. */
static bool asks_for(const char *target, const char *path)
{
	size_t length = strlen(path);

	return !strncmp(target, path, length) &&
	       strchr("? \r\n", target[length]);
}

char *status_text(const char *request, unsigned connections, size_t *size)
{
	bool head = !strncmp(request, "HEAD ", 5);
	bool get = !strncmp(request, "GET ", 4);
	const char *target = head ? request + 5 : get ? request + 4 : "";
	bool metrics = asks_for(target, "/metrics");
	char *text = NULL;
	FILE *to = open_memstream(&text, size);
	bool found;

	if (!to)
		return NULL;
	found = metrics || asks_for(target, "/");
	fprintf(to, "HTTP/1.0 %s\r\nContent-Type: text/plain%s\r\n\r\n",
		found ? "200 OK" : "404 Not Found",
		metrics ? "; version=0.0.4" : "");
	if (!found && !head)
		fputs("GET / or GET /metrics\n", to);
	else if (!head)
		print_all(to, metrics, connections);
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}
