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
static const char *volatile misuse;

/* Misuse, in a build with DEBUG=1: it was refused, and the program goes on. */
static void on_misuse(const char *what, const void *object, void (*fn)(void))
{
	(void)object, (void)fn;
	misuse = what; /* for the debugger; or write it to your log */
}

/* Nothing can go on. */
void jif_panic(const char *why)
{
	misuse = why;
	for (;;)
		;
}

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

	if (CONFIG_JIF_DEBUG)
		jif_warn = on_misuse;
	led_init();
	jif_port_start();
	jif_wheel_init_time(&wheel, jif_time_jiffies);
	jif_periodic_init(&blink, toggle, JIF_CATCHUP_SKIP);
	if (jif_periodic_start(&wheel, &blink, half, half, JIF_FOREVER) < 0)
		return 1;
	for (;;) {
		jif_wheel_poll(&wheel);
		jif_wheel_sleep(&wheel, jif_port_idle);
	}
}
