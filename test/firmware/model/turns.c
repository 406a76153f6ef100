/* SPDX-License-Identifier: MIT */
/* Turns of a scheduler, and the model of tasks.h */
#include "turns.h"

#include <inttypes.h>
#include <jif/jiffies.h>
#include <jif/kit/sim.h>
#include <jif/port.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../../wheel/model/random.h"

#define BEFORE_WRAP   ((UINT64_C(1) << 32) - 100000)
#define AHEAD	      2
#define PRIORITIES    CONFIG_JIF_WORK_PRIORITIES
#define FIRST_DELAYED (TASKS_WORKS - TASKS_DELAYED)

struct turns turns;

static uint32_t choose(uint32_t end)
{
	if (turns.part.choose)
		return turns.part.choose(end);
	return random_next(&turns.random, end);
}

/* One of @kinds; by chance, the first of them more often: one of @end. */
static uint32_t choose_kind(uint32_t kinds, uint32_t end)
{
	return choose(turns.part.choose ? kinds : end) % kinds;
}

/* When all is tried, just once in a step. */
static bool now_and_then(uint32_t end)
{
	if (!turns.part.choose)
		return !choose(end);
	if (!turns.extra || !choose(2))
		return false;
	turns.extra = false;
	return true;
}

static void tell(const char *what, unsigned which)
{
	const char *who = "main loop";

	if (jif_sim.in_irq)
		who = "\tinterrupt";
	else if (turns.in_fn)
		who = "\ttask or work";
	if (turns.tell)
		turns.tell(who, what, which);
}

static void must(bool right, const char *what)
{
	if (right || turns.difference[0])
		return;
	snprintf(turns.difference, sizeof(turns.difference),
		 "seed %" PRIu64 ", act %" PRIu64 ", now %" PRIu64 ": %s",
		 turns.seed, turns.acts, turns.model.now, what);
}

static struct jif_work *work_of(unsigned i)
{
	return i < FIRST_DELAYED ? &turns.works[i] : &turns.dworks[i].work;
}

static bool is_ready(unsigned item)
{
	if (item < TASKS_WORKS)
		return jif_work_pending(work_of(item));
	return jif_task_pending(&turns.tasks[item - TASKS_WORKS]);
}

/* Has the library run the callback of a timer that the model has armed? */
static bool has_expired(unsigned timer)
{
	const struct jif_timer *release;

	if (timer < TASKS_WORKS)
		return !jif_delayed_work_pending(&turns.dworks[timer]) ||
		       is_ready(timer);
	if (timer < TASKS_ITEMS)
		return !turns.tasks[timer - TASKS_WORKS].asleep;
	release = &turns.tasks[timer - TASKS_ITEMS].release;
	return jif_timer_pending(release) &&
	       jif_timer_expires(&turns.wheel, release) !=
		       (uint32_t)turns.model.timers[timer].expires;
}

/* A run that calls something ends without a word; but not without a window. */
static void follow_run(void)
{
	if (turns.sched.work.running == turns.running)
		return;
	turns.running = turns.sched.work.running;
	tasks_turn_over(&turns.model, false);
}

/* A turn that has begun a pass lets interrupts in before it looks on. */
static void follow_pass(void)
{
	if (turns.sched.ready.pass == turns.pass)
		return;
	turns.pass = turns.sched.ready.pass;
	tasks_begin_pass(&turns.model);
}

static void follow_queue(void)
{
	int first;

	if (turns.in_fn || turns.taken >= 0)
		return;
	if (!turns.in_turn)
		follow_run();
	else
		follow_pass();
	first = turns.in_turn ? tasks_next_item(&turns.model) :
				tasks_first(&turns.model, false);
	if (first < 0 || is_ready((unsigned)first))
		return;
	must(!turns.in_turn || tasks_due(&turns.model) < 0 || turns.urged,
	     "something runs before a timer");
	if (!turns.in_turn || !turns.model.items[first].priority)
		turns.held_up = 0;
	turns.timed_out = turns.in_turn ?
				  tasks_pick(&turns.model, (unsigned)first) :
				  tasks_take(&turns.model, (unsigned)first);
	turns.taken = first;
}

