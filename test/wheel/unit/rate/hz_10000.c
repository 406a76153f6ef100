/* SPDX-License-Identifier: MIT */
#define CONFIG_JIF_HZ 10000
#include "rate.h"
