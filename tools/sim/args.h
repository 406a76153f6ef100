/* SPDX-License-Identifier: MIT */
/*
 * args.h - what the command line asks for
 */
#ifndef JIFSIM_ARGS_H
#define JIFSIM_ARGS_H

#include <stdbool.h>
#include <stdint.h>

enum command { COMMAND_RUN, COMMAND_REPLAY, COMMANDS };

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/*
 * struct options - the command line
 * @wheels:	draw the wheels
 * @wheels_at:	when; NULL: at the start and at the end
 * @watch:	draw them all along; over so many seconds, if not 0
 * @all:	print all firings
 * @quiet:	print none
 * @time:	tell how long it took
 * @seed:	for all random timers, if @has_seed
 */
struct options {
	enum command command;
	const char *file;
	bool wheels;
	const char *wheels_at;
	uint64_t watch;
	bool json;
	bool all;
	bool quiet;
	bool time;
	bool has_seed;
	uint64_t seed;
	enum color color;
};

/*
 * Reads the command line. When it returns false, there is nothing to be done,
 * and *@status is what to exit with.
 */
bool args_parse(struct options *options, int argc, char **argv, int *status);

/* Is output to this file descriptor to be in color? */
bool args_color(const struct options *options, int fd);

#endif
