/* SPDX-License-Identifier: MIT */
/*
 * live.c - the wheels as they turn
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "draw.h"
#include "live.h"
#include "progress.h"

#define CURSOR_OFF "\033[?25l"
#define CURSOR_ON  "\033[?25h"
#define CLEAR_LINE "\033[K"

/*
 * in_place:	this is a terminal
 * lines:	how many the frame has that can be seen; or how many frames
 *		there were, where they come one after another
 * step:	seconds from frame to frame
 * due:		when the next frame is
 */
static struct {
	bool in_place;
	bool color;
	unsigned lines;
	double step;
	double due;
	struct firing firing[LIVE_FIRINGS];
	uint64_t fired;
} live;

static void on_signal(int number)
{
	static const char text[] = CURSOR_ON "\n";
	ssize_t written = write(STDOUT_FILENO, text, sizeof(text) - 1);

	(void)written;
	signal(number, SIG_DFL);
	raise(number);
}

void live_stop(void)
{
	if (!live.in_place)
		return;
	fputs(CURSOR_ON, stdout);
	fflush(stdout);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	live.in_place = false;
}

void live_start(uint64_t seconds, size_t n_frames, bool color)
{
	live.in_place = isatty(STDOUT_FILENO);
	live.color = color;
	live.step = (double)seconds / (double)(n_frames ? n_frames : 1);
	live.due = progress_seconds();
	if (!live.in_place)
		return;
	atexit(live_stop);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	fputs(CURSOR_OFF, stdout);
}

void live_fire(const struct firing *firing)
{
	live.firing[live.fired++ % LIVE_FIRINGS] = *firing;
}

static void draw_firings(FILE *out, const struct sim *sim)
{
	char time[TIME_LENGTH];
	uint64_t first = live.fired > LIVE_FIRINGS ? live.fired - LIVE_FIRINGS :
						     0;

	fprintf(out, "\n fired %s\n", count_print(time, live.fired));
	for (uint64_t i = first; i < first + LIVE_FIRINGS; i++) {
		const struct firing *firing = &live.firing[i % LIVE_FIRINGS];

		if (i < live.fired)
			fprintf(out, "   %s  %s\n",
				time_print(time, sim->scenario, firing->tick),
				firing->timer->name);
		else if (live.in_place)
			putc('\n', out);
	}
}

/* Prints a frame over the last one. */
static void show_in_place(const char *frame)
{
	const char *line = frame;
	const char *stop;

	if (live.lines)
		printf("\033[%uA", live.lines);
	live.lines = 0;
	for (; (stop = strchr(line, '\n')); line = stop + 1) {
		printf("%.*s" CLEAR_LINE "\n", (int)(stop - line), line);
		live.lines++;
	}
	fflush(stdout);
}

static void wait_until(double due)
{
	double left = due - progress_seconds();
	struct timespec time;

	if (left <= 0)
		return;
	time.tv_sec = (time_t)left;
	time.tv_nsec = (long)((left - (double)time.tv_sec) * 1e9);
	nanosleep(&time, NULL);
}

void live_frame(const struct sim *sim)
{
	char *frame = NULL;
	size_t size;
	FILE *out = open_memstream(&frame, &size);

	if (!out)
		return;
	draw_wheels(out, sim, live.color);
	draw_firings(out, sim);
	if (fclose(out)) {
		free(frame);
		return;
	}
	if (live.in_place) {
		wait_until(live.due);
		live.due += live.step;
		show_in_place(frame);
	} else {
		printf("%s%s", live.lines++ ? "\n" : "", frame);
	}
	free(frame);
}
