/* SPDX-License-Identifier: MIT */
/*
 * test/target/week.c - the first week of that month
 */
#define DAYS 7
#include "../../docs/examples/month/month.c"

#include "month.c"
