/* SPDX-License-Identifier: MIT */
/* lib/timer_delay.c, on another port */
#include "../../../../lib/timer_delay.c"
