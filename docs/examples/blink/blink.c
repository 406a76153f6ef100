/* SPDX-License-Identifier: MIT */
/*
 * A firmware that blinks: half a second on, half a second off, asleep in
 * between. The board's header has the LED.
 */
#include <jif/jif.h>
#include <stdbool.h>

#include BOARD

static struct jif_wheel wheel;
static struct jif_periodic blink;

static void toggle(struct jif_periodic *p)
{
	static bool on;

	(void)p;
	on = !on;
	led_set(on);
}

int main(void)
{
	uint32_t half = jif_msecs_to_jiffies(500);

	led_init();
	jif_port_start();
	jif_wheel_init(&wheel, jif_now());
	jif_periodic_init(&blink, toggle, JIF_CATCHUP_SKIP);
	(void)!jif_periodic_start(&wheel, &blink, half, half, JIF_FOREVER);
	for (;;) {
		jif_wheel_run(&wheel, jif_now());
		jif_wheel_sleep(&wheel, jif_port_idle);
	}
}
