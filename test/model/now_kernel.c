/* SPDX-License-Identifier: MIT */
/* lib/port/kernel/kernel.c, of a kernel that test/model/now.c stands in for */
#include "../../lib/port/kernel/kernel.c"
