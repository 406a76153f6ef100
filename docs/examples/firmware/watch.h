/* SPDX-License-Identifier: MIT */
/*
 * watch.h - feeds the hardware's watchdog while all that are watched are alive
 *
 * Each has to be fed in so many periods. Silence is counted in periods of the
 * wheel, whatever its time source is, and not while the watchdog is stopped.
 */
#ifndef WATCH_H
#define WATCH_H

#include <jif/periodic.h>

/* One who feeds, from any context. */
struct watch {
	struct watch *next;
	const char *name;
	uint8_t most;	/* so many periods it may be silent */
	uint8_t silent; /* so many it has been, up to 255 */
	volatile bool fed;
};

struct watchdog {
	struct jif_periodic period;
	struct watch *watches;
	void (*feed)(void);
	void (*late)(const struct watch *watch); /* once a period */
};

static inline void watchdog_look(struct jif_periodic *period)
{
	struct watchdog *dog =
		jif_container_of(period, struct watchdog, period);
	bool alive = true;

	for (struct watch *w = dog->watches; w; w = w->next) {
		w->silent = (uint8_t)(w->silent + (w->silent < UINT8_MAX));
		if (w->fed) {
			w->fed = false; /* a handler may feed from here on */
			w->silent = 0;
		}
		if (w->silent > w->most)
			dog->late(w);
		alive = alive && w->silent <= w->most;
	}
	if (alive)
		dog->feed();
}

/* Fill in @watches, @feed and @late before. To stop: jif_periodic_stop(). */
static inline int watchdog_start(struct watchdog *dog, struct jif_wheel *wheel,
				 uint32_t ticks)
{
	for (struct watch *w = dog->watches; w; w = w->next)
		w->silent = 0;
	dog->feed();
	return jif_periodic_start(wheel, &dog->period, ticks, ticks,
				  JIF_FOREVER);
}

#endif
