/* SPDX-License-Identifier: MIT */
#define CONFIG_JIF_HZ 250
#include "rate.h"
