/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/play.c - does moves, and what may happen meanwhile
 *
 * The model is told before the engine: an interrupt comes right after the
 * engine has done its part. A timer that the engine has taken off for its
 * callback has expired, also if an interrupt comes before the callback: it is
 * "under way".
 */
#define _XOPEN_SOURCE 700 /* sigaction(), setitimer() */

#include <jif/jiffies.h>
#include <jif/sim.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "explore.h"

#define NOBODY	    TIMERS_MAX
#define WINDOWS_MAX 2000

/* The tick at which all hands move at once. */
#define MIDNIGHT 18

enum mode { CALLS, RUNS, DRAINS };

struct world world;

/**
 * struct tape - the choices of a move
 * @choice:	what was chosen
 * @count:	among how many
 * @length:	how many choices are recorded
 * @at:		how many have been asked for
 */
static struct {
	uint8_t choice[TAPE_MAX];
	uint8_t count[TAPE_MAX];
	unsigned length;
	unsigned at;
} tape;

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
} now;

static struct {
	sigjmp_buf out;
	volatile sig_atomic_t is_set;
	volatile sig_atomic_t moves;
	bool aloud;
} guard;

void play_tell(bool aloud)
{
	guard.aloud = aloud;
}

static _Noreturn void differ(void)
{
	guard.is_set = false;
	siglongjmp(guard.out, 1);
}

void same(const char *what, unsigned i, uint32_t want, uint32_t got)
{
	char name[] = "A: ";

	if (want == got)
		return;
	name[0] = (char)('A' + i);
	if (guard.aloud)
		printf("\n%s%s\n\texpected: %ld\n\tengine:   %ld\n",
		       i < TIMERS_MAX ? name : "", what, (long)(int32_t)want,
		       (long)(int32_t)got);
	differ();
}

static void tell_move(const char *who, const struct move *move)
{
	static const char *const verbs[] = {
		"nothing", "add",      "mod",	      "reduce", "postpone",
		"del",	   "shutdown", "init",	      "run",	"run_budget",
		"drain",   "walk",     "next_expiry",
	};
	unsigned tick = (world.model.clock - FIRST_TICK) % FORTNIGHT;

	if (!guard.aloud)
		return;
	printf("%s at %u %u:%u:%u (%ld): %s", who, tick / 18, tick / 9 % 2,
	       tick / 3 % 3, tick % 3, (long)(int32_t)world.model.clock,
	       verbs[move->verb]);
	if (move->verb <= INIT)
		printf(" %c", 'A' + (int)move->timer);
	if (move->verb <= POSTPONE || move->verb == RUN ||
	    move->verb == RUN_BUDGET)
		printf(" %+ld", (long)move->ticks);
	if (move->verb == RUN_BUDGET)
		printf(" max %u", move->max);
	putchar('\n');
}

/* Is this the first time that the move gets here? */
static bool is_fresh(void)
{
	return (now.move->acts || now.move->injections) &&
	       tape.at == tape.length;
}

void play_rewind(void)
{
	tape.length = 0;
}

bool play_has_next(void)
{
	while (tape.length &&
	       tape.choice[tape.length - 1] + 1 == tape.count[tape.length - 1])
		tape.length--;
	if (tape.length)
		tape.choice[tape.length - 1]++;
	return tape.length;
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
		return !is_act || it->pending || now.under_way == move->timer;
	case SHUTDOWN:
		return !it->shut;
	case INIT:
		return it->shut;
	default:
		return !jif_sim.in_irq && !now.injections;
	}
}

bool play_is_useful(const struct move *move)
{
	uint32_t left;

	if (move->corner && world.model.clock - FIRST_TICK - MIDNIGHT + 1 > 1)
		return false;
	if (move->verb >= DRAIN && !model_next(&world.model, &left))
		return false;
	now.injections = 0;
	return is_useful(move, false);
}

/* What an interrupt or a callback does here: NULL for nothing. */
static const struct move *choose(unsigned *allowed)
{
	const struct move *act = plan.act.row;
	unsigned pick;

	if (!*allowed)
		return NULL;
	if (tape.at == tape.length) {
		same("the move ends", NOBODY, true, tape.length < TAPE_MAX);
		tape.choice[tape.length] = 0;
		tape.count[tape.length] = 1;
		for (unsigned i = 0; i < plan.act.count; i++)
			tape.count[tape.length] += is_useful(&act[i], true);
		tape.length++;
	}
	pick = tape.choice[tape.at++];
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
	same("the clock moves in a run only", NOBODY, RUNS, now.mode);
	same("the clock is within the run", NOBODY, true,
	     passed <= now.target - world.model.clock);
	if (model_next(&world.model, &left) && passed > left)
		same("the clock when a timer is due", NOBODY,
		     world.model.clock + left, clock);
	world.model.clock = clock;
}

