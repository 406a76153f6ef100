/* SPDX-License-Identifier: MIT */
#define CONFIG_JIF_HZ 60
#include "rate.h"
