/* SPDX-License-Identifier: MIT */
/*
 * test/compare/rp2040.c - the RP2040's timer
 *
 * An alarm that is armed goes off when the counter becomes equal to it; variant
 * 1: also when it is made equal to the counter. INTE belongs to others, too.
 */
#include "world.h"

#define BASE	 0x40054000u
#define SET	 0x2000u
#define CLEAR	 0x3000u
#define IRQ	 0
#define NEIGHBOR 8u

const struct model model = {
	.name = "rp2040",
	.variants = 2,
	.bits = 32,
	.late = 14,
};

static struct {
	uint32_t alarm, inte;
	bool armed, latched;
} timer;

void model_reset(void)
{
	timer.inte = 1 | NEIGHBOR;
	timer.alarm = 0;
	timer.armed = timer.latched = true;
}

static uint32_t counter(void)
{
	return (uint32_t)world.counts;
}

static void check(void)
{
	if (timer.armed && counter() == timer.alarm) {
		timer.armed = false;
		timer.latched = true;
	}
	nvic_line(timer.latched && timer.inte & 1);
}

void model_edge(void)
{
	world.counts++;
	check();
}

uint64_t model_quiet(void)
{
	return timer.armed ? (uint32_t)(timer.alarm - counter() - 1) : 1000;
}

bool model_requests(void)
{
	return false;
}

uint32_t model_read(uintptr_t at)
{
	if (at == BASE + 0x34)
		return timer.latched;
	if (at != BASE + 0x28)
		world_fail("a read of another register");
	return counter();
}

void model_write(uintptr_t at, uint32_t value)
{
	if (nvic_write(at, value, IRQ))
		return;
	switch (at - BASE) {
	case 0x10:
		timer.alarm = value;
		timer.armed = true;
		if (world.variant)
			check();
		break;
	case 0x20:
		timer.armed &= !(value & 1);
		break;
	case 0x34:
		timer.latched &= !(value & 1);
		break;
	case 0x38 + SET:
		timer.inte |= value;
		break;
	case 0x38 + CLEAR:
		timer.inte &= ~value;
		break;
	default:
		world_fail("a write to another register");
	}
	if (!(timer.inte & NEIGHBOR))
		world_fail("the interrupt of another alarm is off");
	nvic_line(timer.latched && timer.inte & 1);
}
