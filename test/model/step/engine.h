/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/engine.h - where the engine begins
 */
#ifndef STEP_ENGINE_H
#define STEP_ENGINE_H

#include <stdint.h>

extern const char step_engine[];

/* Puts them back, as memory is. */
void step_set_jiffies(uint64_t now);

#endif
