/* SPDX-License-Identifier: MIT */
/*
 * test/target/hour.c - the demonstration, with a day of an hour: where one of
 * 24 hours takes long
 */
#define LASTS HOUR
#include "demo.c"
