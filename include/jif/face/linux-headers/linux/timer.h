/* SPDX-License-Identifier: MIT */
/* What <linux/timer.h> means with -Iinclude/jif/face/linux-headers. */
#include <jif/face/linux/timer.h>
