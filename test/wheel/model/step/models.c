/* SPDX-License-Identifier: MIT */
/* The oracle, of the timers of a world */
#include "world.h"
/* Behind that, which says how many there are. */
#include "../oracle.c"
#include "../verbs.c"
