/* SPDX-License-Identifier: MIT */
/* lib/firmware/sched.c, on another port */
#include "../../../../lib/firmware/sched.c"
