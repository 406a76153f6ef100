/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/wheel_sleep.c - lib/wheel_sleep.c, on another port
 */
#include "../../../lib/wheel_sleep.c"
