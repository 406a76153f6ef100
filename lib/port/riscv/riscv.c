/* SPDX-License-Identifier: MIT */
/*
 * lib/port/riscv/riscv.c - RV32, machine mode: mtime and mtimecmp
 *
 * mtime only ever counts up, and mtimecmp is the next tick's place on it: ticks
 * are where they are, however late a handler runs and however long the machine
 * has slept. Whoever counts ticks counts all that have passed.
 */
#include <jif/jiffies.h>

#include "../jif_port.h"

#define MTIME_LOW     (*(volatile uint32_t *)(CONFIG_JIF_RISCV_MTIME))
#define MTIME_HIGH    (*(volatile uint32_t *)(CONFIG_JIF_RISCV_MTIME + 4))
#define MTIMECMP_LOW  (*(volatile uint32_t *)(CONFIG_JIF_RISCV_MTIMECMP))
#define MTIMECMP_HIGH (*(volatile uint32_t *)(CONFIG_JIF_RISCV_MTIMECMP + 4))

#define MIE_MTIE      (1u << 7)

/* Counts per tick, and the longest sleep, in ticks. */
#define COUNTS ((uint32_t)(CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ))
#define MOST   ((UINT32_C(1) << 31) / COUNTS)

JIF_STATIC_ASSERT(CONFIG_JIF_CLOCK_HZ % CONFIG_JIF_HZ == 0,
		  "a tick must be a whole number of counts");

/* The place of the last tick that has been counted. */
static uint64_t last;

static uint64_t read_mtime(void)
{
	uint32_t high, low;

	do {
		high = MTIME_HIGH;
		low = MTIME_LOW;
	} while (high != MTIME_HIGH);
	return (uint64_t)high << 32 | low;
}

/* The next interrupt, so many ticks after the last one that was counted. */
static void set_next(uint32_t ticks)
{
	uint64_t next = last + ticks * COUNTS;

	MTIMECMP_HIGH = UINT32_MAX;
	MTIMECMP_LOW = (uint32_t)next;
	MTIMECMP_HIGH = (uint32_t)(next >> 32);
}

/* Counts those that have passed, except the last @leave of them. */
static void count_passed(uint32_t leave)
{
	uint32_t passed = (uint32_t)(read_mtime() - last) / COUNTS;

	if (passed > leave) {
		jif_ticks(passed - leave);
		last += (passed - leave) * COUNTS;
	}
	set_next(1);
}

void jif_port_tick(void)
{
	count_passed(0);
}

void jif_port_start(void)
{
	last = read_mtime();
	set_next(1);
	jif_irq_enable(MIE_MTIE);
}

/* The tick that ends the sleep is left to the handler. */
void jif_port_idle(uint32_t ticks)
{
	if (!CONFIG_JIF_TICKLESS)
		ticks = 1;
	set_next(ticks < MOST ? ticks : MOST);
	jif_port_sleep();
	count_passed(1);
}
