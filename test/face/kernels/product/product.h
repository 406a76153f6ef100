/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/product/product.h - a small product, but for how it waits
 *
 * A button that bounces, two sensors, a radio whose receiver acknowledges some
 * of what is sent, and a menu that goes off after a while. Each program around
 * this is the same product, and prints the same lines after its minute.
 */
#ifndef PRODUCT_H
#define PRODUCT_H

#include <stdint.h>

#include "../../../target/target.h"

#define DEBOUNCE   20u
#define MENU_TIME  5000u
#define FIRST_A	   50u
#define PERIOD_A   100u
#define FIRST_B	   100u
#define PERIOD_B   250u
#define QUEUE	   8u
#define TRIES	   3u
#define ACK_WITHIN 50u
#define MINUTE	   60000u

/** struct message - what the radio sends */
struct message {
	uint8_t sensor;
	uint8_t value;
};

enum what { SAMPLED_A, SAMPLED_B, PRESSED, ON, OFF, SENT, ACKED, LOST, WHATS };

/* Of the program: in the handler of the tick. */
void on_edge(void);
void on_ack(void);

static struct {
	uint32_t count;
	uint32_t last;
} noted[WHATS];
static uint32_t now, ack_at;
static uint32_t asked, longest; /* counts of the clock, of 40 ns */

static void note(enum what what)
{
	noted[what].count++;
	noted[what].last = now;
}

/* Three of ten are not heard. */
static void transmit(void)
{
	note(SENT);
	ack_at = (noted[SENT].count - 1) % 10 < 3 ? 0 : now + 5;
}

/* The task goes on: how long after its handler was called? */
static void hear(void)
{
	uint32_t counts = target_clock() - asked;

	if (longest < counts)
		longest = counts;
	note(ACKED);
}

static void report(void)
{
	static const char *const name[WHATS] = { "sampled a", "sampled b",
						 "pressed",   "menu on",
						 "menu off",  "sent",
						 "acked",     "lost" };

	for (unsigned i = 0; i < WHATS; i++) {
		target_put_text(name[i]);
		target_puts(": ");
		target_put_number(noted[i].count);
		target_puts(", last at ");
		target_put_number(noted[i].last);
		target_puts("\n");
	}
	target_puts("instructions from handler to task: ");
	target_put_number(longest * 5 / 4);
	target_puts("\n");
}

static void product_tick(void)
{
	uint32_t phase = ++now % 10000;

	if (phase == 1000 || phase == 1003 || phase == 1007)
		on_edge();
	if (now == ack_at) {
		asked = target_clock();
		on_ack();
	}
	if (now == MINUTE) {
		report();
		target_exit(0);
	}
}

#endif
