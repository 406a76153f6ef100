/* SPDX-License-Identifier: MIT */
/*
 * jif/trace.h - see what the timers of a wheel do
 *
 * With CONFIG_JIF_TRACE, the engine calls a function of the product's for each
 * thing that happens to a timer; the recorder is one. Without it, there is
 * neither code nor data. docs/tests.md shows what can be made of recordings.
 */
#ifndef JIF_TRACE_H
#define JIF_TRACE_H

#include <jif/timer.h>
#include <jif/wheel.h>

JIF_BEGIN_DECLS

/**
 * enum jif_trace_event - what has happened; and the value that comes with it
 * @JIF_TRACE_TIME:	in recordings only: the wheel's clock
 * @JIF_TRACE_START:	armed; for when, as it was asked for
 * @JIF_TRACE_POSTPONE:	put off in place, by jif_timer_postpone(); until when
 * @JIF_TRACE_CASCADE:	moved to another slot; the ticks that will be left when
 *		the wheel reaches that
 * @JIF_TRACE_CANCEL:	taken off, and does not expire; 0. Arming a pending
 *		timer is this, and a start. A drain does it twice: when it
 *		gathers a timer, and when it hands it over.
 * @JIF_TRACE_ENTRY:	has expired, and its function is called next; by how
 *		many ticks the run is late
 * @JIF_TRACE_EXIT:	that function has returned; 0. The timer may be gone.
 * @JIF_TRACE_INIT:	initialised by jif_timer_init(); 0. There is no wheel.
 * @JIF_TRACE_SLEEP:	the main loop sleeps; for how many ticks at most.
 * @JIF_TRACE_WAKE:	it wakes up; jif_wheel_now(). Neither has a timer.
 */
enum jif_trace_event {
	JIF_TRACE_TIME,
	JIF_TRACE_START,
	JIF_TRACE_POSTPONE,
	JIF_TRACE_CASCADE,
	JIF_TRACE_CANCEL,
	JIF_TRACE_ENTRY,
	JIF_TRACE_EXIT,
	JIF_TRACE_INIT,
	JIF_TRACE_SLEEP,
	JIF_TRACE_WAKE,
};

/* What has happened, and the number of the slot that a timer is in then. */
#define JIF_TRACE_WHAT(event, slot) ((unsigned)(event) | (unsigned)(slot) << 4)
#define JIF_TRACE_EVENT(what)	    ((enum jif_trace_event)((what)&15))

/**
 * typedef jif_trace_fn - something has happened
 * @what:	JIF_TRACE_EVENT(@what) is the event
 * @wheel:	on which wheel, or NULL
 * @timer:	to which timer, or NULL
 * @value:	see enum jif_trace_event
 *
 * It may look at the timer and the wheel, but not change them.
 * Context: interrupts are off.
 */
typedef void jif_trace_fn(unsigned what, const struct jif_wheel *wheel,
			  const struct jif_timer *timer, uint32_t value);

/** jif_trace - called for each event, unless it is NULL */
extern jif_trace_fn *jif_trace;

/* The number of a timer has 64 bits on a host, and else 32. */
#if UINTPTR_MAX > UINT32_MAX
typedef uint64_t jif_trace_word_t;
#else
typedef uint32_t jif_trace_word_t;
#endif

/**
 * struct jif_trace_record - a recorded event
 * @what:	from the top: the number of the slot that the timer went to, 9
 *		bits; the event, 4 bits; as many of the low bits of the timer's
 *		address as have room, without those that are always 0
 * @value:	see enum jif_trace_event
 */
struct jif_trace_record {
	jif_trace_word_t what;
	uint32_t value;
};

/**
 * jif_trace_start - record what happens on a wheel
 * @wheel:	the wheel; of others, nothing is recorded
 * @records:	memory
 * @count:	how many records that has, at least 1
 *
 * An event takes a record, and so does each tick that has events. When all are
 * in use, the oldest one is overwritten, and counted. On 32 bits, timers that
 * are 2 MB apart look the same.
 * Context: any, but not while jif_trace_print() prints.
 */
void jif_trace_start(const struct jif_wheel *wheel,
		     struct jif_trace_record *records, uint32_t count);

/**
 * jif_trace_stop - record no more
 * Context: any.
 */
void jif_trace_stop(void);

/* In C++, it hides the constructor of the structure of its name. */
JIF_MAY_SHADOW

/**
 * jif_trace_record - record an event
 * @what:	as in jif_trace_fn
 * @wheel:	as there
 * @timer:	as there
 * @value:	as there
 *
 * What jif_trace_start() sets jif_trace to. A function that the product sets
 * instead, to see events, too, hands them on to it.
 * Context: interrupts are off.
 */
void jif_trace_record(unsigned what, const struct jif_wheel *wheel,
		      const struct jif_timer *timer, uint32_t value);

JIF_END_MAY_SHADOW

/**
 * jif_trace_print - print all that has been recorded, and forget it
 * @put:	prints a character
 *
 * As text for tools/trace; docs/tests.md has the format. What happens
 * meanwhile is not recorded, but counted. May be called again and again.
 * Context: the main loop and callbacks, after jif_trace_start().
 */
void jif_trace_print(jif_put_fn *put);

/**
 * jif_trace_print_name - print what a timer is called
 * @put:	prints a character
 * @timer:	the timer
 * @name:	without spaces
 *
 * Before or after its records, and as often as you like.
 * Context: any.
 */
void jif_trace_print_name(jif_put_fn *put, const struct jif_timer *timer,
			  const char *name);

JIF_END_DECLS

#endif
