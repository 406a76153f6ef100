/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/wheel.c - lib/wheel.c, on another port
 */
#include "../../../lib/wheel.c"
