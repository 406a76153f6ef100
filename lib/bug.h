/* SPDX-License-Identifier: MIT */
/*
 * lib/bug.h - what can never happen stops a debug build
 */
#ifndef JIF_LIB_BUG_H
#define JIF_LIB_BUG_H

#include <jif/config.h>
#include <jif/port.h>

#define JIF_BUG_ON(cond)                                                       \
	do {                                                                   \
		if (CONFIG_JIF_DEBUG && (cond))                                \
			jif_panic(__FILE__ ": " #cond);                        \
	} while (0)

#endif
