/* SPDX-License-Identifier: MIT */
/* Random numbers, and delays of all levels */
#pragma once

#include <stdint.h>

#define MINUTE UINT32_C(60)
#define HOUR   UINT32_C(3600)
#define DAY    UINT32_C(86400)
#define WEEK   UINT32_C(604800)

static uint32_t chance;

static inline void draw_from(uint32_t seed)
{
	chance = 2463534242u + seed * 2654435761u;
}

static inline uint32_t draw(uint32_t limit)
{
	chance ^= chance << 13;
	chance ^= chance >> 17;
	chance ^= chance << 5;
	return limit > UINT16_MAX ? chance % limit :
				    (chance >> 16) * limit >> 16;
}
