/* SPDX-License-Identifier: MIT */
/* lib/wheel_now.c, on another port */
#include "../../../../lib/wheel_now.c"
