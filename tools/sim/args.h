/* SPDX-License-Identifier: MIT */
/*
 * args.h - what the command line asks for
 */
#ifndef JIFSIM_ARGS_H
#define JIFSIM_ARGS_H

#include <stdbool.h>
#include <stdint.h>

/* The command line. */
struct options {
	bool replay; /* the command is replay, not run */
	const char *file;
	uint64_t wheels; /* how often to draw the rings */
	bool json;
	bool all;   /* print all firings */
	bool quiet; /* print none */
	bool has_seed;
	uint64_t seed;
};

/* Reads the command line; returns what to exit with, or -1 to go on. */
int args_parse(struct options *options, int argc, char **argv);

#endif
