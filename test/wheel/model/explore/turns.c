/* SPDX-License-Identifier: MIT */
/* Turns of a scheduler with few tasks */
#include "../../../firmware/model/turns.c"
