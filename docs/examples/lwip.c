/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/lwip.c - the time-outs of lwIP, on a wheel
 *
 * All that lwIP asks for with LWIP_TIMERS_CUSTOM: what the stack repeats are
 * periodic timers, and each sys_timeout() is a timer of a pool. Its own list is
 * sorted, and searched through by each call; here arming takes the same time
 * with ten as with a thousand. As in lwIP, all of this is called by the thread
 * that owns the stack, or with its core locked.
 */
#include <jif/jif.h>
#include <lwip/priv/tcp_priv.h>
#include <lwip/timeouts.h>

/* As many as the product needs at once. */
#define TIMEOUTS_MAX 16
#define CYCLIC_MAX   16

struct timeout {
	struct jif_timer timer;
	sys_timeout_handler handler;
	void *arg;
};

struct cyclic {
	struct jif_periodic periodic;
	lwip_cyclic_timer_handler handler;
};

static struct jif_wheel wheel;
static struct timeout timeouts[TIMEOUTS_MAX];
static struct cyclic cyclic[CYCLIC_MAX];
static struct jif_periodic tcp;

static void on_timeout(struct jif_timer *timer)
{
	struct timeout *t = jif_container_of(timer, struct timeout, timer);

	t->handler(t->arg);
}

static void on_cyclic(struct jif_periodic *p)
{
	jif_container_of(p, struct cyclic, periodic)->handler();
}

static void start(struct jif_periodic *p, u32_t ms)
{
	uint32_t period = jif_msecs_to_jiffies(ms);
	int err = jif_periodic_start(&wheel, p, period, period, JIF_FOREVER);

	LWIP_ASSERT("a period", err >= 0);
	LWIP_UNUSED_ARG(err);
}

/* TCP's timer runs while there are connections. */
static void on_tcp(struct jif_periodic *p)
{
	tcp_tmr();
	if (!tcp_active_pcbs && !tcp_tw_pcbs)
		jif_periodic_stop(p);
}

void tcp_timer_needed(void)
{
	if (!jif_periodic_pending(&tcp) && (tcp_active_pcbs || tcp_tw_pcbs))
		start(&tcp, TCP_TMR_INTERVAL);
}

/* The first one of the stack's table is TCP's. */
void sys_timeouts_init(void)
{
	const struct lwip_cyclic_timer *table = lwip_cyclic_timers;

	jif_wheel_init_time(&wheel, jif_time_jiffies);
	jif_periodic_init(&tcp, on_tcp, JIF_CATCHUP_SKIP);
	for (int i = 0; i < TIMEOUTS_MAX; i++)
		jif_timer_init(&timeouts[i].timer, on_timeout);
	LWIP_ASSERT("CYCLIC_MAX", lwip_num_cyclic_timers <= CYCLIC_MAX);
	for (int i = 1; i < lwip_num_cyclic_timers; i++) {
		cyclic[i].handler = table[i].handler;
		jif_periodic_init(&cyclic[i].periodic, on_cyclic,
				  JIF_CATCHUP_SKIP);
		start(&cyclic[i].periodic, table[i].interval_ms);
	}
}

/* As lwIP counts: on that tick, which may be up to one too soon. */
void sys_timeout(u32_t msecs, sys_timeout_handler handler, void *arg)
{
	struct timeout *t = timeouts;

	while (t < timeouts + TIMEOUTS_MAX && jif_timer_pending(&t->timer))
		t++;
	LWIP_ASSERT("TIMEOUTS_MAX", t < timeouts + TIMEOUTS_MAX);
	t->handler = handler;
	t->arg = arg;
	(void)!jif_timer_add(&wheel, &t->timer,
			     jif_now() + jif_msecs_to_jiffies(msecs));
}

void sys_untimeout(sys_timeout_handler handler, void *arg)
{
	for (int i = 0; i < TIMEOUTS_MAX; i++)
		if (timeouts[i].handler == handler && timeouts[i].arg == arg &&
		    jif_timer_del(&wheel, &timeouts[i].timer))
			return;
}

void sys_check_timeouts(void)
{
	jif_wheel_poll(&wheel);
}

u32_t sys_timeouts_sleeptime(void)
{
	uint32_t when;

	if (!jif_wheel_next_expiry(&wheel, &when))
		return SYS_TIMEOUTS_SLEEPTIME_INFINITE;
	if (jif_time_before(when, jif_now()))
		return 0;
	return jif_jiffies_to_msecs(when - jif_now());
}

/* After a long sleep. What is periodic skips by itself what it has missed. */
void sys_restart_timeouts(void)
{
}
