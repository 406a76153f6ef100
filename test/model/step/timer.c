/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/timer.c - lib/timer.c, on another port
 */
#include "../../../lib/timer.c"
