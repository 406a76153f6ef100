/* SPDX-License-Identifier: MIT */
/* lib/firmware/queue.c, on another port */
#include "../../../../lib/firmware/queue.c"
