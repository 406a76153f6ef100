/* SPDX-License-Identifier: MIT */
/*
 * test/target/worst.c - what the worst tick costs
 *
 * All timers expire on one tick. tools/check/budget counts, as in cost.c, and
 * takes the worst of all ticks before it at which something moves or a ring
 * wraps.
 */
#include <jif/port.h>
#include <jif/wheel.h>

#include "mark.h"
#include "target.h"

/* As many as there is memory for. */
#if defined(__AVR__)
static const uint16_t numbers[] = { 1, 10, 50 };
#define TIMERS 50
#elif defined(__ARM_ARCH_6M__)
static const uint16_t numbers[] = { 1, 10, 100, 480 };
#define TIMERS 480
#else
static const uint16_t numbers[] = { 1, 10, 100, 480, 1000 };
#define TIMERS 1000
#endif

#define MINUTE UINT32_C(60)
#define HOUR   UINT32_C(3600)
#define NEAR   UINT32_C(7300)
#define FAR    UINT32_C(100000)

static struct jif_wheel wheel;
static struct jif_timer timers[TIMERS];

void jif_panic(const char *why)
{
	target_exit(1);
}

static void empty_callback(struct jif_timer *t)
{
}

ROW(near, jif_wheel_run(&wheel, when))
ROW(near_expiry, jif_wheel_run(&wheel, when))
ROW(far, jif_wheel_run(&wheel, when))

static void arm(unsigned number, uint32_t expires)
{
	jif_wheel_init(&wheel, 0);
	for (unsigned i = 0; i < number; i++) {
		jif_timer_init(&timers[i], empty_callback);
		(void)!jif_timer_add(&wheel, &timers[i], expires);
	}
}

/* Each stop, and each tick at which the ring of @turn ticks wraps. */
static void run_before(row_fn *row, uint32_t expires, uint32_t turn)
{
	uint32_t tick = 0;
	uint32_t wrap, stop;

	for (;;) {
		wrap = tick - tick % turn + turn;
		jif_wheel_next_stop(&wheel, &stop);
		tick = stop < wrap ? stop : wrap;
		if (tick >= expires)
			break;
		jif_wheel_run(&wheel, tick - 1);
		row(0, tick);
	}
	jif_wheel_run(&wheel, expires - 1);
}

int main(void)
{
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		target_puts("number ");
		target_put_number(numbers[i]);
		target_puts("\n");
		group();
		arm(numbers[i], NEAR);
		run_before(row_near, NEAR, MINUTE);
		row_near_expiry(0, NEAR);
		arm(numbers[i], FAR);
		run_before(row_far, FAR, HOUR);
	}
	target_exit(0);
}
