/* SPDX-License-Identifier: MIT */
/*
 * lib/port/cortex-m/cortex_m.c - Arm v6-M, v7-M and v8-M: SysTick
 *
 * SysTick counts down from LOAD to 0 and then starts over from what LOAD says
 * by then. So a period is as long as LOAD said when the one before it ended,
 * and no count is ever lost as long as nobody writes VAL: the regular tick and
 * an undisturbed sleep cannot drift.
 *
 * To sleep for n ticks, the tick under way is left to end; the period after it
 * is made n - 1 ticks long. The wake-up in between happens with interrupts off
 * and takes a few instructions. Sleeps beyond the 24 bits of the counter are a
 * chain of such periods.
 *
 * Only when another interrupt ends the sleep within a long period is VAL
 * written, to make a tick end where it would have ended anyway. How long that
 * takes is CONFIG_JIF_CORTEX_M_REALIGN.
 */
#include <jif/jiffies.h>

#include "../jif_port.h"
#include "sleep.h"

#define SYST_CSR       (*(volatile uint32_t *)0xe000e010)
#define SYST_LOAD      (*(volatile uint32_t *)0xe000e014)
#define SYST_VAL       (*(volatile uint32_t *)0xe000e018)
#define ICSR	       (*(volatile uint32_t *)0xe000ed04)

#define ICSR_PENDSTSET (UINT32_C(1) << 26)
#define ICSR_PENDSTCLR (UINT32_C(1) << 25)

/* Clock of the processor, interrupt, on. */
#define CSR_START UINT32_C(7)

/* Counts per tick, and the longest period, in ticks. */
#define COUNTS ((uint32_t)(CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ))
#define MOST   ((UINT32_C(1) << 24) / COUNTS)

/* A boundary that is nearer than that is waited for. */
#define NEAR (64 + (uint32_t)CONFIG_JIF_CORTEX_M_REALIGN)

JIF_STATIC_ASSERT(CONFIG_JIF_CLOCK_HZ % CONFIG_JIF_HZ == 0,
		  "a tick must be a whole number of counts");
JIF_STATIC_ASSERT(COUNTS > 4 * NEAR, "a tick must be longer than its handling");
JIF_STATIC_ASSERT(MOST >= 1, "a tick must fit the counter");

void jif_port_tick(void)
{
	jif_tick();
}

#if CONFIG_JIF_PORT_VECTOR
void SysTick_Handler(void);

void SysTick_Handler(void)
{
	jif_port_tick();
}
#endif

static inline bool is_pending(void)
{
	return ICSR & ICSR_PENDSTSET;
}

/* The period after the one under way. */
static inline void set_next(uint32_t ticks)
{
	SYST_LOAD = ticks * COUNTS - 1;
}

/* What is left of the period under way; 0 is over in a moment. */
static inline uint32_t counts_left(void)
{
	uint32_t val;

	while (!(val = SYST_VAL))
		;
	return val;
}

static void count_pending(uint32_t ticks)
{
	ICSR = ICSR_PENDSTCLR;
	jif_ticks(ticks);
}

/*
 * Another interrupt has ended the sleep in a period of @length ticks; LOAD is
 * that of one tick. In the last tick of the period, that is all.
 */
static void realign(uint32_t length)
{
	uint32_t then = counts_left();
	uint32_t ahead = (then - 1) / COUNTS;
	uint32_t rest = then - ahead * COUNTS;
	uint32_t gone;

	jif_ticks(length - 1 - ahead);
	if (!ahead)
		return;
	while ((gone = then - SYST_VAL) + NEAR > rest) {
		if (gone < rest)
			continue;
		jif_ticks(1);
		if (!--ahead)
			return;
		rest += COUNTS;
	}
	SYST_LOAD = rest - gone - 1 - CONFIG_JIF_CORTEX_M_REALIGN;
	SYST_VAL = 0;
	counts_left();
	set_next(1);
}

/*
 * Each turn of the loop sleeps through the end of a period of @length ticks.
 * The tick at the end of the last one is left to the handler.
 */
static void sleep_for(uint32_t ticks)
{
	uint32_t length = 1;
	uint32_t next;
	bool woken;

	do {
		ticks -= length;
		next = ticks < MOST ? ticks : MOST;
		set_next(next ? next : 1);
		if (is_pending() && counts_left() < COUNTS) {
			/* It ended right before LOAD was written. */
			set_next(1);
			return;
		}
		jif_port_sleep();
		woken = !is_pending();
		if (woken)
			set_next(1);
		if (!is_pending()) {
			realign(length);
			return;
		}
		if (!ticks || (woken && counts_left() < COUNTS)) {
			jif_ticks(length - 1);
			return;
		}
		count_pending(length);
		length = next;
	} while (!woken);
	realign(length);
}

void jif_port_start(void)
{
	set_next(1);
	SYST_VAL = 0;
	SYST_CSR = CSR_START;
}

void jif_port_idle(uint32_t ticks)
{
	if (is_pending())
		return;
	if (CONFIG_JIF_TICKLESS && ticks > 1)
		sleep_for(ticks);
	else
		jif_port_sleep();
}
