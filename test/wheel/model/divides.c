/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/divides.c - the wheel as it is where the core has a divider
 *
 * These sources are linked in place of the library's, whose rings have the
 * reciprocals that a host multiplies by. By another name of the rings, a source
 * of the library that looks at them is not linked with these.
 */
#define JIF_DIVIDES 1
#define jif_rings   jif_rings_divided

#include "../../../lib/periodic.c"
#include "../../../lib/periodic_pause.c"
#include "../../../lib/timer_delay.c"
#include "../../../lib/wheel.c"
#include "../../../lib/wheel_check.c"
#include "../../../lib/wheel_next.c"
#include "../../../lib/wheel_now.c"
#include "../../../lib/wheel_sleep.c"
#include "../../../lib/wheel_walk.c"
