/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/work.c - deferred work, run in the main loop
 *
 * THE QUEUE
 *
 * There is a list per priority, and a bit per list that says whether it has
 * entries. Queueing appends, cancelling unlinks: a few stores each. A run calls
 * the first entry of the highest priority with interrupts on, and looks again.
 *
 * A PASS
 *
 * Each work is stamped with the number of the pass that runs it. The first
 * entry of a list that has the stamp of this pass was queued again since, and
 * closes its list until the next pass: so no work runs twice in a pass, order
 * within a priority is kept, and a pass comes to an end. A run that finds the
 * queue empty ends it, too. Stamps wrap, and each queue has its own: after just
 * 65535 passes, or on another queue, work may have to wait for one pass more.
 *
 * DELAYED WORK
 *
 * It is armed until its timer's callback queues it: also while the timer is off
 * the wheel already, and its callback has not begun. An interrupt that comes
 * then can still cancel it or change its delay, and the callback finds out.
 *
 * Its work may be queued directly, too, unless it is armed. The queue is noted
 * then: to cancel delayed work takes no queue.
 */
#include <jif/firmware/work.h>

#include "../delay.h"
#include "work_list.h"

/* Inlined: a run of a task or work takes 5 instructions less on a Cortex-M3. */
static JIF_ALWAYS_INLINE void detach(struct jif_workqueue *queue,
				     struct jif_work **tail,
				     struct jif_work *work)
{
	work_remove(tail, work);
	if (!*tail)
		set_occupied(queue, queue->occupied & ~(1u << work->priority));
}

/*
 * The list of the highest priority; or, if @fresh, of those whose first entry
 * has not run in this pass. NULL if there is none.
 */
ONE_COPY struct jif_work **first_list(struct jif_workqueue *queue, bool fresh)
{
	struct jif_work **tail;

	for (unsigned map = queue->occupied; map; map &= map - 1) {
		tail = &queue->tail[lowest_bit((jif_word_t)map)];
		if (!fresh || work_first(*tail)->ran != queue->pass)
			return tail;
	}
	return NULL;
}

struct jif_work *jif_workqueue_take(struct jif_workqueue *queue, bool fresh)
{
	struct jif_work **tail = first_list(queue, fresh), *work;

	if (!tail)
		return NULL;
	work = work_first(*tail);
	work->ran = queue->pass;
	detach(queue, tail, work);
	return work;
}

static bool is_valid_work(const struct jif_work *work)
{
	bool valid = work->fn && work->priority < CONFIG_JIF_WORK_PRIORITIES;

	if (CONFIG_JIF_DEBUG && !valid)
		jif_work_refused(work);
	return valid;
}

/* In a debug build, false if a queue was never initialised. */
static inline bool check_queue(const struct jif_workqueue *queue)
{
	return !CONFIG_JIF_DEBUG || jif_workqueue_check(queue);
}

void jif_workqueue_init(struct jif_workqueue *queue, struct jif_wheel *wheel)
{
	if (CONFIG_JIF_DEBUG)
		jif_workqueue_check_init(queue);
	*queue = (struct jif_workqueue){ .wheel = wheel, .pass = 1 };
}

bool jif_workqueue_empty(const struct jif_workqueue *queue)
{
	LOOK_ANEW();
	return !has_work(queue);
}

void jif_work_init(struct jif_work *work, jif_work_fn *fn, unsigned priority)
{
	work->next = NULL;
	work->fn = fn;
	work->ran = 0;
	work->priority = (uint8_t)(priority < UINT8_MAX ? priority : UINT8_MAX);
	work->delayed = WORK_PLAIN;
}

bool jif_work_pending(const struct jif_work *work)
{
	LOOK_ANEW();
	return is_listed(work);
}

/* False if it waits for its timer. */
static bool note_queue(struct jif_workqueue *queue, struct jif_work *work)
{
	if (work->delayed == WORK_ARMED)
		return false;
	jif_container_of(work, struct jif_delayed_work, work)->queue = queue;
	return true;
}

bool jif_work_append(struct jif_workqueue *queue, struct jif_work *work)
{
	bool queued = check_queue(queue) && !is_listed(work) &&
		      is_valid_work(work) &&
		      (!work->delayed || note_queue(queue, work));

	if (queued)
		work_push(queue, work);
	return queued;
}

