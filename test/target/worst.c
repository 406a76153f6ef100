/* SPDX-License-Identifier: MIT */
/*
 * test/target/worst.c - the worst tick, counted
 *
 * Prints a line per figure, as test/target/cycles.c does: what is counted,
 * number of timers, instructions or, on AVR, cycles. All timers expire on one
 * tick. The worst tick is that of all before it; what an empty function costs
 * that is called with the same arguments is taken off.
 */
#include <jif/jiffies.h>
#include <jif/port.h>
#include <jif/wheel.h>

#include "count.h"
#include "target.h"

/* As many as memory has room for, and the counter of the AVR for their moves */
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

static struct jif_wheel wheel;
static struct jif_timer timers[TIMERS];

void jif_panic(const char *why)
{
	(void)why;
	target_exit(1);
}

static void empty_callback(struct jif_timer *t)
{
	(void)t;
}

#define EMPTY __attribute__((noinline, noclone)) static

EMPTY void empty_run(void *a, uint32_t b)
{
	__asm__ volatile("" : : "r"(a), "r"(b));
}

EMPTY uint32_t cost(uint32_t begin, uint32_t middle, uint32_t end)
{
	return (uint32_t)(count_between(begin, middle) -
			  count_between(middle, end) + COUNT_RETURN);
}

static uint32_t count_tick(uint32_t tick)
{
	uint32_t begin = count_now();
	uint32_t middle, end;

	jif_wheel_run(&wheel, tick);
	middle = count_now();
	empty_run(&wheel, tick);
	end = count_now();
	return cost(begin, middle, end);
}

static void print(const char *what, unsigned number, uint32_t count)
{
	target_put_text(what);
	target_puts(" ");
	target_put_number(number);
	target_puts(" ");
	target_put_number(count);
	target_puts("\n");
}

static void arm(unsigned number, uint32_t expires)
{
	jif_wheel_init(&wheel, 0);
	for (unsigned i = 0; i < number; i++) {
		jif_timer_init(&timers[i], empty_callback);
		jif_timer_add(&wheel, &timers[i], expires);
	}
}

static uint32_t worst_before(uint32_t expires)
{
	uint32_t worst = 0;
	uint32_t count;

	for (uint32_t tick = 1; tick < expires; tick++) {
		count = count_tick(tick);
		if (count > worst)
			worst = count;
	}
	return worst;
}

int main(void)
{
	unsigned number;

	count_start();
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		number = numbers[i];
		arm(number, 7300);
		print(TARGET_TEXT("worst-7300"), number, worst_before(7300));
		print(TARGET_TEXT("expiry-7300"), number, count_tick(7300));
		arm(number, 100000);
		print(TARGET_TEXT("worst-100000"), number,
		      worst_before(100000));
	}
	target_exit(0);
}
