/* SPDX-License-Identifier: MIT */
/* The models of few timers and few tasks */
#include "../../../firmware/model/tasks.c"
#include "../oracle.c"
#include "../verbs.c"
