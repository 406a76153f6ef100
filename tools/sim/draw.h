/* SPDX-License-Identifier: MIT */
/*
 * draw.h - the four wheels, with their hands and what waits on them
 */
#ifndef JIFSIM_DRAW_H
#define JIFSIM_DRAW_H

#include <stdio.h>

#include "sim.h"

/* Draws the wheels with text, in at most 79 columns. */
void draw_wheels(FILE *out, const struct sim *sim, bool color);

/* The same as a line of JSON. */
void draw_json(FILE *out, const struct sim *sim);

#endif
