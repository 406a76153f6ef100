/* SPDX-License-Identifier: MIT */
/*
 * jif/geometry.h - the shape of the wheel; private, and not an option
 *
 * Only the tests that visit every state build the engine with another copy of
 * this file, whose wheel is small enough for that.
 */
#ifndef JIF_GEOMETRY_H
#define JIF_GEOMETRY_H

#include <jif/config.h>
#include <stdint.h>

#define JIF_SEC_SLOTS  60
#define JIF_MIN_SLOTS  60
#define JIF_HOUR_SLOTS 24
#define JIF_DAY_SLOTS  7

/*
 * Quotients by a multiplication and a shift, as cores without a divider want
 * them: x / unit == ((x >> PRE) * MUL) >> SHIFT for every x that the engine
 * divides, which wheel.c asserts when it is compiled; with CONFIG_JIF_SPREAD,
 * up to two turns of a level.
 *
 * The method: T. Granlund and P. L. Montgomery, Division by Invariant
 * Integers using Multiplication, PLDI 1994.
 */
#if UINTPTR_MAX > 0xffffffffu
#define JIF_MIN_PRE    0
#define JIF_MIN_MUL    1145324613
#define JIF_MIN_SHIFT  36
#define JIF_HOUR_PRE   0
#define JIF_HOUR_MUL   1221679587
#define JIF_HOUR_SHIFT 42
#define JIF_DAY_PRE    0
#define JIF_DAY_MUL    814453059
#define JIF_DAY_SHIFT  46
#else
#if CONFIG_JIF_SPREAD
#define JIF_MIN_MUL    34953
#define JIF_MIN_SHIFT  21
#define JIF_HOUR_MUL   37283
#define JIF_HOUR_SHIFT 23
#else
#define JIF_MIN_MUL    2185
#define JIF_MIN_SHIFT  17
#define JIF_HOUR_MUL   4661
#define JIF_HOUR_SHIFT 20
#endif
#define JIF_MIN_PRE   0
#define JIF_HOUR_PRE  4
#define JIF_DAY_PRE   7
#define JIF_DAY_MUL   3107
#define JIF_DAY_SHIFT 21
#endif

#endif
