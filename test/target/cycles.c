/* SPDX-License-Identifier: MIT */
/*
 * test/target/cycles.c - what each operation costs, counted
 *
 * Prints a line per figure: name, number of pending timers, instructions or, on
 * AVR, cycles. A figure is that of the function alone, from its first
 * instruction to its return: what an empty function costs that is called with
 * the same arguments is taken off.
 */
#include <jif/jiffies.h>
#include <jif/port.h>
#include <jif/wheel.h>

#include "count.h"
#include "target.h"

#if defined(__AVR__)
#define TIMERS 100
#elif defined(__ARM_ARCH_6M__)
#define TIMERS 500
#else
#define TIMERS 1000
#endif

#define MINUTE 60
#define HOUR   3600
#define DAY    86400ul

static struct jif_wheel wheel;
static struct jif_timer timers[TIMERS];
static struct jif_timer timer;
static unsigned pending;

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

EMPTY void empty2(void *a, const void *b)
{
	__asm__ volatile("" : : "r"(a), "r"(b));
}

EMPTY void empty_run(void *a, uint32_t b)
{
	__asm__ volatile("" : : "r"(a), "r"(b));
}

EMPTY void empty_arm(void *a, const void *b, uint32_t c)
{
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c));
}

EMPTY uint32_t cost(uint32_t begin, uint32_t middle, uint32_t end)
{
	return (uint32_t)(count_between(begin, middle) -
			  count_between(middle, end) + COUNT_RETURN);
}

/* What @call costs beyond @empty, which has the same arguments. */
#define COUNT(call, empty)                                                     \
	__extension__({                                                        \
		uint32_t begin_ = count_now();                                 \
		uint32_t middle_, end_;                                        \
		call;                                                          \
		middle_ = count_now();                                         \
		empty;                                                         \
		end_ = count_now();                                            \
		cost(begin_, middle_, end_);                                   \
	})

static void print(const char *name, uint32_t count)
{
	target_put_text(name);
	target_puts(" ");
	target_put_number(pending);
	target_puts(" ");
	target_put_number(count);
	target_puts("\n");
}

#define PRINT(name, count) print(TARGET_TEXT(name), count)

/* All hands at zero, half a minute on; @pending timers expire @delay later. */
static void set_up(uint32_t delay)
{
	jif_wheel_init(&wheel, 0);
	jif_wheel_run(&wheel, MINUTE / 2);
	jif_timer_init(&timer, empty_callback);
	for (unsigned i = 0; i < pending; i++) {
		jif_timer_init(&timers[i], empty_callback);
		jif_timer_add(&wheel, &timers[i], MINUTE / 2 + delay);
	}
}

static uint32_t count_add(uint32_t delay)
{
	uint32_t when = MINUTE / 2 + delay;

	set_up(delay);
	return COUNT(jif_timer_add(&wheel, &timer, when),
		     empty_arm(&wheel, &timer, when));
}

static uint32_t count_mod(uint32_t delay)
{
	uint32_t when = MINUTE / 2 + delay;

	set_up(delay);
	jif_timer_add(&wheel, &timer, when);
	return COUNT(jif_timer_mod(&wheel, &timer, when),
		     empty_arm(&wheel, &timer, when));
}

static uint32_t count_postpone(uint32_t delay)
{
	uint32_t when = MINUTE / 2 + delay + 5;

	set_up(delay);
	jif_timer_add(&wheel, &timer, when - 5);
	return COUNT(jif_timer_postpone(&wheel, &timer, when),
		     empty_arm(&wheel, &timer, when));
}

/* The last of its list; or another one, if there is one. */
static uint32_t count_del(bool last)
{
	set_up(HOUR);
	jif_timer_add(&wheel, &timer, HOUR);
	if (last || !pending)
		return COUNT(jif_timer_del(&wheel, &timer),
			     empty2(&wheel, &timer));
	return COUNT(jif_timer_del(&wheel, timers), empty2(&wheel, timers));
}

/* A tick on which nothing expires and nothing moves. */
static uint32_t count_idle(uint32_t tick)
{
	set_up(3 * DAY);
	jif_wheel_run(&wheel, tick - 1);
	return COUNT(jif_wheel_run(&wheel, tick), empty_run(&wheel, tick));
}

static uint32_t count_busy(uint32_t tick)
{
	jif_wheel_run(&wheel, tick - 1);
	return COUNT(jif_wheel_run(&wheel, tick), empty_run(&wheel, tick));
}

/* What each of @pending timers adds to the tick; rounded up. */
static uint32_t per_timer(uint32_t (*count)(void))
{
	unsigned many = pending;
	uint32_t all = count();
	uint32_t one;

	pending = 1;
	one = count();
	pending = many;
	return (all - one + many - 2) / (many - 1);
}

static uint32_t count_expiries(void)
{
	set_up(10);
	return count_busy(MINUTE / 2 + 10);
}

static uint32_t count_cascade(void)
{
	set_up(90);
	return count_busy(2 * MINUTE);
}

static uint32_t count_next(void)
{
	uint32_t when;

	set_up(3 * DAY);
	return COUNT(jif_wheel_next(&wheel, &when), empty2(&wheel, &when));
}

/* A day and a half in one run, with a stop at none of it. */
static uint32_t count_jump(void)
{
	uint32_t when = DAY + DAY / 2 + MINUTE / 2;

	set_up(3 * DAY);
	return COUNT(jif_wheel_run(&wheel, when), empty_run(&wheel, when));
}

static void print_arming(void)
{
	PRINT("arm-minute", count_add(25));
	PRINT("arm-hour", count_add(HOUR - 1));
	PRINT("arm-day", count_add(DAY - 1));
	PRINT("arm-week", count_add(7 * DAY - 1));
	PRINT("arm-far", count_add(0x7fffffff));
	PRINT("mod-hour", count_mod(HOUR - 1));
	PRINT("mod-week", count_mod(7 * DAY - 1));
	PRINT("postpone", count_postpone(HOUR - 1));
	PRINT("del", count_del(false));
	PRINT("del-last", count_del(true));
}

static void print_running(void)
{
	PRINT("tick-idle", count_idle(MINUTE / 2 + 1));
	PRINT("tick-minute", count_idle(MINUTE));
	PRINT("tick-hour", count_idle(HOUR));
	PRINT("tick-day", count_idle(DAY));
	if (pending) {
		PRINT("expire", per_timer(count_expiries));
		PRINT("cascade", per_timer(count_cascade));
		PRINT("next", count_next());
	}
	PRINT("jump", count_jump());
}

int main(void)
{
	static const uint16_t numbers[] = { 0, 10, 100, TIMERS };
	unsigned count = TIMERS == 100 ? 3 : 4;

	count_start();
	for (unsigned i = 0; i < count; i++) {
		pending = numbers[i];
		print_arming();
		print_running();
	}
	target_exit(0);
}
