/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/wheel.c - does moves, and what may happen meanwhile
 *
 * The model is told before the engine: an interrupt comes right after the
 * engine has done its part. A timer that the engine has taken off for its
 * callback has expired, also if an interrupt comes before the callback: it is
 * "under way".
 */
#include <jif/jiffies.h>
#include <jif/sim.h>
#include <stdio.h>
#include <string.h>

#include "explore.h"
#include "tape.h"
#include "wheel.h"

#define NOBODY	    TIMERS_MAX
#define WINDOWS_MAX 2000

enum mode { CALLS, RUNS, DRAINS };

struct world world;

JIF_STATIC_ASSERT(JIF_SEC_SLOTS == 3 && JIF_MIN_SLOTS == 3 &&
			  JIF_HOUR_SLOTS == 2 && JIF_DAY_SLOTS == 2,
		  "only the small wheel has few enough states");
JIF_STATIC_ASSERT(sizeof(struct world) % sizeof(uint64_t) == 0,
		  "a state is hashed by words");

/**
 * struct now - the move that is under way
 * @move:	which
 * @mode:	what the engine does at the moment
 * @target:	up to which tick it may get
 * @under_way:	a timer that was taken off and not yet called, or NOBODY
 * @ran:	callbacks of the run
 * @drained:	and of the drain
 * @windows:	how often interrupts were let in
 * @acts:	how many callbacks may still do something
 * @injections:	how many interrupts may
 * @touched:	a bit for each timer that something was done to since the drain
 *		or the walk began
 * @seen:	a bit for each timer that the walk has shown
 * @slept:	the main loop has
 */
static struct {
	const struct move *move;
	enum mode mode;
	uint32_t target;
	unsigned under_way;
	unsigned ran;
	unsigned drained;
	unsigned windows;
	unsigned acts;
	unsigned injections;
	unsigned touched;
	unsigned seen;
	bool slept;
} now;

void same_of(const char *what, unsigned i, uint32_t want, uint32_t got)
{
	char text[80];

	if (want == got)
		return;
	if (i < TIMERS_MAX)
		snprintf(text, sizeof(text), "%c: %s", 'A' + (int)i, what);
	same(i < TIMERS_MAX ? text : what, want, got);
}

/* The first time that a step gets here, if it gets here again. */
static bool is_first(void)
{
	return (now.move->acts || now.move->injections) && is_fresh();
}

/* What makes no difference is tried once: with 1 tick, or 0. */
static bool is_useful(const struct move *move, bool is_act)
{
	const struct model_timer *it = &world.model.timer[move->timer];
	uint32_t due = model_due(&world.model, move->ticks);
	int32_t later = it->pending ? (int32_t)(due - it->expires) : 0;
	bool once = !is_act && (move->ticks == 1 || move->ticks == 0);

	switch (move->verb) {
	case ADD:
		return once || (!it->pending && !it->shut);
	case MOD:
		return once || it->pending || (is_act && !it->shut);
	case REDUCE:
		return once || later < 0;
	case POSTPONE:
		return once || later > 0;
	case DEL:
	case PAUSE:
		return !is_act || it->pending || now.under_way == move->timer;
	case SHUTDOWN:
		return !it->shut;
	case ADD_IN:
		return once || (!it->pending && !it->shut);
	case MOD_IN:
		return !it->shut;
	case MOD_PENDING:
		return once || it->pending;
	case RESUME:
		return !is_act || it->paused;
	case INIT:
		return it->shut;
	default:
		return !jif_sim.in_irq && !now.injections;
	}
}

/* What an interrupt or a callback does here: NULL for nothing. */
static const struct move *choose_act(unsigned *allowed)
{
	const struct move *act = plan.act.row;
	unsigned useful = 1;
	unsigned pick;

	if (!*allowed)
		return NULL;
	for (unsigned i = 0; i < plan.act.count && is_fresh(); i++)
		useful += is_useful(&act[i], true);
	pick = choose(useful);
	if (!pick)
		return NULL;
	--*allowed;
	for (; pick; act++)
		pick -= is_useful(act, true);
	return act - 1;
}

/* The clock may have moved up to the target, and not past an expiry. */
static void follow_clock(void)
{
	uint32_t clock = jif_wheel_clock(&world.wheel);
	uint32_t passed = clock - world.model.clock;
	uint32_t left;

	if (!passed)
		return;
	same("the clock moves in a run only", RUNS, now.mode);
	must(passed <= now.target - world.model.clock,
	     "the clock is within the run");
	if (model_next(&world.model, &left) && passed > left)
		same("the clock when a timer is due", world.model.clock + left,
		     clock);
	world.model.clock = clock;
}

