/* SPDX-License-Identifier: MIT */
/*
 * jif/wheel.h - the wheel: arm timers, let time pass, look at what is pending
 *
 * lib/wheel.c begins with the theory of operation. In short, a handler may arm,
 * move and delete timers; all else is for the main loop and its callbacks.
 *
 * A wheel's time is what it is run with: jif_now(), or any other counter of
 * ticks, which its time source reads. Its clock is the tick that it was run up
 * to, and falls behind that counter until the next run. A time that a call
 * takes or returns is absolute, in the wheel's time, or, where the call says
 * so, relative to now: see jif_wheel_now(). The times to come are those up to
 * JIF_DELAY_MAX after the wheel's clock; all others are past. A timer due now
 * or in the past runs on the next tick, never inside the call that arms it.
 */
#ifndef JIF_WHEEL_H
#define JIF_WHEEL_H

#include <jif/config.h>
#include <jif/timer.h>
#include <jif/types.h>
#include <stddef.h>

JIF_BEGIN_DECLS

/* The widest word that one instruction loads, for the map of occupied slots. */
#if UINTPTR_MAX > 0xffffffffu
typedef uint64_t jif_word_t;
#elif UINTPTR_MAX > 0xffffu
typedef uint32_t jif_word_t;
#else
typedef uint8_t jif_word_t;
#endif
#define JIF_WORD_BITS (8 * sizeof(jif_word_t))

/* No option: only tests that visit every state have another, smaller shape. */
#ifndef JIF_SEC_SLOTS
#define JIF_SEC_SLOTS  60
#define JIF_MIN_SLOTS  60
#define JIF_HOUR_SLOTS 24
#define JIF_DAY_SLOTS  7
#endif

/*
 * The rings of a wheel, and one more of lists for timers that are due in a week
 * or later. With CONFIG_JIF_SPREAD, each ring has the slots of two turns.
 */
#if CONFIG_JIF_SPREAD
typedef uint16_t jif_slot_t;
#define JIF_WHEEL_TURNS 2
#else
typedef uint8_t jif_slot_t;
#define JIF_WHEEL_TURNS 1
#endif
#define JIF_WHEEL_SLOTS_OF(unit) (JIF_WHEEL_TURNS * JIF_##unit##_SLOTS)
#define JIF_WHEEL_SLOTS                                                        \
	(JIF_WHEEL_TURNS * (JIF_SEC_SLOTS + JIF_MIN_SLOTS + JIF_HOUR_SLOTS +   \
			    JIF_DAY_SLOTS) +                                   \
	 JIF_WHEEL_TURNS + 1)

/* Slots are numbered from 1; number 0 is none. */
#define JIF_WHEEL_WORDS (JIF_WHEEL_SLOTS / JIF_WORD_BITS + 1)

struct jif_wheel;

/**
 * typedef jif_time_fn - what time it is, in a wheel's time
 * @wheel:	the wheel
 * Context: any that arms timers, with interrupts off.
 * Return: the tick under way. The wheel's clock is never after it.
 */
typedef uint32_t jif_time_fn(const struct jif_wheel *wheel);

/**
 * struct jif_wheel - a wheel; all fields are private
 * @hand:	to which slot the hand of each level, and of the weeks, points
 * @quiet_until: the second before which there is nothing to do; 0: not known
 * @levels_due:	so many levels, seconds first, may have entries due on this tick
 * @nesting:	what is under way: runs and drains, and 16 for each walk
 * @postponed:	a timer may have been postponed in its slot
 * @moves_left:	how many entries may still be moved on this tick
 * @odd_week:	in which of their two turns the days are
 * @since:	the tick at which the hand of each level moved last, and at
 *		which this week began; that of the seconds is the clock
 * @target:	until when the run under way goes; for a drain alone, the clock
 * @far_due:	nothing that waits for a later week is due sooner
 * @occupied:	a bit per slot: it has entries
 * @time:	returns what time it is; NULL: the clock does
 * @slot:	the last entry of each slot's list, or NULL
 */
