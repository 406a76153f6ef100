/* SPDX-License-Identifier: MIT */
/* lib/periodic.c, on another port */
#include "../../../../lib/periodic.c"
