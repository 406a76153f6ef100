/* SPDX-License-Identifier: MIT */
/*
 * lib/face/linux/linux.c - the kernel's timers, on a wheel
 *
 * The wheel knows 32 bits of time, the clients of a 64-bit host all 64. So what
 * is handed to the wheel is clipped on both sides, and the field keeps what was
 * asked for. An idle entry is initialised at each arming: it makes zeroed
 * memory a timer, and nothing has to be undone after a shutdown.
 */
#include <jif/face/linux/timer.h>

#include "../../bug.h"
#include "../../port/jif_port.h"
#include "../../shared.h"

static struct jif_wheel *main_wheel, *deferrable_wheel;

/* Whose function is being called; any context looks at it. */
static struct timer_list *volatile running;

void jif_linux_init(struct jif_wheel *wheel, struct jif_wheel *deferrable)
{
	main_wheel = wheel;
	deferrable_wheel = deferrable ? deferrable : wheel;
}

static struct jif_wheel *wheel_of(const struct timer_list *timer)
{
	return timer->flags & TIMER_DEFERRABLE ? deferrable_wheel : main_wheel;
}

static unsigned long at_most(unsigned long x, unsigned long most)
{
	return x < most ? x : most;
}

/* Neither before the clock of the wheel, which may be behind, nor too far. */
static uint32_t clip(const struct jif_wheel *wheel, unsigned long expires)
{
	unsigned long now = jiffies;
	uint32_t behind = (uint32_t)now - jif_wheel_clock(wheel);

	if (time_before(expires, now))
		now -= at_most(now - expires, behind);
	else
		now += at_most(expires - now, JIF_DELAY_MAX - behind);
	return (uint32_t)now;
}

static void run_timer(struct jif_timer *entry)
{
	struct timer_list *timer =
		jif_container_of(entry, struct timer_list, entry);
	void (*fn)(struct timer_list *) = READ_SHARED(&timer->function);
	struct timer_list *outer = running;

	/* A handler may have shut it down. */
	running = timer;
	if (fn)
		fn(timer);
	running = outer;
}

static bool is_to_move(const struct timer_list *timer, unsigned long expires,
		       enum jif_linux_how how)
{
	if (!timer_pending(timer))
		return how != JIF_LINUX_MOD_PENDING;
	if (how == JIF_LINUX_REDUCE)
		return time_before(expires, timer->expires);
	return expires != timer->expires;
}

static void set_timer(struct timer_list *timer, unsigned long expires)
{
	struct jif_wheel *wheel = wheel_of(timer);

	JIF_BUG(!wheel, "jif_linux_init() has not been called");
	if (!timer_pending(timer))
		jif_timer_init(&timer->entry, run_timer);
	timer->expires = expires;
	jif_timer_mod(wheel, &timer->entry, clip(wheel, expires));
}

int jif_linux_timer_arm(struct timer_list *timer, unsigned long expires,
			enum jif_linux_how how)
{
	jif_irq_t flags = jif_irq_save();
	bool move = is_to_move(timer, expires, how);
	int pending = timer_pending(timer) && (timer->function || !move);

	if (move && timer->function)
		set_timer(timer, expires);
	jif_irq_restore(flags);
	return pending;
}

int jif_linux_timer_del(struct timer_list *timer, bool shutdown)
{
	jif_irq_t flags = jif_irq_save();
	int pending = jif_timer_del(wheel_of(timer), &timer->entry);

	if (shutdown)
		timer->function = NULL;
	jif_irq_restore(flags);
	return pending;
}

int try_to_del_timer_sync(struct timer_list *timer)
{
	return running == timer ? -1 : jif_linux_timer_del(timer, false);
}

#if JIF_HAS_NOW64
uint64_t get_jiffies_64(void)
{
	return jif_now64();
}
#else
uint64_t get_jiffies_64(void)
{
	static uint64_t last = CONFIG_JIF_INITIAL_JIFFIES;
	jif_irq_t flags = jif_irq_save();
	uint64_t now;

	last += (unsigned long)(jiffies - (unsigned long)last);
	now = last;
	jif_irq_restore(flags);
	return now;
}
#endif

unsigned long msecs_to_jiffies(uint32_t m)
{
	uint64_t j = HZ > 1000 ? ((uint64_t)m * HZ + 999) / 1000 :
				 jif_msecs_to_jiffies(m);

	if (m > INT32_MAX || (HZ > 1000 && j > MAX_JIFFY_OFFSET))
		return MAX_JIFFY_OFFSET;
	return (unsigned long)j;
}

unsigned long jif_linux_round(unsigned long j, unsigned long base, int cpu,
			      bool up)
{
	unsigned long skew = 3 * (unsigned long)cpu;
	unsigned long skewed = j + base + skew;
	unsigned long over = skewed % HZ, second = skewed - over - skew;

	if (up || over >= HZ / 4)
		second += HZ;
	return time_is_after_jiffies(second) ? second - base : j;
}
