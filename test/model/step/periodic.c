/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/periodic.c - lib/periodic.c, on another port
 */
#include "../../../lib/periodic.c"
