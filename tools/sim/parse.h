/* SPDX-License-Identifier: MIT */
/*
 * parse.h - from the text of a scenario to its statements
 */
#ifndef JIFSIM_PARSE_H
#define JIFSIM_PARSE_H

#include "scenario.h"

/*
 * Adds what @scenario's source says to its statements and names. Goes on after
 * an error with the next line; diag_errors() tells whether there was one.
 */
void parse_scenario(struct scenario *scenario);

#endif
