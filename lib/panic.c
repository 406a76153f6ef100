/* SPDX-License-Identifier: MIT */
/*
 * lib/panic.c - what jif_panic() is where neither port nor product defines it
 */
#include "panic.h"
