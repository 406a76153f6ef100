/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/sched.c - lib/sched.c, on another port
 */
#include "../../../lib/sched.c"
