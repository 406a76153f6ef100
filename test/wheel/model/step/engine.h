/* SPDX-License-Identifier: MIT */
/* Where the engine begins */
#pragma once

#include <stdint.h>

extern const char step_engine[];

/* Puts them back, as memory is. */
void step_set_jiffies(uint64_t now);
