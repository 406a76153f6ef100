/* SPDX-License-Identifier: MIT */
#define CONFIG_JIF_HZ 32768
#include "rate.h"
