/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/step/model.h - what may come of a call and an interrupt
 *
 * A call is a row of atomic steps: most are one; a run takes one timer after
 * the other, each taking followed by its callback; a drain and a run of work
 * likewise. The interrupt comes before, between or after these steps: those are
 * its positions, numbered from 0. What the engine has done is right if it is
 * what the model does for one of them
 *
 * - at which the log is as long as it was when the interrupt came, and the
 *   clock of then is possible: a run over many ticks stops where it likes;
 * - that is not before the one of the instruction before.
 *
 * Left open are: the place of a postponed timer among those of its tick; a too
 * early jif_wheel_next_stop(); how far a budget gets; whether a walk shows what
 * is moved or removed meanwhile, and whether jif_wheel_next_expiry() sees what
 * is armed or moved. What is armed during a drain stays armed, or is
 * drained if the interrupt might as well have come before.
 */
#pragma once

#include "world.h"

/* No interrupt at all. */
#define MODEL_NEVER (-1)

/* As world_build(). */
void model_build(const struct state *state);

/*
 * Is what the world has got right for the first position from *@position on at
 * which it can be? Then that is the new *@position.
 */
bool model_accepts(const struct op *call, const struct op *irq, int *position);

/* What was wrong with the last position tried, in a word. */
extern const char *model_why;
