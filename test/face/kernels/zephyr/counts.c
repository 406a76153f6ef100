/* SPDX-License-Identifier: MIT */
/*
 * What Zephyr's time-outs cost, whichever queue they wait in
 *
 * On a Cortex-M3: instructions, between marks. Each group of rows has its line
 * on the console: how many time-outs are pending, and how far they are spread.
 * On a host: how often the machine is woken; "vain" means that nothing was due.
 */
#include "stand_in.h"

#include "../../../target/chance.h"

#define MOST	1000
#define TURNS	500
#define PACKETS 8

static struct _timeout ones[MOST + 1];
static uint32_t span, called, alarm_at, within;

sys_clock_ticks_t sys_clock_elapsed(void)
{
	return within;
}

void sys_clock_set_timeout(sys_clock_ticks_t ticks, bool idle)
{
	(void)idle;
	alarm_at = within + ticks + !ticks;
}

void sys_clock_no_timeout(void)
{
}

static inline void announce(uint32_t ticks)
{
	within = 0;
	sys_clock_announce_locked(ticks, sys_clock_lock());
}

static void expire(struct _timeout *to)
{
	(void)to;
	called++;
}

static void expire_and_add(struct _timeout *to)
{
	called++;
	z_add_timeout(to, expire_and_add, K_TICKS(1 + draw(span)));
}

static void fill(unsigned count, uint32_t most, _timeout_func_t fn)
{
	draw_from(0);
	span = most;
	for (unsigned i = 0; i < count; i++) {
		z_init_timeout(&ones[i]);
		z_add_timeout(&ones[i], fn, K_TICKS(1 + draw(span)));
	}
	z_init_timeout(&ones[count]);
}

#if __STDC_HOSTED__
static uint32_t wakes, vain;
int test_cpu;
unsigned test_locks;

void test_window(void)
{
}

static void pass(uint32_t ticks)
{
	uint32_t before;

	while (ticks >= alarm_at - within) {
		ticks -= alarm_at - within;
		before = called;
		announce(alarm_at);
		wakes++;
		vain += called == before;
	}
	within += ticks;
}

/* Ticks are milliseconds. */
static void idle_for_a_day(void)
{
	fill(10, HOUR * 1000, expire_and_add);
	pass(DAY * 1000);
	printf("wake-ups in a day, 10 pending: %u\n", wakes);
	printf("vain ones of these: %u\n", vain);
	for (unsigned i = 0; i < 10; i++)
		z_try_abort_timeout(&ones[i]);
}

/* Each is the first one when it is aborted. */
static void abort_among_many(void)
{
	struct _timeout *first = &ones[300];

	fill(300, 100000, expire);
	vain = 0;
	for (unsigned i = 0; i < 2000; i++) {
		z_add_timeout(first, expire, K_TICKS(20));
		pass(10);
		z_try_abort_timeout(first);
		pass(40);
	}
	printf("vain ones after 2000 aborts among 300: %u\n", vain);
}

int main(void)
{
	idle_for_a_day();
	abort_among_many();
	printf("struct _timeout, 64 bits: %zu\n", sizeof(struct _timeout));
	return 0;
}
#else
#include "../../../target/mark.h"
#include "../../../target/target.h"

/* Of a queue that has to be initialised. */
WEAK void test_queue_init(void)
{
}

#define COUNTED(name, call)                                                    \
	NOINLINE void row_##name(struct _timeout *to, uint32_t ticks)          \
	{                                                                      \
		(void)to;                                                      \
		(void)ticks;                                                   \
		__asm__ volatile("/* " #name " */");                           \
		mark();                                                        \
		call;                                                          \
		mark();                                                        \
	}

COUNTED(add, z_add_timeout(to, expire, K_TICKS(ticks)))
COUNTED(abort, z_try_abort_timeout(to))
COUNTED(tick, announce(1))
COUNTED(packet, (z_try_abort_timeout(to),
		 z_add_timeout(to, expire_and_add, K_TICKS(ticks))))

/* What comes before has nothing to do. */
COUNTED(next, do announce(alarm_at); while (!called))

static void count(unsigned pending, uint32_t most)
{
	struct _timeout *one = &ones[pending];

	target_put_number(pending);
	target_puts(" to ");
	target_put_number(most);
	target_puts("\n");
	group();
	fill(pending, most, expire_and_add);
	for (unsigned i = 0; i < TURNS; i++) {
		row_add(one, 1 + draw(span));
		row_abort(one, 0);
		called = 0;
		row_next(0, 0);
		if (alarm_at > 1)
			row_tick(0, 0);
	}
	/* Packets on a network: an answer comes long before the time-out. */
	for (unsigned i = 0; i < TURNS; i++) {
		row_packet(&ones[i % PACKETS], 2 * span);
		if (i % 4 == 0)
			announce(1);
	}
	for (unsigned i = 0; i < pending; i++)
		z_try_abort_timeout(&ones[i]);
}

int main(void)
{
	test_queue_init();
	target_puts("struct _timeout: ");
	target_put_number(sizeof(struct _timeout));
	target_puts("\n");
	for (unsigned pending = 10; pending <= MOST; pending *= 10) {
		count(pending, 1000);
		count(pending, 100000);
	}
	return 0;
}
#endif
