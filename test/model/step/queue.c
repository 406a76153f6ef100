/* SPDX-License-Identifier: MIT */
/* lib/queue.c, on another port */
#include "../../../lib/queue.c"
