/* SPDX-License-Identifier: MIT */
/*
 * test/port/compare/stm32_lptim.c - the STM32's LPTIM
 *
 * A read of CNT that a count falls into is of bits of both. CMP is taken over
 * after two clocks (variants 0 and 2) or three; a match is CNT = CMP, in
 * variants 2 and 3 CNT >= CMP.
 */
#include "world.h"

#define BASE	0x40007c00u
#define IRQ	65

#define CMPM	1u
#define CMPOK	8u
#define ARROK	16u
#define ENABLE	1u
#define CNTSTRT 4u

const struct model *const model = &(const struct model){
	.name = "stm32_lptim",
	.variants = 4,
	.bits = 16,
	.late = 12,
	.wakes_at_the_end = true,
};

static struct {
	uint32_t isr, ier, cr, cmp, arr;
	uint32_t new_cmp, new_arr;
	unsigned cmp_busy, arr_busy, starts;
	bool running;
} lptim;

void model_reset(void)
{
	lptim.isr = CMPM | CMPOK | ARROK;
	lptim.ier = 0;
	lptim.cr = ENABLE;
	lptim.cmp = 0;
	lptim.arr = 1;
	lptim.cmp_busy = lptim.arr_busy = lptim.starts = 0;
	lptim.running = false;
}

static uint32_t counter(void)
{
	return world.counts & 0xffff;
}

static void update(void)
{
	nvic_line(lptim.isr & lptim.ier);
}

static bool matches(void)
{
	return world.variant < 2 ? counter() == lptim.cmp :
				   counter() >= lptim.cmp;
}

void model_edge(void)
{
	if (lptim.cmp_busy && !--lptim.cmp_busy) {
		lptim.cmp = lptim.new_cmp;
		lptim.isr |= CMPOK;
	}
	if (lptim.arr_busy && !--lptim.arr_busy) {
		lptim.arr = lptim.new_arr;
		lptim.isr |= ARROK;
	}
	if (lptim.starts && !--lptim.starts)
		lptim.running = true;
	if (lptim.running) {
		world.counts++;
		if (lptim.cmp < lptim.arr && matches())
			lptim.isr |= CMPM;
	}
	update();
}

uint64_t model_quiet(void)
{
	if (!lptim.running || lptim.cmp_busy)
		return 0;
	if (world.variant >= 2 && counter() + 1 >= lptim.cmp)
		return lptim.isr & CMPM ? 0x10000 - counter() - 1 : 0;
	return (lptim.cmp - counter() - 1) & 0xffff;
}

bool model_requests(void)
{
	return false;
}

uint32_t model_read(uintptr_t at)
{
	if (at == BASE)
		return lptim.isr;
	if (at != BASE + 0x1c)
		world_fail("a read of another register");
	if (world.edge_seen)
		return counter() & (uint32_t)(world.counts - 1);
	return counter();
}

static void write_cr(uint32_t value)
{
	if (value & CNTSTRT && (!(lptim.cr & ENABLE) || lptim.arr != 0xffff))
		world_forbid("CNTSTRT while it is off, or with another period");
	lptim.cr = value;
	lptim.running &= value & ENABLE;
	lptim.starts = value & CNTSTRT ? 2 : 0;
}

static void write_cmp(uint32_t value)
{
	if (!(lptim.cr & ENABLE) || lptim.cmp_busy) {
		world_forbid("CMP while it is busy, or off");
		return;
	}
	if (value >= lptim.arr)
		world_forbid("CMP is not less than ARR");
	lptim.new_cmp = value;
	lptim.cmp_busy = 2 + (world.variant & 1);
}

static void write_arr(uint32_t value)
{
	if (!(lptim.cr & ENABLE) || lptim.arr_busy)
		world_fail("ARR while it is busy, or off");
	lptim.new_arr = value;
	lptim.arr_busy = 3;
}

static void write_ier(uint32_t value)
{
	if (lptim.cr & ENABLE)
		world_forbid("IER while the timer is on");
	lptim.ier = value;
}

void model_write(uintptr_t at, uint32_t value)
{
	if (nvic_write(at, value, IRQ))
		return;
	switch (at - BASE) {
	case 0x04:
		if (value & ~lptim.ier)
			world_forbid("a flag without its interrupt");
		lptim.isr &= ~value;
		break;
	case 0x08:
		write_ier(value);
		break;
	case 0x10:
		write_cr(value);
		break;
	case 0x14:
		write_cmp(value);
		break;
	case 0x18:
		write_arr(value);
		break;
	default:
		world_fail("a write to another register");
	}
	update();
}
