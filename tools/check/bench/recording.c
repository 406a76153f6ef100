/* SPDX-License-Identifier: MIT */
/* A recording of what timers were asked to do */
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct line {
	void *timer;
	uint32_t tick;
	uint32_t expires; /* 0: cancel */
};

static struct line *lines;
static size_t lines_count;

static void add(uint32_t tick, size_t timer, uint32_t expires)
{
	struct line *line;

	if ((lines_count & (lines_count - 1)) == 0)
		lines = realloc(lines, (2 * lines_count + 1) * sizeof(*lines));
	if (!lines || timer >= timers_count)
		stop("the recording is too large");
	line = &lines[lines_count++];
	line->timer = timers[timer];
	line->tick = START + tick;
	line->expires = expires;
	if (expires)
		line->expires = START + (expires > tick ? expires : tick + 1);
}

MEASURED static void replay_each(const struct line *line,
				 const struct line *end)
{
	for (; line < end; line++) {
		while (bench_now != line->tick)
			bench_ops.run(++bench_now);
		if (line->expires)
			bench_ops.rearm(line->timer, line->expires);
		else
			bench_ops.cancel(line->timer);
	}
}

void replay(size_t number)
{
	uint32_t tick, expires;
	size_t timer;
	uint64_t begin;

	make_timers(number);
	while (scanf("%" SCNu32 " %zu %" SCNu32, &tick, &timer, &expires) == 3)
		add(tick, timer, expires);
	begin = nanoseconds();
	replay_each(lines, lines + lines_count);
	print("recording", lines_count, nanoseconds() - begin);
	print("fired", 1, expired);
}
