/* SPDX-License-Identifier: MIT */
/*
 * A lazy timer and a handler that acts on it in each window of a call
 *
 * What comes of the two is what a model makes of the call and then the act, for
 * the call began first. A call that runs a wheel has the act on any of its
 * ticks. Where the act runs a wheel within a call that arms, the old time goes
 * before that run, and the new one may come after it.
 */
#include <jif/lazy.h>

#include "../../wheel/unit/unit.h"

#define SIZE(array) (sizeof(array) / sizeof(*(array)))
#define CLOCK	    10
#define END	    200

enum kind { NOTHING, MOD, DEL, PENDING, NEXT, RUN, RUN_SECOND };

/* Times are in ticks after START. */
struct act {
	enum kind kind;
	uint32_t when;
	uint32_t slack;
};

/* First, what may have been before. */
static const struct act acts[] = {
	{ NOTHING, 0, 0 },	  { MOD, 100, 20 },	 { MOD, 80, 0 },
	{ MOD, 80, JIF_FOREVER }, { MOD, 60, 70 },	 { MOD, 100, 0 },
	{ MOD, 90, JIF_FOREVER }, { MOD, 5, 3 },	 { MOD, 5, 0 },
	{ MOD, 110, 1 },	  { DEL, 0, 0 },	 { PENDING, 0, 0 },
	{ NEXT, 0, 0 },		  { RUN, CLOCK + 1, 0 }, { RUN, 85, 0 },
	{ RUN, 125, 0 },	  { RUN_SECOND, 85, 0 }, { RUN_SECOND, 125, 0 },
};
#define BEFORE 5u

struct told {
	int ret;
	uint32_t earliest;
	uint32_t latest;
};

/* What came of a call, an act of a handler, and time that passes. */
struct outcome {
	struct told call;
	struct told act;
	struct told then;
	unsigned runs;
	uint32_t ran_at[4];
};

static struct jif_wheel second;
static struct jif_lazy lazy;
static struct outcome got;
static const struct jif_wheel *under_way;
static const struct act *act_of_handler;
static unsigned wait;

static void note_run(struct outcome *of, uint32_t after)
{
	if (of->runs < SIZE(of->ran_at))
		of->ran_at[of->runs] = after;
	of->runs++;
}

static void note(struct jif_lazy *which)
{
	note_run(&got, jif_wheel_clock(under_way) - START);
}

static void run(struct jif_wheel *which, uint32_t after)
{
	const struct jif_wheel *before = under_way;

	under_way = which;
	if (jif_wheel_clock(which) - START < after)
		jif_wheel_run(which, at(after));
	under_way = before;
}

static struct told act(const struct act *what)
{
	struct told told = { 0, 0, 0 };

