/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/turns.c - turns of a scheduler with few tasks
 */
#include "../turns.c"
