/* SPDX-License-Identifier: MIT */
/* What the environment says of a random run */
#pragma once

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t number_of(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}
