/* SPDX-License-Identifier: MIT */
/* What <linux/timer.h> means with -Iinclude/jif/linux-headers. */
#include <jif/linux/timer.h>