bool jif_work_queue(struct jif_workqueue *queue, struct jif_work *work)
{
	jif_irq_t flags = jif_irq_save();
	bool queued = jif_work_append(queue, work);

	jif_irq_restore(flags);
	return queued;
}

/* In a debug build, false if work that is @pending is not on this queue. */
static inline bool check_cancel(const struct jif_workqueue *queue,
				const struct jif_work *work, bool pending)
{
	if (!CONFIG_JIF_DEBUG || !pending)
		return pending;
	return jif_work_is_on(queue->tail[work->priority], work);
}

bool jif_work_cancel(struct jif_workqueue *queue, struct jif_work *work)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = check_cancel(queue, work, is_listed(work));

	if (pending)
		detach(queue, &queue->tail[work->priority], work);
	jif_irq_restore(flags);
	return pending;
}

/* Calls one after the other; interrupts are off before and after. */
static unsigned run_works(struct jif_workqueue *queue, uint32_t max,
			  jif_irq_t *flags)
{
	struct jif_work *work;
	jif_work_fn *fn;
	unsigned ran = 0;

	while (ran < max && (work = jif_workqueue_take(queue, true))) {
		fn = work->fn;
		jif_irq_restore(*flags);
		fn(work);
		ran++;
		*flags = jif_irq_save();
	}
	return ran;
}

static inline bool check_works(const struct jif_workqueue *queue)
{
	if (!CONFIG_JIF_DEBUG || !jif_in_irq())
		return check_queue(queue);
	jif_misused("a workqueue is run in a handler", queue, NULL);
	return false;
}

/* When all that is pending has run in this pass, a new one begins. */
unsigned jif_workqueue_run(struct jif_workqueue *queue, uint32_t max)
{
	jif_irq_t flags = jif_irq_save();
	unsigned ran = 0;

	if (check_works(queue) && !queue->running) {
		queue->running = true;
		if (!first_list(queue, true)) {
			work_begin_pass(queue);
			flags = jif_irq_window(flags);
		}
		ran = run_works(queue, max, &flags);
		if (ran && (ran < max || !first_list(queue, true)))
			work_begin_pass(queue);
		queue->running = false;
	}
	jif_irq_restore(flags);
	return ran;
}

static inline bool is_armed(const struct jif_delayed_work *dwork)
{
	return dwork->work.delayed == WORK_ARMED;
}

/* Queues it, unless it was cancelled or armed anew since it was taken off. */
static void expire_work(struct jif_timer *timer)
{
	struct jif_delayed_work *dwork =
		jif_container_of(timer, struct jif_delayed_work, timer);
	jif_irq_t flags = jif_irq_save();

	if (is_armed(dwork) && !jif_timer_pending(timer)) {
		dwork->work.delayed = WORK_DELAYED;
		jif_work_queue(dwork->queue, &dwork->work);
	}
	jif_irq_restore(flags);
}

void jif_delayed_work_init(struct jif_delayed_work *dwork, jif_work_fn *fn,
			   unsigned priority)
{
	jif_work_init(&dwork->work, fn, priority);
	jif_timer_init(&dwork->timer, expire_work);
	dwork->work.delayed = WORK_DELAYED;
	dwork->queue = NULL;
}

bool jif_delayed_work_pending(const struct jif_delayed_work *dwork)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = is_armed(dwork) || is_listed(&dwork->work);

	jif_irq_restore(flags);
	return pending;
}

bool jif_delayed_work_next(const struct jif_delayed_work *dwork, uint32_t *when)
{
	jif_irq_t flags = jif_irq_save();
	bool waits = is_armed(dwork);

	if (waits)
		*when = jif_timer_expires(dwork->queue->wheel, &dwork->timer);
	jif_irq_restore(flags);
	return waits;
}

/* Takes it from its queue; false if it is on none. */
static bool leave_queue(struct jif_delayed_work *dwork)
{
	struct jif_work *work = &dwork->work;
	bool was = is_listed(work);

	if (check_cancel(dwork->queue, work, was))
		detach(dwork->queue, &dwork->queue->tail[work->priority], work);
	return was;
}

