/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/sched.c - a cooperative scheduler: tasks that run to completion
 *
 * A TASK
 *
 * A task is a piece of work in a queue of its own: being ready is being queued,
 * running is being taken off, and priorities and order are those of
 * lib/firmware/work.c. It is in one of four states:
 *
 *	idle		until something wakes it
 *	asleep		until its timer expires
 *	waiting		until its event comes, maybe with the timer as time-out
 *	ready		on the queue
 *
 * Whatever makes it ready ends the sleep or wait first, so the same links serve
 * for the queue and for the list of an event. A task that runs is in any of the
 * four; most often it is idle and ends its run asleep or waiting. When it is
 * ready already, a wake has come meanwhile, and it neither sleeps nor waits.
 *
 * To wait takes three steps, and interrupts are let in between: is it over at
 * once? Then no timer is armed, as that may be the one of another wait. Or its
 * timer is armed, and then it waits. Until then, its expiry does nothing. If an
 * interrupt has moved that timer or the clock, or changed what it waits for
 * before its timer is armed, all is done again. A stop takes effect in its
 * first step, and takes timers off then; so does an event that ends a wait.
 *
 * A TURN
 *
 * The wheel, one work or else one task, the sleep: each makes work for what
 * comes after it. Work or a task of priority 0 is urgent: if it is ready when
 * the turn begins, it goes before the wheel; if it gets ready meanwhile, the
 * rest of the wheel is for the next turn. The wheel looks for that after each
 * entry. At least one entry runs in each turn, unless the turn has run
 * something else while some work or task is urgent. If only one is, it waits
 * for one callback at most, or for the move of one entry.
 *
 * The next one is the first of the highest priority, work before tasks, urgent
 * ones before both; every other time, the first that has not run in this pass.
 * The only urgent one waits for one run more at most, and nobody starves. A
 * pass is over when everything pending has run in it, or the machine sleeps.
 * The stamps are those of lib/firmware/work.c.
 *
 * THE SLEEP
 *
 * The next expiry is searched for with interrupts on. A second look and the
 * sleep are one step with interrupts off; an interrupt that comes then is
 * pending, and so ends the sleep. Then the next turn sees what it has brought.
 *
 * The wheel's clock stands still during a sleep, and a time that lies 2^31 or
 * more after it looks like the past. A sleep therefore has an end even if
 * nothing is armed: a timer that an interrupt arms after it, before the wheel
 * is run, is exact. Before the next turn the clock moves on to the wheel's next
 * stop; before urgent work, if it is more than a week of the wheel behind.
 */
#include <jif/firmware/sched.h>

#include "../bug.h"
#include "../delay.h"
#include "../port/jif_port.h"
#include "../rings.h"
#include "../trace_points.h"
#include "../wheel_debug.h"
#include "../wheel_sleep.h"
#include "waiters.h"
#include "work_list.h"

static bool is_ready(const struct jif_task *task)
{
	return !task->event && is_listed(&task->work);
}

/* Ends the sleep or wait, if it is in one. Interrupts are off. */
INLINE_IF_UNROLLED void rouse(struct jif_task *task)
{
	if (task->event)
		work_remove(&task->event->tail, &task->work);
	task->asleep = false;
	task->event = NULL;
}

void jif_drop_timer(struct jif_task *task)
{
	struct jif_wheel *wheel = task->sched->wheel;

	if (!task->asleep && is_on(wheel, &task->timer) > 0)
		take_off(wheel, &task->timer);
}

ONE_COPY bool wake(struct jif_task *task)
{
	rouse(task);
	jif_drop_timer(task);
	return jif_work_append(&task->sched->ready, &task->work);
}

void jif_wake_waiter(struct jif_task *task)
{
	rouse(task);
	work_push(&task->sched->ready, &task->work);
}

/* Lets interrupts in before its timer is taken off. */
static jif_irq_t drop_late(struct jif_task *task, jif_irq_t flags)
{
	flags = jif_irq_window(flags);
	jif_drop_timer(task);
	return flags;
}

jif_irq_t jif_end_wait(struct jif_task *task, jif_irq_t flags)
{
	jif_wake_waiter(task);
	return drop_late(task, flags);
}

