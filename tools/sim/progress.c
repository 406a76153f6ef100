/* SPDX-License-Identifier: MIT */
/*
 * progress.c - how far a long run has got, for the one who waits
 */
#include <stdio.h>
#include <time.h>

#include "progress.h"

#define CALLS_BETWEEN 4096
#define SECONDS_FIRST 1.0
#define SECONDS_NEXT  0.1
#define BAR_WIDTH     50

static struct {
	bool shown;
	bool drawn;
	unsigned calls;
	int64_t start;
	int64_t end;
	double due;
} bar;

double progress_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void progress_start(bool shown, int64_t start, int64_t end)
{
	bar.shown = shown && end > start;
	bar.start = start;
	bar.end = end;
	bar.due = progress_seconds() + SECONDS_FIRST;
}

static void draw(double part)
{
	int full = (int)(part * BAR_WIDTH);

	fprintf(stderr, "\r [");
	for (int i = 0; i < BAR_WIDTH; i++)
		putc(i < full ? '#' : '.', stderr);
	fprintf(stderr, "] %3d %%", (int)(part * 100));
	fflush(stderr);
}

void progress_update(int64_t now)
{
	double seconds;

	if (!bar.shown || ++bar.calls % CALLS_BETWEEN)
		return;
	seconds = progress_seconds();
	if (seconds < bar.due)
		return;
	bar.due = seconds + SECONDS_NEXT;
	bar.drawn = true;
	draw((double)(now - bar.start) / (double)(bar.end - bar.start));
}

void progress_stop(void)
{
	if (bar.drawn)
		fputs("\r\033[K", stderr);
	bar.drawn = bar.shown = false;
}
