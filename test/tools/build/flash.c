/* SPDX-License-Identifier: MIT */
/*
 * test/tools/build/flash.c - what the objects of flash.cc do, in C
 */
#include <jif/jif.h>

extern struct jif_wheel wheel;
extern struct jif_workqueue queue;

#ifdef TIMER
struct lamp {
	bool on;
	struct jif_timer timer;
};

static void toggle(struct jif_timer *timer)
{
	struct lamp *lamp = jif_container_of(timer, struct lamp, timer);

	lamp->on = !lamp->on;
	(void)!jif_timer_add_in(&wheel, timer, 500);
}

void lamp_init(struct lamp *lamp)
{
	lamp->on = false;
	jif_timer_init(&lamp->timer, toggle);
}

int lamp_start(struct lamp *lamp)
{
	return jif_timer_mod_in(&wheel, &lamp->timer, 500);
}

int lamp_at(struct lamp *lamp, uint32_t when)
{
	return jif_timer_mod(&wheel, &lamp->timer, when);
}

int lamp_feed(struct lamp *lamp, uint32_t when)
{
	return jif_timer_postpone(&wheel, &lamp->timer, when);
}

bool lamp_stop(struct lamp *lamp)
{
	return jif_timer_del(&wheel, &lamp->timer);
}
#endif

#ifdef STATIC_TIMER
static bool on;

static void toggle(struct jif_timer *timer)
{
	on = !on;
	(void)!jif_timer_add_in(&wheel, timer, 500);
}

static struct jif_timer timer = JIF_TIMER_INIT(toggle);

void lamp_start(void)
{
	(void)!jif_timer_mod_in(&wheel, &timer, 500);
}

bool lamp_stop(void)
{
	return jif_timer_del(&wheel, &timer);
}
#endif

#ifdef STATIC_WORK
static unsigned lines;

static void write_line(struct jif_work *work)
{
	(void)work;
	lines++;
}

static struct jif_work work = JIF_WORK_INIT(write_line, 2);

bool log_queue(void)
{
	return jif_work_queue(&queue, &work);
}

bool log_cancel(void)
{
	return jif_work_cancel(&queue, &work);
}
#endif

#ifdef PERIODIC
struct meter {
	uint32_t lost;
	struct jif_periodic every;
};

static void sample(struct jif_periodic *every)
{
	struct meter *meter = jif_container_of(every, struct meter, every);

	meter->lost += jif_periodic_missed(every);
}

void meter_init(struct meter *meter)
{
	meter->lost = 0;
	jif_periodic_init(&meter->every, sample, JIF_CATCHUP_SKIP);
}

int meter_start(struct meter *meter)
{
	return jif_periodic_start(&wheel, &meter->every, 50, 50, JIF_FOREVER);
}

int meter_at(struct meter *meter, uint32_t when)
{
	return jif_periodic_start_at(&wheel, &meter->every, when, 50,
				     JIF_FOREVER);
}

int meter_ratio(struct meter *meter, uint32_t delay)
{
	return jif_periodic_start_ratio(&wheel, &meter->every, delay, 50, 3,
					JIF_FOREVER);
}

bool meter_stop(struct meter *meter)
{
	return jif_periodic_stop(&meter->every);
}
#endif
