/* SPDX-License-Identifier: MIT */
/* What <linux/workqueue.h> means with -Iinclude/jif/face/linux-headers. */
#include <jif/face/linux/workqueue.h>
