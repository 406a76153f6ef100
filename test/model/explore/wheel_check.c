/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/wheel_check.c - the engine's source, small
 */
#include "../../../lib/wheel_check.c"
