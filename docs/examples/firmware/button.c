/* SPDX-License-Identifier: MIT */
/*
 * button.c - a button that bounces
 *
 * Its level counts when the pin has been quiet for a while. A press asks for
 * the lease; one that is held gives it back.
 */
#include "board.h"
#include "firmware.h"

struct jif_timer button_settles, button_is_held;
static bool pressed;

void button_isr(void)
{
	must(jif_timer_mod_in(&wheel, &button_settles, SETTLE));
}

static void on_settled(struct jif_timer *timer)
{
	(void)timer;
	if (board_button() == pressed)
		return;
	pressed = !pressed;
	if (pressed) {
		must(jif_timer_mod_in(&wheel, &button_is_held, HELD));
		request_start();
	} else {
		jif_timer_del(&wheel, &button_is_held);
	}
}

static void on_held(struct jif_timer *timer)
{
	(void)timer;
	lease_stop();
}

void button_init(void)
{
	pressed = false;
	jif_timer_init(&button_settles, on_settled);
	jif_timer_init(&button_is_held, on_held);
}
