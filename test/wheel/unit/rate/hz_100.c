/* SPDX-License-Identifier: MIT */
#define CONFIG_JIF_HZ 100
#include "rate.h"