/* In a turn, what is urgent waits for one callback at most. */
static void follow_timer(unsigned timer)
{
	bool urgent = tasks_urgent(&turns.model);

	turns.held_up = turns.in_turn && urgent ? turns.held_up + 1 : 0;
	must(turns.held_up <= 1, "two callbacks go before what is urgent");
	tasks_expire(&turns.model, timer);
	turns.urged |= tasks_urgent(&turns.model);
}

/* Between two wakes of a call that wakes all, interrupts come. */
static void follow_wakes(void)
{
	struct jif_event *event;
	int waiter;

	if (turns.waking < 0)
		return;
	event = &turns.events[turns.waking];
	for (;;) {
		waiter = tasks_first_waiter(&turns.model, turns.waking);
		if (waiter < 0 ? !event->set || turns.model.set[turns.waking] :
				 turns.tasks[waiter].event == event)
			return;
		turns.woken +=
			tasks_event(&turns.model, (unsigned)turns.waking);
	}
}

/* What the library has done by itself. */
static void follow(void)
{
	uint32_t clk = jif_wheel_clock(&turns.wheel);
	int due;

	turns.model.clock += (uint32_t)(clk - (uint32_t)turns.model.clock);
	jif_sim.off++;
	follow_wakes();
	while ((due = tasks_due(&turns.model)) >= 0) {
		must(turns.model.timers[due].expires == turns.model.clock,
		     "the clock is past an expiry");
		if (!has_expired((unsigned)due))
			break;
		follow_timer((unsigned)due);
	}
	follow_queue();
	jif_sim.off--;
}

static uint32_t choose_delay(void)
{
	if (turns.part.choose)
		return turns.part.few ? 0 : choose(3);
	return choose(8) ? choose(12) : choose(9000);
}

/* Delayed work, too. */
static void queue_work(unsigned i)
{
	bool want = tasks_queue(&turns.model, i);

	tell("queue work", i);
	must(jif_work_queue(&turns.sched.work, work_of(i)) == want,
	     "queue() returned something else");
}

static void act_on_work(void)
{
	unsigned i = choose(turns.part.works);
	bool want;

	if (choose_kind(2, 3) == 0) {
		queue_work(i);
	} else {
		tell("cancel work", i);
		want = tasks_cancel(&turns.model, i);
		must(jif_work_cancel(&turns.sched.work, work_of(i)) == want,
		     "cancel() returned something else");
	}
}

/*
 * A call that asks what time it is, lets interrupts in, and then has its
 * effect: of one by the main loop, the model is told when the window is over.
 * Some arm a timer then, and have it after another window: the timer keeps its
 * place among those of its tick. If it is touched meanwhile, they begin again.
 */
static struct late {
	enum { DELAY, WAIT, PERIOD } what;
	enum { LOOKS, ASKS, PREPARES, FAILED } step;
	unsigned i;
	int with; /* an event, or whether it is a mod */
	uint32_t flags;
	bool all;
	bool clear;
	uint32_t delay;
	uint32_t period;
	uint64_t now;
	uint64_t armed; /* the act */
	uint32_t seen;
	int want;
} * late;

static void tell_late(struct late *call)
{
	struct tasks *model = &turns.model;
	uint64_t now = model->now;

	model->now = call->now;
	if (call->what == DELAY)
		call->want =
			tasks_delay(model, call->i, call->delay, call->with);
	else if (call->what == WAIT && call->with == TASKS_FLAGS)
		call->want = tasks_wait_flags(model, call->i, call->flags,
					      call->all, call->clear,
					      call->delay);
	else if (call->what == WAIT)
		call->want =
			tasks_suspend(model, call->i, call->with, call->delay);
	else
		call->want =
			tasks_start(model, call->i, call->delay, call->period);
	if (call->step == PREPARES)
		model->timers[call->what == WAIT ? TASKS_WORKS + call->i :
						   call->i]
			.armed = call->armed;
	model->now = now;
	late = NULL;
}

/* What is there of what it waits for. */
static uint32_t look_at(const struct late *call)
{
	if (call->with == TASKS_FLAGS)
		return jif_flags_get(&turns.flags);
	if (call->with == TASKS_QUEUE)
		return jif_queue_count(&turns.queue);
	return call->with >= 0 && turns.events[call->with].set;
}

/* Is what it waits for there? */
static bool is_over(const struct late *call)
{
	uint32_t set = look_at(call), got = set & call->flags;

	if (call->with != TASKS_FLAGS)
		return set;
	return call->all ? got == call->flags : got;
}