bool jif_task_wake(struct jif_task *task)
{
	jif_irq_t flags = jif_irq_save();
	bool woken = wake(task);

	jif_irq_restore(flags);
	return woken;
}

int jif_task_set_priority(struct jif_task *task, unsigned priority)
{
	struct jif_workqueue *queue = &task->sched->ready;
	jif_irq_t flags;
	bool ready;

	if (!task->fn || priority >= CONFIG_JIF_WORK_PRIORITIES)
		return jif_invalid("a task cannot run", task);
	flags = jif_irq_save();
	if (task->work.priority != priority) {
		ready = is_ready(task) && jif_work_cancel(queue, &task->work);
		task->work.priority = (uint8_t)priority;
		if (ready)
			jif_wake_waiter(task);
	}
	jif_irq_restore(flags);
	return 0;
}

bool jif_task_pending(const struct jif_task *task)
{
	jif_irq_t flags = jif_irq_save();
	bool ready = is_ready(task);

	jif_irq_restore(flags);
	return ready;
}

bool jif_task_timed_out(const struct jif_task *task)
{
	return task->timed_out;
}

const struct jif_task_record *jif_task_record(const struct jif_task *task)
{
	return &task->record;
}

/* Wakes it, unless an interrupt came first: see lib/firmware/work.c. */
static void expire_task(struct jif_timer *timer)
{
	struct jif_task *task = jif_container_of(timer, struct jif_task, timer);
	jif_irq_t flags = jif_irq_save();

	if (task->asleep && !jif_timer_pending(timer)) {
		task->expired = true;
		wake(task);
	}
	jif_irq_restore(flags);
}

static bool is_valid_task(const struct jif_task *task)
{
	return task->fn && task->work.priority < CONFIG_JIF_WORK_PRIORITIES;
}

/* A wait that begins. */
struct wait {
	bool over;  /* at once */
	bool moved; /* the end of another wait; */
	bool again; /* then, time has moved on, and it was armed anew */
	jif_irq_t flags;
};

/* Would a wait be over at once? Then it is. Interrupts are off. */
INLINE_IF_UNROLLED bool is_over(struct jif_task *task, struct jif_event *event,
				const struct wish *wish)
{
	uint32_t got;

	if (!event || !event->set)
		return false;
	if (!wish) {
		event->set = 0;
	} else if (wish->how) {
		got = flags_met(event->set, wish->want, wish->how);
		if (!got)
			return false;
		if (wish->how & JIF_FLAGS_CLEAR)
			event->set &= ~got;
		task->flags = got;
		task->how = 0;
	}
	return true;
}

/* Of a task that is not ready. Interrupts are off. */
static void suspend(struct jif_task *task, struct jif_event *event,
		    const struct wish *wish, bool timed)
{
	rouse(task);
	if (event)
		work_append(&event->tail, &task->work);
	task->event = event;
	task->asleep = timed;
	if (wish && wish->how) {
		task->flags = wish->want;
		task->how = (uint8_t)wish->how;
	}
}

/*
 * Before it waits: arms its timer, and lets interrupts in. True, with
 * interrupts off, also if it is ready or the wait is @over; false if too far.
 */
static bool arm_end(struct jif_task *task, struct jif_event *event,
		    const struct wish *wish, uint32_t timeout,
		    struct wait *wait)
{
	struct jif_wheel *wheel = task->sched->wheel;
	struct jif_timer *timer = &task->timer;
	struct look look;
	uint32_t seen;
	bool failed;

	begin_look(&look, timeout);
	while (jif_look(wheel, &look)) {
		wait->flags = jif_irq_save();
		if (is_ready(task))
			return true;
		wait->over = is_over(task, event, wish);
		if (wait->over)
			return true;
		seen = event ? event->set : 0;
		wait->flags = jif_irq_window(wait->flags);
		if (is_current(wheel, &look) &&
		    (!event || event->set == seen)) {
			wait->moved |= task->asleep;
			failed = jif_arm_at(wheel, timer, look.spot) < 0;
			wait->flags = jif_irq_window(wait->flags);
			if (failed || is_armed_there(wheel, timer, &look))
				return true;
			if (!is_current(wheel, &look))
				wait->again = wait->moved;
		}
		jif_irq_restore(wait->flags);
	}
	return false;
}

