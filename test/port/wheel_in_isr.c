/* SPDX-License-Identifier: MIT */
/* A product whose tick handler runs the wheel */
#include "port.h"

static struct jif_timer timer;
static volatile uint32_t ran_at;
static volatile unsigned ran;
static volatile bool ran_in_irq;

static void fire(struct jif_timer *expired)
{
	ran++;
	ran_at = jif_now();
	ran_in_irq = jif_in_irq();
}

static void run_wheel(void)
{
	jif_wheel_run(&wheel, jif_now());
}

static void wheel_init(void)
{
	port_init();
	ran = 0;
	memset(&wheel, 0, sizeof(wheel)); /* a test may leave timers */
	jif_wheel_init(&wheel, jif_now());
	jif_timer_init(&timer, fire);
	target_tick = run_wheel;
}

static void wheel_fini(void)
{
	target_tick = 0;
}

TestSuite(port_wheel_in_isr, .init = wheel_init, .fini = wheel_fini);

Test(port_wheel_in_isr, expires_on_its_tick_while_the_main_loop_is_busy)
{
	uint32_t begin = align();
	uint32_t when = jif_now() + 150;

	(void)!jif_timer_add(&wheel, &timer, when);
	while (!ran)
		cr_assert_lt(target_clock() - begin, 200 * per_tick());
	cr_assert_eq(ran_at, when);
	cr_assert(ran_in_irq);
}

Test(port_wheel_in_isr, expires_on_the_tick_that_ends_a_sleep)
{
	static const uint16_t spans[] = { 1, 2, 3, 59, 60, 61, 700, 1500 };
	jif_irq_t flags;
	uint32_t when;

	for (unsigned i = 0; i < sizeof(spans) / sizeof(*spans); i++) {
		align();
		ran = 0;
		when = jif_now() + spans[i];
		(void)!jif_timer_add(&wheel, &timer, when);
		for (;;) {
			flags = jif_irq_save();
			if (!jif_time_before(jif_now(), when))
				break;
			jif_port_idle(when - jif_now());
			jif_irq_restore(flags);
		}
		jif_irq_restore(flags);
		wait_counts(per_tick() / 10);
		cr_assert_eq(ran, 1);
		cr_assert_eq(ran_at, when);
		cr_assert(ran_in_irq);
	}
}
