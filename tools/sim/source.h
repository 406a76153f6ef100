/* SPDX-License-Identifier: MIT */
/*
 * source.h - get a file into memory
 */
#ifndef JIFSIM_SOURCE_H
#define JIFSIM_SOURCE_H

#include "diag.h"

/*
 * Reads a file; "-" is the standard input. Errors have been reported when it
 * returns something else than STATUS_OK, and there is nothing to free then.
 */
enum status source_read(struct source *source, const char *path);

/* The same for a file that may have been packed with gzip or xz. */
enum status source_unpack(struct source *source, const char *path);

void source_free(struct source *source);

#endif
