/* SPDX-License-Identifier: MIT */
/* A wheel, what runs on it, and what is done to that */
#include "world.h"

#include <jif/jiffies.h>

struct world world;

static struct moment now(void)
{
	return (struct moment){
		.clock = jif_wheel_clock(&world.wheel),
		.count = world.got.count,
	};
}

static void note(unsigned who, uint32_t tick)
{
	if (world.got.count == LOG_MAX)
		return;
	world.got.log[world.got.count++] = (struct entry){ who, tick };
}

static void on_timer(struct jif_timer *timer)
{
	note((unsigned)(timer - world.timer), jif_wheel_clock(&world.wheel));
}

static void on_drain(struct jif_timer *timer)
{
	note((unsigned)(timer - world.timer), 0);
}

static void on_period(struct jif_periodic *p)
{
	note(CALLS, jif_wheel_clock(&world.wheel));
}

static void on_work(struct jif_work *work)
{
	note(WORK + (unsigned)(work - world.work), 0);
}

static void on_delayed(struct jif_work *work)
{
	note(DELAYED, 0);
}

static void on_task(struct jif_task *task)
{
	note(TASK, jif_task_timed_out(task));
}

static int on_walk(void *arg, const struct jif_timer *timer, unsigned level,
		   unsigned slot, uint32_t remaining)
{
	unsigned i = (unsigned)(timer - world.timer);

	if (i < PLAIN)
		world.got.seen[i]++;
	return 0;
}

static struct jif_timer *timer_of(unsigned i)
{
	switch (i) {
	case CALLS:
		return &world.periodic.timer;
	case DELAY:
		return &world.delayed.timer;
	case SLEEP:
		return &world.task.timer;
	case RELEASE:
		return &world.task.release;
	default:
		return &world.timer[i];
	}
}

/* Nothing is ready, and no expiry is slept over. */
static void on_idle(uint32_t ticks)
{
	const struct jif_timer *timer;

	if (!ticks || !jif_workqueue_empty(&world.sched.work) ||
	    !jif_workqueue_empty(&world.sched.ready))
		world.broken = 100;
	for (unsigned i = 0; i < TIMERS; i++) {
		timer = timer_of(i);
		if (jif_timer_pending(timer) &&
		    jif_timer_expires(&world.wheel, timer) - jif_now() < ticks)
			world.broken = 100;
	}
}

static uint32_t do_timer(const struct op *op)
{
	uint32_t when = (uint32_t)op->ticks;

	if (timer_verbs[op->verb].takes_expiry)
		when += WORLD_BASE;
	return verb_call(op->verb, &world.wheel, &world.timer[op->object],
			 when);
}

/* Where a build leaves the upper half out, the other one. */
#if !JIF_HAS_NOW64
#define jif_now64 jif_now
#endif

static uint32_t jiffies_passed(void)
{
	uint64_t passed = jif_now64() - world.first;

	return passed < UINT32_MAX ? (uint32_t)passed : UINT32_MAX;
}

static uint32_t do_wheel(const struct op *op)
{
	struct jif_wheel *wheel = &world.wheel;
	uint32_t expires = WORLD_BASE + (uint32_t)op->ticks;
	uint32_t when = 0;

	switch (op->verb) {
	case TICK:
		jif_tick();
		return 0;
	case NOW64:
		return jiffies_passed();
	case RUN:
		return jif_wheel_run(wheel, expires);
	case RUN_BUDGET:
		return jif_wheel_run_budget(wheel, expires, op->object);
	case NEXT:
		return jif_wheel_next_stop(wheel, &when) ? when : 0;
	case NEXT_EXPIRY:
		return jif_wheel_next_expiry(wheel, &when) ? when : 0;
	case EMPTY:
		return jif_wheel_empty(wheel);
	case DRAIN:
		return jif_wheel_drain(wheel, on_drain);
	case WALK:
		return (uint32_t)jif_wheel_walk(wheel, on_walk, NULL);
	default:
		return (uint32_t)jif_wheel_check(wheel);
	}
}

static uint32_t do_work(const struct op *op)
{
	struct jif_workqueue *queue = &world.sched.work;
	struct jif_work *work = &world.work[op->object];
	uint32_t delay = (uint32_t)op->ticks;

	switch (op->verb) {
	case PERIODIC_START:
		return (uint32_t)jif_periodic_start(
			&world.wheel, &world.periodic, delay, TICKS_SELF, 3);
	case PERIODIC_STOP:
		return jif_periodic_stop(&world.periodic);
	case WORK_QUEUE:
		return jif_work_queue(queue, work);
	case WORK_CANCEL:
		return jif_work_cancel(queue, work);
	case WORK_RUN:
		return jif_workqueue_run(queue, JIF_FOREVER);
	case DELAYED_QUEUE:
		return jif_delayed_work_queue(queue, &world.delayed, delay);
	case DELAYED_MOD:
		return (uint32_t)jif_delayed_work_mod(queue, &world.delayed,
						      delay);
	case DELAYED_CANCEL:
		return jif_delayed_work_cancel(&world.delayed);
	default:
		return jif_delayed_work_pending(&world.delayed);
	}
}

