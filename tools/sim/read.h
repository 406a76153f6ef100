/* SPDX-License-Identifier: MIT */
/*
 * read.h - from a file to a scenario
 */
#ifndef JIFSIM_READ_H
#define JIFSIM_READ_H

#include "scenario.h"

/* Errors have been reported when these return something else than STATUS_OK. */
enum status read_scenario(struct scenario *scenario, const char *path);

/* A trace is a scenario that does nothing but import it. */
enum status read_trace(struct scenario *scenario, const char *path);

#endif