/* The engine has taken a timer off: W5, W6. */
static void expire(unsigned i)
{
	const struct model_timer *it = &world.model.timer[i];
	bool touched = now.mode == DRAINS && now.touched >> i & 1;

	same_of("is pending when it is called", i, true, it->pending);
	same_of("is taken off in a run only", i, true,
		now.mode == RUNS || now.mode == DRAINS);
	if (now.mode == RUNS)
		same_of("runs at", i, it->expires, world.model.clock);
	for (unsigned j = 0; j < plan.timers && !touched; j++) {
		if (!world.model.timer[j].pending ||
		    (now.mode == DRAINS && now.touched >> j & 1))
			continue;
		same_of("runs after those that are to run before it", i, false,
			model_before(&world.model, j, i));
	}
	model_del(&world.model, i);
}

static void find_under_way(void)
{
	for (unsigned i = 0; i < plan.timers; i++) {
		bool pending = jif_timer_pending(&world.timer[i]);

		if (world.model.timer[i].pending && !pending) {
			same_of("one timer at a time", i, NOBODY,
				now.under_way);
			expire(i);
			now.under_way = i;
		}
		same_of("pending", i, world.model.timer[i].pending, pending);
	}
}

static int expect_armed(unsigned i, uint32_t due)
{
	if (world.model.timer[i].pending)
		return -JIF_EBUSY;
	model_mod(&world.model, i, due);
	return world.model.timer[i].pending ? 0 : -JIF_EINVAL;
}

/* What it returns, if that is an error number. */
static int expect_error(const struct move *move, uint32_t due)
{
	const struct model_timer *it = &world.model.timer[move->timer];

	if (move->verb == RESUME && !it->paused)
		return -JIF_EINVAL;
	return expect_armed(move->timer, due);
}

static int expect(const struct move *move, uint32_t due)
{
	struct model *model = &world.model;
	struct model_timer *it = &model->timer[move->timer];
	bool was = it->pending;

	switch (move->verb) {
	case ADD:
	case ADD_IN:
	case RESUME:
		return expect_error(move, due);
	case MOD:
	case MOD_IN:
		model_mod(model, move->timer, due);
		return it->shut ? -JIF_EINVAL : was;
	case MOD_PENDING:
		if (was)
			model_mod(model, move->timer, due);
		break;
	case REDUCE:
		model_reduce(model, move->timer, due);
		return it->shut ? -JIF_EINVAL : was;
	case POSTPONE:
		model_postpone(model, move->timer, due);
		return it->shut ? -JIF_EINVAL : was;
	case PAUSE:
		model_pause(model, move->timer);
		break;
	case INIT:
		it->shut = false;
		return 0;
	case SHUTDOWN:
		model_shut(model, move->timer);
		break;
	default:
		model_del(model, move->timer);
	}
	return was;
}

static int call_other(const struct move *move, struct jif_timer *timer,
		      uint32_t expires)
{
	struct jif_wheel *wheel = &world.wheel;

	switch (move->verb) {
	case ADD_IN:
		return jif_timer_add_in(wheel, timer, (uint32_t)move->ticks);
	case MOD_IN:
		return jif_timer_mod_in(wheel, timer, (uint32_t)move->ticks);
	case MOD_PENDING:
		return jif_timer_mod_pending(wheel, timer, expires);
	case PAUSE:
		return jif_timer_pause(wheel, timer);
	case RESUME:
		return jif_timer_resume(wheel, timer);
	default:
		jif_timer_init(timer, timer->fn);
		return 0;
	}
}

/* What counts from jiffies finds them ahead of the wheel. */
static void call_with_timer(const struct move *move)
{
	struct jif_timer *timer = &world.timer[move->timer];
	int32_t ticks = move->ticks;
	uint32_t expires = world.model.clock + (uint32_t)ticks;
	int want, got;

	if (move->verb == ADD_IN || move->verb == MOD_IN)
		ticks += AHEAD;
	if (move->verb == RESUME)
		ticks = (int32_t)world.model.timer[move->timer].expires;
	want = expect(move, model_due(&world.model, ticks));
	now.touched |= 1u << move->timer;
	if (move->verb < TIMER_VERBS)
		got = call_timer(move->verb, &world.wheel, timer, expires);
	else
		got = call_other(move, timer, expires);
	same_of("it returns", move->timer, (uint32_t)want, (uint32_t)got);
}

static void finish_run(const struct move *move, bool done)
{
	uint32_t left;

	follow_clock();
	same_of("is called", now.under_way, NOBODY, now.under_way);
	if (move->ticks < 0) {
		same("it returns", !world.model.unfinished, done);
		return;
	}
	world.model.unfinished = !done;
	if (!done)
		return;
	same("the clock when the run is over", now.target, world.model.clock);
	if (model_next(&world.model, &left))
		must(left > 0, "what is due has run");
}

