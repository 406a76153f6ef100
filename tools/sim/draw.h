/* SPDX-License-Identifier: MIT */
/*
 * draw.h - the four rings, with their hands and what waits on them
 */
#ifndef JIFSIM_DRAW_H
#define JIFSIM_DRAW_H

#include "sim.h"

/* Draws the rings with text, in at most 79 columns. */
void draw_wheels(const struct sim *sim);

/* The same as a line of JSON. */
void draw_json(const struct sim *sim);

#endif
