/* SPDX-License-Identifier: MIT */
/* What work and tasks have to do, told by arrays */
#include "tasks.h"

#include <string.h>

#define FOREVER UINT32_MAX

static struct tasks_item *task_item(struct tasks *model, unsigned task)
{
	return &model->items[TASKS_WORKS + task];
}

static struct tasks_timer *sleep_of(struct tasks *model, unsigned task)
{
	return &model->timers[TASKS_WORKS + task];
}

static struct tasks_timer *release_of(struct tasks *model, unsigned task)
{
	return &model->timers[TASKS_ITEMS + task];
}

void tasks_init(struct tasks *model, uint64_t now)
{
	memset(model, 0, sizeof(*model));
	model->clock = model->now = model->target = now;
	for (unsigned i = 0; i < TASKS_ITEMS; i++)
		model->items[i].event = -1;
	for (unsigned i = 0; i < TASKS_TIMERS; i++)
		model->timers[i].expires = TASKS_NEVER;
}

/* A time that is due by then, or past, comes with the next tick. */
static void arm(struct tasks *model, struct tasks_timer *timer,
		uint64_t expires)
{
	if (expires <= model->clock)
		expires = model->clock + 1;
	timer->expires = expires;
	timer->armed = ++model->acts;
}

bool tasks_work_pending(const struct tasks *model, unsigned work)
{
	return model->items[work].ready ||
	       model->timers[work].expires != TASKS_NEVER;
}

bool tasks_queue(struct tasks *model, unsigned work)
{
	if (tasks_work_pending(model, work))
		return false;
	model->items[work].ready = ++model->acts;
	return true;
}

bool tasks_cancel(struct tasks *model, unsigned work)
{
	bool was = tasks_work_pending(model, work);

	model->items[work].ready = 0;
	model->timers[work].expires = TASKS_NEVER;
	return was;
}

bool tasks_delay(struct tasks *model, unsigned work, uint32_t delay, bool mod)
{
	bool was = tasks_work_pending(model, work);

	if (was && !mod)
		return false;
	tasks_cancel(model, work);
	if (delay)
		arm(model, &model->timers[work], model->now + delay + 1);
	else
		tasks_queue(model, work);
	return mod ? was : true;
}

bool tasks_wake(struct tasks *model, unsigned task)
{
	struct tasks_item *item = task_item(model, task);

	if (item->ready)
		return false;
	item->event = -1;
	sleep_of(model, task)->expires = TASKS_NEVER;
	item->ready = ++model->acts;
	return true;
}

/* Has what a task is about to wait for come already? */
static bool has_come(struct tasks *model, int event)
{
	bool was;

	if (event == TASKS_QUEUE)
		return model->sent;
	if (event < 0 || event == TASKS_FLAGS)
		return false;
	was = model->set[event];
	model->set[event] = false;
	return was;
}

int tasks_suspend(struct tasks *model, unsigned task, int event, uint32_t delay)
{
	struct tasks_item *item = task_item(model, task);

	if (item->ready)
		return -16;
	item->event = -1;
	sleep_of(model, task)->expires = TASKS_NEVER;
	if (has_come(model, event)) {
		tasks_wake(model, task);
		return 0;
	}
	item->event = event;
	item->waiting = ++model->acts;
	if (delay != FOREVER)
		arm(model, sleep_of(model, task), model->now + delay + 1);
	return 0;
}

bool tasks_start(struct tasks *model, unsigned task, uint32_t first,
		 uint32_t period)
{
	bool was = task_item(model, task)->period;

	task_item(model, task)->period = period;
	arm(model, release_of(model, task), model->now + first + 1);
	return was;
}

bool tasks_stop(struct tasks *model, unsigned task)
{
	struct tasks_item *item = task_item(model, task);
	bool was = item->ready || item->event >= 0 || item->period ||
		   sleep_of(model, task)->expires != TASKS_NEVER;

	item->ready = 0;
	item->event = -1;
	item->expired = false;
	item->released = false;
	item->period = 0;
	sleep_of(model, task)->expires = TASKS_NEVER;
	release_of(model, task)->expires = TASKS_NEVER;
	return was;
}

