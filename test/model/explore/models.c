/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/models.c - the models of few timers and few tasks
 */
#include "../oracle.c"
#include "../tasks.c"
#include "../verbs.c"
