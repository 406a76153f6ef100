/* SPDX-License-Identifier: MIT */
/*
 * lib/divide.h - quotients by a multiplication and a shift
 *
 * For cores without a divider. The method: T. Granlund and P. L. Montgomery,
 * Division by Invariant Integers using Multiplication, PLDI 1994.
 */
#ifndef JIF_LIB_DIVIDE_H
#define JIF_LIB_DIVIDE_H

#include <jif/compiler.h>
#include <stdint.h>

/* Hosts have a divider, but a multiplication is faster. */
#ifdef JIF_DIVIDES
#elif defined(__ARM_FEATURE_IDIV) || defined(__riscv_div)
#define JIF_DIVIDES 1
#else
#define JIF_DIVIDES 0
#endif

/* Stands for a divisor. */
struct reciprocal {
	uint16_t mul;  /* 2^(pre + shift) / divisor, rounded up */
	uint8_t pre;   /* so many of its lowest bits are 0, and go first */
	uint8_t shift; /* so many bits of the product are behind the point */
};

/* Where a product of 32 bits takes many instructions, there is one copy. */
#if UINTPTR_MAX <= 0xffff
#define ONE_COPY static JIF_NOINLINE
#else
#define ONE_COPY static inline
#endif

ONE_COPY uint32_t divide(uint32_t x, const struct reciprocal *r)
{
	return (x >> r->pre) * r->mul >> r->shift;
}

/*
 * True if that is exact for all x up to @max. Rounding up makes the reciprocal
 * too large, by less than what adds up to a whole; and the product must fit.
 */
#define RECIPROCAL_EXCESS(divisor, mul, pre, shift)                            \
	((uint32_t)(mul) * ((divisor) >> (pre)) - ((uint32_t)1 << (shift)))
#define RECIPROCAL_IS_EXACT(divisor, mul, pre, shift, max)                     \
	((divisor) % ((uint32_t)1 << (pre)) == 0 &&                            \
	 (max) >> (pre) <= UINT32_MAX / (mul) &&                               \
	 RECIPROCAL_EXCESS(divisor, mul, pre, shift) <=                        \
		 (((uint32_t)1 << (shift)) - 1) / ((max) >> (pre)))

/* Those of the wheel's units; lib/rings.h asserts that they are exact. */
#define JIF_SEC_PRE   0
#define JIF_SEC_MUL   1
#define JIF_SEC_SHIFT 0
#ifndef JIF_MIN_MUL
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

#endif
