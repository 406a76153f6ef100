/* SPDX-License-Identifier: MIT */
/*
 * lib/divide.h - quotients by a multiplication and a shift
 */
#ifndef JIF_LIB_DIVIDE_H
#define JIF_LIB_DIVIDE_H

#include <stdint.h>

/**
 * struct reciprocal - stands for a divisor
 * @mul:	2^(pre + shift) / divisor, rounded up
 * @pre:	so many of its lowest bits are 0, and are dropped first
 * @shift:	so many bits of the product are behind the point
 */
struct reciprocal {
	uint16_t mul;
	uint8_t pre;
	uint8_t shift;
};

static inline uint32_t divide(uint32_t x, const struct reciprocal *r)
{
	return (x >> r->pre) * r->mul >> r->shift;
}

/*
 * True if that is exact for all x up to @max. Rounding up makes the reciprocal
 * too large by some excess, which must not add up to a whole; and the product
 * must fit.
 */
#define RECIPROCAL_EXCESS(divisor, mul, pre, shift)                            \
	((uint32_t)(mul) * ((divisor) >> (pre)) - ((uint32_t)1 << (shift)))
#define RECIPROCAL_IS_EXACT(divisor, mul, pre, shift, max)                     \
	((divisor) % ((uint32_t)1 << (pre)) == 0 &&                            \
	 (max) >> (pre) <= UINT32_MAX / (mul) &&                               \
	 RECIPROCAL_EXCESS(divisor, mul, pre, shift) <=                        \
		 (((uint32_t)1 << (shift)) - 1) / ((max) >> (pre)))

#endif
