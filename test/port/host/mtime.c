/* SPDX-License-Identifier: MIT */
/*
 * test/port/host/mtime.c - mtime and mtimecmp, by the RISC-V privileged
 * architecture: the interrupt is pending while mtime >= mtimecmp. A machine of
 * 32 bits reads and writes them by halves.
 */
#include <jif/config.h>
#include <jif/port.h>

#include "machine.h"

#define MTIME	 ((uintptr_t)CONFIG_JIF_RISCV_MTIME)
#define MTIMECMP ((uintptr_t)CONFIG_JIF_RISCV_MTIMECMP)
#define COUNTS	 (CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ)

const uintptr_t timer_pages[2] = { MTIME & -4096ul, MTIMECMP & -4096ul };
const unsigned timer_off = 0;
const uint32_t timer_longest = (UINT32_C(1) << 31) / COUNTS;

static uint64_t mtime, mtimecmp;
static bool was_pending;

static void set_half(uint64_t *reg, bool high, uint32_t value)
{
	*reg = high ? (uint32_t)*reg | (uint64_t)value << 32 :
		      *reg >> 32 << 32 | value;
}

bool timer_pending(void)
{
	return mtime >= mtimecmp;
}

static void look_at_request(bool by_write)
{
	if (timer_pending() && !was_pending)
		tick_came(by_write);
	was_pending = timer_pending();
}

void timer_reset(uint64_t seed)
{
	mtime = seed;
	mtimecmp = UINT64_MAX;
	was_pending = false;
}

void timer_advance(uint64_t counts)
{
	uint64_t before = now;

	if (!timer_pending() && mtimecmp - mtime <= counts) {
		now += mtimecmp - mtime;
		counts -= mtimecmp - mtime;
		mtime = mtimecmp;
		look_at_request(false);
		now = before;
	}
	mtime += counts;
}

uint32_t timer_read(uintptr_t address)
{
	if (address == MTIME)
		return (uint32_t)mtime;
	if (address == MTIME + 4)
		return (uint32_t)(mtime >> 32);
	fail("it reads what is not mtime");
}

void timer_write(uintptr_t address, uint32_t value)
{
	if (address != MTIMECMP && address != MTIMECMP + 4)
		fail("it writes what is not mtimecmp");
	set_half(&mtimecmp, address != MTIMECMP, value);
	look_at_request(true);
}

void timer_handle(void)
{
	jif_irq_enter();
	jif_port_tick();
	jif_irq_exit();
}

uint64_t timer_ahead(void)
{
	return timer_pending() ? 0 : mtimecmp - mtime;
}
