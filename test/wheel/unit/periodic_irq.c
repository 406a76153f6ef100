/* SPDX-License-Identifier: MIT */
/*
 * A periodic timer and a handler that acts on it in each window of a call
 *
 * What comes of the two is what a model makes of the call and then the act, or
 * of the act and then the call. A call that runs the wheel has the act on any
 * of its ticks.
 */
#include <jif/periodic.h>

#include "unit.h"

#define SIZE(array) (sizeof(array) / sizeof(*(array)))
#define CLOCK	    10
#define END	    90

enum kind {
	NOTHING,
	START_AFTER,
	START_AT,
	START_RATIO,
	STOP,
	CHANGE,
	PAUSE,
	RESUME,
	NEXT,
	LEFT,
	RUN,
};

/* @when: a delay or, in ticks after START, a time. */
struct act {
	enum kind kind;
	uint32_t when;
	uint32_t period;
	uint32_t count;
};

/* First, what may have been before. A ratio takes @period ticks for 3 calls. */
static const struct act acts[] = {
	{ NOTHING, 0, 0, 0 },	   { START_AT, 30, 20, 2 },
	{ START_RATIO, 15, 8, 9 }, { PAUSE, 0, 0, 0 },
	{ START_AFTER, 10, 7, 1 }, { START_AFTER, 0, 7, 3 },
	{ START_AFTER, 1, 9, 3 },  { START_AFTER, 11, 7, 1 },
	{ START_AFTER, 1, 11, 3 }, { START_AT, 5, 20, 2 },
	{ START_RATIO, 2, 10, 4 }, { STOP, 0, 0, 0 },
	{ CHANGE, 0, 13, 2 },	   { RESUME, 0, 0, 0 },
	{ NEXT, 0, 0, 0 },	   { LEFT, 0, 0, 0 },
	{ RUN, CLOCK + 1, 0, 0 },  { RUN, 32, 0, 0 },
};
#define BEFORE 4u
#define PER    3u

struct told {
	int ret;
	uint32_t next;
};

/* What came of a call, an act of a handler, and time that passes. */
struct outcome {
	struct told call;
	struct told act;
	struct told then;
	uint32_t left;
	unsigned calls;
	uint32_t called_at[16];
};

static struct jif_periodic p;
static struct outcome got;
static const struct act *act_of_handler;
static unsigned wait;

static void note_call(struct outcome *of, uint32_t after)
{
	if (of->calls < SIZE(of->called_at))
		of->called_at[of->calls] = after;
	of->calls++;
}

static void note(struct jif_periodic *which)
{
	note_call(&got, now());
}

static int start(const struct act *what)
{
	uint32_t period = what->period, count = what->count;

	switch (what->kind) {
	case START_AFTER:
		return jif_periodic_start(&wheel, &p, what->when, period,
					  count);
	case START_AT:
		return jif_periodic_start_at(&wheel, &p, at(what->when), period,
					     count);
	default:
		return jif_periodic_start_ratio(&wheel, &p, what->when, period,
						PER, count);
	}
}

static struct told act(const struct act *what)
{
	struct told told = { 0, 0 };

	switch (what->kind) {
	case STOP:
		told.ret = jif_periodic_stop(&p);
		break;
	case CHANGE:
		told.ret = jif_periodic_change(&p, what->period, what->count);
		break;
	case PAUSE:
		told.ret = jif_periodic_pause(&p);
		break;
	case RESUME:
		told.ret = jif_periodic_resume(&p);
		break;
	case NEXT:
		told.ret = jif_periodic_next(&p, &told.next);
		break;
	case LEFT:
		told.ret = (int)jif_periodic_left(&p);
		break;
	case RUN:
		if (now() < what->when)
			run_to(what->when);
		break;
	case NOTHING:
		break;
	default:
		told.ret = start(what);
		break;
	}
	return told;
}

static void handle(void)
{
	if (!act_of_handler || wait--)
		return;
	got.act = act(act_of_handler);
	act_of_handler = NULL;
}

/* --- the model -------------------------------------------------------------*/

/* Call k is due k * @period / @per after @first; the next one, on @due. */
static struct model {
	uint32_t clock;
	uint32_t now;
	bool started;
	bool paused;
	uint32_t first;
	uint32_t k;
	uint32_t period;
	uint32_t per;
	uint32_t left;
	uint32_t due;
	uint32_t kept;
} model;
static struct outcome want;

static uint32_t future(uint32_t when)
{
	return when > model.clock ? when : model.clock + 1;
}

static bool end(void)
{
	bool was = model.started || model.paused;

	model.started = model.paused = false;
	model.left = 0;
	return was;
}

static int imagine_start(const struct act *what)
{
	bool was = end();

	if (what->kind == START_AT)
		model.first = what->when;
	else
		model.first = model.now + what->when;
	model.first = future(model.first);
	model.due = model.first;
	model.period = what->period;
	model.per = what->kind == START_RATIO ? PER : 1;
	model.left = what->count;
	model.k = 0;
	model.started = true;
	return was;
}

static int imagine_change(const struct act *what)
{
	if (!model.left)
		return -JIF_EINVAL;
	model.first = model.due;
	model.k = 0;
	model.period = what->period;
	model.per = 1;
	model.left = what->count;
	return 0;
}