static bool prepares(const struct late *call)
{
	if (call->what == DELAY)
		return call->with &&
		       (jif_work_pending(work_of(call->i)) ||
			!jif_delayed_work_pending(&turns.dworks[call->i]));
	return call->what == WAIT && !is_over(call) &&
	       !jif_task_pending(&turns.tasks[call->i]);
}

/* A window is over, in which its timer was touched or not. */
static void go_on(struct late *call, bool touched)
{
	if (call->step == FAILED) {
		call->step = LOOKS;
		call->now = turns.model.now;
	} else if (call->step == LOOKS && prepares(call)) {
		call->step = call->what == WAIT ? ASKS : PREPARES;
		call->seen = look_at(call);
	} else if (call->step == ASKS) {
		call->step = look_at(call) == call->seen ? PREPARES : FAILED;
	} else if (touched) {
		call->step = FAILED;
	} else {
		tell_late(call);
	}
}

/* In which window is nothing to be done? Where it has ended another wait. */
static bool is_moving(const struct late *call)
{
	return call && call->step == PREPARES && call->what == WAIT &&
	       turns.tasks[call->i].asleep;
}

static const struct jif_timer *timer_of(const struct late *call)
{
	if (call->what == WAIT)
		return &turns.tasks[call->i].timer;
	return &turns.dworks[call->i].timer;
}

static void begin_late(struct late *call, bool lets_in)
{
	struct late *outer = late;

	call->now = turns.model.now;
	late = call;
	if (jif_sim.in_irq || !lets_in) {
		tell_late(call);
		late = outer;
	}
}

static void cancel_delayed(unsigned i)
{
	bool want = tasks_cancel(&turns.model, i);

	tell("cancel delayed work", i);
	must(jif_delayed_work_cancel(&turns.dworks[i]) == want,
	     "cancel() of delayed work returned something else");
}

static void act_on_delayed(void)
{
	unsigned i = FIRST_DELAYED + choose(turns.part.delayed);
	unsigned kind = choose_kind(4, 5);
	uint32_t delay;
	struct late call;
	int ret;

	if (kind == 2) {
		cancel_delayed(i);
		return;
	}
	if (kind == 3) {
		queue_work(i);
		return;
	}
	delay = choose_delay();
	tell(kind ? "mod delayed work" : "queue delayed work", i);
	call = (struct late){
		.what = DELAY, .i = i, .with = kind != 0, .delay = delay
	};
	begin_late(&call, delay);
	ret = kind ? jif_delayed_work_mod(&turns.sched.work, &turns.dworks[i],
					  delay) :
		     jif_delayed_work_queue(&turns.sched.work, &turns.dworks[i],
					    delay);
	must(ret == call.want, "delayed work returned something else");
}

static uint32_t choose_flags(void)
{
	return choose(UINT32_C(1) << turns.part.flags);
}

static void wait_for_flags(unsigned i, uint32_t delay)
{
	uint32_t end = (UINT32_C(1) << turns.part.flags) - 1;
	struct late call = { .what = WAIT,
			     .i = i,
			     .with = TASKS_FLAGS,
			     .flags = turns.part.few ? end : 1 + choose(end),
			     .all = choose(2),
			     .clear = choose(2),
			     .delay = delay };
	unsigned how = (call.all ? JIF_FLAGS_ALL : JIF_FLAGS_ANY) |
		       (call.clear ? JIF_FLAGS_CLEAR : 0);

	tell("wait for flags, task", i);
	begin_late(&call, delay != JIF_FOREVER);
	must(jif_flags_wait(&turns.flags, &turns.tasks[i], call.flags, how,
			    delay) == call.want,
	     "wait() for flags returned something else");
}

static void wait_for(unsigned i, int event, uint32_t delay)
{
	struct jif_task *task = &turns.tasks[i];
	struct late call = {
		.what = WAIT, .i = i, .with = event, .delay = delay
	};

	begin_late(&call, delay != JIF_FOREVER);
	if (event < 0)
		must(jif_task_sleep(task, delay) == call.want,
		     "sleep() returned something else");
	else if (event == TASKS_QUEUE)
		must(jif_queue_wait(&turns.queue, task, delay) == call.want,
		     "wait() for a message returned something else");
	else
		must(jif_task_wait(task, &turns.events[event], delay) ==
			     call.want,
		     "wait() returned something else");
}

