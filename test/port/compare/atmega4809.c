/* SPDX-License-Identifier: MIT */
/*
 * test/port/compare/atmega4809.c - the ATmega4809's RTC
 *
 * CMP and CTRLA are busy for two clocks of the counter (variant 1: three). The
 * flag is set with the count after the one that equals CMP.
 */
#include "world.h"

#define BASE	 0x0140u
#define RTCEN	 0x01u
#define RUNSTDBY 0x80u
#define PRESCALE 0x18u

const struct model *const model = &(const struct model){
	.name = "atmega4809",
	.variants = 2,
	.bits = 16,
	.late = 8,
	.sleeps_with_interrupts_on = true,
};

static struct {
	uint32_t ctrla, intctrl, flags, temp, cmp, new_cmp;
	unsigned cmp_busy, ctrla_busy;
	bool running, written;
} rtc;

void model_reset(void)
{
	rtc.ctrla = RTCEN | PRESCALE;
	rtc.intctrl = rtc.flags = 2;
	rtc.temp = 0x55;
	rtc.cmp = 0;
	rtc.cmp_busy = rtc.ctrla_busy = 2;
	rtc.running = true;
	rtc.written = false;
}

static uint32_t counter(void)
{
	return world.counts & 0xffff;
}

static bool counts(void)
{
	return rtc.running && (!world.asleep || rtc.ctrla & RUNSTDBY);
}

void model_edge(void)
{
	bool equal = counter() == rtc.cmp;

	if (rtc.cmp_busy && !--rtc.cmp_busy)
		rtc.cmp = rtc.new_cmp;
	if (rtc.ctrla_busy && !--rtc.ctrla_busy)
		rtc.running = rtc.ctrla & RTCEN;
	if (!counts())
		return;
	world.counts++;
	if (equal)
		rtc.flags |= 2;
}

uint64_t model_quiet(void)
{
	if (!counts() || rtc.cmp_busy || rtc.ctrla_busy)
		return 0;
	return (rtc.cmp - counter()) & 0xffff;
}

bool model_requests(void)
{
	if (rtc.written && !(rtc.ctrla & RUNSTDBY))
		world_forbid("it would stand still in Standby");
	return rtc.flags & rtc.intctrl;
}

uint32_t model_read(uintptr_t at)
{
	switch (at - BASE) {
	case 0x0:
		return rtc.ctrla;
	case 0x1:
		return (rtc.ctrla_busy ? 1 : 0) | (rtc.cmp_busy ? 8 : 0);
	case 0x8:
		rtc.temp = counter() >> 8;
		return counter() & 0xff;
	case 0x9:
		return rtc.temp;
	}
	world_fail("a read of another register");
}

static void write_ctrla(uint32_t value)
{
	if (rtc.ctrla_busy)
		world_forbid("CTRLA while it is busy");
	if ((value & 0x78) != PRESCALE)
		world_fail("another prescaler");
	rtc.ctrla = value;
	rtc.written = value & RTCEN;
	rtc.ctrla_busy = 2 + world.variant;
}

static void write_cmp(uint32_t value)
{
	if (rtc.cmp_busy) {
		world_forbid("CMP while it is busy");
		return;
	}
	rtc.new_cmp = value;
	rtc.cmp_busy = 2 + world.variant;
}

void model_write(uintptr_t at, uint32_t value)
{
	switch (at - BASE) {
	case 0x0:
		write_ctrla(value);
		break;
	case 0x2:
		rtc.intctrl = value;
		break;
	case 0x3:
		rtc.flags &= ~value;
		break;
	case 0xc:
		rtc.temp = value;
		break;
	case 0xd:
		write_cmp(value << 8 | rtc.temp);
		break;
	default:
		world_fail("a write to another register");
	}
}
