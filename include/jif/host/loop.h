/* SPDX-License-Identifier: MIT */
/*
 * jif/host/loop.h - a wheel in an event loop, on Linux
 *
 * A descriptor becomes readable when a timer is due: for epoll, libuv, libevent
 * or GLib, without a thread and without a tick. The wheel's time is that of the
 * clock, in ticks; calls are given times in nanoseconds of that clock.
 *
 * Timers are those of jif/timer.h, and the wheel is for all calls of the
 * library: those with a relative time count from now, by the clock, also in
 * callbacks. After one that arms a timer, but is not of this header, there has
 * to be a jif_loop_wake(). jif_now() stands still.
 *
 * The clock may jump by any time. A run begins JIF_SLEEP_MAX ticks before now,
 * at most: what was due sooner expires there, in order, and of its sooner
 * calls, a periodic timer has the last one only (with a ratio, those of the
 * last turn) and does not count the others. Keys of a table go on from there.
 *
 * JIF_DELAY_MAX is counted from now; if something is due and has not run, from
 * there; in a callback, from its tick. So JIF_SLEEP_MAX - 1 ticks from now are
 * always in reach.
 *
 * Callbacks return, as jif_timer_fn says. In the child of a fork(), calls about
 * a loop of its parent's are errors; it may shut that down, and make its own.
 */
#ifndef JIF_LOOP_H
#define JIF_LOOP_H

#include <jif/wheel.h>

JIF_BEGIN_DECLS

/* A tick is between 10 us and 1 h. */
#define JIF_TICK_NS_MIN	    UINT64_C(10000)
#define JIF_TICK_NS_DEFAULT UINT64_C(1000000)
#define JIF_TICK_NS_MAX	    UINT64_C(3600000000000)

/**
 * struct jif_loop - a wheel and its descriptor
 * @wheel:	the wheel
 * @tick_ns:	how long a tick is; 0: JIF_TICK_NS_DEFAULT. Ticks are the
 *		multiples of it, of the clock
 * @boottime:	CLOCK_BOOTTIME, not CLOCK_MONOTONIC: it goes on in a suspend
 * @clock:	NULL; or a clock of the program's own, in nanoseconds, which
 *		never goes back: the descriptor does not follow it
 * @fd:		the descriptor; to be read by jif_loop_run() only
 *
 * The caller fills in @tick_ns, @boottime and @clock before jif_loop_init().
 */
struct jif_loop {
	struct jif_wheel wheel;
	uint64_t tick_ns;
	bool boottime;
	uint64_t (*clock)(const struct jif_loop *loop);
	int fd;
	/* private: */
	uint64_t ran;	   /* the tick up to which the wheel was run */
	uint64_t began;	   /* the tick at which it was made */
	uint64_t goal;	   /* the tick up to which it is to be */
	uint64_t until_ns; /* when the descriptor is readable; 0: awake */
	unsigned forks;	   /* how many there were when it was made */
	bool kicked;	   /* another thread has made the descriptor readable */
	bool steps;	   /* it skips nothing: a service's */
};

/**
 * jif_loop_init - make an empty wheel, and its descriptor
 * @loop:	a loop of which the caller has filled in what is not private
 * Context: before the loop is used.
 * Return: 0; -JIF_EINVAL if a tick is too short or too long; or the error of
 * timerfd_create(2), negative.
 */
int jif_loop_init(struct jif_loop *loop)
	JIF_AGREE_ON(CONFIG_JIF_SPREAD, jif_loop_init);

/**
 * jif_loop_shutdown - close the descriptor
 * @loop:	the loop
 *
 * Timers stay as they are, and do not expire any more, nor in a run under way.
 * Context: the loop's thread.
 */
void jif_loop_shutdown(struct jif_loop *loop);

/**
 * jif_loop_now - what time it is
 * @loop:	the loop
 * Context: any thread.
 * Return: in nanoseconds of the loop's clock.
 */
uint64_t jif_loop_now(const struct jif_loop *loop);

/**
 * jif_loop_expires - the wheel's time for a time of the clock
 * @loop:	the loop
 * @expires_ns:	absolute, in nanoseconds of the loop's clock
 * @expires:	set to the first tick that is not sooner
 *
 * For calls of other headers, such as jif_table_set().
 * Context: the loop's thread.
 * Return: 0; -JIF_ERANGE if it is out of reach; -JIF_ECANCELED if the loop is
 * shut down, or that of a parent; then nothing is set.
 */
int jif_loop_expires(struct jif_loop *loop, uint64_t expires_ns,
		     uint32_t *expires);

/**
 * jif_loop_add - arm an idle timer
 * @loop:	the loop
 * @timer:	a timer that has been initialised
 * @expires_ns:	absolute, in nanoseconds of the loop's clock
 *
 * It expires on the first tick that is not sooner; if it is past, on the next.
 * Context: the loop's thread.
 * Return: as jif_timer_add(); or an error as jif_loop_expires(). After an
 * error, nothing has changed.
 */
int jif_loop_add(struct jif_loop *loop, struct jif_timer *timer,
		 uint64_t expires_ns);

/**
 * jif_loop_mod - arm a timer, pending or not
 * @loop:	the loop
 * @timer:	a timer that has been initialised
 * @expires_ns:	absolute, in nanoseconds of the loop's clock
 * Context: the loop's thread.
 * Return: 1 if it was pending, 0 if it was idle; or an error as jif_loop_add().
 */
int jif_loop_mod(struct jif_loop *loop, struct jif_timer *timer,
		 uint64_t expires_ns);

/**
 * jif_loop_mod_in - arm a timer, pending or not, so long from now
 * @loop:	the loop
 * @timer:	a timer that has been initialised
 * @delay_ns:	at least so many nanoseconds from now on
 * Context: the loop's thread.
 * Return: as jif_loop_mod().
 */
JIF_MUST_CHECK
int jif_loop_mod_in(struct jif_loop *loop, struct jif_timer *timer,
		    uint64_t delay_ns);

/**
 * jif_loop_wake - have the descriptor become readable at the next expiry
 * @loop:	the loop
 *
 * After calls of other headers that have armed something, outside of callbacks.
 * Context: the loop's thread.
 * Return: 0; -JIF_ECANCELED as jif_loop_expires().
 */
int jif_loop_wake(struct jif_loop *loop);

/**
 * jif_loop_run - run what is due, and wait for the next expiry
 * @loop:	the loop
 *
 * To be called when the descriptor is readable, and harmless at any other time:
 * if nothing is due, it does next to nothing. Reads the descriptor, and sets it
 * to the next expiry or, as a jif_wheel_sleep() would end, sooner.
 * Context: the loop's thread. Not re-entrant.
 * Return: 0; -JIF_EINVAL if a run is under way, or a callback has left one, and
 * nothing has changed; -JIF_ECANCELED if the loop is shut down, also by this
 * run, or that of a parent.
 */
int jif_loop_run(struct jif_loop *loop);

JIF_END_DECLS

#endif
