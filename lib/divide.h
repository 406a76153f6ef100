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

/* Where a product of 32 bits takes many instructions, there is one copy. */
#if UINTPTR_MAX <= 0xffff
#define ONE_COPY static JIF_NOINLINE
#else
#define ONE_COPY static inline
#endif

/* Stands for a divisor. Where registers have 64 bits, a long one saves time. */
#if UINTPTR_MAX > UINT32_MAX
struct reciprocal {
	uint64_t mul; /* 2^40 / divisor, rounded up: too large by less than 1 */
};

static inline uint32_t divide(uint32_t x, const struct reciprocal *r)
{
	return (uint32_t)(x * r->mul >> 40);
}

#define RECIPROCAL(unit)                                                       \
	((((uint64_t)1 << 40) - 1) / (uint64_t)(unit##_TICKS) + 1)
#define RECIPROCAL_IS_EXACT(unit, max)                                         \
	JIF_STATIC_ASSERT((uint64_t)(max) < ((uint64_t)1 << 40) /              \
						    (uint64_t)(unit##_TICKS),  \
			  "the reciprocal of " #unit "_TICKS")
#else
struct reciprocal {
	uint16_t mul;  /* 2^(pre + shift) / divisor, rounded up */
	uint8_t pre;   /* so many of its lowest bits are 0, and go first */
	uint8_t shift; /* so many bits of the product are behind the point */
};

ONE_COPY uint32_t divide(uint32_t x, const struct reciprocal *r)
{
	return (x >> r->pre) * r->mul >> r->shift;
}

/*
 * True if that is exact for all x up to @max. Rounding up makes the reciprocal
 * too large, by less than what adds up to a whole; and the product must fit.
 */
#define IS_EXACT(divisor, max, mul, pre, shift)                                \
	((divisor) % ((uint32_t)1 << (pre)) == 0 &&                            \
	 (max) >> (pre) <= UINT32_MAX / (mul) &&                               \
	 (uint32_t)(mul) * ((divisor) >> (pre)) - ((uint32_t)1 << (shift)) <=  \
		 (((uint32_t)1 << (shift)) - 1) / ((max) >> (pre)))
#define IS_EXACT_FOR(...) IS_EXACT(__VA_ARGS__)
#define RECIPROCAL_IS_EXACT(unit, max)                                         \
	JIF_STATIC_ASSERT(IS_EXACT_FOR(unit##_TICKS, max,                      \
				       JIF_##unit##_INVERSE),                  \
			  "the reciprocal of " #unit "_TICKS")
#define RECIPROCAL(unit) JIF_##unit##_INVERSE

/* @mul, @pre and @shift of the wheel's units. */
#define JIF_SEC_INVERSE	 1, 0, 0
#ifndef JIF_MIN_INVERSE
#define JIF_MIN_INVERSE	 34953, 0, 21
#define JIF_HOUR_INVERSE 37283, 4, 23
#define JIF_DAY_INVERSE	 3107, 7, 21
#endif
#endif

#endif
