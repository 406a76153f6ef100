/* SPDX-License-Identifier: MIT */
/* lib/firmware/flags.c, on another port */
#include "../../../../lib/firmware/flags.c"
