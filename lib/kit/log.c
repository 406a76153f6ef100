/* SPDX-License-Identifier: MIT */
/* lib/kit/log.c - what has happened: events, and what they are about */
#include "log.h"
#include "../delay.h"

#include <jif/kit/test.h>
#include <jif/port.h>
#include <jif/trace.h>
#include <stdio.h>
#include <string.h>

/* What events are about. */
struct subject {
	const char *name;	       /* of the timer, handler or note */
	const struct jif_timer *timer; /* the timer, or NULL */
	unsigned long cancelled;       /* how many events there were by then */
	unsigned count;		       /* how often it expired, or was noted */
	bool pending;		       /* it is, as far as events tell */
	bool ignored;		       /* it is not to be expected */
};

static struct {
	struct subject subject[LOG_SUBJECTS];
	unsigned subjects;
	struct log_event event[LOG_EVENTS];
	unsigned long count, next;
	uint32_t start;
} events;

/* In ticks since power-on. */
static uint32_t now(void)
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
		.when = now(),
		.value = value,
		.kind = (uint8_t)kind,
		.subject = (uint8_t)(subject - events.subject),
	};
	if (kind == LOG_FIRED || kind == LOG_NOTE)
		subject->count++;
}

static struct subject *find(const struct jif_timer *timer, const char *name)
{
	struct subject *s = events.subject;

	for (unsigned i = 0; i < events.subjects; i++, s++)
		if (timer ? s->timer == timer : !strcmp(s->name, name))
			return s;
	return NULL;
}

/* That of a timer, or of a name; or a new one. */
static struct subject *subject_of(const struct jif_timer *timer,
				  const char *name)
{
	struct subject *s = find(timer, name), *named = find(NULL, name);

	if (s)
		return s;
	if (events.subjects == LOG_SUBJECTS)
		jif_panic("more than 256 timers, handlers and notes");
	s = &events.subject[events.subjects++];
	*s = (struct subject){
		.name = name,
		.timer = timer,
		.ignored = named && named->ignored,
	};
	return s;
}

void jif_log_add(enum log_kind kind, const char *name, uint32_t value)
{
	add(kind, subject_of(NULL, name), value);
}

void jif_test_note(const char *name, uint32_t value)
{
	jif_log_add(LOG_NOTE, name, value);
}

void jif_test_ignore(const char *name)
{
	subject_of(NULL, name);
	for (unsigned i = 0; i < events.subjects; i++)
		if (!strcmp(events.subject[i].name, name))
			events.subject[i].ignored = true;
}

/* Arming a pending timer is one event here, and a cancel and a start there. */
static void log_armed(struct subject *s, const struct jif_wheel *wheel,
		      uint32_t expires)
{
	uint32_t when = now() + (expires - time_or_jiffies(wheel));

	if (s->cancelled && s->cancelled == events.count &&
	    event_at(events.count - 1)->when == now())
		*event_at(events.count - 1) = (struct log_event){
			.when = now(),
			.value = when,
			.kind = LOG_ARMED,
			.subject = (uint8_t)(s - events.subject),
		};
	else
		add(LOG_ARMED, s, when);
	s->pending = true;
}

static void log_cancelled(struct subject *s)
{
	add(LOG_CANCELLED, s, 0);
	s->cancelled = events.count;
	s->pending = false;
}

static void on_event(unsigned what, const struct jif_wheel *wheel,
		     const struct jif_timer *timer, uint32_t value)
{
	struct subject *s = timer ? find(timer, "") : NULL;

	if (!s)
		return;
	switch (JIF_TRACE_EVENT(what)) {
	case JIF_TRACE_START:
	case JIF_TRACE_POSTPONE:
		log_armed(s, wheel, value);
		break;
	case JIF_TRACE_CANCEL:
		log_cancelled(s);
		break;
	case JIF_TRACE_ENTRY:
		s->pending = false;
		add(LOG_FIRED, s, time_or_jiffies(wheel) - clock_of(wheel));
		break;
	default:
		break;
	}
}

void jif_test_watch(struct jif_wheel *wheel, struct jif_timer *timer,
		    const char *name)
{
	struct subject *s = subject_of(timer, name);

	s->name = name;
	if (jif_timer_pending(timer) && !s->pending)
		log_armed(s, wheel, jif_timer_expires(wheel, timer));
}

void jif_log_clear(uint32_t start)
{
	events.subjects = 0;
	events.count = 0;
	events.next = 0;
	events.start = start;
	jif_trace = on_event;
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

unsigned jif_test_count(const char *name)
{
	unsigned count = 0;

	for (unsigned i = 0; i < events.subjects; i++)
		if (!strcmp(events.subject[i].name, name))
			count += events.subject[i].count;
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
	case LOG_FIRED:
		fprintf(stderr, "%s expires, %lu late\n", name, value);
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