/* A run to the past does nothing. */
static void call_run(const struct move *move)
{
	uint32_t target = world.model.clock + (uint32_t)move->ticks;
	bool done = move->ticks >= 0 || !world.model.unfinished;
	unsigned ran;

	now.mode = RUNS;
	if (move->ticks >= 0)
		now.target = target;
	if (move->verb == RUN) {
		ran = jif_wheel_run(&world.wheel, target);
		same("it returns", now.ran, ran);
	} else {
		done = jif_wheel_run_budget(&world.wheel, target, move->max);
		must(now.ran <= move->max, "no more callbacks than the budget");
	}
	finish_run(move, done);
	now.mode = CALLS;
}

/* What is armed meanwhile may be taken off, or not. */
static void call_drain(void)
{
	enum mode mode = now.mode;
	unsigned drained = now.drained;
	unsigned touched = now.touched;
	unsigned returned;

	now.mode = DRAINS;
	now.drained = now.touched = 0;
	returned = jif_wheel_drain(&world.wheel, NULL);
	same("it returns", now.drained, returned);
	same_of("is called", now.under_way, NOBODY, now.under_way);
	for (unsigned i = 0; i < plan.timers; i++)
		same_of("is off", i, true,
			!world.model.timer[i].pending || now.touched >> i & 1);
	now.mode = mode;
	now.drained = drained;
	now.touched |= touched;
}

/* No run is let in while another one, or a walk, is under way. */
static void try_to_run(void)
{
	void (*irq)(void) = jif_sim.irq;
	struct world was;

	memcpy(&was, &world, sizeof(was));
	jif_sim.irq = NULL;
	same("a nested run returns", 0,
	     jif_wheel_run(&world.wheel, now.target));
	same("a nested run returns", 0,
	     jif_wheel_run(&world.wheel, world.model.clock));
	same("a nested run changes", 0, memcmp(&was, &world, sizeof(was)) != 0);
	jif_sim.irq = irq;
}

static int walked(void *arg, const struct jif_timer *timer, unsigned level,
		  unsigned slot, uint32_t remaining)
{
	unsigned i = (unsigned)(timer - world.timer);

	(void)arg;
	(void)level;
	(void)slot;
	(void)remaining;
	if (!(now.touched >> i & 1)) {
		same_of("walk() shows a timer that is pending", i, true,
			world.model.timer[i].pending);
		same_of("walk() shows it again", i, false, now.seen >> i & 1);
	}
	now.seen |= 1u << i;
	now.target++;
	try_to_run();
	now.target--;
	return 0;
}

static void call_walk(void)
{
	jif_wheel_walk(&world.wheel, walked, NULL);
	for (unsigned i = 0; i < plan.timers; i++)
		if (!(now.touched >> i & 1))
			same_of("walk() shows it", i,
				world.model.timer[i].pending,
				now.seen >> i & 1);
}

static void call_next_expiry(void)
{
	uint32_t left = 0;
	uint32_t when;
	bool any;

	any = jif_wheel_next_expiry(&world.wheel, &when);
	if (!now.touched) {
		same("it returns", model_next(&world.model, &left), any);
		same("the next expiry", world.model.clock + left, when);
	}
}

/* W7, and that no sleep is longer than until the first expiry. */
static void idle(uint32_t ticks)
{
	uint32_t left = 0;
	bool any = model_next(&world.model, &left);

	now.slept = true;
	same("interrupts are off in a sleep", 1, jif_sim.off);
	must(!world.model.unfinished, "it sleeps with nothing left to do");
	left -= jif_now() - world.model.clock;
	must(!any || (int32_t)left > 0, "it sleeps when nothing is due");
	if (!any || left > JIF_SLEEP_MAX)
		left = JIF_SLEEP_MAX;
	must(ticks && ticks <= left, "the sleep is not too long");
	if (!now.touched && !CONFIG_JIF_SPREAD)
		same("the sleep", left, ticks);
}

static void call_sleep(const struct move *move)
{
	uint32_t left = 0;
	bool any = model_next(&world.model, &left);
	bool returned;

	jif_ticks((uint32_t)move->ticks);
	returned = jif_wheel_sleep(&world.wheel, idle);
	same("it returns", now.slept, returned);
	if (now.touched || world.model.unfinished || CONFIG_JIF_SPREAD)
		return;
	same("it sleeps", !any || (int32_t)left > move->ticks, now.slept);
}

static void call(const struct move *move)
{
	switch (move->verb) {
	case RUN:
	case RUN_BUDGET:
		call_run(move);
		break;
	case DRAIN:
		call_drain();
		break;
	case WALK:
		call_walk();
		break;
	case NEXT_EXPIRY:
		call_next_expiry();
		break;
	case SLEEP:
		call_sleep(move);
		break;
	default:
		call_with_timer(move);
		break;
	}
}

