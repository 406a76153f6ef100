/* SPDX-License-Identifier: MIT */
/* What <linux/workqueue.h> means with -Iinclude/jif/linux-headers. */
#include <jif/linux/workqueue.h>
