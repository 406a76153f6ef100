/* SPDX-License-Identifier: MIT */
/*
 * The shape of the wheel of tests that visit every state: 3/3/2/2 slots, so
 * that a second has 1 tick, a minute 3, an hour 9, a day 18 and a turn 36
 */
#pragma once

#define JIF_SEC_SLOTS	 3
#define JIF_MIN_SLOTS	 3
#define JIF_HOUR_SLOTS	 2
#define JIF_DAY_SLOTS	 2
#define JIF_MIN_INVERSE	 21846, 0, 16
#define JIF_HOUR_INVERSE 7282, 0, 16
#define JIF_DAY_INVERSE	 3641, 0, 16
