/* SPDX-License-Identifier: MIT */
/*
 * usage: zephyr-model COUNT [SEED [MODE]]
 *
 * Zephyr's time-outs on jif's wheel beside a list: random operations on two
 * CPUs. Whenever the lock is free amid an announcement, the other CPU, or an
 * interrupt on the same one, may add, abort, announce or ask. MODE says without
 * what: 1 far times, 2 the setting of ticks, 4 these interruptions; 8 crowds
 * all into some slots; 16 has only eight time-outs.
 */
#include "stand_in.h"

#include FRONT_END

#define COUNT  300
#define NARROW (sizeof(k_ticks_t) == 4)

static struct expected {
	struct _timeout to;
	int64_t tick;
	uint64_t order;
	bool pending;
} expected[COUNT];

static uint64_t seed = 88172645463325252u;
static uint64_t orders, fired, operation, real, alarms, alarm_at;
static uint32_t within;
static unsigned mode, bad;
static int depth, used = COUNT;
static _timeout_func_t handler;
int test_cpu;
bool test_sloppy;
unsigned test_locks;

static uint32_t chance(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 11) % below;
}

static void must(bool is, const char *what, int i)
{
	if (is || bad++ > 5)
		return;
	printf("operation %" PRIu64 ", tick %" PRIu64 ", time-out %d: %s\n",
	       operation, curr_tick, i, what);
}

sys_clock_ticks_t sys_clock_elapsed(void)
{
	return within;
}

void sys_clock_set_timeout(sys_clock_ticks_t ticks, bool idle)
{
	(void)idle;
	alarms++;
	alarm_at = ticks ? real + within + ticks : 0;
}

void sys_clock_no_timeout(void)
{
	alarms++;
}

static int64_t some_delay(void)
{
	static const uint32_t spans[] = { 3,	 8,	  64,	  64,
					  700,	 1100,	  3700,	  3700,
					  90000, 1300000, 700000, 1u << 31 };
	unsigned kind = chance(14);

	if (mode & 8)
		return 3600 + chance(kind < 12 ? 100 : 7200);
	if (kind < 12)
		return chance(spans[kind]);
	if (mode & 1 || NARROW)
		return chance(70);
	return (int64_t)chance(UINT32_MAX) << (kind == 12 ? 2 : 10);
}

/* Which one is due first, as it is told by ticks and order; -1: none. */
static int first_due(void)
{
	int first = -1;

	for (int i = 0; i < COUNT; i++)
		if (expected[i].pending &&
		    (first < 0 || expected[i].tick < expected[first].tick ||
		     (expected[i].tick == expected[first].tick &&
		      expected[i].order < expected[first].order)))
			first = i;
	return first;
}

static bool is_flying(int i)
{
	return z_is_inactive_timeout(&expected[i].to) &&
	       ((uintptr_t)inflight_timeout & ~(uintptr_t)1) ==
		       (uintptr_t)&expected[i].to;
}

static void drop(int i)
{
	bool flying = is_flying(i);
	int want = expected[i].pending ? 0 : -EINVAL;

	if (flying)
		want = test_cpu == announcing_cpu ? -EINVAL : -EAGAIN;
	depth++;
	must(z_try_abort_timeout(&expected[i].to) == want, "abort", i);
	depth--;
	expected[i].pending = false;
}

static void arm(int i)
{
	int64_t delay = some_delay(), tick, now = (int64_t)curr_tick;
	struct expected *e = &expected[i];

	if (e->pending)
		drop(i);
	depth++;
	if (!NARROW && chance(4) == 0) {
		tick = now + (chance(3) ? delay : -(int64_t)chance(5000));
		tick = max(tick, 0);
		z_add_timeout(&e->to, handler, K_TIMEOUT_ABS_TICKS(tick));
		e->tick = max(tick, now + 1);
	} else {
		/* Not on the same tick again and again. */
		if (test_cpu == announcing_cpu && !delay && chance(3))
			delay = 1;
		tick = z_add_timeout(&e->to, handler, K_TICKS(delay));
		e->tick = delay + (test_cpu == announcing_cpu ?
					   now :
					   (int64_t)real + within + 1);
		must(tick == (k_ticks_t)e->tick, "what it counts from", i);
	}
	depth--;
	e->order = orders++;
	e->pending = true;
}

/* What the queue says of the next expiry is never too late. */
#ifdef JIF_ZEPHYR_TIMEOUT_JIF_H
static void told(void *arg, const struct _timeout *to, k_ticks_t left)
{
	const struct expected *one = CONTAINER_OF(to, struct expected, to);

	++*(int *)arg;
	must(one->pending && left == one->tick - (int64_t)curr_tick,
	     "the list is wrong", (int)(one - expected));
}