struct jif_wheel {
	jif_slot_t hand[5];
	uint8_t quiet_until;
	uint8_t levels_due;
	uint8_t nesting;
	uint8_t postponed;
#if CONFIG_JIF_SPREAD
	uint8_t moves_left;
	uint8_t odd_week;
#endif
	uint32_t since[5];
	uint32_t target;
	uint32_t far_due;
	jif_word_t occupied[JIF_WHEEL_WORDS];
	jif_time_fn *time;
	struct jif_timer *slot[JIF_WHEEL_SLOTS];
};

/**
 * jif_wheel_init - make an empty wheel
 * @wheel:	memory
 * @now:	its clock, in the time that it is run with; all hands are at 0
 * Context: before the wheel is used.
 */
void jif_wheel_init(struct jif_wheel *wheel, uint32_t now)
	JIF_AGREE_ON(CONFIG_JIF_SPREAD, jif_wheel_init);

/**
 * jif_wheel_init_at - make an empty wheel whose hands point somewhere
 * @wheel:	memory
 * @now:	what its clock shows, in the time that it will be run with
 * @day:	0 to 6
 * @hour:	0 to 23
 * @minute:	0 to 59
 * @second:	0 to 59
 *
 * Where the hands point at boot changes nothing but the slots in which timers
 * wait. A value too large for a hand, up to 65535, is carried into the next.
 * Context: before the wheel is used.
 */
void jif_wheel_init_at(struct jif_wheel *wheel, uint32_t now, unsigned day,
		       unsigned hour, unsigned minute, unsigned second)
	JIF_AGREE_ON(CONFIG_JIF_SPREAD, jif_wheel_init_at);

/**
 * jif_wheel_init_time - make an empty wheel that knows what time it is
 * @wheel:	memory
 * @time:	its time source: jif_time_jiffies(), or a function of the
 *		product's that reads another counter of ticks
 *
 * Its clock shows what the source says, and all hands point at zero.
 * Context: before the wheel is used.
 */
void jif_wheel_init_time(struct jif_wheel *wheel, jif_time_fn *time)
	JIF_AGREE_ON(CONFIG_JIF_SPREAD, jif_wheel_init_time);

/**
 * jif_wheel_set_time - have a wheel know what time it is
 * @wheel:	a wheel that has been initialised
 * @time:	its time source; NULL or jif_wheel_clock(): its clock is its now
 *
 * For a wheel from jif_wheel_init_at().
 * Context: any.
 */
void jif_wheel_set_time(struct jif_wheel *wheel, jif_time_fn *time);

/**
 * jif_time_jiffies - the time source of a wheel that is run with jif_now()
 * @wheel:	any
 * Context: any.
 * Return: jif_now().
 */
uint32_t jif_time_jiffies(const struct jif_wheel *wheel)
	JIF_AGREE_ON(CONFIG_JIF_HZ, jif_time_jiffies);

/**
 * jif_wheel_now - what time it is for a wheel
 * @wheel:	the wheel
 *
 * From this time on count all calls that take or give a relative time. Within
 * a callback, too, it is now, and not the tick that is being run.
 * Context: any.
 * Return: what its time source says; its clock, if it has no source, or if the
 * source is behind the clock or more than JIF_DELAY_MAX ahead of it.
 */
uint32_t jif_wheel_now(const struct jif_wheel *wheel);

/**
 * jif_wheel_poll - run all that is due: jif_wheel_run() to jif_wheel_now()
 * @wheel:	the wheel
 * Context: as jif_wheel_run().
 * Return: as jif_wheel_run(), INT_MAX at most; -JIF_EINVAL if the wheel has no
 * time source, and then nothing has run.
 */
int jif_wheel_poll(struct jif_wheel *wheel);

