/* SPDX-License-Identifier: MIT */
/*
 * test/target/masked/wheel.c - lib/wheel.c, on the port that counts
 */
#include "../../../lib/wheel.c"
