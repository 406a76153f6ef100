/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/wheel_walk.c - lib/wheel_walk.c, on another port
 */
#include "../../../lib/wheel_walk.c"
