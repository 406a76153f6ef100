/* SPDX-License-Identifier: MIT */
/* lib/wheel_walk.c, on another port */
#include "../../../../lib/wheel_walk.c"
