/* SPDX-License-Identifier: MIT */
/* The worked examples of the documents */
#include "unit.h"

TestSuite(wheel_example, .init = unit_init, .fini = unit_fini);

/* W3 */
Test(wheel_example, seventy_one_hundred_ticks_from_zero,
     .disabled = CONFIG_JIF_SPREAD)
{
	arm(0, 7100);
	expect_place(0, 2, 1, 3500);
	run_to(3599);
	expect_place(0, 2, 1, 3500);
	run_to(3600);
	expect_place(0, 1, 58, 20);
	run_to(7079);
	expect_place(0, 1, 58, 20);
	run_to(7080);
	expect_place(0, 0, 20, 0);
	expect_exact(7100, 1);
}

/* W3 */
Test(wheel_example, half_past_nine_and_two_seconds_plus_1h2m3s,
     .disabled = CONFIG_JIF_SPREAD)
{
	static const uint32_t delay = HOUR + 2 * MINUTE + 3;

	unit_init_at(0, 21, 30, 2);
	arm(0, delay);
	for (uint32_t t = 1; t <= delay; t++)
		run_to(t);
	cr_assert_eq(nplaces, 3);
	cr_expect_eq(places[0].level, 2);
	cr_expect_eq(places[0].slot, 22);
	cr_expect_eq(places[1].level, 1);
	cr_expect_eq(places[1].slot, 32);
	cr_expect_eq(places[2].level, 0);
	cr_expect_eq(places[2].slot, 5);
	/* At 22:32:05. */
	expect_fired(1, { 0, delay });
}

/* What is printed from the end of the first line on. */
static char shown[60];
static unsigned nshown;

static void put(char c)
{
	if ((nshown || c == '\n') && nshown < sizeof(shown))
		shown[nshown++] = c;
}

/* W3 */
Test(wheel_example, the_figure_at_21_30_02)
{
	static const char want[] =
		"\nhands: seconds 2, minutes 30, hours 21, days 2\n";

	unit_init_at(2, 21, 30, 2);
	nshown = 0;
	jif_wheel_print(&wheel, put, NULL);
	cr_assert_gt(nshown, sizeof(want) - 1);
	cr_assert_arr_eq(shown, want, sizeof(want) - 1);
}
