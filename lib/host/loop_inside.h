/* SPDX-License-Identifier: MIT */
/*
 * lib/host/loop_inside.h - what a service needs of a loop
 *
 * In 64 bits, ticks do not wrap: they are those of the clock since it was 0.
 */
#ifndef JIF_LIB_HOST_LOOP_INSIDE_H
#define JIF_LIB_HOST_LOOP_INSIDE_H

#include <jif/host/loop.h>

#include "../bug.h"

#if !JIF_HAS_ATOMICS
#error "a service needs atomic instructions, and a compiler that knows them"
#endif

#define NO_LOOP "a loop is used that was never initialised"

/* The rest of jif_loop_init(), with flags for timerfd_create(2). */
int jif_loop_open(struct jif_loop *loop, int flags);

/* How many forks lie between this process and the first one. */
extern unsigned jif_forks;

static inline bool is_inherited(const struct jif_loop *loop)
{
	return loop->forks != JIF_LOAD(&jif_forks, RELAXED);
}

/* It is this process's; false if it has a tick that cannot be used. */
bool jif_loop_claim(struct jif_loop *loop);

/* Why it cannot be used; 0 if it can. */
int jif_loop_reject(const struct jif_loop *loop);

/*
 * In a debug build, reports a time that is nearer to the clock's 0 than to when
 * the loop was made: that is a delay, not a deadline that was over by then.
 * What is less than a tick may mean at once.
 */
void jif_loop_check(const struct jif_loop *loop, uint64_t ns,
		    const void *object, void (*fn)(void));

/* The wheel's clock. */
uint64_t jif_loop_clock(const struct jif_loop *loop);

/* When that delay from now on is over. */
static inline uint64_t ns_in(const struct jif_loop *loop, uint64_t delay_ns)
{
	uint64_t now = jif_loop_now(loop);

	return now + delay_ns < now ? UINT64_MAX : now + delay_ns;
}

/*
 * The tick for a time, which may be out of the wheel's reach; errors as
 * jif_loop_expires(). Needs no lock.
 */
int jif_loop_tick(const struct jif_loop *loop, uint64_t ns, uint64_t *tick);

/*
 * Has the wheel reach @tick, if it can: the clock moves on as outside of
 * callbacks, see jif/loop.h, but not to @tick.
 */
bool jif_loop_reach(struct jif_loop *loop, uint64_t tick);

/* Something has been armed for @tick. */
void jif_loop_armed(struct jif_loop *loop, uint64_t tick);

/* Would that make it wake up sooner? As jif_loop_tick(), without its lock. */
bool jif_loop_is_sooner(const struct jif_loop *loop, uint64_t tick);

/* Nobody waits for the descriptor, until jif_loop_sleep() sets it. */
void jif_loop_awake(struct jif_loop *loop);
void jif_loop_sleep(struct jif_loop *loop);

/* Makes the descriptor readable. */
void jif_loop_kick(struct jif_loop *loop);

/* Reads it; waits until it is readable, if it was opened so. True if it was. */
bool jif_loop_wait(struct jif_loop *loop);

/* Runs what is due, as jif_wheel_run_budget() does; false if some is left. */
bool jif_loop_step(struct jif_loop *loop, uint64_t now, unsigned max);

#endif
