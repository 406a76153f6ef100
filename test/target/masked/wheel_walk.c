/* SPDX-License-Identifier: MIT */
/*
 * test/target/masked/wheel_walk.c - lib/wheel_walk.c, on the port that counts
 */
#include "../../../lib/wheel_walk.c"
