/* SPDX-License-Identifier: MIT */
/*
 * A front end of ours, for where no tree of Zephyr is: the rules that
 * kernel/timeout.c keeps, in other words. It shows nothing of Zephyr.
 */
static uint64_t curr_tick;
static struct k_spinlock timeout_lock;
static uint32_t announce_remaining;
static int announcing_cpu = -1;
static struct _timeout *inflight_timeout;
static struct _timeout *overtaken;

#include <timeout_backend.h>

static bool announces_here(void)
{
	return announcing_cpu == test_cpu;
}

/* From curr_tick to now. */
static uint32_t elapsed(void)
{
	return announces_here() ? 0 : sys_clock_elapsed() + announce_remaining;
}

/* Without one, ticks still have to be announced, if they must not be lost. */
static void set_alarm(void)
{
	k_ticks_t next = z_timeout_q_next_expiry(), passed = elapsed();

	if (next == K_TICKS_FOREVER &&
	    IS_ENABLED(CONFIG_SYSTEM_CLOCK_SLOPPY_IDLE)) {
		sys_clock_no_timeout();
		return;
	}
	if (next == K_TICKS_FOREVER || next > SYS_CLOCK_MAX_WAIT)
		next = SYS_CLOCK_MAX_WAIT;
	sys_clock_set_timeout(next > passed ? (uint32_t)(next - passed) : 0,
			      false);
}

k_ticks_t z_add_timeout(struct _timeout *to, _timeout_func_t fn,
			k_timeout_t timeout)
{
	k_ticks_t ticks = 0;

	if (K_TIMEOUT_EQ(timeout, K_FOREVER))
		return 0;
	to->fn = fn;
	K_SPINLOCK(&timeout_lock)
	{
		if (overtaken == to)
			overtaken = NULL;
		if (Z_IS_TIMEOUT_RELATIVE(timeout))
			ticks = timeout.ticks + elapsed() + !announces_here();
		else
			ticks = max(1, Z_TICK_ABS(timeout.ticks) -
					       (k_ticks_t)curr_tick);
		if (z_timeout_q_insert(to, ticks) && announcing_cpu < 0)
			set_alarm();
		ticks += (k_ticks_t)curr_tick;
	}
	return ticks;
}

int z_try_abort_timeout(struct _timeout *to)
{
	int ret = -EINVAL;

	K_SPINLOCK(&timeout_lock)
	{
		if (!z_is_inactive_timeout(to)) {
			ret = 0;
			if (z_timeout_q_remove(to))
				set_alarm();
		} else if (inflight_timeout == to && !announces_here()) {
			ret = -EAGAIN;
		}
		if (inflight_timeout == to)
			overtaken = to;
	}
	return ret;
}

bool z_timeout_inflight_superseded(const struct _timeout *to)
{
	return inflight_timeout == to && overtaken == to;
}

k_ticks_t z_timeout_remaining(const struct _timeout *to)
{
	k_ticks_t ticks = 0;

	K_SPINLOCK(&timeout_lock)
	{
		if (!z_is_inactive_timeout(to))
			ticks = z_timeout_q_remainder(to) - elapsed();
	}
	return ticks;
}

k_ticks_t z_timeout_expires(const struct _timeout *to)
{
	k_ticks_t ticks = 0;

	K_SPINLOCK(&timeout_lock)
	{
		ticks = (k_ticks_t)curr_tick;
		if (!z_is_inactive_timeout(to))
			ticks += z_timeout_q_remainder(to);
	}
	return ticks;
}

int64_t sys_clock_tick_get(void)
{
	uint64_t ticks = 0;

	K_SPINLOCK(&timeout_lock)
	{
		ticks = curr_tick + elapsed();
	}
	return (int64_t)ticks;
}

k_spinlock_key_t sys_clock_lock(void)
{
	return k_spin_lock(&timeout_lock);
}

void sys_clock_announce_locked(sys_clock_ticks_t ticks, k_spinlock_key_t key)
{
	if (announcing_cpu >= 0) {
		announce_remaining += ticks;
		k_spin_unlock(&timeout_lock, key);
		return;
	}
	announce_remaining = ticks;
	announcing_cpu = test_cpu;
	key = z_timeout_q_announce(key);
	announcing_cpu = -1;
	set_alarm();
	k_spin_unlock(&timeout_lock, key);
}

static void z_impl_sys_clock_tick_set(uint64_t tick)
{
	curr_tick = tick;
}