/**
 * jif_timer_add - arm an idle timer
 * @wheel:	the wheel to put it on
 * @timer:	a timer that has been initialised
 * @expires:	absolute, in the wheel's time
 *
 * Timers of the same expiry run in the order in which they were armed.
 * Context: any.
 * Return:
 * * 0			- armed
 * * -JIF_EBUSY		- it is pending; nothing has changed
 * * -JIF_EINVAL	- it has no function, was shut down or has never been
 *			  initialised; nothing has changed
 */
JIF_MUST_CHECK
int jif_timer_add(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires);

/**
 * jif_timer_mod - arm a timer, pending or not
 * @wheel:	the wheel the timer is (to be) on
 * @timer:	a timer that has been initialised
 * @expires:	absolute, in the wheel's time
 *
 * The same as jif_timer_del() and jif_timer_add() in one: a new arming, also
 * to the same expiry, so that the timer goes behind the others of that tick.
 * Context: any.
 * Return: 1 if it was pending, 0 if it was idle; -JIF_EINVAL as
 * jif_timer_add(), and nothing has changed.
 */
int jif_timer_mod(struct jif_wheel *wheel, struct jif_timer *timer,
		  uint32_t expires);

/**
 * jif_timer_reduce - arm a timer, or make it expire sooner
 * @wheel:	the wheel the timer is (to be) on
 * @timer:	a timer that has been initialised
 * @expires:	absolute, in the wheel's time
 *
 * Like jif_timer_mod(), but a pending timer that expires at @expires or sooner
 * is left alone and keeps its place.
 * Context: any.
 * Return: as jif_timer_mod().
 */
int jif_timer_reduce(struct jif_wheel *wheel, struct jif_timer *timer,
		     uint32_t expires);

/**
 * jif_timer_postpone - arm a timer, or make it expire later at no cost
 * @wheel:	the wheel the timer is (to be) on
 * @timer:	a timer that has been initialised
 * @expires:	absolute, in the wheel's time
 *
 * For the heartbeat that moves a time-out which seldom comes: a pending timer
 * that expires sooner than @expires stays in its list and is placed again when
 * the wheel reaches it. It still runs on its exact tick, but at no certain
 * place among the timers of that tick. Otherwise like jif_timer_mod(), but a
 * timer that expires at @expires already, on a tick to come, is left alone.
 * Context: any.
 * Return: as jif_timer_mod().
 */
int jif_timer_postpone(struct jif_wheel *wheel, struct jif_timer *timer,
		       uint32_t expires);

/**
 * jif_timer_del - disarm a timer
 * @wheel:	the wheel the timer is on
 * @timer:	a timer, pending or not
 *
 * A timer expires at the moment at which it is taken off for its callback.
 * Until then this call returns true, and the callback does not run; after it,
 * the call returns false, and the callback runs or has run.
 * Context: any.
 * Return: true if it was pending.
 */
bool jif_timer_del(struct jif_wheel *wheel, struct jif_timer *timer);

/**
 * jif_timer_shutdown - disarm a timer for good
 * @wheel:	the wheel the timer is on
 * @timer:	a timer, pending or not
 *
 * No call arms it, not even from its own callback, until jif_timer_init().
 * Context: any.
 * Return: true if it was pending.
 */
bool jif_timer_shutdown(struct jif_wheel *wheel, struct jif_timer *timer);

/**
 * jif_timer_add_in - arm an idle timer, with a delay from now on
 * @wheel:	the wheel to put it on
 * @timer:	a timer that has been initialised
 * @delay:	at least so many whole ticks from now on, less than
 *		JIF_DELAY_MAX: it expires at jif_wheel_now() + @delay + 1 or,
 *		without a time source, jif_now() + @delay + 1; 0: the next tick
 *
 * Like jif_timer_add().
 * Context: any.
 * Return: as jif_timer_add(); -JIF_ERANGE if that is more than JIF_DELAY_MAX
 * after now, or the clock of a wheel that is behind, and nothing has changed.
 */
