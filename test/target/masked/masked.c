/* SPDX-License-Identifier: MIT */
/*
 * test/target/masked/masked.c - for how long interrupts are off
 *
 * Prints a line per figure, as test/target/cycles.c does: the longest stretch
 * of instructions, or on AVR cycles, that a call runs with interrupts off.
 * Calls within a call that turn them off once more make it look a little
 * longer.
 */
#include "masked.h"

#include <jif/port.h>
#include <jif/wheel.h>

#include "../target.h"

#if defined(__AVR__)
#define TIMERS (CONFIG_JIF_SPREAD ? 60 : 90)
#elif defined(__ARM_ARCH_6M__)
#define TIMERS 500
#else
#define TIMERS 1000
#endif

#define DAY	  86400ul
#define JUST_PAST 10ul

struct masked masked;

static struct jif_wheel wheel;
static struct jif_timer timers[TIMERS];
static struct jif_timer timer;
static unsigned pending;
static uint32_t overhead;

void jif_panic(const char *why)
{
	(void)why;
	target_exit(1);
}

static void empty_callback(struct jif_timer *t)
{
	(void)t;
}

static int look(void *arg, const struct jif_timer *t, unsigned level,
		unsigned slot, uint32_t remaining)
{
	(void)arg;
	(void)t;
	(void)level;
	(void)slot;
	return remaining == UINT32_MAX;
}

static void print(const char *name)
{
	target_put_text(name);
	target_puts(" ");
	target_put_number(pending);
	target_puts(" ");
	target_put_number(masked.longest - overhead);
	target_puts("\n");
	masked.longest = overhead;
}

#define PRINT(name) print(TARGET_TEXT(name))

/* A second before midnight: one deadline ten seconds after the next one. */
static void set_up(uint32_t delay)
{
	jif_wheel_init_at(&wheel, 0, 0, 23, 59, 59);
	jif_timer_init(&timer, empty_callback);
	for (unsigned i = 0; i < pending; i++) {
		jif_timer_init(&timers[i], empty_callback);
		jif_timer_add(&wheel, &timers[i], delay);
	}
	masked.longest = overhead;
}

static void arming(uint32_t delay)
{
	jif_timer_add(&wheel, &timer, delay);
	jif_timer_mod(&wheel, &timer, delay);
	jif_timer_reduce(&wheel, &timer, delay - 1);
	jif_timer_postpone(&wheel, &timer, delay + 1);
	jif_timer_expires(&wheel, &timer);
	jif_timer_shutdown(&wheel, &timer);
	jif_timer_init(&timer, empty_callback);
}

static void print_calls(void)
{
	set_up(DAY + JUST_PAST);
	arming(30);
	arming(3000);
	arming(80000);
	arming(600000);
	arming(0x7ffffff0);
	PRINT("masked-arm");
	for (unsigned i = 0; i < pending; i++)
		jif_timer_del(&wheel, &timers[i]);
	PRINT("masked-del");
}

static void print_runs(void)
{
	set_up(DAY + JUST_PAST);
	for (uint32_t now = 1; now < 130; now++)
		jif_wheel_run(&wheel, now);
	PRINT("masked-tick");
	for (uint32_t now = DAY - 10; now < DAY + 2 * JUST_PAST; now++)
		jif_wheel_run(&wheel, now);
	PRINT("masked-cascade");
	set_up(2 * DAY);
	jif_wheel_run(&wheel, 9 * DAY);
	PRINT("masked-jump");
}

static void print_looks(void)
{
	uint32_t when;

	set_up(DAY + JUST_PAST);
	jif_wheel_next(&wheel, &when);
	jif_wheel_next_expiry(&wheel, &when);
	PRINT("masked-next");
	jif_wheel_walk(&wheel, look, 0);
	PRINT("masked-walk");
	jif_wheel_drain(&wheel, 0);
	PRINT("masked-drain");
}

int main(void)
{
	static const uint16_t numbers[] = { 0, 10, TIMERS };

	count_start();
	jif_irq_restore(jif_irq_save());
	overhead = masked.longest;
	for (unsigned i = 0; i < 3; i++) {
		pending = numbers[i];
		print_calls();
		print_runs();
		print_looks();
	}
	target_exit(0);
}
