/* SPDX-License-Identifier: MIT */
#define CONFIG_JIF_HZ 1
#include "rate.h"
