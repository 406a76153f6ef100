/* SPDX-License-Identifier: MIT */
/*
 * test/target/host.c - the simulated machine of a host, with a simulated RTC
 * and a handler at the moment of its alarm
 */
#include <jif/jiffies.h>
#include <jif/kit/sim.h>
#include <stdio.h>
#include <stdlib.h>

#include "target.h"

#define TICK_NS (1000000000u / CONFIG_JIF_HZ)

/* How long it takes from one window for interrupts to the next. */
#define WINDOW_NS 100

const uint32_t target_clock_hz = 1000000;
void (*volatile target_irq)(void);
uint32_t target_sleeps;

static uint64_t rtc, alarm; /* in ns; no alarm: 0 */
static uint64_t ticks;

static void interrupt(void)
{
	rtc += WINDOW_NS;
	for (; ticks < rtc / TICK_NS; ticks++)
		jif_tick();
	if (alarm && alarm <= rtc) {
		alarm = 0;
		target_irq();
	}
}

/* The machine counts the ticks of a sleep by itself. */
static uint32_t sleep_for(uint32_t most)
{
	uint64_t begin = ticks;

	rtc = (begin + most) * TICK_NS;
	if (alarm && alarm < rtc)
		rtc = alarm;
	ticks = rtc / TICK_NS;
	return (uint32_t)(ticks - begin);
}

/* There is no other start-up code. */
__attribute__((constructor)) void target_init(void)
{
	jif_sim.irq = interrupt;
	jif_sim.sleep = sleep_for;
}

uint32_t target_clock(void)
{
	return (uint32_t)(rtc / 1000);
}

void target_pend_after(uint32_t ns)
{
	alarm = rtc + ns;
}

void target_putc(char c)
{
	putchar(c);
}

void target_exit(int status)
{
	exit(status);
}
