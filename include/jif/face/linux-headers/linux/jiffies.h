/* SPDX-License-Identifier: MIT */
/* What <linux/jiffies.h> means with -Iinclude/jif/face/linux-headers. */
#include <jif/face/linux/jiffies.h>
