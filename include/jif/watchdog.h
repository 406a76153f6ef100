/* SPDX-License-Identifier: MIT */
/*
 * jif/watchdog.h - feed the hardware's watchdog while all are alive
 *
 * Each task that matters promises to feed its watch once in so many jiffies.
 * Once a period, the watchdog looks at all of them. If everyone has kept the
 * promise, it feeds the hardware; if not, it reports who has not, and in the
 * end the hardware resets the machine. If nothing runs at all, nobody feeds.
 */
#ifndef JIF_WATCHDOG_H
#define JIF_WATCHDOG_H

#include <jif/timer.h>
#include <jif/wheel.h>

JIF_BEGIN_DECLS

/**
 * struct jif_watch - a promise; @name and @window are there to be read
 * @next:	another one, or NULL
 * @name:	who has given it
 * @window:	in which it is to be fed at least once, in jiffies
 * @fed:	when it was fed last
 */
struct jif_watch {
	struct jif_watch *next;
	const char *name;
	uint32_t window;
	uint32_t fed;
};

/**
 * typedef jif_watchdog_late_fn - gets a report of a broken promise
 * @watch:	the promise
 * @since:	how long ago it was fed, in jiffies; from JIF_DELAY_MAX + 1 on,
 *		that
 */
typedef void jif_watchdog_late_fn(const struct jif_watch *watch,
				  uint32_t since);

/** struct jif_watchdog - who watches */
struct jif_watchdog {
	/* private: */
	struct jif_wheel *wheel;    /* drives it */
	struct jif_timer timer;	    /* comes once a period */
	struct jif_watch *watches;  /* the promises, the latest first */
	void (*feed)(void);	    /* feeds the hardware */
	jif_watchdog_late_fn *late; /* gets reports, or NULL */
	uint32_t period;	    /* from look to look, in jiffies */
};

/**
 * jif_watchdog_init - make a watchdog without promises
 * @dog:	memory
 * @wheel:	the wheel of the main loop, which is run with jif_now()
 * @feed:	feeds the hardware
 * @late:	called for each broken promise, at each look; NULL: none
 * Context: before @dog is used.
 */
void jif_watchdog_init(struct jif_watchdog *dog, struct jif_wheel *wheel,
		       void (*feed)(void), jif_watchdog_late_fn *late);

/**
 * jif_watchdog_start - feed the hardware, and look once a period
 * @dog:	a watchdog that has been initialised
 * @period:	in jiffies, 1 to JIF_DELAY_MAX: less than the hardware waits, by
 *		the longest time for which a callback, work or task keeps the
 *		wheel from running
 *
 * Each look ends a sleep, since the hardware counts on in most of them.
 * Context: the main loop and callbacks.
 * Return: 1 if it was started before, 0 if not; -JIF_ERANGE if @period, and the
 * time by which the wheel is behind, are more than JIF_DELAY_MAX; -JIF_EINVAL
 * if @period is 0. After an error, nothing has changed.
 */
JIF_MUST_CHECK
int jif_watchdog_start(struct jif_watchdog *dog, uint32_t period);

/**
 * jif_watchdog_stop - look no more; the hardware is not fed any more
 * @dog:	a watchdog that has been initialised
 * Context: the main loop and callbacks.
 * Return: true if it was started.
 */
bool jif_watchdog_stop(struct jif_watchdog *dog);

/**
 * jif_watch_add - promise to feed a watch
 * @dog:	to whom
 * @watch:	memory that is no promise, and stays
 * @name:	who promises
 * @window:	to feed it at least once in so many jiffies, from jif_now() on;
 *		at most JIF_DELAY_MAX
 *
 * A promise that is broken is found at the next look: a period later at most.
 * Context: the main loop and callbacks.
 * Return:
 * * 0			- it is watched
 * * -JIF_EBUSY		- @watch is a promise to @dog already; nothing has
 *			  changed
 * * -JIF_ERANGE	- @window is too long; nothing has changed
 */
int jif_watch_add(struct jif_watchdog *dog, struct jif_watch *watch,
		  const char *name, uint32_t window);

/**
 * jif_watch_del - take a promise back
 * @dog:	to whom it was given
 * @watch:	the promise
 * Context: the main loop and callbacks; not @late.
 * Return: true if there was one.
 */
bool jif_watch_del(struct jif_watchdog *dog, struct jif_watch *watch);

/**
 * jif_watch_feed - keep a promise
 * @watch:	a promise that was given
 * Context: any.
 */
void jif_watch_feed(struct jif_watch *watch);

JIF_END_DECLS

#endif
