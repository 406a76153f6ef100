/* SPDX-License-Identifier: MIT */
/*
 * The shape of the wheel of tests that visit every state: 3/3/2/2 slots, so
 * that a second has 1 tick, a minute 3, an hour 9, a day 18 and a turn 36
 */
#pragma once

#define JIF_SEC_SLOTS  3
#define JIF_MIN_SLOTS  3
#define JIF_HOUR_SLOTS 2
#define JIF_DAY_SLOTS  2

#define JIF_MIN_PRE    0
#define JIF_MIN_MUL    21846
#define JIF_MIN_SHIFT  16

#define JIF_HOUR_PRE   0
#define JIF_HOUR_MUL   7282
#define JIF_HOUR_SHIFT 16

#define JIF_DAY_PRE    0
#define JIF_DAY_MUL    3641
#define JIF_DAY_SHIFT  16
