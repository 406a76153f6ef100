/* SPDX-License-Identifier: MIT */
/* The counter, its wrap, and milliseconds */
#include <criterion/criterion.h>
#include <jif/jiffies.h>

Test(jiffies, tick_counts_one)
{
	uint32_t before = jif_now();

	jif_tick();
	cr_assert_eq(jif_now(), before + 1);
	for (int i = 0; i < 1000; i++)
		jif_tick();
	cr_assert_eq(jif_now(), before + 1001);
}

Test(jiffies, ticks_count_many_at_once)
{
	uint32_t before = jif_now();

	jif_ticks(86400000);
	cr_assert_eq(jif_now(), before + 86400000);
	jif_ticks(0xffffffff);
	cr_assert_eq(jif_now(), before + 86399999, "2^32 jiffies are none");
}

/* CONFIG_JIF_NOW64=n may have taken it out. */
#if JIF_HAS_NOW64
Test(jiffies, count_of_64_bits_goes_on_where_the_other_wraps)
{
	uint64_t first = jif_now64();
	uint64_t before;

	cr_assert_eq((uint32_t)first, jif_now());
	jif_ticks(0xffffffff - jif_now());
	before = jif_now64();
	cr_assert_eq((uint32_t)before, 0xffffffff);
	jif_tick();
	cr_assert_eq(jif_now64(), before + 1);
	cr_assert_eq(jif_now(), 0);
	jif_ticks(0xffffffff);
	cr_assert_eq(jif_now64() - before, UINT64_C(1) << 32);
	jif_ticks(0);
	jif_ticks(5);
	cr_assert_eq(jif_now64() - before, (UINT64_C(1) << 32) + 5);
}

Test(jiffies, uptime_never_goes_back)
{
	uint64_t first = jif_uptime_ms();
	uint64_t before = first;

	for (unsigned i = 0; i < 100; i++) {
		jif_ticks(UINT32_MAX / 10);
		cr_assert_gt(jif_uptime_ms(), before);
		before = jif_uptime_ms();
	}
	cr_assert_eq(before - first,
		     UINT64_C(42949672900) * 1000 / CONFIG_JIF_HZ);
}

/* As a firmware that asks once in years. */
Test(jiffies, count_of_64_bits_need_not_be_looked_at)
{
	uint64_t before = jif_now64();

	for (unsigned i = 0; i < 1000; i++)
		jif_ticks(0x80000001);
	cr_assert_eq(jif_now64() - before, UINT64_C(1000) * 0x80000001);
}
#endif

Test(jiffies, later_is_after)
{
	cr_assert(jif_time_after(11, 10));
	cr_assert_not(jif_time_after(10, 10));
	cr_assert_not(jif_time_after(9, 10));
	cr_assert(jif_time_before(9, 10));
	cr_assert_not(jif_time_before(10, 10));
	cr_assert_not(jif_time_before(11, 10));
	cr_assert(jif_time_after_eq(11, 10));
	cr_assert(jif_time_after_eq(10, 10));
	cr_assert_not(jif_time_after_eq(9, 10));
	cr_assert(jif_time_before_eq(9, 10));
	cr_assert(jif_time_before_eq(10, 10));
	cr_assert_not(jif_time_before_eq(11, 10));
}

Test(jiffies, comparisons_are_right_across_the_wrap)
{
	cr_assert(jif_time_after(0, 0xffffffff));
	cr_assert(jif_time_before(0xffffffff, 0));
	cr_assert(jif_time_after(5, 0xfffffff0));
	cr_assert(jif_time_after_eq(0x7ffffffe, 0xffffffff));
	cr_assert(jif_time_before(0x80000101, 0x100));
	cr_assert(jif_time_after(0x7fffffff, 0), "as far as it goes");
}
