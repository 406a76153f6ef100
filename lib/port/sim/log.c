/* SPDX-License-Identifier: MIT */
/*
 * lib/port/sim/log.c - what has happened: events, and what they are about
 *
 * The engine tells nobody what becomes of a timer. So in each window the
 * watched timers are looked at, and one that is armed has its function replaced
 * by one that logs the call. A timer that was pending and is idle was
 * cancelled, if that function is not what comes next.
 */
#include "log.h"

#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/port.h>
#include <jif/sim.h>
#include <stdio.h>
#include <string.h>

/**
 * struct subject - what events are about
 * @name:	NULL if it belongs to a test that is over
 * @wheel:	of a timer
 * @timer:	the timer, or NULL
 * @fn:		what the timer would call
 * @period_fn:	what the periodic timer would call that @timer belongs to
 * @expires:	when it expires, if it is pending
 * @cancelled:	how many events there were when one said it was cancelled
 * @count:	how often it was called, or noted
 * @pending:	it was, when it was looked at last
 * @ignored:	it is not to be expected
 */
struct subject {
	const char *name;
	struct jif_wheel *wheel;
	struct jif_timer *timer;
	jif_timer_fn *fn;
	jif_periodic_fn *period_fn;
	uint32_t expires;
	unsigned long cancelled;
	unsigned count;
	bool pending;
	bool ignored;
};

/* One more subject than there may be ends the row. */
static struct {
	struct subject subject[LOG_SUBJECTS + 1];
	struct log_event event[LOG_EVENTS];
	unsigned long count;
	unsigned long next;
	uint32_t start;
	jif_timer_fn *periodic;
} events;

uint32_t jif_log_now(void)
{
	return jif_now() - events.start;
}

static struct log_event *event_at(unsigned long number)
{
	return &events.event[number % LOG_EVENTS];
}

static void add(enum log_kind kind, struct subject *subject, uint32_t value)
{
	*event_at(events.count++) = (struct log_event){
		.when = jif_log_now(),
		.value = value,
		.kind = (uint8_t)kind,
		.subject = (uint8_t)(subject - events.subject),
	};
	if (kind == LOG_FIRED || kind == LOG_NOTE)
		subject->count++;
}

/* That of a timer, or of a name; or a new one. */
static struct subject *subject_of(const struct jif_timer *timer,
				  const char *name)
{
	struct subject *s = events.subject;
	struct subject *end = s + LOG_SUBJECTS;

	for (; s < end && (s->name || s->timer); s++)
		if (timer ? s->timer == timer :
			    s->name && !strcmp(s->name, name))
			return s;
	if (s == end)
		jif_panic("more than 256 timers, handlers and notes");
	return s;
}

void jif_log_add(enum log_kind kind, const char *name, uint32_t value)
{
	struct subject *s = subject_of(NULL, name);

	s->name = name;
	add(kind, s, value);
}

void jif_log_ignore(const char *name)
{
	struct subject *s = subject_of(NULL, name);

	s->name = name;
	s->ignored = true;
}

/* Right before the function of the product. */
static struct subject *called(struct jif_timer *timer)
{
	struct subject *s = subject_of(timer, NULL);

	jif_log_look();
	if (s->cancelled && s->cancelled == events.count)
		events.count--;
	else if (s->cancelled)
		event_at(s->cancelled - 1)->kind = LOG_TAKEN;
	s->cancelled = 0;
	if (s->name)
		add(LOG_FIRED, s, jif_now() - jif_wheel_clock(s->wheel));
	return s;
}

static void on_timer(struct jif_timer *timer)
{
	called(timer)->fn(timer);
	jif_log_look();
}

static void on_period(struct jif_periodic *p)
{
	called(&p->timer)->period_fn(p);
	jif_log_look();
}

