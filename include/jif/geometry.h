/* SPDX-License-Identifier: MIT */
/*
 * jif/geometry.h - the shape of the wheel; private, and not an option
 *
 * Only the tests that visit every state build the engine with another copy of
 * this file, whose wheel is small enough for that.
 */
#ifndef JIF_GEOMETRY_H
#define JIF_GEOMETRY_H

#define JIF_SEC_SLOTS  60
#define JIF_MIN_SLOTS  60
#define JIF_HOUR_SLOTS 24
#define JIF_DAY_SLOTS  7

/*
 * Quotients by a multiplication and a shift, since many cores have no divider:
 * x / unit == ((x >> PRE) * MUL) >> SHIFT, for every x that the engine divides;
 * lib/wheel.h asserts that when it is compiled.
 *
 * The method: T. Granlund and P. L. Montgomery, Division by Invariant
 * Integers using Multiplication, PLDI 1994.
 */
#define JIF_MIN_PRE    0
#define JIF_MIN_MUL    34953
#define JIF_MIN_SHIFT  21
#define JIF_HOUR_PRE   4
#define JIF_HOUR_MUL   37283
#define JIF_HOUR_SHIFT 23
#define JIF_DAY_PRE    7
#define JIF_DAY_MUL    3107
#define JIF_DAY_SHIFT  21

#endif