static bool imagine_pause(void)
{
	if (!model.started)
		return false;
	model.kept = model.due - model.clock;
	model.started = false;
	model.paused = true;
	return true;
}

static int imagine_resume(void)
{
	uint32_t was = model.due;

	if (!model.paused)
		return -JIF_EINVAL;
	model.due = model.clock + model.kept;
	model.first += model.due - was;
	model.paused = false;
	model.started = true;
	return 0;
}

/* What the next call is, when one is made. */
static void go_on(void)
{
	note_call(&want, model.due);
	model.k++;
	model.due = model.first +
		    (model.k * model.period + model.per - 1) / model.per;
	if (!--model.left)
		model.started = false;
}

static void pass(uint32_t after)
{
	while (model.started && model.due <= after)
		go_on();
	if (after > model.clock)
		model.clock = after;
}

static struct told imagine_next(void)
{
	struct told told = { model.started, 0 };

	if (model.started)
		told.next = at(model.due);
	return told;
}

static struct told imagine(const struct act *what)
{
	struct told told = { 0, 0 };

	switch (what->kind) {
	case STOP:
		told.ret = end();
		break;
	case CHANGE:
		told.ret = imagine_change(what);
		break;
	case PAUSE:
		told.ret = imagine_pause();
		break;
	case RESUME:
		told.ret = imagine_resume();
		break;
	case NEXT:
		return imagine_next();
	case LEFT:
		told.ret = (int)model.left;
		break;
	case RUN:
		pass(what->when);
		break;
	case NOTHING:
		break;
	default:
		told.ret = imagine_start(what);
		break;
	}
	return told;
}

/* From TICK on: on a tick of the call, a run, after what is due, or before. */
enum { CALL_FIRST, TICK };

static void imagine_call(const struct act *call, const struct act *by_handler,
			 unsigned order)
{
	switch (order) {
	case CALL_FIRST:
		want.call = imagine(call);
		model.now = model.clock;
		want.act = imagine(by_handler);
		break;
	default:
		pass(CLOCK + (order - TICK) / 2);
		model.clock += (order - TICK) % 2;
		model.now = model.clock;
		want.act = imagine(by_handler);
		model.now = model.clock;
		want.call = imagine(call);
		break;
	}
}

static void imagine_both(const struct act *before, const struct act *call,
			 const struct act *by_handler, unsigned order)
{
	model = (struct model){ .clock = CLOCK, .now = CLOCK };
	memset(&want, 0, sizeof(want));
	if (before->kind == PAUSE)
		imagine(&acts[1]);
	imagine(before);
	imagine_call(call, by_handler, order);
	want.then = imagine_next();
	want.left = model.left;
	pass(END);
}

/* --- both ------------------------------------------------------------------*/

static void begin(const struct act *before)
{
	unit_init();
	jif_warn = unit_no_warning;
	jif_wheel_set_time(&wheel, jif_wheel_clock);
	jif_periodic_init(&p, note, JIF_CATCHUP_EACH);
	run_to(CLOCK);
	if (before->kind == PAUSE)
		act(&acts[1]);
	act(before);
	memset(&got, 0, sizeof(got));
}

/* False if the call has no such window. */
static bool do_both(const struct act *before, const struct act *call,
		    const struct act *by_handler, unsigned window)
{
	bool has_acted;

	begin(before);
	act_of_handler = by_handler;
	wait = window;
	jif_sim.irq = handle;
	got.call = act(call);
	jif_sim.irq = NULL;
	has_acted = !act_of_handler;
	cr_assert_eq(jif_wheel_check(&wheel), 0);
	got.then.ret = jif_periodic_next(&p, &got.then.next);
	got.left = jif_periodic_left(&p);
	for (uint32_t after = CLOCK; after <= END; after++)
		if (now() < after)
			run_to(after);
	jif_periodic_stop(&p);
	cr_assert(jif_wheel_empty(&wheel));
	return has_acted;
}

static bool is_as_imagined(const struct act *before, const struct act *call,
			   const struct act *by_handler)
{
	unsigned orders = TICK + 1;

	if (call->kind == RUN)
		orders = TICK + 2 * (call->when - CLOCK + 1);
	for (unsigned order = 0; order < orders; order++) {
		imagine_both(before, call, by_handler, order);
		if (!memcmp(&got, &want, sizeof(got)))
			return true;
	}
	return false;
}

TestSuite(periodic_irq, .init = unit_init, .fini = unit_fini);

/* W6 */
Test(periodic_irq, acts_in_each_window_of_each_call_as_before_it_or_after_it)
{
	unsigned tried = 0;

	for (unsigned i = 0; i < BEFORE * SIZE(acts) * SIZE(acts); i++) {
		const struct act *before = &acts[i % BEFORE];
		const struct act *call = &acts[i / BEFORE % SIZE(acts)];
		const struct act *handler = &acts[i / BEFORE / SIZE(acts)];
		unsigned window = 0;

		if (call->kind == RUN && handler->kind == RUN)
			continue;
		while (do_both(before, call, handler, window++))
			cr_assert(is_as_imagined(before, call, handler),
				  "after %u, in window %u of %u: %u",
				  i % BEFORE, window, (unsigned)(call - acts),
				  (unsigned)(handler - acts));
		tried += window - 1;
	}
	cr_assert_geq(tried, BEFORE * SIZE(acts));
}
