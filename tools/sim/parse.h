/* SPDX-License-Identifier: MIT */
/*
 * parse.h - from the text of a scenario to its statements
 */
#ifndef JIFSIM_PARSE_H
#define JIFSIM_PARSE_H

#include "scenario.h"

/* Parses the source of a scenario; errors have been reported. */
void parse_scenario(struct scenario *scenario);

#endif
