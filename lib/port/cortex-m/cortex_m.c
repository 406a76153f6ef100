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
 * has n - 1 ticks. The wake-up in between happens with interrupts off and takes
 * a few instructions. Sleeps beyond the counter's 24 bits are a chain of these.
 *
 * Only when another interrupt ends the sleep within a long period is VAL
 * written, to make a tick end where it would have ended anyway. The counts that
 * this takes are measured: the same instructions first write to a register that
 * cannot be written. What is left of an error is known then, and the next long
 * period makes up for it: sleeps that are cut short do not drift either.
 */
#include <jif/jiffies.h>

#include "../jif_port.h"

#define SYST_CSR       (*(volatile uint32_t *)0xe000e010)
#define SYST_LOAD      (*(volatile uint32_t *)0xe000e014)
#define SYST_VAL       (*(volatile uint32_t *)0xe000e018)
#define SYST_CALIB     (*(volatile uint32_t *)0xe000e01c)
#define ICSR	       (*(volatile uint32_t *)0xe000ed04)

#define SHPR_SYSTICK   (*(volatile uint8_t *)0xe000ed23)

#define ICSR_PENDSTSET (UINT32_C(1) << 26)
#define ICSR_PENDSTCLR (UINT32_C(1) << 25)

/* Clock of the processor, interrupt, on. */
#define CSR_START UINT32_C(7)

/* Counts per tick; the longest period, in ticks, with some counts to spare. */
#define COUNTS ((uint32_t)(CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ))
#define MOST   (((UINT32_C(1) << 24) - 256) / COUNTS)

/* The end of a tick that is nearer than what comes until LOAD is set again. */
#define NEAR(cost) (4 * (cost) + 64)

JIF_STATIC_ASSERT(CONFIG_JIF_CLOCK_HZ % CONFIG_JIF_HZ == 0,
		  "a tick must be a whole number of counts");
JIF_STATIC_ASSERT(COUNTS >= 400, "a tick must be longer than its handling");
JIF_STATIC_ASSERT(MOST >= 1, "a tick must fit the counter");

/* By how many counts ticks are late, until the next long period begins. */
static uint32_t late;

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

static inline bool tick_is_pending(void)
{
	return ICSR & ICSR_PENDSTSET;
}

/* The period after the one under way. A long one makes up for being late. */
static inline void set_next(uint32_t ticks)
{
	SYST_LOAD = ticks * COUNTS - 1 - (ticks > 1 ? late : 0);
}

/* The rest of the period under way; 0 is over in a moment. */
static inline uint32_t counts_left(void)
{
	uint32_t val;

	while (!(val = SYST_VAL))
		;
	return val;
}

/*
 * PPB registers are strongly ordered (B3.1.1): the next look at one waits until
 * this write is done, and so the request is gone before interrupts are let in.
 */
static void count_pending(uint32_t ticks)
{
	ICSR = ICSR_PENDSTCLR;
	jif_ticks(ticks);
}

/*
 * How far VAL is afterwards from where it was, as @reg is written. If that is
 * VAL, it starts over from LOAD, which is where it was but @less. It shows 0
 * for a count before; a look then would take longer.
 */
static JIF_NOINLINE uint32_t write_to(volatile uint32_t *reg, uint32_t less)
{
	uint32_t before;

	/* So it takes as long for each: the compiler does not know which. */
	__asm__ volatile("" : "+r"(reg));
	before = SYST_VAL;
	SYST_LOAD = before - less;
	*reg = 0;
	__asm__ volatile("nop\n\tnop");
	return before - counts_left();
}

/*
 * Another interrupt has ended the sleep in a period of @length ticks; LOAD is
 * that of one tick. In the last tick of the period, that is all. The end of a
 * tick that is near is waited for. The first write brings the code here.
 */
static void realign(uint32_t length)
{
	uint32_t ahead = (counts_left() - 1) / COUNTS;
	uint32_t cost, val, end = ahead * COUNTS;

	jif_ticks(length - 1 - ahead);
	if (!ahead)
		return;
	write_to(&SYST_CALIB, 0);
	cost = write_to(&SYST_CALIB, 0);
	do {
		val = SYST_VAL;
		if (val <= end) {
			jif_ticks(1);
			end -= COUNTS;
		}
	} while (end && val <= end + NEAR(cost));
	if (end)
		late = end + cost - write_to(&SYST_VAL, end + cost);
	set_next(1);
}

/* An urgent handler that has ended the sleep runs at once. */
static void sleep_once(void)
{
	jif_port_sleep();
	jif_irq_restore_all(0);
	jif_irq_save_all();
}

/*
 * Each turn of the loop sleeps through the end of a period of @length ticks.
 * The tick at the end of the last one is left to the handler.
 */
static void sleep_for(uint32_t ticks)
{
	uint32_t next, length = 1;
	bool woken;

	do {
		ticks -= length;
		next = ticks < MOST ? ticks : MOST;
		set_next(next ? next : 1);
		if (tick_is_pending() && counts_left() < COUNTS) {
			/* It ended right before LOAD was written. */
			set_next(1);
			return;
		}
		sleep_once();
		woken = !tick_is_pending();
		if (woken)
			set_next(1);
		if (!tick_is_pending()) {
			realign(length);
			return;
		}
		if (!ticks || (woken && counts_left() < COUNTS)) {
			jif_ticks(length - 1);
			return;
		}
		count_pending(length);
		length = next;
		if (length > 1)
			late = 0;
	} while (!woken);
	realign(length);
}

void jif_port_start(void)
{
	late = 0;
	if (CONFIG_JIF_CORTEX_M_BASEPRI)
		SHPR_SYSTICK = CONFIG_JIF_CORTEX_M_BASEPRI;
	set_next(1);
	SYST_VAL = 0;
	SYST_CSR = CSR_START;
}

void jif_port_idle(uint32_t ticks)
{
	jif_irq_t flags = jif_irq_save_all();

	if (CONFIG_JIF_TICKLESS && ticks > 1)
		sleep_for(ticks);
	else
		sleep_once();
	jif_irq_restore_all(flags);
}