JIF_MUST_CHECK
int jif_timer_add_in(struct jif_wheel *wheel, struct jif_timer *timer,
		     uint32_t delay);

/**
 * jif_timer_mod_in - arm a timer, pending or not, with a delay from now on
 * @wheel:	the wheel the timer is (to be) on
 * @timer:	a timer that has been initialised
 * @delay:	at least so many whole ticks, as for jif_timer_add_in()
 *
 * Like jif_timer_mod().
 * Context: any.
 * Return: as jif_timer_mod(); -JIF_ERANGE as jif_timer_add_in().
 */
JIF_MUST_CHECK
int jif_timer_mod_in(struct jif_wheel *wheel, struct jif_timer *timer,
		     uint32_t delay);

/**
 * jif_timer_mod_pending - move a timer, if it is pending
 * @wheel:	the wheel the timer is on
 * @timer:	a timer
 * @expires:	absolute, in the wheel's time
 *
 * Like jif_timer_mod(), but one that is not pending is left alone: what has
 * expired or was deleted meanwhile is not armed again by mistake.
 * Context: any.
 * Return: true if it was pending.
 */
bool jif_timer_mod_pending(struct jif_wheel *wheel, struct jif_timer *timer,
			   uint32_t expires);

/**
 * jif_timer_left - how long until a timer expires
 * @wheel:	the wheel the timer is on
 * @timer:	a timer
 * Context: any.
 * Return: in ticks, from jif_wheel_now() on; 0 if that is over and the timer
 * has yet to run; of a paused timer, what it keeps; 0 if it is idle.
 */
uint32_t jif_timer_left(const struct jif_wheel *wheel,
			const struct jif_timer *timer);

/**
 * jif_timer_pause - disarm a timer, and keep the time that it has left
 * @wheel:	the wheel the timer is on
 * @timer:	a timer, pending or not
 *
 * The time left is that of jif_timer_left(). To all calls but that, a snapshot
 * and jif_timer_resume(), a paused timer is an idle one: arming it, or
 * jif_timer_del(), jif_timer_shutdown() or jif_timer_init(), ends the pause.
 * One that is not pending is left alone.
 * Context: any.
 * Return: true if it was pending.
 */
bool jif_timer_pause(struct jif_wheel *wheel, struct jif_timer *timer);

/**
 * jif_timer_resume - arm a paused timer for the time that it had left
 * @wheel:	the wheel to put it on
 * @timer:	a timer
 *
 * A new arming, that time after jif_wheel_now(): it expires later by as many
 * ticks as the pause has lasted. If there was no time left, on the next tick.
 * Context: any.
 * Return: 0; -JIF_EINVAL if it is not paused; -JIF_ERANGE if that is more than
 * JIF_DELAY_MAX after the clock of a wheel that is behind, and it stays paused.
 */
int jif_timer_resume(struct jif_wheel *wheel, struct jif_timer *timer);

/**
 * jif_timer_expires - when a timer expires
 * @wheel:	the wheel the timer is on
 * @timer:	a timer
 * Context: any.
 * Return: absolute, in the wheel's time; its clock if it is not pending.
 */
uint32_t jif_timer_expires(const struct jif_wheel *wheel,
			   const struct jif_timer *timer);

/**
 * jif_wheel_run - run all that is due
 * @wheel:	the wheel
 * @now:	up to which tick, in the wheel's time; most often its now
 *
 * Runs all of one tick before any of the next, steps over ticks without work,
 * and leaves the clock at @now, which is at most JIF_DELAY_MAX ticks after it:
 * anything else lies before the clock, and changes nothing. Each
 * callback is called with interrupts as they were, and may arm, move, delete
 * or free any timer, its own too. Where a pointer has 16 bits, it ends early
 * after 32,767 callbacks and entries moved; the next call goes on there.
 * Context: the main loop; or the tick ISR, if that is the only place. Not
 * re-entrant: a call while another one is under way changes nothing.
 * Return: how many timers expired; 0 from a nested call.
 */