/*
 * Was a task that is ready now so before? Not if this has moved the end of its
 * wait, and that has come since, a release, or a run.
 */
int jif_wait(struct jif_task *task, struct jif_event *event, uint32_t timeout,
	     const struct wish *wish)
{
	bool timed = timeout != JIF_FOREVER;
	struct wait wait;
	int err = 0;

	if (!is_valid_task(task))
		return jif_invalid("a task cannot run", task);
	wait.over = wait.moved = wait.again = false;
	if (!timed)
		wait.flags = jif_irq_save();
	else if (!arm_end(task, event, wish, timeout, &wait))
		return jif_too_far(task, task->fn);
	if (!wait.over && is_ready(task)) {
		wait.moved &= wait.again || task->expired || task->released;
		err = wait.moved ? 0 : -JIF_EBUSY;
	} else if (wait.over || is_over(task, event, wish)) {
		jif_wake_waiter(task);
	} else {
		suspend(task, event, wish, timed);
	}
	if (!task->asleep)
		wait.flags = drop_late(task, wait.flags);
	jif_irq_restore(wait.flags);
	return err;
}

int jif_task_wait(struct jif_task *task, struct jif_event *event,
		  uint32_t timeout)
{
	return jif_wait(task, event, timeout, NULL);
}

int jif_task_sleep(struct jif_task *task, uint32_t delay)
{
	return jif_task_wait(task, NULL, delay);
}

/*
 * A period has begun, unless an interrupt has stopped the task or started it
 * anew since its timer was taken off: then it has no period, or the timer is
 * pending. The wheel is exact, so the tick that it runs is the one on the grid.
 */
static void release_task(struct jif_timer *timer)
{
	struct jif_task *task =
		jif_container_of(timer, struct jif_task, release);
	struct jif_wheel *wheel = task->sched->wheel;
	uint32_t period = task->period, tick = jif_wheel_clock(wheel);
	uint32_t missed = period ? (wheel->target - tick) / period : 0;
	uint32_t next = tick + (missed + 1) * period;
	jif_irq_t flags = jif_irq_save();
	spot_t spot;

	if (task->period && !jif_timer_pending(timer)) {
		rouse(task);
		jif_work_append(&task->sched->ready, &task->work);
	}
	flags = drop_late(task, flags);
	jif_irq_restore(flags);
	spot = jif_look_ahead(wheel, next, &flags);
	if (task->period && !jif_timer_pending(timer)) {
		task->record.missed += missed + task->released;
		task->released = true;
		jif_arm_at(wheel, timer, spot);
	}
	jif_irq_restore(flags);
}

int jif_task_start(struct jif_task *task, uint32_t first, uint32_t period)
{
	struct jif_wheel *wheel;
	struct look look;
	bool was;

	if (!is_valid_task(task) || !period)
		return jif_reject_fn(-JIF_EINVAL, "a task has no such period",
				     task, task->fn);
	wheel = task->sched->wheel;
	begin_look(&look, first);
	if (period > JIF_DELAY_MAX || !look_after(wheel, &look))
		return jif_too_far(task, task->fn);
	was = task->period;
	task->period = period;
	jif_arm_at(wheel, &task->release, look.spot);
	jif_irq_restore(look.flags);
	return was;
}

bool jif_task_next(const struct jif_task *task, uint32_t *when)
{
	const struct jif_wheel *wheel = task->sched->wheel;
	jif_irq_t flags = jif_irq_save();
	uint32_t end = jif_timer_expires(wheel, &task->timer);
	uint32_t release = jif_timer_expires(wheel, &task->release);
	bool timed = task->asleep || task->period;

	if (task->period && (!task->asleep || jif_time_before(release, end)))
		end = release;
	if (timed)
		*when = end;
	jif_irq_restore(flags);
	return timed;
}

