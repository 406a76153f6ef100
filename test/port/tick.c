/* SPDX-License-Identifier: MIT */
/* Every tick is counted once */
#include "port.h"

TestSuite(port_tick, .init = port_init);

Test(port_tick, comes_at_its_rate_and_is_counted_once)
{
	uint32_t from = align();
	uint32_t begin = jif_now();

	for (unsigned i = 0; i < 1200; i++)
		align();
	cr_assert_eq(jif_now() - begin, 1200);
	cr_assert_eq(ticks_since(from), 1200);
	cr_assert_lt(off_grid(from), 100);
}

Test(port_tick, of_a_time_with_interrupts_off_is_counted_after_it)
{
	uint32_t from = align();
	uint32_t begin = jif_now();
	jif_irq_t flags;

	for (unsigned i = 1; i <= 20; i++) {
		flags = jif_irq_save();
		wait_counts(per_tick() * i / 20 + per_tick() / 2);
		jif_irq_restore(flags);
		align();
		cr_assert_eq(jif_now() - begin, ticks_since(from));
	}
	cr_assert_lt(off_grid(from), 100);
}

/*
 * Reads the counter over and over while the tick carries into its higher
 * bytes: a read that is cut in two by it is off by 256 or more.
 */
static uint32_t worst_step_over_carry(unsigned delay)
{
	uint32_t worst = 0;
	uint32_t before, now;
	jif_irq_t flags = jif_irq_save();

	now = jif_now();
	jif_ticks(~now & 0xffffff);
	jif_irq_restore(flags);
	while (delay--)
		__asm__ volatile("" : : : "memory");
	for (before = jif_now(); (uint8_t)before != 1; before = now) {
		now = jif_now();
		if (now - before > worst)
			worst = now - before;
	}
	return worst;
}

#if JIF_HAS_NOW64
/*
 * Across the wrap, a read that is cut in two by the tick is off by 2^32. Each
 * time, it begins some instructions later within a tick.
 */
static uint64_t worst_step_over_wrap(unsigned delay)
{
	uint64_t worst = 0;
	uint64_t before, now;

	jif_ticks(0xfffffffe - jif_now());
	while (delay--)
		__asm__ volatile("" : : : "memory");
	for (before = jif_now64(); (uint32_t)before != 1; before = now) {
		now = jif_now64();
		if (now - before > worst)
			worst = now - before;
	}
	return worst;
}

Test(port_tick, count_of_64_bits_goes_on_across_the_wrap)
{
	uint64_t begin = jif_now64();

	for (unsigned i = 0; i < 60; i++) {
		align();
		cr_assert_eq(worst_step_over_wrap(i), 1);
	}
	cr_assert_geq(jif_now64() - begin, UINT64_C(59) << 32);
	cr_assert_leq(jif_now64() - begin, UINT64_C(61) << 32);
}
#endif

Test(port_tick, never_tears_a_read)
{
	uint32_t worst;

	for (unsigned i = 0; i < 240; i++) {
		align();
		worst = worst_step_over_carry(i % 60);
		cr_assert_leq(worst, 1, "not even across a carry");
	}
}