/* The kinds of waits that take part come one after the other. */
static void suspend(unsigned i)
{
	unsigned flags = turns.part.flags > 0, messages = turns.part.messages;
	uint32_t on = choose(turns.part.events + 1 + flags + messages);
	uint32_t delay = JIF_FOREVER;

	if (choose_kind(2, 4) != 1)
		delay = choose_delay();
	if (flags && on == turns.part.events + 1) {
		wait_for_flags(i, delay);
		return;
	}
	tell(on ? "wait of task" : "sleep of task", i);
	wait_for(i, on > turns.part.events ? TASKS_QUEUE : (int)on - 1, delay);
}

static void stop(unsigned i)
{
	bool want = tasks_stop(&turns.model, i);

	tell("stop task", i);
	if (turns.taken == (int)(TASKS_WORKS + i))
		turns.timed_out = false;
	must(jif_task_stop(&turns.tasks[i]) == want,
	     "stop() returned something else");
}

static void start(unsigned i)
{
	struct late call = { .what = PERIOD,
			     .i = i,
			     .delay = choose_delay(),
			     .period = 1 + choose_delay() };

	tell("start task", i);
	begin_late(&call, true);
	must(jif_task_start(&turns.tasks[i], call.delay, call.period) ==
		     call.want,
	     "start() returned something else");
}

static void wake(unsigned i)
{
	bool want = tasks_wake(&turns.model, i);

	tell("wake task", i);
	must(jif_task_wake(&turns.tasks[i]) == want,
	     "wake() returned something else");
}

static void set_priority(unsigned i)
{
	unsigned priority = choose(turns.part.choose ? 2 : PRIORITIES);

	tell("set priority of task", i);
	tasks_set_priority(&turns.model, i, priority);
	must(jif_task_set_priority(&turns.tasks[i], priority) == 0,
	     "set_priority() returned something else");
}

static void act_on_task(void)
{
	static void (*const acts[])(unsigned i) = {
		suspend, wake, stop,	set_priority, start,
		suspend, wake, suspend, suspend,
	};
	unsigned i = choose(turns.part.tasks);
	unsigned kind =
		choose(turns.part.choose ?
			       3u + turns.part.periods + turns.part.priorities :
			       9u);

	if (kind == 3 && turns.part.periods && turns.part.choose)
		kind = 4;
	acts[kind](i);
}

static void wake_event(void)
{
	unsigned i = choose(turns.part.events);
	bool want = tasks_event(&turns.model, i);

	tell("event", i);
	must(jif_event_wake(&turns.events[i]) == want,
	     "wake() of an event returned something else");
}

static void wake_all(void)
{
	int outer = turns.waking;
	unsigned count = turns.woken, woken;

	turns.waking = (int)choose(turns.part.events);
	turns.woken = 0;
	tell("event for all", (unsigned)turns.waking);
	woken = jif_event_wake_all(&turns.events[turns.waking]);
	follow_wakes();
	must(woken == turns.woken, "wake_all() woke or counted others");
	turns.waking = outer;
	turns.woken = count;
}

static void act_on_event(void)
{
	(turns.part.choose || choose(4) ? wake_event : wake_all)();
}

static void take_flags(unsigned i)
{
	uint32_t want = tasks_flags(&turns.model, i);

	tell("take the flags of task", i);
	must(jif_flags_take(&turns.tasks[i]) == want,
	     "take() returned something else");
}

static void act_on_flags(void)
{
	uint32_t flags = choose_flags();
	bool set = choose_kind(2, 3) != 1;
	uint32_t want = (set ? tasks_set : tasks_clear)(&turns.model, flags);

	tell(set ? "set flags" : "clear flags", flags);
	must((set ? jif_flags_set(&turns.flags, flags) :
		    jif_flags_clear(&turns.flags, flags)) == want,
	     "set() or clear() returned something else");
}

/* Each byte of a message is made of its first one in another way. */
static void spell(unsigned char message[TURNS_MESSAGE], unsigned char first)
{
	message[0] = first;
	message[1] = (unsigned char)~first;
	message[2] = (unsigned char)(first ^ 0x5a);
}

