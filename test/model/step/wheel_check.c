/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/wheel_check.c - lib/wheel_check.c, on another port
 */
#include "../../../lib/wheel_check.c"
