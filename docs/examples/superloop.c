/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/superloop.c - timers in a loop beside the HAL of an STM32
 *
 * The wheel's time is what HAL_GetTick() counts, in milliseconds: nothing else
 * has to tick, and none of the ports' sources is needed, only lib/ itself.
 * The loop may be late; the wheel catches up, in order.
 */
#include "main.h"

#include <jif/jif.h>

static struct jif_wheel wheel;
static struct jif_periodic heartbeat;

static void lamp_off(struct jif_timer *timer)
{
	(void)timer;
	HAL_GPIO_WritePin(GPIOA, GPIO_PIN_5, GPIO_PIN_RESET);
}

static struct jif_timer lamp = JIF_TIMER_INIT(lamp_off);

/* A flash of 50 ms each second. */
static void beat(struct jif_periodic *p)
{
	(void)p;
	HAL_GPIO_WritePin(GPIOA, GPIO_PIN_5, GPIO_PIN_SET);
	jif_timer_mod(&wheel, &lamp, HAL_GetTick() + 50);
}

int main(void)
{
	HAL_Init();
	jif_wheel_init(&wheel, HAL_GetTick());
	jif_periodic_init(&heartbeat, beat, JIF_CATCHUP_SKIP);
	(void)!jif_periodic_start_at(&wheel, &heartbeat, HAL_GetTick() + 1000,
				     1000, JIF_FOREVER);
	for (;;) {
		jif_wheel_run(&wheel, HAL_GetTick());
		/* What else the loop does. */
		__WFI();
	}
}
