/* SPDX-License-Identifier: MIT */
/* lib/wheel.c, on another port */
#include "../../../lib/wheel.c"
