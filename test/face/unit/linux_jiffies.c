/* SPDX-License-Identifier: MIT */
/* The kernel's jiffies, at 1000 ticks per second */
#include <jif/face/linux/jiffies.h>

#include "../../wheel/unit/unit.h"

static void start(void)
{
	unit_init();
	set_jiffies(0);
}

TestSuite(linux_jiffies, .init = start, .fini = unit_fini);

Test(linux_jiffies, count_on_beyond_32_bits_where_a_long_is_wider)
{
	unsigned long before = jiffies;
	uint64_t before_64 = get_jiffies_64();

	cr_assert_eq((uint32_t)before, START);
	jif_ticks(0x1000);
	cr_assert(jiffies == before + 0x1000);
	cr_assert((jiffies < before) == (sizeof(long) == 4));
	cr_assert_eq(jif_now(), START + 0x1000);
	cr_assert(get_jiffies_64() == before_64 + 0x1000);
	jif_ticks(UINT32_MAX);
	cr_assert(get_jiffies_64() == before_64 + 0x1000 + UINT32_MAX);
}

/* The kernel's clients have members of that name. */
struct last {
	unsigned long jiffies;
};

Test(linux_jiffies, may_be_the_name_of_a_member)
{
	struct last last = { 5 };

	last.jiffies += jiffies;
	cr_assert(last.jiffies == jiffies + 5);
}

Test(linux_jiffies, are_compared_across_their_wrap)
{
	static const unsigned long ends[] = { 0, 1000, LONG_MAX, ULONG_MAX };

	for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		unsigned long t = ends[i];

		cr_assert(time_after(t + 1, t));
		cr_assert_not(time_after(t, t));
		cr_assert_not(time_after(t, t + 1));
		cr_assert(time_before(t, t + 1));
		cr_assert_not(time_before(t, t));
		cr_assert(time_after_eq(t, t));
		cr_assert_not(time_after_eq(t, t + 1));
		cr_assert(time_before_eq(t, t));
		cr_assert_not(time_before_eq(t + 1, t));
		cr_assert(time_after(t + LONG_MAX, t));
		cr_assert(time_after(t, t - LONG_MAX));
	}
}

Test(linux_jiffies, are_looked_for_in_a_range)
{
	unsigned long t = ULONG_MAX - 1;

	cr_assert(time_in_range(t, t, t + 3));
	cr_assert(time_in_range(t + 3, t, t + 3));
	cr_assert_not(time_in_range(t - 1, t, t + 3));
	cr_assert_not(time_in_range(t + 4, t, t + 3));
	cr_assert(time_in_range_open(t + 2, t, t + 3));
	cr_assert_not(time_in_range_open(t + 3, t, t + 3));
}

Test(linux_jiffies, are_compared_with_now)
{
	cr_assert(time_is_before_jiffies(jiffies - 1));
	cr_assert_not(time_is_before_jiffies(jiffies));
	cr_assert(time_is_before_eq_jiffies(jiffies));
	cr_assert(time_is_after_jiffies(jiffies + 1));
	cr_assert_not(time_is_after_jiffies(jiffies));
	cr_assert(time_is_after_eq_jiffies(jiffies));
}

Test(linux_jiffies, of_64_bits_are_compared_across_their_wrap)
{
	cr_assert(time_after64(1, UINT64_MAX));
	cr_assert(time_before64(UINT64_MAX, 1));
	cr_assert(time_after_eq64(7, 7));
	cr_assert_not(time_before_eq64(8, 7));
	cr_assert(time_in_range64(0, UINT64_MAX, 1));
	cr_assert_not(time_in_range64(2, UINT64_MAX, 1));
	cr_assert(time_is_before_jiffies64(get_jiffies_64() - 1));
	cr_assert_not(time_is_after_jiffies64(get_jiffies_64()));
	cr_assert(time_is_before_eq_jiffies64(get_jiffies_64()));
	cr_assert(time_is_after_eq_jiffies64(get_jiffies_64()));
}

Test(linux_jiffies, are_made_of_milliseconds)
{
	cr_assert_eq(HZ, 1000);
	cr_assert_eq(msecs_to_jiffies(0), 0);
	cr_assert_eq(msecs_to_jiffies(1), 1);
	cr_assert_eq(msecs_to_jiffies(0x7fffffff), 0x7fffffff);
	cr_assert_eq(msecs_to_jiffies(0x80000000), MAX_JIFFY_OFFSET);
	cr_assert_eq(msecs_to_jiffies(0xffffffff), MAX_JIFFY_OFFSET);
	cr_assert_eq(secs_to_jiffies(3), 3000);
}

Test(linux_jiffies, are_made_of_shorter_units)
{
	cr_assert_eq(usecs_to_jiffies(0), 0);
	cr_assert_eq(usecs_to_jiffies(1), 1);
	cr_assert_eq(usecs_to_jiffies(1000), 1);
	cr_assert_eq(usecs_to_jiffies(1001), 2);
	cr_assert_eq(usecs_to_jiffies(0xffffffff), 4294968);
	cr_assert_eq(nsecs_to_jiffies(999999), 0);
	cr_assert_eq(nsecs_to_jiffies(1000000), 1);
	cr_assert_eq(nsecs_to_jiffies(3600000000000), 3600000);
	cr_assert_eq(nsecs_to_jiffies64(UINT64_MAX), 18446744073709);
	cr_assert_eq(clock_t_to_jiffies(7), 70);
	cr_assert_eq(clock_t_to_jiffies(ULONG_MAX / 10 - 99), ULONG_MAX - 995);
	cr_assert_eq(clock_t_to_jiffies(ULONG_MAX / 10), ULONG_MAX);
}

