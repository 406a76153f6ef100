/* SPDX-License-Identifier: MIT */
/*
 * jif/lazy.h - timers that may be late, so that a machine wakes up less often
 *
 * A main loop with such timers has a second wheel. It runs both while it is
 * awake, and sleeps until the next expiry on the first. A timer on the second
 * one wakes nobody; and a timer with some slack is on both: on the
 * second from when on it may run, on the first for when it has to.
 */
#ifndef JIF_LAZY_H
#define JIF_LAZY_H

#include <jif/timer.h>
#include <jif/types.h>
#include <jif/wheel.h>

JIF_BEGIN_DECLS

struct jif_lazy;

/**
 * typedef jif_lazy_fn - what runs when a lazy timer expires
 * @lazy:	the timer, which is idle by then: it may be armed again or freed
 */
typedef void jif_lazy_fn(struct jif_lazy *lazy);

/** struct jif_lazy - a lazy timer */
struct jif_lazy {
	/* private: */
	struct jif_timer soft;	      /* on the deferrable one: it may run */
	struct jif_timer hard;	      /* on @wheel: by then it has to */
	struct jif_wheel *wheel;      /* which the machine wakes up for */
	struct jif_wheel *deferrable; /* the one that it does not */
	jif_lazy_fn *fn;	      /* what runs */
	uint32_t latest;	      /* when @hard expires */
	uint8_t armed; /* what lib/firmware/lazy.c says; 0: idle */
};

/**
 * jif_lazy_init - make an idle lazy timer
 * @wheel:	the wheel that the machine wakes up for
 * @deferrable:	the one that it does not wake up for; both are run with the same
 *		time, this one right after the other
 * @lazy:	memory that is not an armed lazy timer
 * @fn:		what runs
 * Context: any.
 */
void jif_lazy_init(struct jif_wheel *wheel, struct jif_wheel *deferrable,
		   struct jif_lazy *lazy, jif_lazy_fn *fn);

/**
 * jif_lazy_mod - arm a lazy timer, pending or not
 * @lazy:	a lazy timer that has been initialised
 * @expires:	absolute, in the wheels' time: jif_wheel_now() of the first one,
 *		and a delay
 * @slack:	how much later it may run, in ticks, as far as the first wheel
 *		reaches; or JIF_FOREVER: it never wakes the machine
 *
 * It runs when the machine is awake at @expires; else when it next wakes up,
 * for whatever reason, and at @expires + @slack at the latest.
 * Context: any.
 * Return: 1 if it was pending, 0 if not; -JIF_ERANGE if @expires is more than
 * JIF_DELAY_MAX after the clock of one of its wheels, of which the second one
 * is behind until it is run after a sleep; -JIF_EINVAL if it has no function,
 * or is zeroed memory that was never initialised. After an error, nothing has
 * changed.
 */
int jif_lazy_mod(struct jif_lazy *lazy, uint32_t expires, uint32_t slack);

/**
 * jif_lazy_del - disarm a lazy timer
 * @lazy:	a lazy timer that has been initialised
 * Context: any.
 * Return: true if it was pending: then its function does not run.
 */
bool jif_lazy_del(struct jif_lazy *lazy);

/**
 * jif_lazy_pending - is the lazy timer armed?
 * @lazy:	a lazy timer that has been initialised
 * Context: any.
 * Return: true if its function is to run and does not run yet.
 */
bool jif_lazy_pending(const struct jif_lazy *lazy);

/**
 * jif_lazy_next - between which ticks will it run?
 * @lazy:	a lazy timer that has been initialised
 * @earliest:	set to the first tick at which it may run: absolute, in the
 *		wheels' time
 * @latest:	set to the tick by which it has to run; if its slack is
 *		JIF_FOREVER, to @earliest + JIF_FOREVER
 * Context: any.
 * Return: true if it is pending; if not, both are left alone.
 */
bool jif_lazy_next(const struct jif_lazy *lazy, uint32_t *earliest,
		   uint32_t *latest);

JIF_END_DECLS

#endif
