/* SPDX-License-Identifier: MIT */
/*
 * test/step/work.c - lib/work.c, on another port
 */
#include "../../lib/work.c"
