/* SPDX-License-Identifier: MIT */
/*
 * test/port/host/systick.c - SysTick, by Arm's v7-M manual, DDI 0403E, B3.3
 *
 * It counts down. From 1 to 0 it asks for its interrupt; the count after that
 * loads VAL from LOAD. A write to VAL clears it, and asks for nothing (B3.3.1).
 */
#include <jif/config.h>
#include <stdlib.h>

#include "machine.h"

#define CSR	  0xe000e010u
#define LOAD	  0xe000e014u
#define VAL	  0xe000e018u
#define CALIB	  0xe000e01cu
#define ICSR	  0xe000ed04u
#define ENABLE	  1u
#define TICKINT	  2u
#define PENDSTSET (1u << 26)
#define PENDSTCLR (1u << 25)
#define BITS_24	  0xffffffu

#define COUNTS	  (CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ)

const uintptr_t timer_pages[2] = { 0xe000e000, 0 };
const unsigned timer_off = 12;
const uint32_t timer_longest = BITS_24 / COUNTS;

static uint32_t csr, load, val;
static bool pending;

void SysTick_Handler(void);

void timer_reset(uint64_t seed)
{
	csr = 0;
	load = (uint32_t)seed;
	val = (uint32_t)(seed >> 8) & BITS_24;
	pending = false;
}

void timer_advance(uint64_t counts)
{
	uint64_t before = now;
	uint64_t step;

	for (; (csr & ENABLE) && counts; counts -= step) {
		step = val ? val : 1;
		if (step > counts)
			step = counts;
		now += step;
		if (!val) {
			val = load;
		} else {
			val -= (uint32_t)step;
			if (!val && (csr & TICKINT)) {
				pending = true;
				tick_came(false);
			}
		}
	}
	now = before;
}

uint32_t timer_read(uintptr_t address)
{
	switch (address) {
	case CSR:
		return csr;
	case LOAD:
		return load;
	case VAL:
		return val;
	case ICSR:
		return pending ? PENDSTSET : 0;
	}
	fail("it reads what is no register of SysTick");
}

void timer_write(uintptr_t address, uint32_t value)
{
	switch (address) {
	case CSR:
		csr = value;
		return;
	case LOAD:
		if (value & ~BITS_24)
			fail("LOAD is given more than 24 bits");
		load = value;
		return;
	case VAL:
		val = 0;
		return;
	case CALIB:
		return;
	case ICSR:
		if (value & PENDSTCLR)
			pending = false;
		return;
	}
	fail("it writes what is no register of SysTick");
}

bool timer_pending(void)
{
	return pending;
}

void timer_handle(void)
{
	pending = false;
	SysTick_Handler();
}

uint64_t timer_ahead(void)
{
	return val ? val : (uint64_t)load + 1;
}