unsigned jif_wheel_run(struct jif_wheel *wheel, uint32_t now);

/**
 * jif_wheel_run_budget - run what is due, but not too much at once
 * @wheel:	the wheel
 * @now:	up to which tick, in the wheel's time; most often its now
 * @max:	how many callbacks and entries moved, taken together
 *
 * Like jif_wheel_run(), but stops before there would be one more than @max.
 * The next call goes on exactly there. Until then jif_wheel_clock() shows the
 * tick at which it stopped, of which all, some or nothing may have run.
 * Context: as jif_wheel_run().
 * Return: false if work is left; also within a run or a drain.
 */
bool jif_wheel_run_budget(struct jif_wheel *wheel, uint32_t now, unsigned max);

/**
 * jif_wheel_clock - the time that the wheel has got to
 * @wheel:	the wheel
 * Context: any.
 * Return: absolute: in a callback, the tick being run; else the last one run.
 */
uint32_t jif_wheel_clock(const struct jif_wheel *wheel);

/**
 * jif_wheel_next_stop - until when nothing has to be done
 * @wheel:	the wheel
 * @when:	set to an absolute time, in the wheel's time, if there is one
 *
 * The next tick that may have work, be it only to move entries down a level:
 * never later than the first expiry, maybe sooner. Takes a bounded time, and
 * that again each time an interrupt arms a timer or runs the wheel.
 * Context: the main loop and callbacks.
 * Return: false if the wheel is empty, and then @when is left alone.
 */
bool jif_wheel_next_stop(struct jif_wheel *wheel, uint32_t *when);

/**
 * jif_wheel_next_expiry - when the next timer expires
 * @wheel:	the wheel
 * @when:	set to an absolute time, in the wheel's time, if there is one
 *
 * Exact. Walks the first occupied slot of each level on which it may be,
 * further ones where postponed timers push the first expiry out of that and, if
 * nothing is sooner, all timers of later weeks. Takes as long as these have
 * entries, with interrupts let in after a few: jif_wheel_sleep() has a bounded
 * search. What a handler arms or moves meanwhile may be left out.
 * Context: the main loop and callbacks.
 * Return: false if the wheel is empty, and then @when is left alone.
 */
bool jif_wheel_next_expiry(struct jif_wheel *wheel, uint32_t *when);

/**
 * jif_wheel_sleep - sleep until the next expiry
 * @wheel:	a wheel that has been run up to jif_wheel_now()
 * @idle:	sleeps for so many ticks, or until an interrupt; is called
 *		with interrupts off: jif_port_idle(), or one of the product's
 *
 * For a main loop that runs the wheel, and nothing else that could be missed.
 * The search for the next expiry is done with interrupts on; if a handler has
 * armed a timer since, there is no sleep. It looks at 24 entries of full slots
 * at most: where that does not do, the sleep ends when the slot is reached, and
 * what is in it is placed finer. Sleeps JIF_SLEEP_MAX at most; with
 * CONFIG_JIF_SPREAD, until the wheel's next stop at most. After the sleep, the
 * clock moves on, up to the next stop. A wheel without a time source has
 * jif_time_jiffies() from then on.
 * Context: the main loop.
 * Return: true if @idle was called.
 */
bool jif_wheel_sleep(struct jif_wheel *wheel, void (*idle)(uint32_t ticks));

/**
 * jif_wheel_empty - is no timer pending on the wheel?
 * @wheel:	the wheel
 * Context: any.
 * Return: true if none is.
 */
bool jif_wheel_empty(const struct jif_wheel *wheel);

