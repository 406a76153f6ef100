/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/wheel.c - the engine's source, small
 */
#include "../../../lib/wheel.c"