/* Takes it from its timer or its queue; false if it is on neither. */
static bool withdraw(struct jif_delayed_work *dwork)
{
	struct jif_wheel *wheel;

	if (!is_armed(dwork))
		return leave_queue(dwork);
	wheel = dwork->queue->wheel;
	if (is_on(wheel, &dwork->timer) > 0)
		take_off(wheel, &dwork->timer);
	dwork->work.delayed = WORK_DELAYED;
	return true;
}

bool jif_delayed_work_cancel(struct jif_delayed_work *dwork)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = withdraw(dwork);

	jif_irq_restore(flags);
	return pending;
}

/* Arms it to be queued, unless it is pending. */
static int arm_work(struct jif_workqueue *queue, struct jif_delayed_work *dwork,
		    uint32_t delay)
{
	struct look look;
	bool was;

	begin_look(&look, delay);
	if (!look_after(queue->wheel, &look))
		return jif_too_far(dwork, dwork->work.fn);
	was = is_armed(dwork) || is_listed(&dwork->work);
	if (!was) {
		dwork->queue = queue;
		dwork->work.delayed = WORK_ARMED;
		jif_arm_at(queue->wheel, &dwork->timer, look.spot);
	}
	jif_irq_restore(look.flags);
	return was;
}

/* It leaves its queue for the timer; true if it was pending. */
static bool leave_for(struct jif_workqueue *queue,
		      struct jif_delayed_work *dwork)
{
	bool was = is_armed(dwork) || leave_queue(dwork);

	dwork->queue = queue;
	dwork->work.delayed = WORK_ARMED;
	return was;
}

/*
 * Arms it to be queued, also if it is pending. While it is queued, its timer
 * does nothing: so that is armed before it leaves its queue.
 */
static int arm_anew(struct jif_workqueue *queue, struct jif_delayed_work *dwork,
		    uint32_t delay)
{
	struct jif_wheel *wheel = queue->wheel;
	bool failed, was = false, there = false;
	struct look look;

	begin_look(&look, delay);
	while (!there) {
		if (!look_after(wheel, &look))
			return jif_too_far(dwork, dwork->work.fn);
		there = is_armed(dwork);
		if (there && dwork->queue->wheel != wheel) {
			was = withdraw(dwork);
			there = false;
		}
		failed = jif_arm_at(wheel, &dwork->timer, look.spot) < 0;
		if (there) {
			dwork->queue = queue;
			was = true;
		} else {
			look.flags = jif_irq_window(look.flags);
			there = failed ||
				is_armed_there(wheel, &dwork->timer, &look);
			if (there)
				was |= leave_for(queue, dwork);
		}
		jif_irq_restore(look.flags);
	}
	return was;
}

/* Without a delay: it is queued now. */
static int queue_at_once(struct jif_workqueue *queue,
			 struct jif_delayed_work *dwork, bool anew)
{
	jif_irq_t flags = jif_irq_save();
	bool was = is_armed(dwork) || is_listed(&dwork->work);

	if (anew || !was) {
		withdraw(dwork);
		jif_work_append(queue, &dwork->work);
	}
	jif_irq_restore(flags);
	return was;
}

static int mod_delayed(struct jif_workqueue *queue,
		       struct jif_delayed_work *dwork, uint32_t delay,
		       bool anew)
{
	if (!is_valid_work(&dwork->work))
		return -JIF_EINVAL;
	if (!queue->wheel)
		return jif_invalid("a workqueue has no wheel for a delay",
				   queue);
	if (!delay)
		return queue_at_once(queue, dwork, anew);
	if (anew)
		return arm_anew(queue, dwork, delay);
	return arm_work(queue, dwork, delay);
}

int jif_delayed_work_mod(struct jif_workqueue *queue,
			 struct jif_delayed_work *dwork, uint32_t delay)
{
	return mod_delayed(queue, dwork, delay, true);
}

bool jif_delayed_work_queue(struct jif_workqueue *queue,
			    struct jif_delayed_work *dwork, uint32_t delay)
{
	return !mod_delayed(queue, dwork, delay, false);
}
