/* SPDX-License-Identifier: MIT */
/* What the port tests share */
#include "port.h"

volatile unsigned handled;
struct jif_wheel wheel;

static uint32_t counts_per_tick;

uint32_t per_tick(void)
{
	return counts_per_tick;
}

static void count_handled(void)
{
	handled++;
}

void port_init(void)
{
	static bool started;

	if (!started)
		jif_port_start();
	counts_per_tick = target_clock_hz / CONFIG_JIF_HZ;
	started = true;
	handled = 0;
	target_irq = count_handled;
}

uint32_t align(void)
{
	uint32_t begin = target_clock();
	uint32_t now = jif_now();

	while (jif_now() == now)
		if (target_clock() - begin > 4 * per_tick())
			break;
	cr_assert_neq(jif_now(), now, "there is no tick");
	return target_clock();
}

void wait_counts(uint32_t counts)
{
	uint32_t begin = target_clock();

	while (target_clock() - begin < counts)
		;
}

uint32_t ticks_since(uint32_t from)
{
	return (target_clock() - from + per_tick() / 2) / per_tick();
}

uint32_t off_grid(uint32_t from)
{
	uint32_t rest = (target_clock() - from) % per_tick();

	if (rest > per_tick() / 2)
		rest = per_tick() - rest;
	return rest * 1000 / per_tick();
}
