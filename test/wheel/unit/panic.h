/* SPDX-License-Identifier: MIT */
/* Which panic is the one that a test waits for */
#pragma once

#include <criterion/criterion.h>

/*
 * From here on, what aborts has to have said @why on standard error, or ends
 * otherwise than by SIGABRT. What handled that before is called first. A target
 * has no standard error.
 */
#ifdef TARGET_CRITERION_H
static inline void panic_with(const char *why)
{
}
#else
void panic_with(const char *why);
#endif
