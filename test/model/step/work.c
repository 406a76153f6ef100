/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/work.c - lib/work.c, on another port
 */
#include "../../../lib/work.c"
