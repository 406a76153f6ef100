/* SPDX-License-Identifier: MIT */
/*
 * lib/port/kernel/kernel.c, of a kernel that test/wheel/model/now.c stands in
 * for
 */
#include "../../../lib/port/kernel/kernel.c"
