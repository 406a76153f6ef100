/* SPDX-License-Identifier: MIT */
/*
 * test/compare/nrf_rtc.c - the nRF's RTC
 *
 * While COUNTER is N, a new CC of N + 2 is seen. One of N + 1 may be (variant
 * 0), or may not, and then the old one is seen up to N + 2 (variant 1).
 */
#include "world.h"

#define BASE 0x40011000u
#define IRQ  17

const struct model model = {
	.name = "nrf_rtc",
	.variants = 2,
	.bits = 24,
	.late = 6,
};

static struct {
	bool running, event, enabled;
	uint32_t cc, old;
	unsigned age;
} rtc;

void model_reset(void)
{
	/* What a boot loader may have left behind. */
	rtc.running = rtc.event = rtc.enabled = true;
	rtc.cc = rtc.old = 0;
	rtc.age = 3;
}

static uint32_t counter(void)
{
	return world.counts & 0xffffff;
}

static void update(void)
{
	nvic_line(rtc.event && rtc.enabled);
}

void model_edge(void)
{
	bool slow = world.variant;

	if (!rtc.running)
		return;
	world.counts++;
	if (rtc.age < 3)
		rtc.age++;
	if (counter() == rtc.cc && (!slow || rtc.age >= 2))
		rtc.event = true;
	if (slow && rtc.age <= 2 && counter() == rtc.old)
		rtc.event = world.stale = true;
	update();
}

uint64_t model_quiet(void)
{
	if (!rtc.running || rtc.age < 3)
		return 0;
	return ((rtc.cc - counter() - 1) & 0xffffff);
}

bool model_requests(void)
{
	return false;
}

uint32_t model_read(uintptr_t at)
{
	if (at == BASE + 0x140)
		return rtc.event;
	if (at != BASE + 0x504)
		world_fail("a read of another register");
	return counter();
}

static void set_cc(uint32_t value)
{
	if (value > 0xffffff)
		world_fail("CC has 24 bits");
	rtc.old = rtc.cc;
	rtc.cc = value;
	rtc.age = 0;
}

void model_write(uintptr_t at, uint32_t value)
{
	if (nvic_write(at, value, IRQ))
		return;
	switch (at - BASE) {
	case 0x000:
		rtc.running = true;
		break;
	case 0x004:
		rtc.running = false;
		break;
	case 0x140:
		rtc.event = value;
		break;
	case 0x304:
		rtc.enabled |= value >> 16 & 1;
		break;
	case 0x308:
		rtc.enabled &= !(value >> 16 & 1);
		break;
	case 0x540:
		set_cc(value);
		break;
	default:
		world_fail("a write to another register");
	}
	update();
}
