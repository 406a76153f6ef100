/* SPDX-License-Identifier: MIT */
/*
 * test/compare/riscv_mtime.c - mtime and mtimecmp
 *
 * The interrupt is pending as long as mtime is mtimecmp or more.
 */
#include "world.h"

#include <jif/config.h>

#define MTIME	 CONFIG_JIF_RISCV_MTIME
#define MTIMECMP CONFIG_JIF_RISCV_MTIMECMP

const struct model model = {
	.name = "riscv_mtime",
	.variants = 1,
	.bits = 32,
	.late = CONFIG_JIF_CLOCK_HZ / 100000 + 4,
};

static uint64_t mtimecmp;

void model_reset(void)
{
	mtimecmp = 0;
}

void model_edge(void)
{
	world.counts++;
}

uint64_t model_quiet(void)
{
	if (world.counts >= mtimecmp)
		return UINT32_MAX;
	return mtimecmp - world.counts - 1;
}

bool model_requests(void)
{
	return world.counts >= mtimecmp;
}

uint32_t model_read(uintptr_t at)
{
	if (at == MTIME)
		return (uint32_t)world.counts;
	if (at == MTIME + 4)
		return (uint32_t)(world.counts >> 32);
	world_fail("a read of another register");
}

void model_write(uintptr_t at, uint32_t value)
{
	uint64_t old = mtimecmp;

	if (at == MTIMECMP)
		mtimecmp = old >> 32 << 32 | value;
	else if (at == MTIMECMP + 4)
		mtimecmp = (uint32_t)old | (uint64_t)value << 32;
	else
		world_fail("a write to another register");
}
