/* SPDX-License-Identifier: MIT */
/* lib/flags.c, on another port */
#include "../../../lib/flags.c"
