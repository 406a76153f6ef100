/* SPDX-License-Identifier: MIT */
/*
 * args.h - what the command line asks for
 */
#ifndef JIFSIM_ARGS_H
#define JIFSIM_ARGS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * struct options - the command line
 * @replay:	the command is replay, not run
 * @wheels:	draw the rings
 * @wheels_at:	when; NULL: at the start and at the end
 * @all:	print all firings
 * @quiet:	print none
 * @seed:	for all random timers, if @has_seed
 */
struct options {
	bool replay;
	const char *file;
	bool wheels;
	const char *wheels_at;
	bool json;
	bool all;
	bool quiet;
	bool has_seed;
	uint64_t seed;
};

/*
 * Reads the command line. When it returns false, there is nothing to be done,
 * and *@status is what to exit with.
 */
bool args_parse(struct options *options, int argc, char **argv, int *status);

#endif
