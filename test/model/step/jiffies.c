/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/jiffies.c - lib/jiffies.c, on another port
 */
#include "../../../lib/jiffies.c"
