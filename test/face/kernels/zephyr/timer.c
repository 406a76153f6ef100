/* SPDX-License-Identifier: MIT */
/*
 * Timers of ours, for where no tree of Zephyr is: the rules that kernel/timer.c
 * keeps, in other words. They show nothing of Zephyr.
 */
static struct k_spinlock timer_lock;

/* Whoever stopped or started it since it left the queue is right. */
static void timer_expires(struct _timeout *to)
{
	struct k_timer *timer = CONTAINER_OF(to, struct k_timer, timeout);
	k_spinlock_key_t key = k_spin_lock(&timer_lock);
	bool due = z_is_inactive_timeout(to) &&
		   !z_timeout_inflight_superseded(to);

	if (due && !K_TIMEOUT_EQ(timer->period, K_NO_WAIT))
		z_add_timeout(to, timer_expires, timer->period);
	timer->status += due;
	k_spin_unlock(&timer_lock, key);
	if (due && timer->expiry_fn)
		timer->expiry_fn(timer);
}

static void k_timer_init(struct k_timer *timer, k_timer_expiry_t fn,
			 k_timer_stop_t stop)
{
	*timer = (struct k_timer){ .expiry_fn = fn, .stop_fn = stop };
}

static void k_timer_start(struct k_timer *timer, k_timeout_t delay,
			  k_timeout_t period)
{
	k_spinlock_key_t key;

	if (K_TIMEOUT_EQ(delay, K_FOREVER))
		return;
	key = k_spin_lock(&timer_lock);
	z_try_abort_timeout(&timer->timeout);
	timer->period = period;
	timer->status = 0;
	z_add_timeout(&timer->timeout, timer_expires, delay);
	k_spin_unlock(&timer_lock, key);
}

static void k_timer_stop(struct k_timer *timer)
{
	k_spinlock_key_t key = k_spin_lock(&timer_lock);

	z_try_abort_timeout(&timer->timeout);
	k_spin_unlock(&timer_lock, key);
}
