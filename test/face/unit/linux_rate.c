/* SPDX-License-Identifier: MIT */
/*
 * test/face/unit/linux_rate.c - the kernel's conversions, where a tick is not a
 * whole number of milliseconds
 */
#define JIF_AUTOCONF_H
#define CONFIG_JIF_HZ 1024
#include <criterion/criterion.h>
#include <jif/face/linux/jiffies.h>

Test(linux_rate, timeouts_made_of_microseconds_are_never_short)
{
	cr_assert_eq(usecs_to_jiffies(976), 1);
	cr_assert_eq(usecs_to_jiffies(977), 2);
	cr_assert_eq(usecs_to_jiffies(1000000), 1024);
	cr_assert_eq(usecs_to_jiffies(0xffffffff), 4398047);
}

Test(linux_rate, jiffies_are_rounded_as_in_the_kernel)
{
	cr_assert_eq(jiffies_to_msecs(1), 1);
	cr_assert_eq(jiffies_to_msecs(1024), 1000);
	cr_assert_eq(jiffies_to_msecs(1025), 1001);
	cr_assert_eq(jiffies_to_usecs(1), 976);
	cr_assert_eq(jiffies64_to_msecs(1), 0);
	cr_assert_eq(jiffies64_to_nsecs(1), 976562);
	cr_assert_eq(jiffies_to_usecs(3), 2929);
	cr_assert_eq(jiffies_to_clock_t(1024), 100);
	cr_assert_eq(clock_t_to_jiffies(100), 1024);
	cr_assert_eq(secs_to_jiffies(2), 2048);
	cr_assert_eq(nsecs_to_jiffies(976562), 0);
	cr_assert_eq(nsecs_to_jiffies(976563), 1);
}

Test(linux_rate, spans_are_exact_where_the_kernel_has_a_rounded_tick)
{
	struct timespec64 span = { 1, 976563 };

	cr_assert_eq(TICK_NSEC, 976563);
	cr_assert_eq(timespec64_to_jiffies(&span), 1026);
	span.tv_nsec--;
	cr_assert_eq(timespec64_to_jiffies(&span), 1025);
	jiffies_to_timespec64(1025, &span);
	cr_assert_eq(span.tv_sec, 1);
	cr_assert_eq(span.tv_nsec, 976562);
}
