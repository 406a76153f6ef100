/* SPDX-License-Identifier: MIT */
/* lib/kit/log.h - what has happened: events, and what they are about */
#ifndef JIF_LIB_KIT_LOG_H
#define JIF_LIB_KIT_LOG_H

#include <stdint.h>

/* So many are kept, and so many are printed. */
#define LOG_EVENTS  65536
#define LOG_PRINTED 50

/* At most so many timers, handlers and notes in all tests of a program. */
#define LOG_SUBJECTS 256

/* What an event is; and what its value is. */
enum log_kind {
	LOG_ARMED,     /* when it expires, in ticks since power-on */
	LOG_CANCELLED, /* 0 */
	LOG_FIRED,     /* it has expired; by how many ticks it was late */
	LOG_NOTE,      /* that of the note */
	LOG_IRQ,       /* the window, or 0 */
	LOG_STALL,     /* ticks */
	LOG_SLEEP,     /* ticks */
};

/* Something that has happened. */
struct log_event {
	uint32_t when;	 /* in ticks since power-on */
	uint32_t value;	 /* see enum log_kind */
	uint8_t kind;	 /* one of enum log_kind */
	uint8_t subject; /* the number of what it is about */
};

/* Forgets all; what happens from now on is logged in ticks since @start. */
void jif_log_clear(uint32_t start);

/* Notes, interrupts, stalls and sleeps. */
void jif_log_add(enum log_kind kind, const char *name, uint32_t value);

/* The next event that can be expected, which is skipped; NULL for none. */
const struct log_event *jif_log_next(void);
const char *jif_log_name(const struct log_event *event);

void jif_log_print(void);

#endif