bool jif_task_stop(struct jif_task *task)
{
	jif_irq_t flags = jif_irq_save();
	bool stopped = task->asleep || is_listed(&task->work) || task->period;

	rouse(task);
	jif_work_cancel(&task->sched->ready, &task->work);
	task->period = 0;
	task->expired = false;
	task->released = false;
	flags = drop_late(task, flags);
	flags = jif_irq_window(flags);
	if (!task->period && is_on(task->sched->wheel, &task->release) > 0)
		take_off(task->sched->wheel, &task->release);
	jif_irq_restore(flags);
	return stopped;
}

void jif_event_init(struct jif_event *event)
{
	event->tail = NULL;
	event->set = 0;
}

bool jif_event_wake(struct jif_event *event)
{
	jif_irq_t flags = jif_irq_save();
	bool waits = event->tail;

	if (waits)
		flags = jif_end_wait(first_waiter(event), flags);
	else
		event->set = 1;
	jif_irq_restore(flags);
	return waits;
}

unsigned jif_event_wake_all(struct jif_event *event)
{
	jif_irq_t flags = jif_irq_save();
	unsigned woken = 0;

	if (!event->tail)
		event->set = 1;
	while (event->tail) {
		flags = jif_end_wait(first_waiter(event), flags);
		flags = jif_irq_window(flags);
		woken++;
	}
	jif_irq_restore(flags);
	return woken;
}

static void measure(struct jif_task *task, uint32_t span)
{
	struct jif_task_record *record = &task->record;

	record->runs++;
	record->last = span;
	record->total += span;
	if (record->longest < span)
		record->longest = span;
	if (task->budget && task->budget < span)
		record->overruns++;
}

static uint32_t now_of_turn(struct jif_wheel *wheel)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t now = time_to_run(wheel);

	jif_irq_restore(flags);
	return now;
}

static uint32_t read_clock(const struct jif_sched *sched)
{
	return sched->clock ? sched->clock() : now_of_turn(sched->wheel);
}

static void run_task(struct jif_work *work)
{
	struct jif_task *task = task_of(work);
	uint32_t begin = read_clock(task->sched);

	task->timed_out = task->expired;
	task->expired = false;
	task->released = false;
	task->fn(task);
	measure(task, read_clock(task->sched) - begin);
}

void jif_task_init(struct jif_sched *sched, struct jif_task *task,
		   jif_task_fn *fn, unsigned priority, uint32_t budget)
{
	*task = (struct jif_task){ .sched = sched, .fn = fn, .budget = budget };
	if (CONFIG_JIF_DEBUG)
		jif_task_work = run_task;
	jif_work_init(&task->work, fn ? run_task : NULL, priority);
	jif_timer_init(&task->timer, expire_task);
	jif_timer_init(&task->release, release_task);
}

/* The priorities of all that is to run; no lock: see has_work(). */
static inline unsigned pending(const struct jif_sched *sched)
{
	return READ_SHARED(&sched->work.occupied) |
	       READ_SHARED(&sched->ready.occupied);
}

static inline bool is_urgent(const struct jif_sched *sched)
{
	return pending(sched) & 1;
}

static void begin_pass(struct jif_sched *sched)
{
	work_begin_pass(&sched->work);
	work_begin_pass(&sched->ready);
	sched->picks = 0;
}

/* Work goes before tasks; before urgent ones only if it is @fresh or urgent. */
static struct jif_work *take(struct jif_sched *sched, bool fresh)
{
	struct jif_work *work = NULL;

	if (has_work(&sched->work) && (fresh || sched->work.occupied & 1 ||
				       !(sched->ready.occupied & 1))) {
		work = jif_workqueue_take(&sched->work, fresh);
		sched->work.running = work;
	}
	if (!work && has_work(&sched->ready))
		work = jif_workqueue_take(&sched->ready, fresh);
	return work;
}

static struct jif_work *take_next(struct jif_sched *sched, jif_irq_t *flags)
{
	struct jif_work *work = take(sched, sched->picks & 1);

	if (!work) {
		begin_pass(sched);
		*flags = jif_irq_window(*flags);
		work = take(sched, false);
	}
	if (work)
		sched->picks++;
	return work;
}

