/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/timer_delay.c - lib/timer_delay.c, on another port
 */
#include "../../../lib/timer_delay.c"
