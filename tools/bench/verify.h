/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/verify.h - does a row do what it is measured for?
 */
#ifndef BENCH_VERIFY_H
#define BENCH_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * verify - do anything at random, beside an oracle
 * @number:	how many timers
 * @once:	not used
 *
 * A timer that is armed has to expire once, not before it is due; one that is
 * cancelled, not at all. How late they expire is printed, in ticks, and how
 * many come after another one that was armed later, for the same tick.
 *
 * Return: 1, and an error is printed, if that is not so.
 */
int verify(size_t number, bool once);

#endif
