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
#include <limits.h>

#ifdef __cplusplus
extern "C" {
#endif

struct jif_timer;

/**
 * typedef jif_timer_fn - what runs when a timer expires
 * @timer:	the timer, which is idle by then: it may be armed again or freed
 */
typedef void jif_timer_fn(struct jif_timer *timer);

/*
 * From JIF_TIMER_SLOT on: waiting in slot number such and such, and as the last
 * one of that list if JIF_TIMER_LAST is added. JIF_TIMER_IDLE: idle.
 * JIF_TIMER_NEW: as its initialiser left it, which cannot look at the function.
 * Anything else has not been initialised, or was shut down. The values are such
 * that neither zeroed memory nor the usual poison patterns come near.
 */
#if CONFIG_JIF_SPREAD || CONFIG_JIF_HOST
#define JIF_TIMER_LAST 0x200
#else
#define JIF_TIMER_LAST 0x100
#endif
#define JIF_TIMER_SLOT INT_MIN
#define JIF_TIMER_IDLE (JIF_TIMER_SLOT + 2 * JIF_TIMER_LAST)
#define JIF_TIMER_NEW  (JIF_TIMER_IDLE + 1)

/**
 * struct jif_timer - a timer; all fields are private
 * @next:	the entry armed after this one; of the last one, the first
 * @prev:	the entry armed before this one; of the first one, the last
 * @fn:		what runs when the timer expires
 * @remaining:	ticks left when the wheel reaches the slot of this entry
 * @where:	the slot, or that it is idle, or is not to be armed
 */
struct jif_timer {
	struct jif_timer *next;
	struct jif_timer *prev;
	jif_timer_fn *fn;
	uint32_t remaining;
	int where;
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
 *
 * Context: any.
 */
void jif_timer_init(struct jif_timer *timer, jif_timer_fn *fn);

/**
 * jif_timer_pending - is the timer armed?
 * @timer:	a timer; zeroed memory counts as one that is idle
 *
 * False from the moment at which the timer is taken off for its callback.
 *
 * Context: any.
 * Return: true if it is armed and has not expired.
 */
bool jif_timer_pending(const struct jif_timer *timer);

#ifdef __cplusplus
}
#endif

#endif
