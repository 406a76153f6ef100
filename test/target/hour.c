/* SPDX-License-Identifier: MIT */
/*
 * test/target/hour.c - the demonstration for an hour: where a day takes long
 */
#define LASTS HOUR
#include "demo.c"
