/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/step/jiffies.c - lib/jiffies.c, on another port, where a
 * long has 32 bits
 */
#include <jif/config.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void step_set_jiffies(uint64_t now);

#undef CONFIG_JIF_NOW64
#define CONFIG_JIF_NOW64 1
#define long int
#include "../../../../lib/jiffies.c"

void step_set_jiffies(uint64_t now)
{
	jif_jiffies = (uint32_t)now;
	wraps = (uint32_t)(now >> 32);
}
