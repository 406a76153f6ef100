/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/engine.h - where the engine begins
 */
#ifndef STEP_ENGINE_H
#define STEP_ENGINE_H

extern const char step_engine[];

#endif