Test(linux_jiffies, are_made_of_a_timespec_rounded_up)
{
	static const struct {
		struct timespec64 span;
		unsigned long want;
	} rows[] = {
		{ { 0, 0 }, 0 },
		{ { 0, 1 }, 1 },
		{ { 0, 1000000 }, 1 },
		{ { 0, 1000001 }, 2 },
		{ { 2, 999999999 }, 3000 },
		{ { 1073740, 0 }, 1073740000 },
		{ { MAX_JIFFY_OFFSET / 1000 - 1, 999000000 },
		  MAX_JIFFY_OFFSET / 1000 * 1000 - 1 },
		{ { MAX_JIFFY_OFFSET / 1000, 5 },
		  MAX_JIFFY_OFFSET / 1000 * 1000 },
		{ { -1, 0 }, MAX_JIFFY_OFFSET / 1000 * 1000 },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect_eq(timespec64_to_jiffies(&rows[i].span), rows[i].want,
			     "row %u", i);
}

Test(linux_jiffies, become_other_units)
{
	cr_assert_eq(jiffies_to_msecs(1234), 1234);
	cr_assert_eq(jiffies_to_usecs(1234), 1234000);
	cr_assert(jiffies_to_nsecs(2) == 2000000);
	cr_assert(jiffies64_to_msecs(UINT64_C(0x100000001)) ==
		  UINT64_C(0x100000001));
	cr_assert(jiffies64_to_nsecs(3) == 3000000);
	cr_assert_eq(TICK_NSEC, 1000000);
	cr_assert_eq(TICK_USEC, 1000);
	cr_assert_eq(jiffies_delta_to_msecs(-5), 0);
	cr_assert_eq(jiffies_delta_to_msecs(5), 5);
	cr_assert_eq(jiffies_to_clock_t(1239), 123);
	cr_assert_eq(jiffies_64_to_clock_t(UINT64_MAX), UINT64_MAX / 10);
	cr_assert_eq(jiffies_delta_to_clock_t(-10), 0);
	cr_assert_eq(jiffies_delta_to_clock_t(10), 1);
	cr_assert_eq(nsec_to_clock_t(39999999), 3);
}

Test(linux_jiffies, become_a_timespec)
{
	struct timespec64 span;

	jiffies_to_timespec64(2345, &span);
	cr_assert_eq(span.tv_sec, 2);
	cr_assert_eq(span.tv_nsec, 345000000);
	jiffies_to_timespec64(999, &span);
	cr_assert_eq(span.tv_sec, 0);
	cr_assert_eq(span.tv_nsec, 999000000);
}

/* Jiffies at which a second begins, of those to come, beyond the wrap. */
static unsigned long next_second(void)
{
	jif_ticks(0x200);
	return jiffies + 5000 - jiffies % 1000;
}

Test(linux_jiffies, are_rounded_to_the_nearer_second)
{
	unsigned long s = next_second();

	cr_assert(round_jiffies(s) == s);
	cr_assert(round_jiffies(s + 249) == s);
	cr_assert(round_jiffies(s + 250) == s + 1000);
	cr_assert(round_jiffies(s + 999) == s + 1000);
}

Test(linux_jiffies, are_rounded_up)
{
	unsigned long s = next_second();

	cr_assert(round_jiffies_up(s + 1) == s + 1000);
	cr_assert(round_jiffies_up(s + 249) == s + 1000);
	cr_assert(round_jiffies_up(s) == s + 1000, "as the kernel has it");
}

Test(linux_jiffies, are_rounded_as_a_delay)
{
	unsigned long s = next_second();

	cr_assert(round_jiffies_relative(s + 100 - jiffies) == s - jiffies);
	cr_assert(round_jiffies_up_relative(s + 100 - jiffies) ==
		  s + 1000 - jiffies);
}

Test(linux_jiffies, are_not_rounded_into_the_past)
{
	jif_ticks((uint32_t)(next_second() + 100 - jiffies));
	cr_assert(round_jiffies(jiffies + 10) == jiffies + 10);
	cr_assert(round_jiffies_relative(10) == 10);
}

Test(linux_jiffies, are_rounded_apart_for_other_processors)
{
	unsigned long s = next_second();

	cr_assert(__round_jiffies(s + 100, 2) == s - 6);
	cr_assert(__round_jiffies(s + 243, 2) == s - 6);
	cr_assert(__round_jiffies(s + 244, 2) == s + 994);
	cr_assert(__round_jiffies_up(s + 100, 1) == s + 997);
	cr_assert(__round_jiffies_relative(s + 100 - jiffies, 1) ==
		  s - 3 - jiffies);
	cr_assert(__round_jiffies_up_relative(s + 100 - jiffies, 0) ==
		  s + 1000 - jiffies);
}
