/* SPDX-License-Identifier: MIT */
/* The models of few timers and few tasks */
#include "../oracle.c"
#include "../tasks.c"
#include "../verbs.c"
