/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/wheel.c - does moves, and what may happen meanwhile
 *
 * The model is told before the engine: an interrupt comes right after the
 * engine has done its part. A timer that the engine has taken off for its
 * callback has expired, also if an interrupt comes before the callback: it is
 * "under way".
 */
#include <jif/jiffies.h>
#include <jif/kit/sim.h>
#include <stdio.h>
#include <string.h>

#include "explore.h"
#include "tape.h"
#include "wheel.h"

#define NOBODY	    ORACLE_MAX
#define WINDOWS_MAX 2000
#define NEVER	    (UINT64_MAX / 2)

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
 * @doing:	the call for a timer that is under way
 */
static struct {
	const struct move *move;
	enum mode mode;
	uint64_t target;
	unsigned under_way;
	unsigned ran;
	unsigned drained;
	unsigned windows;
	unsigned acts;
	unsigned injections;
	unsigned touched;
	unsigned seen;
	bool slept;
	struct doing doing;
} now;

void same_of(const char *what, unsigned i, uint32_t want, uint32_t got)
{
	char text[80];

	if (want == got)
		return;
	if (i < ORACLE_MAX)
		snprintf(text, sizeof(text), "%c: %s", 'A' + (int)i, what);
	same(i < ORACLE_MAX ? text : what, want, got);
}

/* The first time that a step gets here, if it gets here again. */
static bool is_first(void)
{
	return (now.move->acts || now.move->injections) && is_fresh();
}

/* What makes no difference is tried once: with 1 tick, or 0. */
static bool is_useful(const struct move *move, bool is_act)
{
	const struct oracle_timer *it = &world.model.timer[move->timer];
	uint64_t ticks = move->ticks > 0 ? (uint64_t)move->ticks : 1;
	uint64_t due = world.model.clock + ticks;
	int64_t later = it->pending ? (int64_t)(due - it->expires) : 0;
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

static uint64_t first_expiry(void)
{
	unsigned first = oracle_first(&world.model);

	return first == ORACLE_NONE ? NEVER : world.model.timer[first].expires;
}

/* The clock may have moved up to the target, and not past an expiry. */
static void follow_clock(void)
{
	uint32_t clock = jif_wheel_clock(&world.wheel);
	uint64_t reached = world.model.clock +
			   (uint32_t)(clock - (uint32_t)world.model.clock);
	uint64_t first = first_expiry();

	if (reached == world.model.clock)
		return;
	same("the clock moves in a run only", RUNS, now.mode);
	must(reached <= now.target, "the clock is within the run");
	if (reached > first)
		same("the clock when a timer is due", (uint32_t)first, clock);
	world.model.clock = reached;
}

/* The engine has taken a timer off: W5, W6. */
static void expire(unsigned i)
{
	const struct oracle_timer *it = &world.model.timer[i];
	bool touched = now.mode == DRAINS && now.touched >> i & 1;

	same_of("is pending when it is called", i, true, it->pending);
	same_of("is taken off in a run only", i, true,
		now.mode == RUNS || now.mode == DRAINS);
	if (now.mode == RUNS)
		same_of("runs at", i, (uint32_t)it->expires,
			(uint32_t)world.model.clock);
	for (unsigned j = 0; j < plan.timers && !touched; j++) {
		if (!world.model.timer[j].pending ||
		    (now.mode == DRAINS && now.touched >> j & 1))
			continue;
		same_of("runs after those that are to run before it", i, false,
			oracle_before(&world.model, j, i));
	}
	oracle_del(&world.model, i);
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

/* What counts from jiffies finds them ahead of the wheel. */
static void call_with_timer(const struct move *move)
{
	struct oracle *model = &world.model;
	struct doing here, *doing = jif_sim.in_irq ? &here : &now.doing;
	uint64_t when = (uint64_t)move->ticks;
	uint32_t got;

	if (timer_verbs[move->verb].takes_expiry)
		when += model->clock;
	*doing = (struct doing){ .verb = move->verb,
				 .i = move->timer,
				 .when = when,
				 .now = model->clock + AHEAD };
	doing_begin(doing, model, jif_sim.in_irq);
	now.touched |= 1u << move->timer;
	got = verb_call(move->verb, &world.wheel, &world.timer[move->timer],
			(uint32_t)when);
	same_of("it returns", move->timer, doing_end(doing, model, got), got);
}

static void finish_run(const struct move *move, bool done)
{
	follow_clock();
	same_of("is called", now.under_way, NOBODY, now.under_way);
	if (move->ticks < 0) {
		same("it returns", !world.unfinished, done);
		return;
	}
	world.unfinished = !done;
	if (!done)
		return;
	same("the clock when the run is over", (uint32_t)now.target,
	     (uint32_t)world.model.clock);
	must(first_expiry() > world.model.clock, "what is due has run");
}

/* A run to the past does nothing. */
static void call_run(const struct move *move)
{
	uint64_t target = world.model.clock + (uint64_t)move->ticks;
	bool done = move->ticks >= 0 || !world.unfinished;
	unsigned ran;

	now.mode = RUNS;
	if (move->ticks >= 0)
		now.target = target;
	if (move->verb == RUN) {
		ran = jif_wheel_run(&world.wheel, (uint32_t)target);
		same("it returns", now.ran, ran);
	} else {
		done = jif_wheel_run_budget(&world.wheel, (uint32_t)target,
					    move->max);
		must(now.ran <= move->max, "no more callbacks than the budget");
	}
	finish_run(move, done);
	now.mode = CALLS;
}

/* A timer that is armed meanwhile may be taken off, or not. */
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
	     jif_wheel_run(&world.wheel, (uint32_t)now.target));
	same("a nested run returns", 0,
	     jif_wheel_run(&world.wheel, (uint32_t)world.model.clock));
	same("a nested run changes", 0, memcmp(&was, &world, sizeof(was)) != 0);
	jif_sim.irq = irq;
}

