/* SPDX-License-Identifier: MIT */
/*
 * test/compare/nrf_timer.c - the nRF's TIMER
 *
 * COMPARE[0] is set when the counter becomes equal to CC[0]; variant 1: also
 * when CC[0] is made equal to it.
 */
#include "world.h"

#include <jif/config.h>

#define BASE 0x4000a000u
#define IRQ  10

const struct model model = {
	.name = "nrf_timer",
	.variants = 2,
	.bits = 16,
	.late = CONFIG_JIF_CLOCK_HZ / 100000 + 4,
};

static struct {
	bool running, event, enabled;
	uint32_t cc0, cc1, mode, prescaler;
} timer;

void model_reset(void)
{
	timer.running = timer.event = timer.enabled = true;
	timer.cc0 = timer.cc1 = 0;
	timer.mode = timer.prescaler = 4;
}

static uint32_t counter(void)
{
	return world.counts & 0xffff;
}

static void update(void)
{
	nvic_line(timer.event && timer.enabled);
}

void model_edge(void)
{
	if (!timer.running)
		return;
	world.counts++;
	if (counter() == timer.cc0)
		timer.event = true;
	update();
}

uint64_t model_quiet(void)
{
	return timer.running ? (timer.cc0 - counter() - 1) & 0xffff : 0;
}

bool model_requests(void)
{
	return false;
}

uint32_t model_read(uintptr_t at)
{
	if (at == BASE + 0x140)
		return timer.event;
	if (at != BASE + 0x544)
		world_fail("a read of another register");
	return timer.cc1;
}

static void start(void)
{
	if (timer.mode != 0 ||
	    16000000 >> timer.prescaler != CONFIG_JIF_CLOCK_HZ)
		world_fail("another rate or width");
	timer.running = true;
}

static void configure(uint32_t *what, uint32_t value)
{
	if (timer.running)
		world_fail("BITMODE or PRESCALER while it runs");
	*what = value;
}

void model_write(uintptr_t at, uint32_t value)
{
	if (nvic_write(at, value, IRQ))
		return;
	switch (at - BASE) {
	case 0x000:
		start();
		break;
	case 0x004:
		timer.running = false;
		break;
	case 0x044:
		timer.cc1 = counter();
		break;
	case 0x140:
		timer.event = value;
		break;
	case 0x304:
		timer.enabled |= value >> 16 & 1;
		break;
	case 0x308:
		timer.enabled &= !(value >> 16 & 1);
		break;
	case 0x508:
		configure(&timer.mode, value);
		break;
	case 0x510:
		configure(&timer.prescaler, value);
		break;
	case 0x540:
		timer.cc0 = value;
		timer.event |= world.variant && value == counter();
		break;
	default:
		world_fail("a write to another register");
	}
	update();
}