/**
 * jif_wheel_drain - take all timers off
 * @wheel:	the wheel
 * @fn:		called with each timer; NULL: call each one's own function
 *
 * In order of expiry, those of one tick in arming order. The clock and the
 * hands stay as they are. Each timer is idle when @fn gets it. A timer that is
 * armed or moved, except by jif_timer_postpone(), stays armed from the first
 * call of @fn on; what a handler arms before may be taken off, too. Tasks, keys
 * and delayed work, whose own function is not called then, stay armed for good,
 * until they are stopped. @fn may drain as well, up to fifteen deep.
 * Context: the main loop and callbacks.
 * Return: how many there were; 0 within jif_wheel_walk().
 */
unsigned jif_wheel_drain(struct jif_wheel *wheel, jif_timer_fn *fn);

/**
 * struct jif_place - where a pending timer waits
 * @level:	0 seconds, 1 minutes, 2 hours, 3 days
 * @slot:	within the level
 * @remaining:	ticks left when the wheel reaches that slot
 */
struct jif_place {
	unsigned level;
	unsigned slot;
	uint32_t remaining;
};

/**
 * jif_timer_find - where does a timer wait?
 * @wheel:	the wheel it is on
 * @timer:	a pending timer
 * Context: jif_trace, after a start, a postponement or a cascade.
 * Return: its place, as in jif_wheel_walk().
 */
struct jif_place jif_timer_find(const struct jif_wheel *wheel,
				const struct jif_timer *timer);

/**
 * typedef jif_walk_fn - looks at one pending timer
 * @arg:	as given to jif_wheel_walk()
 * @timer:	the timer
 * @level:	0 seconds, 1 minutes, 2 hours, 3 days
 * @slot:	within the level
 * @remaining:	ticks left when the wheel reaches that slot
 * Return: 0 to go on, anything else to stop.
 */
typedef int jif_walk_fn(void *arg, const struct jif_timer *timer,
			unsigned level, unsigned slot, uint32_t remaining);

/**
 * jif_wheel_walk - look at each pending timer
 * @wheel:	the wheel
 * @fn:		called for each timer with interrupts as they were
 * @arg:	handed on to @fn
 *
 * Slot by slot, timers of one expiry in arming order. What waits for a later
 * week is shown in the slot of its day, with the weeks in @remaining. With
 * CONFIG_JIF_SPREAD, slots of a level's next turn are shown as those of this
 * one, so only jif_timer_expires() returns when a timer is due. @fn may arm,
 * move and delete timers, and look at the wheel, where jif_wheel_next_stop()
 * and jif_wheel_empty() may take the slot that is looked at for occupied; a run
 * within it changes nothing and returns 0, and so does a drain, which is a
 * misuse. A timer that @fn or a handler arms or moves meanwhile may be seen or
 * not, or again in a slot to come; no other one is left out or seen twice.
 * Context: the main loop and callbacks.
 * Return: 0, or the first other result of @fn, at which the walk stops.
 */
int jif_wheel_walk(struct jif_wheel *wheel, jif_walk_fn *fn, void *arg);

/**
 * jif_wheel_print - print a wheel and all that is pending on it
 * @wheel:	the wheel
 * @put:	prints a character
 * @name:	what a timer is called; NULL: only its address is printed
 *
 * For people, in the manner of Linux' /proc/timer_list; as jif_wheel_walk().
 * Context: the main loop and callbacks.
 */
void jif_wheel_print(struct jif_wheel *wheel, jif_put_fn *put,
		     const char *(*name)(const struct jif_timer *timer));

/**
 * jif_wheel_check - are the invariants true?
 * @wheel:	the wheel
 *
 * Visits every entry with interrupts off: for tests and for a firmware's
 * self-test, not for a control loop. The invariants are those of lib/wheel.c,
 * except W5, W6 and W8, which are about changes over time.
 * Context: any.
 * Return: 0, or the number of the first that is broken: 1 for W1, and so on.
 */
int jif_wheel_check(const struct jif_wheel *wheel);

JIF_END_DECLS

#endif
