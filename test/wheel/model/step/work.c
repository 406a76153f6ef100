/* SPDX-License-Identifier: MIT */
/* lib/firmware/work.c, on another port */
#include "../../../../lib/firmware/work.c"
