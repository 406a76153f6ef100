/* SPDX-License-Identifier: MIT */
/* lib/work.c, on another port */
#include "../../../lib/work.c"