/* False if there is nothing; sets the priority of what has run. */
static bool run_next(struct jif_sched *sched, unsigned *priority)
{
	jif_irq_t flags = jif_irq_save();
	struct jif_work *work = take_next(sched, &flags);
	jif_work_fn *fn;

	if (work) {
		fn = work->fn;
		*priority = work->priority;
		jif_irq_restore(flags);
		fn(work);
		sched->work.running = false;
		return true;
	}
	jif_irq_restore(flags);
	return false;
}

/* 0 if there is nothing to do for the wheel. */
static inline uint32_t has_timers(const struct jif_wheel *wheel, uint32_t now)
{
	return (now - clock_of(wheel)) | wheel->levels_due;
}

/* Entry by entry, until all is done or something is urgent. */
static unsigned run_wheel(struct jif_sched *sched, uint32_t now)
{
	struct jif_wheel *wheel = sched->wheel;
	unsigned ran = 0;

	if (!has_timers(wheel, now) || wheel->nesting)
		return 0;
	do {
		ran += jif_wheel_run_most(wheel, now, 1, jif_irq_save());
	} while (has_timers(wheel, now) && wheel->target == now &&
		 !is_urgent(sched));
	return ran;
}

static unsigned run_some(struct jif_sched *sched, uint32_t now)
{
	bool urgent = is_urgent(sched);
	unsigned ran = 0, priority = 0;

	sched->running = true;
	if (urgent && now - clock_of(sched->wheel) > WEEK_TICKS) {
		jif_wheel_sleep_over(sched->wheel);
		now = sched->wheel->target;
	}
	if (urgent)
		ran = run_next(sched, &priority);
	if (!priority || !is_urgent(sched))
		ran += run_wheel(sched, now);
	if (!urgent && pending(sched))
		ran += run_next(sched, &priority);
	sched->running = false;
	return ran;
}

/*
 * The second look is one step with the sleep; see lib/wheel_sleep.c. So is the
 * end of the pass: what ends the sleep is the first of the next one.
 */
static void fall_asleep(struct jif_sched *sched)
{
	uint32_t until = jif_wheel_sleep_until(sched->wheel);
	jif_irq_t flags = jif_irq_save();
	uint32_t ticks = jif_wheel_sleep_ticks(sched->wheel, until);
	bool sleeps = ticks && !pending(sched);

	if (sleeps) {
		begin_pass(sched);
		trace(JIF_TRACE_SLEEP, sched->wheel, NULL, ticks);
		sched->running = true;
		sched->idle(ticks);
		sched->running = false;
		trace_wake(sched->wheel);
	}
	jif_irq_restore(flags);
	if (sleeps && !is_urgent(sched))
		jif_wheel_sleep_over(sched->wheel);
}

static inline bool check_turn(const struct jif_sched *sched)
{
	check_owned(sched->wheel);
	if (!CONFIG_JIF_DEBUG || !jif_in_irq())
		return true;
	jif_misused("a scheduler is run in a handler", sched, NULL);
	return false;
}

unsigned jif_sched_run(struct jif_sched *sched)
{
	unsigned ran = 0;
	uint32_t now;

	if (!check_turn(sched) || sched->running)
		return 0;
	now = now_of_turn(sched->wheel);
	if (pending(sched) || has_timers(sched->wheel, now))
		ran = run_some(sched, now);
	if (sched->idle && !pending(sched))
		fall_asleep(sched);
	return ran;
}

void jif_sched_init(struct jif_sched *sched, struct jif_wheel *wheel,
		    void (*idle)(uint32_t ticks), uint32_t (*clock)(void))
{
	if (CONFIG_JIF_DEBUG) {
		jif_workqueue_check_init(&sched->work);
		jif_workqueue_check_init(&sched->ready);
	}
	*sched = (struct jif_sched){
		.wheel = wheel,
		.idle = idle,
		.clock = clock,
	};
	if (!wheel->time)
		wheel->time = jif_time_jiffies;
	else if (CONFIG_JIF_DEBUG && wheel->time == jif_wheel_clock)
		jif_misused("a scheduler's wheel has no time but its clock",
			    wheel, NULL);
	jif_workqueue_init(&sched->work, wheel);
	jif_workqueue_init(&sched->ready, NULL);
}
