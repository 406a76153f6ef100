/* SPDX-License-Identifier: MIT */
/* What <linux/jiffies.h> means with -Iinclude/jif/linux-headers. */
#include <jif/linux/jiffies.h>