static void send(void)
{
	unsigned char message[TURNS_MESSAGE];
	unsigned char first =
		(unsigned char)choose(turns.part.choose ? 2 : 256);
	int want = tasks_send(&turns.model, first);

	tell("send", first);
	spell(message, first);
	must(jif_queue_send(&turns.queue, message) == want,
	     "send() returned something else");
}

static void receive(void)
{
	unsigned char message[TURNS_MESSAGE] = { 0 };
	unsigned char right[TURNS_MESSAGE] = { 0 };
	int want = tasks_receive(&turns.model, right);

	tell("receive", right[0]);
	if (!want)
		spell(right, right[0]);
	must(jif_queue_receive(&turns.queue, message) == want,
	     "receive() returned something else");
	must(!memcmp(message, right, sizeof(right)), "another message");
}

static void act_on_queue(void)
{
	(choose(2) ? send : receive)();
}

static void pass_time(uint32_t ticks)
{
	turns.model.now += ticks;
	jif_ticks(ticks);
}

/* When all is tried, jiffies are never far ahead of the wheel. */
static void act_on_time(void)
{
	uint32_t ticks = 1;

	if (!turns.part.choose)
		ticks = choose(3);
	else if (turns.model.now - turns.model.clock >= AHEAD)
		ticks = 0;
	tell("ticks:", ticks);
	pass_time(ticks);
}

static void act(void)
{
	static void (*const acts[])(void) = {
		act_on_work, act_on_delayed, act_on_task,  act_on_event,
		act_on_time, act_on_flags,   act_on_queue,
	};
	const unsigned there[] = { turns.part.works,
				   turns.part.delayed,
				   turns.part.tasks,
				   turns.part.events,
				   1,
				   turns.part.flags,
				   turns.part.messages };
	bool few = !turns.part.flags && !turns.part.messages;
	unsigned kind = choose_kind(few ? 5 : 7, few ? 8 : 10);

	follow();
	turns.acts++;
	if (there[kind])
		acts[kind]();
	if (tasks_urgent(&turns.model))
		turns.urged = true;
	else
		turns.held_up = 0;
}

/* A task is being released: its next release is not armed yet. */
static bool is_releasing(void)
{
	const struct jif_task *task = turns.tasks;

	for (; task < turns.tasks + TASKS_TASKS; task++)
		if (task->period && !jif_timer_pending(&task->release))
			return true;
	return false;
}

static void interrupt(void)
{
	struct late *call = late;
	struct jif_timer was = { .where = 0 };

	if (is_releasing())
		return;
	follow();
	if (call && call->step == PREPARES) {
		call->armed = ++turns.model.acts;
		was = *timer_of(call);
	}
	if (!is_moving(call) && now_and_then(turns.interrupts)) {
		act();
		turns.interrupted++;
		turns.acted = true;
	}
	if (call)
		go_on(call,
		      call->step == PREPARES &&
			      (timer_of(call)->where != was.where ||
			       timer_of(call)->remaining != was.remaining));
}

/* Work or a task has been called. */
static void begin(unsigned item)
{
	must(turns.taken == (int)item, "another one runs, or once too often");
	must(!turns.in_fn, "one runs within another");
	turns.taken = -1;
	turns.in_fn = true;
	turns.ran++;
}

static void run_work(struct jif_work *work)
{
	unsigned i = 0;

	while (i < TASKS_WORKS - 1 && work_of(i) != work)
		i++;
	begin(i);
	while (now_and_then(3))
		act();
	turns.in_fn = false;
}

static void run_task(struct jif_task *task)
{
	begin(TASKS_WORKS + (unsigned)(task - turns.tasks));
	must(jif_task_timed_out(task) == turns.timed_out,
	     "timed_out() is wrong");
	if (turns.part.flags && (turns.part.choose || choose(4)))
		take_flags((unsigned)(task - turns.tasks));
	while (now_and_then(3))
		act();
	if (now_and_then(3))
		suspend((unsigned)(task - turns.tasks));
	turns.in_fn = false;
}

static bool is_any_ready(void)
{
	return tasks_any_ready(&turns.model, false) ||
	       tasks_any_ready(&turns.model, true);
}

