/* SPDX-License-Identifier: MIT */
/*
 * test/step/sched.c - lib/sched.c, on another port
 */
#include "../../lib/sched.c"
