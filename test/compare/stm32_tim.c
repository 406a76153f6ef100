/* SPDX-License-Identifier: MIT */
/*
 * test/compare/stm32_tim.c - the STM32's TIM2
 *
 * CC1IF is set when CNT becomes CCR1; variant 1: also when CCR1 is made equal
 * to it.
 */
#include "world.h"

#include <jif/config.h>

#define BASE 0x40000000u
#define IRQ  28

const struct model model = {
	.name = "stm32_tim",
	.variants = 2,
	.bits = 32,
	.late = CONFIG_JIF_CLOCK_HZ / 100000 + 4,
};

static struct {
	uint32_t cr1, dier, sr, ccr1;
} tim;

void model_reset(void)
{
	tim.cr1 = 1;
	tim.sr = 3;
	tim.dier = 3;
	tim.ccr1 = 0;
}

static uint32_t counter(void)
{
	return (uint32_t)world.counts;
}

static void update(void)
{
	nvic_line(tim.sr & tim.dier);
}

void model_edge(void)
{
	if (!(tim.cr1 & 1))
		return;
	world.counts++;
	if (counter() == tim.ccr1)
		tim.sr |= 2;
	update();
}

uint64_t model_quiet(void)
{
	return tim.cr1 & 1 ? (uint32_t)(tim.ccr1 - counter() - 1) : 0;
}

bool model_requests(void)
{
	return false;
}

uint32_t model_read(uintptr_t at)
{
	if (at == BASE + 0x10)
		return tim.sr;
	if (at != BASE + 0x24)
		world_fail("a read of another register");
	return counter();
}

void model_write(uintptr_t at, uint32_t value)
{
	if (nvic_write(at, value, IRQ))
		return;
	switch (at - BASE) {
	case 0x00:
		tim.cr1 = value;
		break;
	case 0x0c:
		tim.dier = value;
		break;
	case 0x10:
		tim.sr &= value;
		break;
	case 0x14:
		if (tim.cr1 & 1)
			world_fail("an update while it runs");
		tim.sr |= value & 1;
		break;
	case 0x34:
		tim.ccr1 = value;
		if (world.variant && value == counter())
			tim.sr |= 2;
		break;
	default:
		world_fail("a write to another register");
	}
	update();
}