/* The engine has taken a timer off: W5, W6. */
static void expire(unsigned i)
{
	const struct model_timer *it = &world.model.timer[i];
	bool touched = now.mode == DRAINS && now.touched >> i & 1;

	same("is pending when it is called", i, true, it->pending);
	same("is taken off in a run only", i, true,
	     now.mode == RUNS || now.mode == DRAINS);
	if (now.mode == RUNS)
		same("runs at", i, it->expires, world.model.clock);
	for (unsigned j = 0; j < plan.timers && !touched; j++) {
		if (!world.model.timer[j].pending ||
		    (now.mode == DRAINS && now.touched >> j & 1))
			continue;
		same("runs after those that are to run before it", i, false,
		     model_before(&world.model, j, i));
	}
	model_del(&world.model, i);
}

static void find_under_way(void)
{
	for (unsigned i = 0; i < plan.timers; i++) {
		bool pending = jif_timer_pending(&world.timer[i]);

		if (world.model.timer[i].pending && !pending) {
			same("one timer at a time", i, NOBODY, now.under_way);
			expire(i);
			now.under_way = i;
		}
		same("pending", i, world.model.timer[i].pending, pending);
	}
}

static int expect(const struct move *move)
{
	struct model *model = &world.model;
	struct model_timer *it = &model->timer[move->timer];
	uint32_t due = model_due(model, move->ticks);
	bool was = it->pending;

	switch (move->verb) {
	case ADD:
		if (was)
			return -JIF_EBUSY;
		model_mod(model, move->timer, due);
		return it->pending ? 0 : -JIF_EINVAL;
	case MOD:
		model_mod(model, move->timer, due);
		return was;
	case REDUCE:
		model_reduce(model, move->timer, due);
		return was;
	case POSTPONE:
		model_postpone(model, move->timer, due);
		return was;
	case INIT:
		it->shut = false;
		return 0;
	default:
		model_del(model, move->timer);
		it->shut |= move->verb == SHUTDOWN;
		return was;
	}
}

static void call_with_timer(const struct move *move)
{
	struct jif_timer *timer = &world.timer[move->timer];
	uint32_t expires = world.model.clock + (uint32_t)move->ticks;
	int want = expect(move);
	int got;

	now.touched |= 1u << move->timer;
	if (move->verb == INIT)
		jif_timer_init(timer, timer->fn);
	got = call_timer(move->verb, &world.wheel, timer, expires);
	same("it returns", move->timer, (uint32_t)want, (uint32_t)got);
}

