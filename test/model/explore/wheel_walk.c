/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/wheel_walk.c - the engine's source, small
 */
#include "../../../lib/wheel_walk.c"
