/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/month/board.h - what month.c has of its board
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#ifndef DAYS
#define DAYS 30
#endif
#define MONTH  (DAYS * UINT32_C(86400))
#define BEGIN  (UINT32_C(20604) * 86400) /* 2026-05-31 00:00:00, local time */
#define KEYS   8
#define VISITS 9

/**
 * struct month_counts - what has been done; kept with the timers
 * @beats:	each twenty minutes
 * @hours:	in reports, each of which may stand for several
 * @opened:	valve
 * @closed:	valve
 * @visits:	that began
 * @gone:	that ended
 * @mornings:	at 6:30
 * @faults:	calls that were early, late or wrong
 */
struct month_counts {
	uint32_t beats, hours, opened, closed, visits, gone, mornings, faults;
};

/** struct month_slot - memory that survives; there are two */
struct month_slot {
	struct month_counts counts;
	uint8_t snapshot[256];
};

extern struct month_slot board_slots[2];

/* Local time by the RTC, in seconds; and setting it. */
uint64_t board_rtc(void);
void board_rtc_set(uint64_t local);

/* Power is off, and RAM lost, until the RTC's alarm; then it boots. */
void board_off_until(uint64_t local) __attribute__((noreturn));

/* The month is over. */
void board_finish(const struct month_counts *counts) __attribute__((noreturn));

/* All RAM but the slots is lost: what main() is on a product. */
void month_boot(void) __attribute__((noreturn));

#endif