/* Just until the next expiry, unless an interrupt has put that off. */
static void check_sleep(uint32_t ticks)
{
	uint64_t want = tasks_next(&turns.model) - turns.model.now;
	uint64_t most = turns.model.clock + JIF_SLEEP_MAX - turns.model.now;

	if (tasks_next(&turns.model) == TASKS_NEVER || want > most)
		want = most;
	must(!is_any_ready(), "it sleeps while something is ready");
	must(tasks_next(&turns.model) > turns.model.now,
	     "it sleeps while a timer is due");
	must(ticks, "it does not sleep");
	must(ticks <= want, "it sleeps too long");
	must(ticks == want || turns.acted || CONFIG_JIF_SPREAD,
	     "it sleeps too short");
}

/* What is urgent may leave some for the next turn. */
static void ran_to_target(bool urged)
{
	follow();
	must(urged || (turns.model.clock == turns.model.target &&
		       tasks_due(&turns.model) < 0),
	     "a timer is left");
	must(turns.taken < 0, "something was taken off and never ran");
}

static uint32_t sleep_for(uint32_t ticks)
{
	ran_to_target(turns.urged);
	turns.sleeps++;
	check_sleep(ticks);
	follow_pass();
	if (turns.part.choose)
		ticks = choose(ticks < AHEAD ? ticks + 1 : AHEAD + 1);
	else if (choose(2))
		ticks = choose(ticks);
	if (ticks > 20000 && choose(64))
		ticks = 20000;
	turns.model.now += ticks;
	return ticks;
}

static bool is_any_due(void)
{
	uint32_t when;

	if (CONFIG_JIF_SPREAD)
		return jif_wheel_next_stop(&turns.wheel, &when) &&
		       jif_time_before_eq(when, jif_now());
	return tasks_next(&turns.model) <= turns.model.now;
}

/*
 * Unless an interrupt is to blame, there is a reason to stay awake. One may
 * stop what is urgent, and for which the wheel has left something.
 */
static void turn(void)
{
	uint64_t sleeps = turns.sleeps;
	uint64_t before = turns.ran;
	bool left;

	tell("turn", 0);
	turns.model.target = turns.model.now;
	turns.acted = false;
	turns.in_turn = true;
	turns.urged = tasks_urgent(&turns.model);
	jif_sched_run(&turns.sched);
	left = turns.urged && (turns.acted || turns.ran > before ||
			       tasks_urgent(&turns.model));
	if (sleeps == turns.sleeps)
		ran_to_target(left);
	follow();
	turns.in_turn = false;
	must(turns.ran <= before + 1, "more than one runs in a turn");
	if (sleeps == turns.sleeps && !turns.acted)
		must(is_any_ready() || is_any_due() || left,
		     "it does not sleep");
}

static void run_wheel(void)
{
	turns.model.target = turns.model.now;
	jif_wheel_run(&turns.wheel, (uint32_t)turns.model.now);
	ran_to_target(false);
}

static void run_queue(unsigned max)
{
	uint64_t before = turns.ran;
	unsigned ran;

	tasks_turn_over(&turns.model, false);
	ran = jif_workqueue_run(&turns.sched.work, max);
	must(ran == turns.ran - before, "run() counts wrong");
	must(ran <= max, "run() ran too many");
	follow();
}

/* Runs of a few, until a pass is over. */
static void run_few(void)
{
	uint64_t before;
	unsigned max;

	do {
		max = choose(6);
		max = max < 5 ? max : UINT_MAX;
		before = turns.ran;
		run_queue(max);
		if (!choose(4))
			act();
	} while (turns.ran - before >= max && choose(4));
}

static void compare_task(unsigned i)
{
	const struct jif_task_record *record = jif_task_record(&turns.tasks[i]);
	const struct tasks_item *item = &turns.model.items[TASKS_WORKS + i];

	must(record->runs == item->runs, "the record counts runs wrong");
	must(record->missed == item->missed, "the record counts missed wrong");
	must(jif_task_pending(&turns.tasks[i]) == (item->ready != 0),
	     "pending() of a task is wrong");
}

