/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/scheduler.c - every state of a queue with some work,
 * and of a scheduler with some tasks, down to the sleep of its main loop
 *
 * Times count from the wheel's clock, and its hands are not looked at: that the
 * wheel does the same whatever they show is what exploring the wheel is for.
 * Numbers that only grow are ranks: those of the model's acts, and of passes.
 * What nobody reads again is 0.
 */
#include <inttypes.h>
#include <jif/jiffies.h>
#include <jif/kit/sim.h>
#include <stdio.h>
#include <string.h>

#include "../../../firmware/model/turns.h"
#include "explore.h"
#include "tape.h"

JIF_STATIC_ASSERT(TASKS_TASKS == 2, "it is the small scheduler");

static const struct turns_part parts[] = {
	{ .choose = choose, .works = 2, .delayed = 1, .queue = true },
	{ .choose = choose, .works = 1, .tasks = 2, .events = 1 },
	{ .choose = choose, .tasks = 2, .events = 1, .flat = true },
	{ .choose = choose, .works = 1, .tasks = 1, .periods = true },
	{ .choose = choose, .tasks = 2, .flags = 2, .flat = true, .few = true },
	{ .choose = choose,
	  .tasks = 2,
	  .messages = true,
	  .flat = true,
	  .few = true },
};

/* How many of the model's numbers are less; 0 for 0. */
static uint64_t rank_of(uint64_t number)
{
	const struct tasks *model = &turns.model;
	uint64_t rank = number != 0;

	for (unsigned i = 0; i < TASKS_ITEMS; i++) {
		rank += model->items[i].ready && model->items[i].ready < number;
		rank += model->items[i].event >= 0 &&
			model->items[i].waiting < number;
	}
	for (unsigned i = 0; i < TASKS_TIMERS; i++)
		rank += model->timers[i].expires != TASKS_NEVER &&
			model->timers[i].armed < number;
	return rank;
}

static void shape_model(struct tasks *shape)
{
	const struct tasks *model = &turns.model;

	shape->acts = 0;
	shape->clock = shape->target = 0;
	shape->now = model->now - model->clock;
	for (unsigned i = 0; i < TASKS_ITEMS; i++) {
		struct tasks_item *item = &shape->items[i];

		item->ready = rank_of(item->ready);
		item->waiting = item->event < 0 ? 0 : rank_of(item->waiting);
		item->runs = item->missed = 0;
		if (item->event != TASKS_FLAGS)
			item->want = item->all = item->clear = 0;
	}
	for (unsigned i = 0; i < TASKS_TIMERS; i++) {
		struct tasks_timer *timer = &shape->timers[i];

		if (timer->expires == TASKS_NEVER) {
			timer->armed = 0;
			continue;
		}
		timer->armed = rank_of(timer->armed);
		timer->expires -= model->clock;
	}
	if (shape->picks)
		shape->picks = 2 - shape->picks % 2;
}

static void shape_timer(struct jif_timer *shape, const struct jif_timer *timer)
{
	*shape = (struct jif_timer){
		.where = jif_timer_pending(timer),
		.remaining = jif_timer_left(&turns.wheel, timer),
	};
}

static void shape_work(struct jif_work *work, const struct jif_workqueue *queue)
{
	work->ran = work->ran == queue->pass;
	if (!work->next)
		work->prev = NULL;
}

static void shape_task(struct jif_task *shape, const struct jif_task *task)
{
	shape_timer(&shape->timer, &task->timer);
	shape_timer(&shape->release, &task->release);
	shape_work(&shape->work, &turns.sched.ready);
	shape->record = (struct jif_task_record){ 0 };
	shape->timed_out = false;
	/* A wait that is over got nothing, or what it has got is taken. */
	if (task->how && task->event != &turns.flags.waiters)
		shape->flags = shape->how = 0;
}

/* Of places without a message, nothing is read. */
static void shape_queue(struct turns *shape)
{
	const struct jif_queue *queue = &shape->queue;

	for (unsigned i = queue->waiters.set; i < TASKS_ROOM; i++)
		memset(shape->storage[(queue->first + i) % TASKS_ROOM], 0,
		       TURNS_MESSAGE);
}

static void shape_sched(struct jif_sched *sched)
{
	sched->work.pass = sched->ready.pass = 0;
	if (sched->picks)
		sched->picks = 2 - sched->picks % 2;
}

static const void *shape_now(size_t *size)
{
	static struct turns shape;

	memcpy(&shape, &turns, sizeof(shape));
	memset(&shape.wheel, 0, sizeof(shape.wheel));
	shape.acts = shape.interrupted = shape.ran = shape.sleeps = 0;
	shape.random = 0;
	shape.acted = shape.timed_out = shape.extra = false;
	shape.pass = (uint16_t)(turns.pass - turns.sched.ready.pass);
	shape_model(&shape.model);
	shape_sched(&shape.sched);
	shape_queue(&shape);
	for (unsigned i = 0; i < TASKS_WORKS; i++) {
		shape_work(&shape.works[i], &turns.sched.work);
		shape_work(&shape.dworks[i].work, &turns.sched.work);
		shape_timer(&shape.dworks[i].timer, &turns.dworks[i].timer);
	}
	for (unsigned i = 0; i < TASKS_TASKS; i++)
		shape_task(&shape.tasks[i], &turns.tasks[i]);
	*size = sizeof(shape);
	return &shape;
}

static void tell(const char *who, const char *what, unsigned which)
{
	if (tape_is_told())
		printf("%s at %" PRIu64 ", jiffies %" PRIu64 ": %s %u\n", who,
		       turns.model.clock, turns.model.now, what, which);
}

static bool extra; /* acts within a step */

static void start(unsigned part, unsigned injections)
{
	extra = injections;
	turns_begin(0, 0, &parts[part]);
	turns.tell = tell;
	jif_sim.irq = NULL;
}

static void step(void)
{
	uint64_t before = turns.interrupted;
	bool right = turns_try(extra);

	interrupts += turns.interrupted - before;
	must(right, turns.difference);
}

static void look(void)
{
	same("jif_wheel_check()", 0, (uint32_t)jif_wheel_check(&turns.wheel));
}

const struct subject turns_subject = {
	.world = &turns,
	.size = sizeof(turns),
	.start = start,
	.step = step,
	.look = look,
	.shape = shape_now,
};