	switch (what->kind) {
	case MOD:
		told.ret = jif_lazy_mod(&lazy, at(what->when), what->slack);
		break;
	case DEL:
		told.ret = jif_lazy_del(&lazy);
		break;
	case PENDING:
		told.ret = jif_lazy_pending(&lazy);
		break;
	case NEXT:
		told.ret = jif_lazy_next(&lazy, &told.earliest, &told.latest);
		break;
	case RUN:
		run(&wheel, what->when);
		break;
	case RUN_SECOND:
		run(&second, what->when);
		break;
	case NOTHING:
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

/* Each wheel's clock, and on which tick of it the timer is due; 0: on none. */
static struct model {
	uint32_t clock[2];
	uint32_t due[2];
} model;
static struct outcome want;

static bool is_armed(void)
{
	return model.due[0] || model.due[1];
}

static uint32_t future(unsigned on, uint32_t when)
{
	return when > model.clock[on] ? when : model.clock[on] + 1;
}

static bool disarm(void)
{
	bool was = is_armed();

	model.due[0] = model.due[1] = 0;
	return was;
}

static void rearm(const struct act *what)
{
	if (what->slack != JIF_FOREVER)
		model.due[0] = future(0, what->when + what->slack);
	if (what->slack)
		model.due[1] = future(1, what->when);
}

static void pass(unsigned on, uint32_t after)
{
	if (after < model.clock[on])
		return;
	model.clock[on] = after;
	if (model.due[on] && model.due[on] <= after) {
		note_run(&want, model.due[on]);
		disarm();
	}
}

static struct told tell_next(void)
{
	uint32_t hard = model.due[0], soft = model.due[1];
	struct told told = { is_armed(), 0, 0 };

	if (is_armed()) {
		told.earliest = at(soft ? soft : hard);
		told.latest = hard ? at(hard) : at(soft) + JIF_FOREVER;
	}
	return told;
}

static struct told imagine(const struct act *what)
{
	struct told told = { 0, 0, 0 };

	switch (what->kind) {
	case MOD:
		told.ret = disarm();
		rearm(what);
		break;
	case DEL:
		told.ret = disarm();
		break;
	case PENDING:
		told.ret = is_armed();
		break;
	case NEXT:
		return tell_next();
	case RUN:
	case RUN_SECOND:
		pass(what->kind == RUN_SECOND, what->when);
		break;
	case NOTHING:
		break;
	}
	return told;
}

/* From TICK on: on a tick of the call, a run, after what is due, or before. */
enum { CALL_FIRST, ACT_WITHIN, TICK };

static void imagine_call(const struct act *call, const struct act *by_handler,
			 unsigned order)
{
	unsigned on = call->kind == RUN_SECOND;

	switch (order) {
	case CALL_FIRST:
		want.call = imagine(call);
		want.act = imagine(by_handler);
		break;
	case ACT_WITHIN:
		want.call.ret = disarm();
		want.act = imagine(by_handler);
		rearm(call);
		break;
	default:
		pass(on, CLOCK + (order - TICK) / 2);
		model.clock[on] += (order - TICK) % 2;
		want.act = imagine(by_handler);
		want.call = imagine(call);
		break;
	}
}

static void imagine_both(const struct act *before, const struct act *call,
			 const struct act *by_handler, unsigned order)
{
	model = (struct model){ { CLOCK, CLOCK }, { 0, 0 } };
	memset(&want, 0, sizeof(want));
	imagine(before);
	imagine_call(call, by_handler, order);
	want.then = tell_next();
	for (uint32_t after = CLOCK; after <= END; after++) {
		pass(0, after);
		pass(1, after);
	}
}

/* --- both ------------------------------------------------------------------*/

static void begin(const struct act *before)
{
	unit_init();
	jif_warn = unit_no_warning;
	unit_wheel(&second, START);
	jif_lazy_init(&wheel, &second, &lazy, note);
	run(&wheel, CLOCK);
	run(&second, CLOCK);
	act(before);
	memset(&got, 0, sizeof(got));
}

/* False if the call has no such window. */
static bool do_both(const struct act *before, const struct act *call,
		    const struct act *by_handler, unsigned window)
{
	const struct act then = { NEXT, 0, 0 };
	bool has_acted;

	begin(before);
	act_of_handler = by_handler;
	wait = window;
	jif_sim.irq = handle;
	got.call = act(call);
	jif_sim.irq = NULL;
	has_acted = !act_of_handler;
	cr_assert_eq(jif_wheel_check(&wheel), 0);
	cr_assert_eq(jif_wheel_check(&second), 0);
	got.then = act(&then);
	for (uint32_t after = CLOCK; after <= END; after++) {
		run(&wheel, after);
		run(&second, after);
	}
	cr_assert(jif_wheel_empty(&wheel) || jif_lazy_pending(&lazy));
	jif_lazy_del(&lazy);
	return has_acted;
}

static bool is_run(const struct act *what)
{
	return what->kind == RUN || what->kind == RUN_SECOND;
}

static bool is_as_imagined(const struct act *before, const struct act *call,
			   const struct act *by_handler)
{
	unsigned orders = ACT_WITHIN;

	if (is_run(call))
		orders = TICK + 2 * (call->when - CLOCK + 1);
	else if (call->kind == MOD && is_run(by_handler))
		orders = TICK;
	for (unsigned order = 0; order < orders; order++) {
		if (order == ACT_WITHIN && is_run(call))
			continue;
		imagine_both(before, call, by_handler, order);
		if (!memcmp(&got, &want, sizeof(got)))
			return true;
	}
	return false;
}

TestSuite(lazy_irq, .init = unit_init, .fini = unit_fini);

/* W5, W6 */
Test(lazy_irq, acts_in_each_window_of_each_call_as_before_it_or_after_it)
{
	unsigned tried = 0;

	for (unsigned i = 0; i < BEFORE * SIZE(acts) * SIZE(acts); i++) {
		const struct act *before = &acts[i % BEFORE];
		const struct act *call = &acts[i / BEFORE % SIZE(acts)];
		const struct act *handler = &acts[i / BEFORE / SIZE(acts)];
		unsigned window = 0;

		if (is_run(call) && is_run(handler))
			continue;
		while (do_both(before, call, handler, window++))
			cr_assert(is_as_imagined(before, call, handler),
				  "after %u, in window %u of %u: %u",
				  i % BEFORE, window, (unsigned)(call - acts),
				  (unsigned)(handler - acts));
		tried += window - 1;
		if (call->kind == MOD)
			cr_assert_geq(window, 3, "windows of arming");
	}
	cr_assert_geq(tried, BEFORE * SIZE(acts));
}

static void overwrite(struct jif_lazy *which)
{
	got.runs++;
	memset(which, 0xa5, sizeof(*which));
}

static uint32_t until;

static void run_on(void)
{
	until += END;
	run(&second, until);
	run(&wheel, until);
}

/* W6 */
Test(lazy_irq, that_runs_wheels_in_a_call_leaves_to_it_what_a_callback_frees)
{
	static const unsigned char freed[sizeof(lazy)];
	unsigned char now_there[sizeof(lazy)];

	for (unsigned i = 0; i < SIZE(acts); i++) {
		begin(&acts[0]);
		if (acts[i].kind != MOD)
			continue;
		lazy.fn = overwrite;
		until = CLOCK;
		jif_sim.irq = run_on;
		act(&acts[i]);
		jif_sim.irq = NULL;
		run_on();
		cr_assert_eq(got.runs, 1, "%u", i);
		memcpy(now_there, &lazy, sizeof(lazy));
		for (unsigned j = 0; j < sizeof(lazy); j++)
			now_there[j] ^= 0xa5;
		cr_assert_eq(memcmp(now_there, freed, sizeof(freed)), 0);
	}
}
