/* SPDX-License-Identifier: MIT */
/*
 * jif/timer.h - a timer: what is embedded in your object
 *
 * It has no pointer to its wheel and none for the user: a call that needs the
 * wheel is given it, and a callback finds its object by jif_container_of().
 */
#ifndef JIF_TIMER_H
#define JIF_TIMER_H

#include <jif/config.h>
#include <jif/types.h>

JIF_BEGIN_DECLS

struct jif_timer;

/**
 * typedef jif_timer_fn - what runs when a timer expires
 * @timer:	the timer, which is idle by then: it may be armed again or freed
 *
 * It returns: left by longjmp() or an exception, its wheel runs nothing more.
 */
typedef void jif_timer_fn(struct jif_timer *timer);

/*
 * What @where holds: the number of a slot, from 1 on; JIF_TIMER_IDLE; or, until
 * it is armed first, JIF_TIMER_NEW, since its initialiser cannot look at the
 * function; or, of zeroed memory too, JIF_TIMER_DEAD. With any other value the
 * timer was not initialised. They are beyond the slots, and small: less code.
 */
#define JIF_TIMER_DEAD 0
#define JIF_TIMER_IDLE (CONFIG_JIF_SPREAD ? 0x7d0 : 0xd0)
#define JIF_TIMER_NEW  (JIF_TIMER_IDLE + 0x10)

/** struct jif_timer - a timer */
struct jif_timer {
	/* private: a paused timer has no @next, and keeps what remains */
	struct jif_timer *next; /* after the last one, the first */
	struct jif_timer *prev; /* before the first one, the last */
	jif_timer_fn *fn;
	uint32_t remaining; /* ticks left when the wheel reaches the slot */
	int where;	    /* the number of the slot, or JIF_TIMER_IDLE */
};

/**
 * JIF_TIMER_INIT - static initialiser of a struct jif_timer
 * @fn:	what runs when the timer expires
 */
#define JIF_TIMER_INIT(fn)                                                     \
	{                                                                      \
		0, 0, (fn), 0, JIF_TIMER_NEW                                   \
	}

/**
 * jif_timer_init - make a timer ready to be armed
 * @timer:	memory that is not a pending timer
 * @fn:		what runs when the timer expires
 * Context: any.
 */
void jif_timer_init(struct jif_timer *timer, jif_timer_fn *fn);

/**
 * jif_timer_pending - is the timer armed?
 * @timer:	a timer; zeroed memory counts as one that is idle
 *
 * False from the moment at which the timer is taken off for its callback.
 * Context: any.
 * Return: true if it is armed and has not expired.
 */
bool jif_timer_pending(const struct jif_timer *timer);

JIF_END_DECLS

#endif
