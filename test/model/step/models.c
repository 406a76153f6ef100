/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/models.c - the oracle, of the timers of a world
 */
#include "world.h"
/* Behind that, which says how many there are. */
#include "../oracle.c"
#include "../verbs.c"