/* All that is pending is listed, once. */
static void ask_list(void)
{
	int count = 0;

	if (chance(64))
		return;
	jif_timeouts_list(told, &count);
	for (int i = 0; i < COUNT; i++)
		count -= expected[i].pending;
	must(!count, "the list is not all", -1);
}
#else
static void ask_list(void)
{
}
#endif

static void ask(void)
{
	int64_t next, left = 0;
	k_spinlock_key_t key;
	int i, flying = -1;

	must(curr_tick + announce_remaining == real, "what time it is", -1);
	for (i = 0; i < COUNT; i++)
		if (expected[i].pending && is_flying(i))
			flying = i;
	if (flying >= 0)
		expected[flying].pending = false;
	i = first_due();
	if (i >= 0)
		left = expected[i].tick - (int64_t)curr_tick;
	depth++;
	key = sys_clock_lock();
	next = z_timeout_q_next_expiry();
	k_spin_unlock(&timeout_lock, key);
	must((next == K_TICKS_FOREVER) == (i < 0), "nothing is pending", i);
	must(i < 0 || next <= left, "the next expiry is late", i);
	must(i < 0 || announcing_cpu >= 0 ||
		     alarm_at <= (uint64_t)expected[i].tick,
	     "the alarm is late", i);
	i = (int)chance(used);
	if (expected[i].pending && i != flying)
		must(z_timeout_remaining(&expected[i].to) ==
			     (k_ticks_t)(expected[i].tick - (int64_t)curr_tick -
					 elapsed()),
		     "what is left", i);
	ask_list();
	depth--;
	if (flying >= 0)
		expected[flying].pending = true;
}

static void announce(uint32_t ticks)
{
	real += ticks;
	sys_clock_announce_locked(ticks, sys_clock_lock());
}

void test_window(void)
{
	int cpu = test_cpu;

	if (mode & 4 || depth || announcing_cpu < 0 || chance(4))
		return;
	depth++;
	do {
		test_cpu = (int)chance(2);
		switch (chance(6)) {
		case 0:
		case 1:
			arm((int)chance(used));
			break;
		case 2:
			drop((int)chance(used));
			break;
		case 3:
			if (test_cpu != announcing_cpu)
				announce(chance(chance(3) ? 50 : 5000));
			break;
		default:
			ask();
		}
	} while (!chance(3));
	test_cpu = cpu;
	depth--;
}

static void expire(struct _timeout *to)
{
	int i = (int)(CONTAINER_OF(to, struct expected, to) - expected);
	int first = first_due();
	bool overtaken;

	depth++;
	overtaken = z_timeout_inflight_superseded(to) ||
		    !z_is_inactive_timeout(to);
	depth--;
	if (overtaken)
		return;
	fired++;
	must(expected[i].pending, "it was not pending", i);
	must(first == i, "the order", i);
	must(expected[i].tick == (int64_t)curr_tick, "the tick", i);
	expected[i].pending = false;
	if (chance(3) == 0)
		arm(i);
	if (chance(6) == 0)
		drop((int)chance(used));
	if (chance(8) == 0)
		arm((int)chance(used));
}

/* Tests of Zephyr's do it: what waits has as much left as before. */
static void set_tick(void)
{
	uint64_t by = (uint64_t)chance(UINT32_MAX) << chance(4);

	z_impl_sys_clock_tick_set(curr_tick + by);
	real += by;
	alarm_at += by;
	for (int i = 0; i < COUNT; i++)
		expected[i].tick += (int64_t)by;
}

static void pass(void)
{
	static const uint32_t spans[] = { 40, 40, 40, 5000, 5000, 200000 };
	unsigned kind = chance(7);
	int first;

	within = 0;
	announce(1 + chance(kind < 6 ? spans[kind] :
			    mode & 1 ? 3000000 :
				       UINT32_C(1) << 31));
	first = first_due();
	must(first < 0 || expected[first].tick > (int64_t)curr_tick,
	     "it was left behind", first);
	must(curr_tick == real, "what time it is", -1);
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
	uint32_t kind;

	seed ^= (argc > 2 ? strtoull(argv[2], NULL, 10) : 0) << 32;
	handler = expire;
	mode = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
	if (mode & 16)
		used = 8;
	for (int i = 0; i < COUNT; i++)
		z_init_timeout(&expected[i].to);
	for (; operation < count && !bad; operation++) {
		test_cpu = (int)chance(2);
		within = chance(3);
		kind = chance(16);
		if (kind < 6)
			arm((int)chance(used));
		else if (kind < 9)
			drop((int)chance(used));
		else if (kind < 11)
			ask();
		else if (kind == 11 && !(mode & 2) && !chance(64))
			set_tick();
		else
			pass();
	}
	printf("%" PRIu64 " operations, %" PRIu64 " expiries, %u wrong; ",
	       operation, fired, bad);
	printf("%" PRIu64 " alarms, %zu bytes each\n", alarms,
	       sizeof(struct _timeout));
	return bad != 0;
}