/* Has the calls of a timer logged: of a periodic one, those that it makes. */
static void divert(struct subject *s)
{
	struct jif_periodic *p =
		jif_container_of(s->timer, struct jif_periodic, timer);

	if (s->timer->fn == events.periodic) {
		if (p->fn != on_period)
			s->period_fn = p->fn;
		p->fn = on_period;
	} else {
		if (s->timer->fn != on_timer)
			s->fn = s->timer->fn;
		s->timer->fn = on_timer;
	}
}

static void look_at(struct subject *s)
{
	bool pending = jif_timer_pending(s->timer);
	uint32_t expires = jif_timer_expires(s->wheel, s->timer);

	if (pending) {
		divert(s);
		if (!s->pending || s->expires != expires)
			add(LOG_ARMED, s, expires - events.start);
	} else if (s->pending) {
		add(LOG_CANCELLED, s, 0);
		s->cancelled = events.count;
	}
	s->pending = pending;
	s->expires = expires;
}

/* With interrupts off, or looking would be a window. */
void jif_log_look(void)
{
	jif_sim.off++;
	for (struct subject *s = events.subject; s->name || s->timer; s++)
		if (s->name && s->timer)
			look_at(s);
	jif_sim.off--;
}

void jif_log_watch(struct jif_wheel *wheel, struct jif_timer *timer,
		   const char *name)
{
	struct subject *s = subject_of(timer, NULL);

	s->name = name;
	s->wheel = wheel;
	s->timer = timer;
	jif_log_look();
}

/* A static timer may go on into the next test, without being initialised. */
void jif_log_clear(uint32_t start)
{
	struct jif_periodic probe;

	for (struct subject *s = events.subject; s->name || s->timer; s++) {
		s->name = NULL;
		s->count = 0;
		s->cancelled = 0;
		s->pending = false;
		s->ignored = false;
	}
	jif_periodic_init(&probe, on_period, JIF_CATCHUP_EACH);
	events.periodic = probe.timer.fn;
	events.count = 0;
	events.next = 0;
	events.start = start;
}

const struct log_event *jif_log_next(void)
{
	const struct log_event *event;

	if (events.count - events.next > LOG_EVENTS)
		jif_panic("too many events since the last expectation");
	while (events.next < events.count) {
		event = event_at(events.next++);
		if ((event->kind == LOG_FIRED || event->kind == LOG_NOTE) &&
		    !events.subject[event->subject].ignored)
			return event;
	}
	return NULL;
}

const char *jif_log_name(const struct log_event *event)
{
	return events.subject[event->subject].name;
}

unsigned jif_log_count(const char *name)
{
	unsigned count = 0;

	for (struct subject *s = events.subject; s->name || s->timer; s++)
		if (s->name && !strcmp(s->name, name))
			count += s->count;
	return count;
}

static void print(const struct log_event *event)
{
	const char *name = jif_log_name(event);
	unsigned long value = event->value;

	fprintf(stderr, "%10lu  ", (unsigned long)event->when);
	switch ((enum log_kind)event->kind) {
	case LOG_ARMED:
		fprintf(stderr, "%s is armed for %lu\n", name, value);
		break;
	case LOG_CANCELLED:
		fprintf(stderr, "%s is cancelled\n", name);
		break;
	case LOG_TAKEN:
		fprintf(stderr, "%s expires\n", name);
		break;
	case LOG_FIRED:
		fprintf(stderr, "%s fires, %lu late\n", name, value);
		break;
	case LOG_NOTE:
		fprintf(stderr, "%s = %lu\n", name, value);
		break;
	case LOG_IRQ:
		fprintf(stderr, "interrupt: %s, in window %lu\n", name, value);
		break;
	default:
		fprintf(stderr, "%s of %lu ticks\n", name, value);
	}
}

void jif_log_print(void)
{
	unsigned long n = events.count;

	n = n < LOG_PRINTED ? n : LOG_PRINTED;
	fprintf(stderr,
		"the last %lu events, in ticks since power-on at %lu:\n", n,
		(unsigned long)events.start);
	for (; n; n--)
		print(event_at(events.count - n));
}
