/* SPDX-License-Identifier: MIT */
/* What is counted, and how it is told */
#include <stdio.h>
#include <string.h>

#include "idled.h"
#include "metrics.h"

struct counters counters;

static const double late_ends[] = LATE_ENDS;
static char text[32768];
static FILE *to;

/* From here on, it takes no memory to tell. */
bool status_init(void)
{
	static char buffer[BUFSIZ];

	to = fmemopen(text, sizeof(text), "w");
	return to && !setvbuf(to, buffer, _IOFBF, sizeof(buffer));
}

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
	       (double)late_ns > late_ends[range] * 1e9)
		range++;
	counters.late[range]++;
	counters.late_ns += late_ns;
}

static void print_errors(const struct metrics *m)
{
	char labels[64];

	metrics_describe(m, "errors_total", "counter",
			 "errors of system calls");
	for (int err = 1; err < ERRORS; err++)
		if (counters.errors[err]) {
			snprintf(labels, sizeof(labels), "{error=\"%s\"}",
				 strerrorname_np(err));
			metrics_sample(m, "errors_total", labels,
				       (double)counters.errors[err]);
		}
}

static void print_all(bool metrics, unsigned connections)
{
	const struct metrics m = { to, metrics ? "idled_" : NULL };

	metrics_single(&m, "connections", "gauge", "connections that are open",
		       connections);
	metrics_single(&m, "addresses", "gauge",
		       "addresses that they come from", peer_count());
#define PRINT(name, help)                                                      \
	metrics_single(&m, #name "_total", "counter", help,                    \
		       (double)counters.name);
	COUNTERS(PRINT)
	print_errors(&m);
	metrics_histogram(&m, "late_seconds",
			  "how late idle connections are closed", late_ends,
			  counters.late, LATE_RANGES,
			  (double)counters.late_ns / 1e9);
}

/* Whatever the query is. */
static bool asks_for(const char *target, const char *path)
{
	size_t length = strlen(path);

	return !strncmp(target, path, length) &&
	       strchr("? \r\n", target[length]);
}

const char *status_text(const char *request, unsigned connections, size_t *size)
{
	bool head = !strncmp(request, "HEAD ", 5);
	bool get = !strncmp(request, "GET ", 4);
	const char *target = head ? request + 5 : get ? request + 4 : "";
	bool metrics = asks_for(target, "/metrics");
	bool found = metrics || asks_for(target, "/");

	rewind(to);
	fprintf(to, "HTTP/1.0 %s\r\nContent-Type: text/plain%s\r\n\r\n",
		found ? "200 OK" : "404 Not Found",
		metrics ? "; version=0.0.4" : "");
	if (!found && !head)
		fputs("GET / or GET /metrics\n", to);
	else if (!head)
		print_all(metrics, connections);
	fflush(to);
	*size = (size_t)ftell(to);
	return text;
}
