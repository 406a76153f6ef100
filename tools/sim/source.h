/* SPDX-License-Identifier: MIT */
/*
 * source.h - get a file into memory
 */
#ifndef JIFSIM_SOURCE_H
#define JIFSIM_SOURCE_H

#include "diag.h"

/*
 * Reads a file, which may be packed with gzip or xz; "-" is the standard input.
 * Errors have been reported when it returns something else than STATUS_OK;
 * there is something to free in any case.
 */
enum status source_read(struct source *source, const char *path);

void source_free(struct source *source);

#endif
