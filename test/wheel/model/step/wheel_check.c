/* SPDX-License-Identifier: MIT */
/* lib/wheel_check.c, on another port */
#include "../../../../lib/wheel_check.c"