static void finish_run(const struct move *move, bool done)
{
	uint32_t left;

	follow_clock();
	same("is called", now.under_way, NOBODY, now.under_way);
	if (move->ticks < 0) {
		same("it returns", NOBODY, !world.model.unfinished, done);
		return;
	}
	world.model.unfinished = !done;
	if (!done)
		return;
	same("the clock when the run is over", NOBODY, now.target,
	     world.model.clock);
	if (model_next(&world.model, &left))
		same("what is due has run", NOBODY, true, left > 0);
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
		same("it returns", NOBODY, now.ran, ran);
	} else {
		done = jif_wheel_run_budget(&world.wheel, target, move->max);
		same("no more callbacks than the budget", NOBODY, true,
		     now.ran <= move->max);
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
	same("it returns", NOBODY, now.drained, returned);
	same("is called", now.under_way, NOBODY, now.under_way);
	for (unsigned i = 0; i < plan.timers; i++)
		same("is off", i, true,
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
	same("a nested run returns", NOBODY, 0,
	     jif_wheel_run(&world.wheel, now.target));
	same("a nested run returns", NOBODY, 0,
	     jif_wheel_run(&world.wheel, world.model.clock));
	same("a nested run changes", NOBODY, 0,
	     memcmp(&was, &world, sizeof(was)) != 0);
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
		same("walk() shows a timer that is pending", i, true,
		     world.model.timer[i].pending);
		same("walk() shows it again", i, false, now.seen >> i & 1);
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
			same("walk() shows it", i, world.model.timer[i].pending,
			     now.seen >> i & 1);
}

static void call_next_expiry(void)
{
	uint32_t left = 0;
	uint32_t when;
	bool any;

	any = jif_wheel_next_expiry(&world.wheel, &when);
	if (!now.touched) {
		same("it returns", NOBODY, model_next(&world.model, &left),
		     any);
		same("the next expiry", NOBODY, world.model.clock + left, when);
	}
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
	if (now.move->verb == RUN)
		try_to_run();
	jif_sim.irq = irq;
}

/* Interrupts are let in. */
static void window(void)
{
	const struct move *act;

	same("the move ends", NOBODY, true, ++now.windows < WINDOWS_MAX);
	jif_tick();
	follow_clock();
	find_under_way();
	if (is_fresh())
		look_inside();
	act = choose(&now.injections);
	if (!act)
		return;
	if (guard.aloud)
		printf("\tinterrupt in window %u", now.windows);
	tell_move("", act);
	call(act);
}

static void expired(struct jif_timer *timer)
{
	unsigned i = (unsigned)(timer - world.timer);
	char who[] = "\tcallback of A";
	const struct move *act;

	same("a timer is called", NOBODY, true, i < plan.timers);
	follow_clock();
	if (now.under_way == NOBODY) {
		expire(i);
		now.under_way = i;
	}
	same("is called", i, i, now.under_way);
	now.under_way = NOBODY;
	if (now.mode == DRAINS)
		now.drained++;
	else
		now.ran++;
	if (is_fresh())
		look_inside();
	act = choose(&now.acts);
	if (!act)
		return;
	who[sizeof(who) - 2] = (char)('A' + i);
	tell_move(who, act);
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
	tape.at = 0;
	jif_sim = (struct jif_sim){ .irq = NULL };
	if (move->verb < INIT || move->acts || move->injections)
		jif_sim.irq = window;
	tell_move("main loop", move);
}

/* The tick that the wheel knows is moved by @shift: its hands stay. */
static void move_wheel(struct jif_wheel *wheel, uint32_t shift)
{
	wheel->clk -= shift;
	wheel->target = 0xdeaddead;
}

/* Gives equal states equal memory; what is dead must never be used. */
static void canonicalise(void)
{
	uint32_t shift = world.model.clock - FIRST_TICK;

	shift -= shift % FORTNIGHT;
	model_canonicalise(&world.model, shift);
	move_wheel(&world.wheel, shift);
	for (unsigned i = 0; i < plan.timers; i++) {
		if (world.model.timer[i].pending)
			continue;
		world.timer[i].next = (struct jif_timer *)(uintptr_t)0xdead;
		world.timer[i].prev = (struct jif_timer *)(uintptr_t)0xdead;
		world.timer[i].remaining = 0xdeaddead;
	}
}

enum outcome play(const struct move *move)
{
	guard.moves++;
	if (sigsetjmp(guard.out, 0))
		return WRONG;
	guard.is_set = true;
	begin(move);
	call(move);
	same("interrupts are on", NOBODY, 0, jif_sim.off);
	if (move->verb < INIT)
		same("how often interrupts were let in", NOBODY, 1,
		     now.windows);
	find_under_way();
	same("is called", now.under_way, NOBODY, now.under_way);
	canonicalise();
	guard.is_set = false;
	return RIGHT;
}

enum outcome play_look(void)
{
	guard.moves++;
	if (sigsetjmp(guard.out, 0))
		return WRONG;
	guard.is_set = true;
	jif_sim.irq = NULL;
	look_at_all(world.model.unfinished);
	guard.is_set = false;
	return RIGHT;
}

void play_start(void)
{
	memset(&world, 0, sizeof(world));
	world.model.clock = FIRST_TICK;
	jif_wheel_init(&world.wheel, FIRST_TICK);
	for (unsigned i = 0; i < plan.timers; i++)
		jif_timer_init(&world.timer[i], expired);
	canonicalise();
}

static void caught(int number)
{
	static sig_atomic_t moves = -1;

	if (number == SIGVTALRM && moves != guard.moves) {
		moves = guard.moves;
		return;
	}
	if (guard.is_set) {
		if (guard.aloud)
			printf("\nthe engine %s (signal %d)\n",
			       number == SIGVTALRM ? "is busy for ever" :
						     "crashes",
			       number);
		differ();
	}
	signal(number, SIG_DFL);
	raise(number);
}

/* Of processor time; a move takes a millionth of it. */
void play_guard(void)
{
	static const int numbers[] = { SIGSEGV, SIGBUS,	 SIGFPE,
				       SIGILL,	SIGABRT, SIGVTALRM };
	struct itimerval while_busy = { { 5, 0 }, { 5, 0 } };
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = caught;
	action.sa_flags = SA_NODEFER | SA_RESTART;
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
	setitimer(ITIMER_VIRTUAL, &while_busy, NULL);
}
