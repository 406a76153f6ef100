/* SPDX-License-Identifier: MIT */
/* lib/wheel_sleep.c, on another port */
#include "../../../../lib/wheel_sleep.c"
