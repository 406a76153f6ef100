/* SPDX-License-Identifier: MIT */
/* lib/port/zephyr/timeout_backend.h - what tools/package/zephyr/patch names */
#include "timeout_jif.h"
