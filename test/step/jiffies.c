/* SPDX-License-Identifier: MIT */
/*
 * test/step/jiffies.c - lib/jiffies.c, on another port
 */
#include "../../lib/jiffies.c"
