/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/jiffies_rate.c - milliseconds and jiffies at many tick rates
 *
 * lib/jiffies.c is compiled once for each rate, see rate.c, and compared
 * with 64-bit arithmetic.
 */
#include <criterion/criterion.h>
#include <stdint.h>

#define RATES(do)                                                              \
	do                                                                     \
	(1) do(60) do(100) do(250) do(1024) do(32768) do(1000000)

/* As they are called for the linker, so that programs agree on the rate. */
#define TO_JIFFIES(hz) jif_msecs_to_jiffies_with_CONFIG_JIF_HZ_##hz
#define TO_MSECS(hz)   jif_jiffies_to_msecs_with_CONFIG_JIF_HZ_##hz

#define DECLARE(hz)                                                            \
	uint32_t TO_JIFFIES(hz)(uint32_t ms);                                  \
	uint32_t TO_MSECS(hz)(uint32_t jiffies);                               \
	uint32_t wide_to_jiffies_##hz(uint64_t ms);                            \
	uint32_t wide_to_msecs_##hz(uint64_t span);                            \
	uint64_t uptime_##hz(void);                                            \
	void jif_ticks_##hz(uint32_t count);
RATES(DECLARE)

#define ROW(hz)                                                                \
	{ hz,                                                                  \
	  TO_JIFFIES(hz),                                                      \
	  TO_MSECS(hz),                                                        \
	  wide_to_jiffies_##hz,                                                \
	  wide_to_msecs_##hz,                                                  \
	  uptime_##hz,                                                         \
	  jif_ticks_##hz },

static const struct {
	uint64_t hz;
	uint32_t (*to_jiffies)(uint32_t ms);
	uint32_t (*to_msecs)(uint32_t jiffies);
	uint32_t (*wide_to_jiffies)(uint64_t ms);
	uint32_t (*wide_to_msecs)(uint64_t span);
	uint64_t (*uptime)(void);
	void (*ticks)(uint32_t count);
} rates[] = { RATES(ROW) };

#define NRATES (sizeof(rates) / sizeof(rates[0]))

static uint32_t saturate(uint64_t x)
{
	return x < UINT32_MAX ? (uint32_t)x : UINT32_MAX;
}

static void check(size_t i, uint32_t x)
{
	uint64_t hz = rates[i].hz;

	cr_assert_eq(rates[i].to_jiffies(x), saturate((x * hz + 999) / 1000),
		     "%u ms at %u Hz", x, (unsigned)hz);
	cr_assert_eq(rates[i].to_msecs(x), saturate(x * UINT64_C(1000) / hz),
		     "%u jiffies at %u Hz", x, (unsigned)hz);
}

Test(jiffies_rate, small_spans_are_exact)
{
	for (size_t i = 0; i < NRATES; i++)
		for (uint32_t x = 0; x < 100000; x++)
			check(i, x);
}

Test(jiffies_rate, spans_around_every_power_of_two_are_exact)
{
	for (size_t i = 0; i < NRATES; i++)
		for (uint64_t power = 1; power <= UINT64_C(1) << 32; power *= 2)
			for (uint32_t d = 0; d < 2000; d++)
				check(i, (uint32_t)(power - 1000 + d));
}

Test(jiffies_rate, spans_all_over_the_range_are_exact)
{
	for (size_t i = 0; i < NRATES; i++)
		for (uint64_t x = 0; x <= UINT32_MAX; x += 40009)
			check(i, (uint32_t)x);
}

/* @x * @to / @from, whatever 64 bits hold of the product. */
static uint64_t scale(uint64_t x, uint64_t to, uint64_t from, uint64_t round)
{
	if (x / from > UINT64_C(1) << 43)
		return UINT64_MAX;
	return x / from * to + (x % from * to + round) / from;
}

Test(jiffies_rate, spans_of_64_bits_are_exact_or_saturate)
{
	for (size_t i = 0; i < NRATES; i++)
		for (unsigned bit = 0; bit < 64; bit++)
			for (uint64_t d = 0; d < 2000; d++) {
				uint64_t x = (UINT64_C(1) << bit) - 1000 + d;

				cr_assert_eq(rates[i].wide_to_jiffies(x),
					     saturate(scale(x, rates[i].hz,
							    1000, 999)));
				cr_assert_eq(rates[i].wide_to_msecs(x),
					     saturate(scale(x, 1000,
							    rates[i].hz, 0)));
			}
}

Test(jiffies_rate, uptime_is_exact_across_the_wrap)
{
	for (size_t i = 0; i < NRATES; i++) {
		uint64_t passed = 0;

		for (uint32_t n = 0; n < 3000; n++) {
			uint32_t step = n % 3 ? n * n : UINT32_MAX - n;

			rates[i].ticks(step);
			passed += step;
			cr_assert_eq(rates[i].uptime(),
				     scale(passed, 1000, rates[i].hz, 0));
		}
	}
}
