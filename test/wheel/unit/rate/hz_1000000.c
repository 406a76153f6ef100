/* SPDX-License-Identifier: MIT */
#define CONFIG_JIF_HZ 1000000
#include "rate.h"
