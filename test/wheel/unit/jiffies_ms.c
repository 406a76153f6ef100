/* SPDX-License-Identifier: MIT */
/* JIF_MS(), JIF_SECONDS() and JIF_MINUTES() at many tick rates: constants */
#include <criterion/criterion.h>
#include <jif/jiffies.h>

/* It has the rate of where it is used. */
#undef CONFIG_JIF_HZ

#define IS(ms, ticks) _Static_assert(JIF_MS(ms) == (ticks), #ms " ms")
#define OF(s, min, ticks)                                                      \
	_Static_assert(JIF_SECONDS(s) == (ticks), #s " s");                    \
	_Static_assert(JIF_MINUTES(min) == (ticks), #min " min")

#define CONFIG_JIF_HZ 1
OF(4294967280, 71582788, 4294967280);
OF(4294967296, 71582789, UINT32_MAX);
IS(0, 0);
IS(1, 1);
IS(1000, 1);
IS(1001, 2);
IS(4294967295000, UINT32_MAX);
IS(4294967294000, UINT32_MAX - 1);
IS(4294967294001, UINT32_MAX);
IS(4294967295001, UINT32_MAX);
IS(UINT64_MAX, UINT32_MAX);
#undef CONFIG_JIF_HZ

#define CONFIG_JIF_HZ 100
IS(1, 1);
IS(10, 1);
IS(11, 2);
IS(500u, 50);
IS(42949672950, UINT32_MAX);
IS(42949672960, UINT32_MAX);
IS(42949672940, UINT32_MAX - 1);
#undef CONFIG_JIF_HZ

#define CONFIG_JIF_HZ 128
IS(1, 1);
IS(7, 1);
IS(8, 2);
IS(500, 64);
IS(1000L, 128);
#undef CONFIG_JIF_HZ

#define CONFIG_JIF_HZ 1000
OF(0, 0, 0);
OF(60, 1, 60000);
OF(4294920u, 71582ul, 4294920000);
OF(4294968, 71583, UINT32_MAX);
OF(-1, (signed char)-1, UINT32_MAX);
OF(UINT64_MAX, INT64_MAX, UINT32_MAX);
OF(INT64_C(1) << 32, INT64_C(1) << 48, UINT32_MAX);
IS(0, 0);
IS(500, 500);
IS(UINT32_MAX, UINT32_MAX);
IS(UINT32_MAX - 1, UINT32_MAX - 1);
IS(4294967296, UINT32_MAX);
IS(-1, UINT32_MAX);
IS(INT32_MIN, UINT32_MAX);
IS(INT64_MIN, UINT32_MAX);
IS((signed char)-5, UINT32_MAX);
#undef CONFIG_JIF_HZ

#define CONFIG_JIF_HZ 1024
IS(1, 2);
IS(20, 21);
IS(125, 128);
IS(1000ul, 1024);
#undef CONFIG_JIF_HZ

#define CONFIG_JIF_HZ 32768
OF(131040, 2184, 4293918720);
OF(131072, 2185, UINT32_MAX);
IS(1, 33);
IS(125, 4096);
IS(1000, 32768);
IS(86400000, 2831155200);
IS(131071999, UINT32_MAX - 31);
IS(131072000, UINT32_MAX);
#undef CONFIG_JIF_HZ

#define CONFIG_JIF_HZ 1000000
IS(1, 1000);
IS(4294967, 4294967000);
IS(4294968, UINT32_MAX);
IS(INT64_MAX, UINT32_MAX);

static const uint32_t constants[] = { JIF_MS(3), JIF_MS(5u), JIF_MS(7ll) };

Test(jiffies_ms, is_a_constant_and_right_for_variables)
{
	int ms = 250;

	cr_expect_eq(constants[0], 3000);
	cr_expect_eq(constants[1], 5000);
	cr_expect_eq(constants[2], 7000);
	cr_expect_eq(JIF_MS(ms), 250000);
	ms = -1;
	cr_expect_eq(JIF_MS(ms), UINT32_MAX);
}
