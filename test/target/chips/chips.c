/* SPDX-License-Identifier: MIT */
/*
 * test/target/chips/chips.c - timers at random, from the main loop, a handler
 * and, with CONFIG_JIF_SMP, another core: OPERATIONS of them
 *
 * Delays grow from one bit to BITS, and then begin anew. What each call has
 * returned, and when a timer expires, is said; nothing is judged here.
 */
#include "chips.h"

#include <jif/jif.h>
#include <jif/port/smp.h>

#include "../../../lib/port/jif_port.h"

static struct jif_wheel wheel;
static struct jif_timer timers[CONTEXTS * TIMERS];
static volatile uint32_t operations;

/* Each has random numbers of its own. */
struct context {
	uint32_t chance;
	uint8_t first;
};

static struct context loop = { 2463534242u, 0 };
static struct context handler = { 88172645u, TIMERS };

static uint32_t draw(struct context *from, uint32_t limit)
{
	uint32_t chance = from->chance;

	chance ^= chance << 13;
	chance ^= chance >> 17;
	chance ^= chance << 5;
	from->chance = chance;
	return chance % limit;
}

static void say(enum what what, unsigned timer, uint32_t value)
{
	jif_irq_t flags = jif_irq_save();

	chip_say(what, timer, value);
	jif_irq_restore(flags);
}

static void say_time(enum what what)
{
	jif_irq_t flags = jif_irq_save();

	chip_say(what, 0, jif_now());
	jif_irq_restore(flags);
}

static void operate(struct context *by)
{
	unsigned id = by->first + (unsigned)draw(by, TIMERS);
	struct jif_timer *timer = &timers[id];
	uint32_t range = UINT32_C(1) << (1 + operations / 256 % BITS);
	uint32_t expires;

	operations++;
	switch (draw(by, 8)) {
	case 0:
		say_time(NOW);
		break;
	case 1:
		say(PENDING + jif_timer_pending(timer), id, 0);
		break;
	case 2:
	case 3:
		say(DEL + jif_timer_del(&wheel, timer), id, 0);
		break;
	default:
		expires = jif_now() + draw(by, range);
		say(MOD + !!jif_timer_mod(&wheel, timer, expires), id, expires);
	}
}

static void fired(struct jif_timer *timer)
{
	say(FIRED, (unsigned)(timer - timers), jif_wheel_clock(&wheel));
	if (draw(&loop, 2))
		operate(&loop);
}

void disturb(void)
{
	say_time(INTERRUPT);
	operate(&handler);
}

#if CONFIG_JIF_SMP
#define IDLE jif_smp_idle

static struct context other = { 521288629u, 2 * TIMERS };

/* What is said of a call is said before another core makes the next one. */
static void be_other(void)
{
	jif_irq_t flags;

	for (;;) {
		flags = jif_irq_save();
		operate(&other);
		jif_irq_restore(flags);
		chip_wake();
		chip_rest(draw(&other, 100));
	}
}

static void launch(void)
{
	chip_launch(be_other);
}
#else
#define IDLE jif_port_idle

static void launch(void)
{
}
#endif

int main(void)
{
	uint32_t n;

	chip_say(START, 0, CONFIG_JIF_INITIAL_JIFFIES);
	jif_port_start();
	chip_say(STARTED, 0, 0);
	jif_wheel_init_time(&wheel, jif_time_jiffies);
	for (n = 0; n < CONTEXTS * TIMERS; n++)
		jif_timer_init(&timers[n], fired);
	chip_begin();
	launch();
	while (operations < OPERATIONS) {
		for (n = draw(&loop, 4); n; n--)
			operate(&loop);
		jif_wheel_poll(&wheel);
		if (draw(&loop, 2))
			jif_wheel_sleep(&wheel, IDLE);
	}
	jif_wheel_poll(&wheel);
	say(END, 0, 0);
	for (;;)
		;
}
