/* SPDX-License-Identifier: MIT */
/* What is explored: the sources themselves, small */
#include "../../../../lib/firmware/sched.c"
#include "../../../../lib/firmware/table.c"
#include "../../../../lib/firmware/work.c"
#include "../../../../lib/timer_delay.c"
#include "../../../../lib/wheel.c"
#include "../../../../lib/wheel_check.c"
#include "../../../../lib/wheel_next.c"
#include "../../../../lib/wheel_now.c"
#include "../../../../lib/wheel_sleep.c"
#include "../../../../lib/wheel_walk.c"
#include "../quiet.h"
