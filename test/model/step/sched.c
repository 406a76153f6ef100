/* SPDX-License-Identifier: MIT */
/* lib/sched.c, on another port */
#include "../../../lib/sched.c"
