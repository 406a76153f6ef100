/* SPDX-License-Identifier: MIT */
/*
 * lib/port/zephyr/timeout_backend_fields.h - a time-out of Zephyr's
 *
 * It is a timer of jif: 20 bytes, or 32 where pointers have 64 bits. Zeroed, it
 * is idle. @fn is in the place of the timer's own function, which nobody calls.
 */
#ifndef JIF_ZEPHYR_TIMEOUT_BACKEND_FIELDS_H
#define JIF_ZEPHYR_TIMEOUT_BACKEND_FIELDS_H

/* Here, jif is for the kernel: no port is missing. */
#ifndef JIF_PORT
#define JIF_PORT
#include <jif/timer.h>
#undef JIF_PORT
#else
#include <jif/timer.h>
#endif

struct _timeout {
	union {
		struct jif_timer timer;
		struct {
			void *links[2];
			_timeout_func_t fn;
		};
	};
};

#endif