static int walked(void *arg, const struct jif_timer *timer, unsigned level,
		  unsigned slot, uint32_t remaining)
{
	unsigned i = (unsigned)(timer - world.timer);

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
	uint32_t when;
	bool any = jif_wheel_next_expiry(&world.wheel, &when);

	if (now.touched)
		return;
	same("it returns", first_expiry() != NEVER, any);
	same("the next expiry", (uint32_t)first_expiry(), when);
}

/* W7, and that no sleep is longer than until the first expiry. */
static void idle(uint32_t ticks)
{
	uint64_t left = first_expiry() - world.model.clock;
	uint32_t behind = jif_now() - (uint32_t)world.model.clock;

	now.slept = true;
	same("interrupts are off in a sleep", 1, jif_sim.off);
	must(!world.unfinished, "it sleeps with nothing left to do");
	left -= behind;
	must((int64_t)left > 0, "it sleeps when nothing is due");
	if (left > JIF_SLEEP_MAX - behind)
		left = JIF_SLEEP_MAX - behind;
	must(ticks && ticks <= left, "the sleep is not too long");
	if (!now.touched && !CONFIG_JIF_SPREAD)
		same("the sleep", (uint32_t)left, ticks);
}

/* After it, the clock moves on, up to where there is work to do. */
static void call_sleep(const struct move *move)
{
	uint64_t left = first_expiry() - world.model.clock;
	bool returned;

	jif_ticks((uint32_t)move->ticks);
	now.mode = RUNS;
	now.target = world.model.clock + (uint64_t)move->ticks;
	returned = jif_wheel_sleep(&world.wheel, idle);
	same("it returns", now.slept, returned);
	if (now.slept)
		finish_run(move, jif_wheel_run_budget(&world.wheel,
						      (uint32_t)now.target, 0));
	now.mode = CALLS;
	world.wheel.time = NULL;
	if (now.touched || world.unfinished || CONFIG_JIF_SPREAD)
		return;
	same("it sleeps", (int64_t)left > move->ticks, now.slept);
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
	/* What time it is for the wheel is its clock, after a sleep, too. */
	world.wheel.time = NULL;
	follow_clock();
	doing_look(&now.doing, &world.model, &world.wheel,
		   &world.timer[now.doing.i]);
	find_under_way();
	if (is_first() && now.doing.verb == NOTHING)
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
	jif_ticks((uint32_t)world.model.clock - jif_now());
	if (move->verb < RUN && timer_verbs[move->verb].takes_delay)
		jif_ticks(AHEAD);
	jif_sim = (struct jif_sim){ .irq = NULL };
	if (move->verb < INIT || move->acts || move->injections)
		jif_sim.irq = window;
	tell_move(move);
}

