/* SPDX-License-Identifier: MIT */
/* Turns of a scheduler with few tasks */
#include "../turns.c"
