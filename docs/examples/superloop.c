/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/superloop.c - timers in a loop beside the HAL of an STM32
 *
 * The wheel's time source is HAL_GetTick(), in milliseconds: all calls count
 * from it, nothing else has to tick, and no source of a port is needed.
 * The loop may be late; the wheel catches up, in order.
 */
#include "main.h"

#include <jif/jif.h>

static struct jif_wheel wheel;
static struct jif_periodic heartbeat;

static uint32_t hal_time(const struct jif_wheel *unused)
{
	(void)unused;
	return HAL_GetTick();
}

static void lamp_off(struct jif_timer *timer)
{
	(void)timer;
	HAL_GPIO_WritePin(GPIOA, GPIO_PIN_5, GPIO_PIN_RESET);
}

static struct jif_timer lamp = JIF_TIMER_INIT(lamp_off);

/* A flash of at least 50 ms each second. */
static void beat(struct jif_periodic *p)
{
	(void)p;
	HAL_GPIO_WritePin(GPIOA, GPIO_PIN_5, GPIO_PIN_SET);
	if (jif_timer_mod_in(&wheel, &lamp, 50) < 0)
		lamp_off(&lamp);
}

int main(void)
{
	HAL_Init();
	jif_wheel_init_time(&wheel, hal_time);
	jif_periodic_init(&heartbeat, beat, JIF_CATCHUP_SKIP);
	if (jif_periodic_start(&wheel, &heartbeat, 1000, 1000, JIF_FOREVER) < 0)
		return 1;
	for (;;) {
		jif_wheel_poll(&wheel);
		/* What else the loop does. */
		__WFI();
	}
}
