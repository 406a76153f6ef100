/* SPDX-License-Identifier: MIT */
#define CONFIG_JIF_HZ 1024
#include "rate.h"