/*
 * If nothing waits for a later week, makes no difference when the first of that
 * was due, nor into which list the next one goes.
 */
static void forget_weeks(struct jif_wheel *wheel)
{
	unsigned last = JIF_WHEEL_SLOTS - 1;

	for (unsigned i = 0; i <= JIF_WHEEL_TURNS; i++)
		if (wheel->slot[last - i])
			return;
	wheel->far_due = 0xdeaddead;
	wheel->hand[4] = (jif_slot_t)(JIF_WHEEL_SLOTS - JIF_WHEEL_TURNS);
}

static bool is_any_loose(void)
{
	bool any = false;

	for (unsigned i = 0; i < ORACLE_MAX; i++)
		any |= world.model.timer[i].pending &&
		       world.model.timer[i].loose;
	return any;
}

/*
 * The tick that the wheel knows is moved by @shift: its hands stay. Whether it
 * knows that nothing is due now makes no difference between two runs, nor does
 * what has been postponed and is not there any more.
 */
static void move_wheel(struct jif_wheel *wheel, uint32_t shift)
{
	for (unsigned level = 0; level < 5; level++)
		wheel->since[level] -= shift;
	wheel->far_due -= shift;
	forget_weeks(wheel);
	if (wheel->quiet_until <= wheel->hand[0] + 1)
		wheel->quiet_until = 0;
	wheel->postponed = is_any_loose();
	wheel->target = 0xdeaddead;
}

/* Of what was armed, only the order within a tick is looked at. */
static void move_model(struct oracle *model, uint32_t shift)
{
	uint64_t rank[ORACLE_MAX] = { 0 };
	struct oracle_timer *it = model->timer;

	for (unsigned i = 0; i < ORACLE_MAX; i++)
		for (unsigned j = 0; j < ORACLE_MAX; j++)
			rank[i] += it[i].pending && it[j].pending &&
				   it[i].expires == it[j].expires &&
				   oracle_before(model, j, i);
	for (unsigned i = 0; i < ORACLE_MAX; i++) {
		it[i].arming = rank[i];
		it[i].since = 0;
		if (it[i].pending)
			it[i].expires -= shift;
	}
	model->armings = ORACLE_MAX;
	model->clock -= shift;
}

/* Gives equal states equal memory; what is dead must never be used. */
static void canonicalise(void)
{
	uint32_t shift = (uint32_t)(world.model.clock - FIRST_TICK);

	shift -= shift % FORTNIGHT;
	tell_shift(shift);
	move_model(&world.model, shift);
	move_wheel(&world.wheel, shift);
	for (unsigned i = 0; i < plan.timers; i++) {
		/* A timer of a later week counts from tick 0. */
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

	now.injections = 0;
	if (move->verb >= DRAIN && move->verb != SLEEP &&
	    first_expiry() == NEVER)
		skip();
	if (!is_useful(move, false))
		skip();
	begin(move);
	call(move);
	same("interrupts are on", 0, jif_sim.off);
	if (move->verb < INIT && !now.doing.windows)
		same("how often interrupts were let in", 1, now.windows);
	find_under_way();
	same_of("is called", now.under_way, NOBODY, now.under_way);
	canonicalise();
}

static void look(void)
{
	jif_sim.irq = NULL;
	look_at_all(world.unfinished);
}

static void start(unsigned part, unsigned injections)
{
	plan_make(part, injections);
	memset(&world, 0, sizeof(world));
	oracle_init(&world.model, FIRST_TICK);
	jif_wheel_init(&world.wheel, (uint32_t)FIRST_TICK);
	for (unsigned i = 0; i < plan.timers; i++) {
		jif_timer_init(&world.timer[i], expired);
		(void)!jif_timer_add(&world.wheel, &world.timer[i], 0);
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