void tasks_set_priority(struct tasks *model, unsigned task, unsigned priority)
{
	struct tasks_item *item = task_item(model, task);

	if (item->ready && item->priority != priority)
		item->ready = ++model->acts;
	item->priority = priority;
}

int tasks_first_waiter(const struct tasks *model, int event)
{
	uint64_t longest = UINT64_MAX;
	int waiter = -1;

	for (int i = 0; i < TASKS_TASKS; i++) {
		const struct tasks_item *item = &model->items[TASKS_WORKS + i];

		if (item->event == event && item->waiting < longest) {
			longest = item->waiting;
			waiter = i;
		}
	}
	return waiter;
}

bool tasks_event(struct tasks *model, unsigned event)
{
	int waiter = tasks_first_waiter(model, (int)event);

	if (waiter < 0) {
		model->set[event] = true;
		return false;
	}
	return tasks_wake(model, (unsigned)waiter);
}

static bool is_fulfilled(const struct tasks *model,
			 const struct tasks_item *item)
{
	uint32_t missing = item->want & ~model->flags;

	return item->all ? !missing : missing != item->want;
}

int tasks_wait_flags(struct tasks *model, unsigned task, uint32_t want,
		     bool all, bool clear, uint32_t delay)
{
	struct tasks_item *item = task_item(model, task);
	int result = tasks_suspend(model, task, TASKS_FLAGS, delay);

	if (result)
		return result;
	item->want = want;
	item->all = all;
	item->clear = clear;
	item->got = 0;
	if (is_fulfilled(model, item)) {
		item->got = want & model->flags;
		model->flags &= clear ? ~want : UINT32_MAX;
		tasks_wake(model, task);
	}
	return 0;
}

/* First, all are asked; then, those whose turn it is are woken. */
uint32_t tasks_set(struct tasks *model, uint32_t set)
{
	uint32_t clear = 0;
	int waiter;

	model->flags |= set;
	for (unsigned i = 0; i < TASKS_TASKS; i++) {
		struct tasks_item *item = task_item(model, i);

		if (item->event == TASKS_FLAGS && is_fulfilled(model, item)) {
			item->event = TASKS_QUEUE + 1;
			item->got = item->want & model->flags;
			clear |= item->clear ? item->want : 0;
		}
	}
	model->flags &= ~clear;
	waiter = tasks_first_waiter(model, TASKS_QUEUE + 1);
	if (waiter < 0)
		return 0;
	for (; waiter >= 0; waiter = tasks_first_waiter(model, TASKS_QUEUE + 1))
		tasks_wake(model, (unsigned)waiter);
	return 1;
}

uint32_t tasks_clear(struct tasks *model, uint32_t clear)
{
	uint32_t were = model->flags & clear;

	model->flags &= ~clear;
	return were;
}

uint32_t tasks_flags(struct tasks *model, unsigned task)
{
	uint32_t got = task_item(model, task)->got;

	task_item(model, task)->got = 0;
	return got;
}

int tasks_send(struct tasks *model, uint8_t message)
{
	int waiter = tasks_first_waiter(model, TASKS_QUEUE);

	if (model->sent == TASKS_ROOM)
		return -28;
	model->messages[model->sent++] = message;
	if (waiter >= 0)
		tasks_wake(model, (unsigned)waiter);
	return 0;
}

int tasks_receive(struct tasks *model, uint8_t *message)
{
	if (!model->sent)
		return -2;
	*message = model->messages[0];
	model->sent--;
	memmove(model->messages, model->messages + 1, model->sent);
	model->messages[model->sent] = 0;
	return 0;
}

static bool is_sooner(const struct tasks_timer *a, const struct tasks_timer *b)
{
	return a->expires < b->expires ||
	       (a->expires == b->expires && a->armed < b->armed);
}

static int first_timer(const struct tasks *model, uint64_t up_to)
{
	int first = -1;

	for (int i = 0; i < TASKS_TIMERS; i++)
		if (model->timers[i].expires <= up_to &&
		    (first < 0 ||
		     is_sooner(&model->timers[i], &model->timers[first])))
			first = i;
	return first;
}

