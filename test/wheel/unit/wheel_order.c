/* SPDX-License-Identifier: MIT */
/* Timers of one tick run in arming order */
#include "unit.h"

TestSuite(wheel_order, .init = unit_init, .fini = unit_fini);

/* W5 */
Test(wheel_order, same_tick_fires_in_arming_order)
{
	arm(0, 5000); /* sits with the hours */
	run_to(1500);
	arm(1, 5000); /* sits with the minutes */
	run_to(4990);
	arm(2, 5000); /* sits with the seconds */
	run_to(5000);
	expect_order(3);
}
