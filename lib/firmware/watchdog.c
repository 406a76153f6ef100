/* SPDX-License-Identifier: MIT */
/* lib/firmware/watchdog.c - feed the hardware's watchdog while all are alive */
#include <jif/jiffies.h>
#include <jif/watchdog.h>

#include "../bug.h"
#include "../port/jif_port.h"

/*
 * Reports a broken promise. A handler may feed while this looks. What was not
 * fed for longer than a window can be stays so, when jiffies wrap too.
 */
static bool is_kept(const struct jif_watchdog *dog, struct jif_watch *watch)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t now = jif_now();
	uint32_t since = now - watch->fed;

	if (since > JIF_DELAY_MAX) {
		since = JIF_DELAY_MAX + 1;
		watch->fed = now - since;
	}
	jif_irq_restore(flags);
	if (since <= watch->window)
		return true;
	if (dog->late)
		dog->late(watch, since);
	return false;
}

static void look(struct jif_timer *timer)
{
	struct jif_watchdog *dog =
		jif_container_of(timer, struct jif_watchdog, timer);
	bool kept = true;

	(void)!jif_timer_add(dog->wheel, timer, jif_now() + dog->period);
	for (struct jif_watch *watch = dog->watches; watch; watch = watch->next)
		kept = is_kept(dog, watch) && kept;
	if (kept)
		dog->feed();
}

void jif_watchdog_init(struct jif_watchdog *dog, struct jif_wheel *wheel,
		       void (*feed)(void), jif_watchdog_late_fn *late)
{
	*dog = (struct jif_watchdog){
		.wheel = wheel,
		.feed = feed,
		.late = late,
	};
	jif_timer_init(&dog->timer, look);
}

int jif_watchdog_start(struct jif_watchdog *dog, uint32_t period)
{
	uint32_t now, behind;
	int was;

	now = jif_now();
	behind = now - jif_wheel_clock(dog->wheel);
	if (behind > JIF_DELAY_MAX)
		behind = 0;
	if (period - 1 >= JIF_DELAY_MAX - behind)
		return jif_reject(period ? -JIF_ERANGE : -JIF_EINVAL,
				  "a watchdog has no such period", dog);
	dog->period = period;
	was = jif_timer_mod(dog->wheel, &dog->timer, now + period);
	dog->feed();
	return was;
}

bool jif_watchdog_stop(struct jif_watchdog *dog)
{
	return jif_timer_del(dog->wheel, &dog->timer);
}

void jif_watch_feed(struct jif_watch *watch)
{
	jif_irq_t flags = jif_irq_save();

	watch->fed = jif_now();
	jif_irq_restore(flags);
}

int jif_watch_add(struct jif_watchdog *dog, struct jif_watch *watch,
		  const char *name, uint32_t window)
{
	struct jif_watch *other = dog->watches;

	if (window > JIF_DELAY_MAX)
		return jif_reject(-JIF_ERANGE, "a window is too long", watch);
	while (other && other != watch)
		other = other->next;
	if (other) {
		if (CONFIG_JIF_DEBUG)
			jif_refused("a watch is added twice", watch, NULL);
		return -JIF_EBUSY;
	}
	watch->next = dog->watches;
	watch->name = name;
	watch->window = window;
	jif_watch_feed(watch);
	dog->watches = watch;
	return 0;
}

bool jif_watch_del(struct jif_watchdog *dog, struct jif_watch *watch)
{
	struct jif_watch **link = &dog->watches;

	while (*link && *link != watch)
		link = &(*link)->next;
	if (!*link)
		return false;
	*link = watch->next;
	return true;
}