static void look_inside(void)
{
	void (*irq)(void) = jif_sim.irq;

	jif_sim.irq = NULL;
	look_at_timers();
	if (now.move->verb == RUN && now.acts + now.injections)
		try_to_run();
	jif_sim.irq = irq;
}

/* Interrupts are let in. */
static void window(void)
{
	const struct move *act;

	must(++now.windows < WINDOWS_MAX, "the move ends");
	follow_clock();
	find_under_way();
	if (is_first())
		look_inside();
	act = choose_act(&now.injections);
	if (!act)
		return;
	interrupts++;
	tell_interrupt(now.windows, act);
	call(act);
}

static void expired(struct jif_timer *timer)
{
	unsigned i = (unsigned)(timer - world.timer);
	const struct move *act;

	must(i < plan.timers, "a timer is called");
	follow_clock();
	if (now.under_way == NOBODY) {
		expire(i);
		now.under_way = i;
	}
	same_of("is called", i, i, now.under_way);
	now.under_way = NOBODY;
	if (now.mode == DRAINS)
		now.drained++;
	else
		now.ran++;
	if (is_first())
		look_inside();
	act = choose_act(&now.acts);
	if (!act)
		return;
	tell_callback(i, act);
	call(act);
}

static void begin(const struct move *move)
{
	memset(&now, 0, sizeof(now));
	now.move = move;
	now.target = world.model.clock;
	now.under_way = NOBODY;
	now.acts = move->acts;
	now.injections = move->injections;
	jif_ticks(world.model.clock - jif_now());
	if (move->verb == ADD_IN || move->verb == MOD_IN)
		jif_ticks(AHEAD);
	jif_sim = (struct jif_sim){ .irq = NULL };
	if (move->verb < INIT || move->acts || move->injections)
		jif_sim.irq = window;
	tell_move(move);
}

/*
 * The tick that the wheel knows is moved by @shift: its hands stay. Whether it
 * knows that nothing is due now makes no difference between two runs.
 */
static void move_wheel(struct jif_wheel *wheel, uint32_t shift)
{
	for (unsigned level = 0; level < 5; level++)
		wheel->moved[level] -= shift;
	wheel->far_due -= shift;
	if (wheel->quiet <= wheel->hand[0] + 1)
		wheel->quiet = 0;
	wheel->target = 0xdeaddead;
}

/* Gives equal states equal memory; what is dead must never be used. */
static void canonicalise(void)
{
	uint32_t shift = world.model.clock - FIRST_TICK;

	shift -= shift % FORTNIGHT;
	tell_shift(shift);
	model_canonicalise(&world.model, shift);
	move_wheel(&world.wheel, shift);
	for (unsigned i = 0; i < plan.timers; i++) {
		/* What is due in a later week counts from tick 0. */
		if (world.model.timer[i].pending &&
		    world.timer[i].where >= JIF_WHEEL_SLOTS - JIF_WHEEL_TURNS)
			world.timer[i].remaining -= shift;
		if (world.model.timer[i].pending || world.model.timer[i].paused)
			continue;
		world.timer[i].next = (struct jif_timer *)(uintptr_t)0xdead;
		world.timer[i].prev = (struct jif_timer *)(uintptr_t)0xdead;
		world.timer[i].remaining = 0xdeaddead;
	}
}

static void step(void)
{
	const struct move *move = &plan.main.row[choose(plan.main.count)];
	uint32_t left;

	now.injections = 0;
	if (move->verb >= DRAIN && move->verb != SLEEP &&
	    !model_next(&world.model, &left))
		skip();
	if (!is_useful(move, false))
		skip();
	begin(move);
	call(move);
	same("interrupts are on", 0, jif_sim.off);
	if (move->verb < INIT)
		same("how often interrupts were let in", 1, now.windows);
	find_under_way();
	same_of("is called", now.under_way, NOBODY, now.under_way);
	canonicalise();
}

static void look(void)
{
	jif_sim.irq = NULL;
	look_at_all(world.model.unfinished);
}

static void start(unsigned part, unsigned injections)
{
	plan_make(part, injections);
	memset(&world, 0, sizeof(world));
	world.model.clock = FIRST_TICK;
	jif_wheel_init(&world.wheel, FIRST_TICK);
	for (unsigned i = 0; i < plan.timers; i++) {
		jif_timer_init(&world.timer[i], expired);
		jif_timer_add(&world.wheel, &world.timer[i], 0);
		jif_timer_del(&world.wheel, &world.timer[i]);
	}
	canonicalise();
	tell_begin();
}

const struct subject wheel_subject = {
	.world = &world,
	.size = sizeof(world),
	.start = start,
	.step = step,
	.look = look,
	.told = tell_scenario,
};