static uint32_t do_task(const struct op *op)
{
	struct jif_task *task = &world.task;
	uint32_t delay = (uint32_t)op->ticks;

	switch (op->verb) {
	case TASK_WAKE:
		return jif_task_wake(task);
	case TASK_SLEEP:
		return (uint32_t)jif_task_sleep(task, delay);
	case TASK_WAIT:
		return (uint32_t)jif_task_wait(task, &world.event, delay);
	case TASK_START:
		return (uint32_t)jif_task_start(task, delay, TICKS_END);
	case TASK_STOP:
		return jif_task_stop(task);
	case TASK_PENDING:
		return jif_task_pending(task);
	case EVENT_WAKE:
		return jif_event_wake(&world.event);
	default:
		return jif_sched_run(&world.sched);
	}
}

/* A message that was received is its number. */
static uint32_t receive(void)
{
	unsigned char message;
	int err = jif_queue_receive(&world.queue, &message);

	return err ? (uint32_t)err : message;
}

static uint32_t do_message(const struct op *op)
{
	unsigned char message = op->object;
	unsigned how = op->object > 3 ? JIF_FLAGS_ALL | JIF_FLAGS_CLEAR :
					JIF_FLAGS_ANY;

	switch (op->verb) {
	case FLAGS_SET:
		return jif_flags_set(&world.flags, op->object);
	case FLAGS_CLEAR:
		return jif_flags_clear(&world.flags, op->object);
	case FLAGS_WAIT:
		return (uint32_t)jif_flags_wait(
			&world.flags, &world.task,
			op->object > 3 ? op->object / 4 : op->object, how,
			(uint32_t)op->ticks);
	case FLAGS_TAKE:
		return jif_flags_take(&world.task);
	case QUEUE_SEND:
		return (uint32_t)jif_queue_send(&world.queue, &message);
	case QUEUE_RECEIVE:
		return receive();
	default:
		return (uint32_t)jif_queue_wait(&world.queue, &world.task,
						(uint32_t)op->ticks);
	}
}

/* What time it is for the wheel is its clock, whatever a scheduler has set. */
uint32_t world_do(const struct op *op)
{
	jif_wheel_set_time(&world.wheel, NULL);
	if (op->verb >= FLAGS_SET && op->verb <= QUEUE_WAIT)
		return do_message(op);
	if (op->verb < TIMER_VERBS)
		return do_timer(op);
	if (op->verb < PERIODIC_START)
		return do_wheel(op);
	return op->verb < TASK_WAKE ? do_work(op) : do_task(op);
}

void world_set_now(uint32_t jiffies)
{
	jif_ticks(jiffies - jif_now());
	world.first = jif_now64() - (uint32_t)(jiffies - WORLD_BASE);
}

void world_build(const struct state *state)
{
	world = (struct world){ .irqs = 0 };
	world_set_now(WORLD_BASE);
	jif_wheel_init_at(&world.wheel, WORLD_BASE, state->hand[0],
			  state->hand[1], state->hand[2], state->hand[3]);
	for (unsigned i = 0; i < PLAIN; i++)
		jif_timer_init(&world.timer[i], on_timer);
	jif_periodic_init(&world.periodic, on_period, JIF_CATCHUP_EACH);
	jif_sched_init(&world.sched, &world.wheel, on_idle, NULL);
	for (unsigned i = 0; i < 2; i++)
		jif_work_init(&world.work[i], on_work, 1);
	jif_delayed_work_init(&world.delayed, on_delayed, 1);
	jif_task_init(&world.sched, &world.task, on_task, 1, 0);
	jif_queue_init(&world.queue, world.storage, 1, WORLD_ROOM);
	for (unsigned i = 0; i < SETUP_MAX; i++)
		world_do(&state->setup[i]);
	world_set_now(WORLD_BASE + state->passed);
	world.end_at = now();
	world.got = (struct outcome){ .count = 0 };
}

void world_irq(const struct op *op)
{
	world.irqs++;
	world.irq_at = now();
	world.got.irq_result = world_do(op);
	world.irq_end_at = now();
}

void world_call(const struct op *op)
{
	world.calling = true;
	world.got.result = world_do(op);
	world.calling = false;
}

/* W1 to W4 */
static void check(void)
{
	if (!world.broken)
		world.broken = jif_wheel_check(&world.wheel);
}

static uint32_t pending(void)
{
	uint32_t map = 0;

	for (unsigned i = 0; i < TIMERS; i++)
		map |= (uint32_t)jif_timer_pending(timer_of(i)) << i;
	return map;
}

/* All that is armed runs, and what it has queued. */
void world_settle(void)
{
	struct outcome *got = &world.got;

	jif_wheel_set_time(&world.wheel, NULL);
	check();
	world.end_at = now();
	got->pending = pending();
	for (unsigned i = 0; i < TIMERS; i++)
		got->expires[i] =
			is_armed(got, i) ?
				jif_timer_expires(&world.wheel, timer_of(i)) :
				jif_timer_left(&world.wheel, timer_of(i));
	jif_wheel_run(&world.wheel, WORLD_BASE + TICKS_END);
	while (jif_workqueue_run(&world.sched.work, JIF_FOREVER))
		;
	while (jif_workqueue_run(&world.sched.ready, JIF_FOREVER))
		;
	check();
	got->rest = pending();
}