static void compare_all(void)
{
	jif_sim.irq = NULL;
	for (unsigned i = 0; i < TASKS_TASKS; i++)
		compare_task(i);
	for (unsigned i = 0; i < FIRST_DELAYED; i++)
		must(jif_work_pending(&turns.works[i]) ==
			     tasks_work_pending(&turns.model, i),
		     "pending() of work is wrong");
	for (unsigned i = FIRST_DELAYED; i < TASKS_WORKS; i++)
		must(jif_delayed_work_pending(&turns.dworks[i]) ==
			     tasks_work_pending(&turns.model, i),
		     "pending() of delayed work is wrong");
	must(jif_flags_get(&turns.flags) == turns.model.flags,
	     "the flags are wrong");
	must(jif_queue_count(&turns.queue) == turns.model.sent,
	     "count() is wrong");
	must(jif_workqueue_empty(&turns.sched.work) ==
		     !tasks_any_ready(&turns.model, false),
	     "empty() is wrong");
	must(!jif_wheel_check(&turns.wheel), "the wheel is broken");
	jif_sim.irq = interrupt;
}

bool turns_step(void)
{
	uint32_t pick = choose(100);

	if (pick < 40)
		act();
	else if (pick < 50)
		pass_time(choose(40));
	else if (pick < 90)
		(turns.part.queue ? run_few : turn)();
	else if (pick < 95)
		run_wheel();
	else if (pick < 99)
		run_few();
	else
		compare_all();
	return !turns.difference[0];
}

static void run_some(void)
{
	unsigned max = choose(3);

	max = max < 2 ? max : UINT_MAX;
	tell("run of work, at most", max);
	run_queue(max);
}

bool turns_try(bool extra)
{
	turns.extra = extra;
	jif_sim.irq = interrupt;
	jif_sim.in_irq = false;
	jif_sim.off = 0;
	jif_ticks((uint32_t)turns.model.now - jif_now());
	switch (choose(3)) {
	case 0:
		turns.extra = false;
		act();
		break;
	case 1:
		tell("run the wheel", 0);
		run_wheel();
		break;
	case 2:
		if (turns.part.queue)
			run_some();
		else
			turn();
	}
	compare_all();
	jif_sim.irq = NULL;
	return !turns.difference[0];
}

static unsigned priority_of(unsigned item)
{
	if (!turns.part.choose)
		return choose(PRIORITIES);
	return turns.part.flat ? 0 : item % 2;
}

static void init_items(void)
{
	for (unsigned i = 0; i < TASKS_EVENTS; i++)
		jif_event_init(&turns.events[i]);
	jif_flags_init(&turns.flags);
	must(!jif_queue_init(&turns.queue, turns.storage, TURNS_MESSAGE,
			     TASKS_ROOM),
	     "init() of a queue failed");
	for (unsigned i = 0; i < TASKS_ITEMS; i++)
		turns.model.items[i].priority = priority_of(i);
	for (unsigned i = 0; i < TASKS_WORKS; i++) {
		unsigned priority = turns.model.items[i].priority;

		jif_work_init(&turns.works[i], run_work, priority);
		jif_delayed_work_init(&turns.dworks[i], run_work, priority);
	}
	for (unsigned i = 0; i < TASKS_TASKS; i++)
		jif_task_init(&turns.sched, &turns.tasks[i], run_task,
			      turns.model.items[TASKS_WORKS + i].priority, 0);
}

void turns_begin(uint64_t seed, unsigned interrupts,
		 const struct turns_part *part)
{
	static const struct turns_part all = {
		.works = FIRST_DELAYED,
		.delayed = TASKS_DELAYED,
		.tasks = TASKS_TASKS,
		.events = TASKS_EVENTS,
		.flags = 4,
		.messages = true,
		.periods = true,
		.priorities = true,
	};

	memset(&turns, 0xa5, sizeof(turns));
	turns.part = part ? *part : all;
	turns.tell = NULL;
	memset(turns.difference, 0, sizeof(turns.difference));
	turns.seed = seed;
	turns.random = random_begin(seed);
	turns.interrupts = interrupts;
	turns.acts = turns.interrupted = turns.ran = turns.sleeps = 0;
	turns.taken = turns.waking = -1;
	turns.in_fn = false;
	turns.in_turn = turns.running = turns.urged = false;
	turns.held_up = 0;
	tasks_init(&turns.model, BEFORE_WRAP);
	jif_ticks((uint32_t)BEFORE_WRAP - jif_now());
	jif_wheel_init(&turns.wheel, jif_now());
	jif_sched_init(&turns.sched, &turns.wheel, jif_port_idle, NULL);
	turns.pass = turns.sched.ready.pass;
	init_items();
	jif_sim.sleep = sleep_for;
	jif_sim.irq = interrupt;
}