int tasks_due(const struct tasks *model)
{
	return first_timer(model, model->clock);
}

uint64_t tasks_next(const struct tasks *model)
{
	int first = first_timer(model, TASKS_NEVER - 1);

	return first < 0 ? TASKS_NEVER : model->timers[first].expires;
}

static void expire_release(struct tasks *model, unsigned task)
{
	struct tasks_item *item = task_item(model, task);
	uint64_t tick = release_of(model, task)->expires;

	if (item->released)
		item->missed++;
	item->released = true;
	for (tick += item->period; tick <= model->target; tick += item->period)
		item->missed++;
	arm(model, release_of(model, task), tick);
	tasks_wake(model, task);
}

void tasks_expire(struct tasks *model, unsigned timer)
{
	if (timer >= TASKS_ITEMS) {
		expire_release(model, timer - TASKS_ITEMS);
		return;
	}
	model->timers[timer].expires = TASKS_NEVER;
	if (timer < TASKS_WORKS) {
		tasks_queue(model, timer);
		return;
	}
	model->items[timer].expired = true;
	tasks_wake(model, timer - TASKS_WORKS);
}

static unsigned begin_of(bool of_tasks)
{
	return of_tasks ? TASKS_WORKS : 0;
}

static unsigned end_of(bool of_tasks)
{
	return of_tasks ? TASKS_ITEMS : TASKS_WORKS;
}

/* Of each priority the one that is ready longest; if it is @fresh. */
static int first_item(const struct tasks *model, bool of_tasks, bool fresh)
{
	for (unsigned priority = 0; priority < 8; priority++) {
		int first = -1;

		for (unsigned i = begin_of(of_tasks); i < end_of(of_tasks);
		     i++) {
			const struct tasks_item *item = &model->items[i];

			if (item->ready && item->priority == priority &&
			    (first < 0 ||
			     item->ready < model->items[first].ready))
				first = (int)i;
		}
		if (first >= 0 && !(fresh && model->items[first].ran))
			return first;
	}
	return -1;
}

int tasks_first(const struct tasks *model, bool of_tasks)
{
	return first_item(model, of_tasks, true);
}

bool tasks_take(struct tasks *model, unsigned i)
{
	struct tasks_item *item = &model->items[i];
	bool expired = item->expired;

	item->ready = 0;
	item->ran = true;
	item->runs++;
	item->released = false;
	item->expired = false;
	return expired;
}

bool tasks_any_ready(const struct tasks *model, bool of_tasks)
{
	for (unsigned i = begin_of(of_tasks); i < end_of(of_tasks); i++)
		if (model->items[i].ready)
			return true;
	return false;
}

bool tasks_urgent(const struct tasks *model)
{
	for (unsigned i = 0; i < TASKS_ITEMS; i++)
		if (model->items[i].ready && !model->items[i].priority)
			return true;
	return false;
}

void tasks_turn_over(struct tasks *model, bool of_tasks)
{
	if (tasks_first(model, of_tasks) >= 0)
		return;
	for (unsigned i = begin_of(of_tasks); i < end_of(of_tasks); i++)
		model->items[i].ran = false;
}

static int any_item(const struct tasks *model, bool fresh)
{
	int item = first_item(model, false, fresh);
	int task = first_item(model, true, fresh);

	if (!fresh && item >= 0 && model->items[item].priority && task >= 0 &&
	    !model->items[task].priority)
		return task;
	return item >= 0 ? item : task;
}

int tasks_next_item(const struct tasks *model)
{
	int item = any_item(model, model->picks % 2);

	return item >= 0 ? item : any_item(model, false);
}

bool tasks_pick(struct tasks *model, unsigned item)
{
	if (any_item(model, model->picks % 2) < 0)
		tasks_begin_pass(model);
	model->picks++;
	return tasks_take(model, item);
}

void tasks_begin_pass(struct tasks *model)
{
	for (unsigned i = 0; i < TASKS_ITEMS; i++)
		model->items[i].ran = false;
	model->picks = 0;
}
