/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/step/model.c - what may come of a call and an interrupt
 *
 * No wheel: the timers are those of the oracle.
 */
#include "model.h"

#define NOBODY 0xffu

/* What the task waits for. */
enum { NONE, EVENT, FLAGS, MESSAGE };

/**
 * struct queue - of work
 * @count:	of @row
 * @row:	the numbers of the works, the first one first
 * @ran:	a bit per work: it has run in this pass
 */
struct queue {
	unsigned count;
	unsigned row[WORKS];
	uint32_t ran;
};

/**
 * struct model - the world
 * @drained:	armings before the drain: what was armed later may stay
 * @position:	how many more windows there are before the interrupt comes
 * @possible:	the clock and the log were the same in the world
 * @irq:	what the interrupt does
 * @in_irq:	it is being done
 * @handler:	does it
 * @out:	what has to come out
 */
static struct model {
	struct oracle timers;
	struct oracle_periodic calls;
	uint64_t now;
	uint64_t target;
	uint64_t drained;
	bool running;
	bool draining;
	struct queue work;
	struct queue ready;
	bool delayed;
	bool asleep;
	unsigned waiting;
	bool event;
	uint32_t flags;
	uint32_t want;
	bool all;
	uint32_t got;
	uint32_t sent;
	uint8_t message[WORLD_ROOM];
	bool expired;
	bool released;
	uint32_t period;
	int position;
	bool possible;
	const struct op *irq;
	bool in_irq;
	uint32_t (*handler)(const struct op *irq);
	struct outcome out;
} m, start;

const char *model_why;

/* A clock of the world, in 64 bits: it is not before the model's. */
static uint64_t clock64(uint32_t clock)
{
	return m.timers.clock + (uint32_t)(clock - (uint32_t)m.timers.clock);
}

/* Interrupts may come; the clock is anything up to @latest. */
static void window(uint64_t latest)
{
	const struct moment *at = &world.irq_at;

	if (m.position-- != 0)
		return;
	m.possible = at->count == m.out.count && clock64(at->clock) <= latest;
	m.timers.clock = clock64(at->clock);
	m.in_irq = true;
	m.out.irq_result = m.handler(m.irq);
	m.in_irq = false;
}

static void note(unsigned who, uint64_t tick)
{
	if (m.out.count < LOG_MAX)
		m.out.log[m.out.count++] =
			(struct entry){ who, (uint32_t)tick };
}

static bool is_arming(const struct op *op)
{
	return op->verb >= ADD && op->verb <= RESUME;
}

static bool is_moving(const struct op *op)
{
	return op->verb >= ADD && op->verb <= SHUTDOWN;
}

/* Who was called next, in the world? */
static unsigned next_called(void)
{
	return m.out.count < world.got.count ? world.got.log[m.out.count].who :
					       NOBODY;
}

/* Of two timers, the one that comes first; of loose ones, as the world says. */
static bool before(unsigned i, unsigned j)
{
	const struct oracle_timer *a = &m.timers.timer[i];
	const struct oracle_timer *b = &m.timers.timer[j];

	if (a->loose && next_called() == i &&
	    (m.draining || a->expires == b->expires))
		return true;
	if (b->loose && next_called() == j &&
	    (m.draining || a->expires == b->expires))
		return false;
	if (a->expires == b->expires && a->loose != b->loose)
		return b->loose;
	return oracle_before(&m.timers, i, j);
}

static unsigned first(void)
{
	unsigned best = NOBODY;

	for (unsigned i = 0; i < TIMERS; i++)
		if (m.timers.timer[i].pending &&
		    !(m.draining && m.timers.timer[i].arming > m.drained) &&
		    (best == NOBODY || before(i, best)))
			best = i;
	return best;
}

static bool is_due(unsigned i, uint64_t target)
{
	return i != NOBODY && m.timers.timer[i].expires <= target;
}

/* How far a run may get before it takes that timer. */
static uint64_t latest(unsigned next, uint64_t target)
{
	return is_due(next, target) ? m.timers.timer[next].expires : target;
}

static bool queue_add(struct queue *queue, unsigned who)
{
	for (unsigned i = 0; i < queue->count; i++)
		if (queue->row[i] == who)
			return false;
	queue->row[queue->count++] = who;
	return true;
}

static bool queue_remove(struct queue *queue, unsigned who)
{
	unsigned kept = 0;
	unsigned count = queue->count;

	for (unsigned i = 0; i < count; i++)
		if (queue->row[i] != who)
			queue->row[kept++] = queue->row[i];
	queue->count = kept;
	return kept != count;
}

static bool queue_has(const struct queue *queue, unsigned who)
{
	for (unsigned i = 0; i < queue->count; i++)
		if (queue->row[i] == who)
			return true;
	return false;
}

static bool wake(void)
{
	if (m.asleep)
		oracle_del(&m.timers, SLEEP);
	m.asleep = false;
	m.waiting = NONE;
	return queue_add(&m.ready, TASK);
}

/* What follows the taking of a timer. */
static void call_periodic(void)
{
	if (!m.calls.running || m.timers.timer[CALLS].pending)
		return;
	oracle_periodic_call(&m.timers, CALLS, &m.calls, m.target);
	window(m.timers.clock);
	note(CALLS, m.timers.clock);
}

static void release(void)
{
	uint64_t clock = m.timers.clock;

	if (!m.period || m.timers.timer[RELEASE].pending)
		return;
	oracle_mod(&m.timers, RELEASE,
		   clock + ((m.target - clock) / m.period + 1) * m.period);
	wake();
}

static void fire(unsigned i)
{
	bool taken;

	m.timers.clock = m.timers.timer[i].expires;
	oracle_del(&m.timers, i);
	window(m.timers.clock);
	taken = !m.timers.timer[i].pending;
	if (i < PLAIN)
		note(i, m.timers.clock);
	else if (i == CALLS)
		call_periodic();
	else if (i == RELEASE)
		release();
	else if (i == DELAY && m.delayed && taken) {
		m.delayed = false;
		queue_add(&m.work, DELAYED);
	} else if (i == SLEEP && m.asleep && taken) {
		m.expired = true;
		wake();
	}
}

static uint32_t run(uint64_t target)
{
	uint32_t ran = 0;
	unsigned next;

	if (m.running || target < m.timers.clock)
		return 0;
	m.target = target;
	for (;;) {
		m.running = true;
		next = first();
		window(latest(next, target));
		next = first();
		if (!is_due(next, target))
			break;
		fire(next);
		ran++;
	}
	m.timers.clock = target;
	m.running = false;
	return ran;
}

/* As many callbacks as there were, and up to the clock of then. */
static uint32_t run_budget(uint64_t target, unsigned most)
{
	const struct moment *end = m.in_irq ? &world.irq_end_at : &world.end_at;
	uint32_t done = m.in_irq ? world.got.irq_result : world.got.result;
	uint64_t reached;
	unsigned next;

	m.target = target;
	m.running = true;
	for (;;) {
		next = first();
		window(latest(next, target));
		next = first();
		if (m.out.count == end->count)
			break;
		if (!is_due(next, target) || !most--) {
			m.possible = false;
			break;
		}
		fire(next);
	}
	m.running = false;
	reached = clock64(end->clock);
	if (reached > target || latest(next, reached) != reached ||
	    (done && (is_due(next, target) || reached != target)))
		m.possible = false;
	m.timers.clock = reached;
	return done;
}

static uint32_t drain(void)
{
	uint32_t drained = 0;
	unsigned next;

	m.draining = m.running = true;
	m.drained = m.timers.armings;
	for (;; drained++) {
		window(m.timers.clock);
		next = first();
		if (next == NOBODY)
			break;
		oracle_del(&m.timers, next);
		window(m.timers.clock);
		note(next, 0);
	}
	m.draining = m.running = false;
	return drained;
}

static uint32_t walk(void)
{
	m.running = true;
	for (unsigned i = 0; i < PLAIN; i++)
		m.out.seen[i] = m.timers.timer[i].pending;
	window(m.timers.clock);
	m.running = false;
	return 0;
}

static uint32_t first_expiry(void)
{
	unsigned next = first();

	return next == NOBODY ? 0 : (uint32_t)m.timers.timer[next].expires;
}

/* The expiry before or after the interrupt, or without what that moves. */
static uint32_t next_expiry(void)
{
	bool before = m.position >= 0;
	struct oracle_timer *moved = &m.timers.timer[m.irq->object];
	uint32_t without;
	uint32_t expiry;
	bool was;

	m.running = true;
	window(m.timers.clock);
	expiry = first_expiry();
	window(m.timers.clock);
	m.running = false;
	if (!before || m.position >= 0 || !is_arming(m.irq))
		return expiry;
	was = moved->pending;
	moved->pending = false;
	without = first_expiry();
	moved->pending = was;
	return without == world.got.result ? without : expiry;
}

static void run_first(struct queue *queue)
{
	unsigned who = queue->row[0];

	queue_remove(queue, who);
	queue->ran |= UINT32_C(1) << who;
	window(m.timers.clock);
	note(who, who == TASK && m.expired);
	if (who == TASK)
		m.expired = m.released = false;
}

static uint32_t run_queue(struct queue *queue)
{
	uint32_t ran = 0;

	for (queue->ran = 0;; ran++) {
		window(m.timers.clock);
		if (!queue->count || queue->ran >> queue->row[0] & 1)
			return ran;
		run_first(queue);
	}
}

static uint32_t perform_timer(const struct op *op)
{
	uint64_t when = (uint64_t)op->ticks;

	if (timer_verbs[op->verb].takes_expiry)
		when += WORLD_BASE;
	return verb_expect(&m.timers, op->verb, op->object, when, m.now);
}

static uint32_t perform_wheel(const struct op *op)
{
	uint64_t target = WORLD_BASE + (uint64_t)op->ticks;

	switch (op->verb) {
	case TICK:
		m.now++;
		return 0;
	case NOW64:
		return (uint32_t)(m.now - WORLD_BASE);
	case RUN:
		return run(target);
	case RUN_BUDGET:
		return run_budget(target, op->object);
	case NEXT:
		return first_expiry();
	case NEXT_EXPIRY:
		return next_expiry();
	case EMPTY:
		return !first_expiry();
	case DRAIN:
		return drain();
	case WALK:
		return walk();
	default:
		return 0;
	}
}

static bool delayed_cancel(void)
{
	bool was = m.delayed;

	if (was)
		oracle_del(&m.timers, DELAY);
	else
		was = queue_remove(&m.work, DELAYED);
	m.delayed = false;
	return was;
}

static uint32_t perform_work(const struct op *op)
{
	bool was;
	uint32_t delay = (uint32_t)op->ticks;

	switch (op->verb) {
	case PERIODIC_START:
		was = m.calls.running;
		oracle_periodic_start(&m.timers, CALLS, &m.calls, delay,
				      TICKS_SELF, 3);
		return was;
	case PERIODIC_STOP:
		return oracle_periodic_stop(&m.timers, CALLS, &m.calls);
	case WORK_QUEUE:
		return queue_add(&m.work, WORK + op->object);
	case WORK_CANCEL:
		return queue_remove(&m.work, WORK + op->object);
	case WORK_RUN:
		return run_queue(&m.work);
	case DELAYED_CANCEL:
		return delayed_cancel();
	default:
		was = m.delayed || queue_has(&m.work, DELAYED);
		if (op->verb == DELAYED_PENDING ||
		    (op->verb == DELAYED_QUEUE && was))
			return op->verb == DELAYED_PENDING && was;
		delayed_cancel();
		m.delayed = delay;
		if (delay)
			oracle_mod(&m.timers, DELAY, m.now + delay + 1);
		else
			queue_add(&m.work, DELAYED);
		return op->verb == DELAYED_QUEUE || was;
	}
}

static uint32_t suspend(unsigned on, uint32_t delay)
{
	if (queue_has(&m.ready, TASK))
		return (uint32_t)-JIF_EBUSY;
	if (m.asleep)
		oracle_del(&m.timers, SLEEP);
	m.asleep = false;
	m.waiting = NONE;
	if ((on == EVENT && m.event) || (on == MESSAGE && m.sent)) {
		m.event = m.event && on != EVENT;
		wake();
		return 0;
	}
	m.waiting = on;
	m.asleep = delay != JIF_FOREVER;
	if (m.asleep)
		oracle_mod(&m.timers, SLEEP, m.now + delay + 1);
	return 0;
}

static uint32_t stop(void)
{
	bool was = m.asleep || m.waiting || m.period ||
		   queue_has(&m.ready, TASK);

	if (m.asleep)
		oracle_del(&m.timers, SLEEP);
	oracle_del(&m.timers, RELEASE);
	queue_remove(&m.ready, TASK);
	m.asleep = m.expired = m.released = false;
	m.waiting = NONE;
	m.period = 0;
	return was;
}

static uint32_t event_wake(void)
{
	if (m.waiting != EVENT) {
		m.event = true;
		return false;
	}
	wake();
	return true;
}

static uint32_t run_sched(void)
{
	uint32_t ran;

	window(m.timers.clock);
	ran = run(m.now);
	window(m.timers.clock);
	if (m.work.count || m.ready.count) {
		run_first(m.work.count ? &m.work : &m.ready);
		ran++;
	}
	window(m.timers.clock);
	return ran;
}

static bool give(void)
{
	uint32_t there = m.flags & m.want;

	if (m.waiting != FLAGS || !there || (m.all && there != m.want))
		return false;
	m.got = there;
	if (m.all)
		m.flags &= ~m.want;
	wake();
	return true;
}

static uint32_t wait_for_flags(unsigned object, uint32_t delay)
{
	uint32_t result = suspend(FLAGS, delay);

	if (result)
		return result;
	m.all = object > 3;
	m.want = m.all ? object / 4 : object;
	m.got = 0;
	give();
	return 0;
}

static uint32_t send(uint8_t message)
{
	if (m.sent == WORLD_ROOM)
		return (uint32_t)-JIF_ENOSPC;
	m.message[m.sent++] = message;
	if (m.waiting == MESSAGE)
		wake();
	return 0;
}

static uint32_t receive(void)
{
	uint32_t message = m.message[0];

	if (!m.sent)
		return (uint32_t)-JIF_ENOENT;
	m.message[0] = m.message[1];
	m.sent--;
	return message;
}

static uint32_t perform_message(const struct op *op)
{
	uint32_t were = m.flags;
	uint32_t got = m.got;

	switch (op->verb) {
	case FLAGS_SET:
		m.flags |= op->object;
		return give();
	case FLAGS_CLEAR:
		m.flags &= ~(uint32_t)op->object;
		return were & op->object;
	case FLAGS_WAIT:
		return wait_for_flags(op->object, (uint32_t)op->ticks);
	case FLAGS_TAKE:
		m.got = 0;
		return got;
	case QUEUE_SEND:
		return send(op->object);
	case QUEUE_RECEIVE:
		return receive();
	default:
		return suspend(MESSAGE, (uint32_t)op->ticks);
	}
}

static uint32_t perform_task(const struct op *op)
{
	bool was;

	switch (op->verb) {
	case TASK_WAKE:
		return wake();
	case TASK_SLEEP:
	case TASK_WAIT:
		return suspend(op->verb == TASK_WAIT ? EVENT : NONE,
			       (uint32_t)op->ticks);
	case TASK_START:
		was = m.period;
		m.period = TICKS_END;
		oracle_mod(&m.timers, RELEASE, m.now + (uint32_t)op->ticks + 1);
		return was;
	case TASK_STOP:
		return stop();
	case TASK_PENDING:
		return queue_has(&m.ready, TASK);
	case EVENT_WAKE:
		return event_wake();
	default:
		return run_sched();
	}
}

static uint32_t perform(const struct op *op)
{
	if (op->verb >= FLAGS_SET && op->verb <= QUEUE_WAIT)
		return perform_message(op);
	if (op->verb < TIMER_VERBS)
		return perform_timer(op);
	if (op->verb < PERIODIC_START)
		return perform_wheel(op);
	return op->verb < TASK_WAKE ? perform_work(op) : perform_task(op);
}

void model_build(const struct state *state)
{
	m = (struct model){ .now = WORLD_BASE, .position = MODEL_NEVER };
	m.calls.policy = ORACLE_EACH;
	oracle_init(&m.timers, WORLD_BASE);
	for (unsigned i = 0; i < SETUP_MAX; i++)
		perform(&state->setup[i]);
	m.now += state->passed;
	m.out = (struct outcome){ .count = 0 };
	start = m;
}

static uint32_t pending(void)
{
	uint32_t map = 0;

	for (unsigned i = 0; i < TIMERS; i++)
		map |= (uint32_t)m.timers.timer[i].pending << i;
	return map;
}

static void settle(void)
{
	m.out.pending = pending();
	for (unsigned i = 0; i < TIMERS; i++)
		m.out.expires[i] =
			(uint32_t)(m.timers.timer[i].pending ?
					   oracle_expires(&m.timers, i) :
					   oracle_left(&m.timers, i));
	run((uint64_t)WORLD_BASE + TICKS_END);
	run_queue(&m.work);
	run_queue(&m.ready);
	m.out.rest = pending();
}

/* W7: a next stop may be too soon. */
static bool result_is_right(const struct op *call)
{
	const struct outcome *got = &world.got;

	if (call->verb == NEXT && m.out.result)
		return got->result - WORLD_BASE - 1 < m.out.result - WORLD_BASE;
	return got->result == m.out.result;
}

/* One more may expire: the timer of who does not wait yet, or no more. */
static bool may_count_more(const struct op *call)
{
	switch (call->verb) {
	case TASK_SLEEP:
	case TASK_WAIT:
	case TASK_STOP:
	case DELAYED_MOD:
	case EVENT_WAKE:
	case FLAGS_SET:
	case FLAGS_WAIT:
	case QUEUE_SEND:
	case QUEUE_WAIT:
		return m.irq->verb == RUN;
	default:
		return false;
	}
}

static bool irq_result_is_right(const struct op *call)
{
	uint32_t more = world.got.irq_result - m.out.irq_result;

	return !more || (more == 1 && may_count_more(call));
}

/* W2, W3 */
static bool expiries_are_right(void)
{
	for (unsigned i = 0; i < TIMERS; i++)
		if (m.out.expires[i] != world.got.expires[i])
			return false;
	return m.out.pending == world.got.pending &&
	       m.out.rest == world.got.rest;
}

/* What the interrupt moves or removes may be shown or not. */
static bool walk_is_right(const struct op *irq)
{
	const struct outcome *got = &world.got;

	for (unsigned i = 0; i < PLAIN; i++)
		if (got->seen[i] != m.out.seen[i] &&
		    !(is_moving(irq) && irq->object == i))
			return false;
	return true;
}

/* W5, W6 */
static bool log_is_right(void)
{
	const struct outcome *got = &world.got;

	if (got->count != m.out.count)
		return false;
	for (unsigned i = 0; i < m.out.count; i++)
		if (got->log[i].who != m.out.log[i].who ||
		    got->log[i].tick != m.out.log[i].tick)
			return false;
	return true;
}

static bool is_right(const struct op *call)
{
	if (!m.possible)
		model_why = "log or clock by the interrupt";
	else if (!result_is_right(call))
		model_why = "result of the call";
	else if (!irq_result_is_right(call))
		model_why = "result of the interrupt";
	else if (!expiries_are_right())
		model_why = "what is pending, and until when";
	else if (!walk_is_right(m.irq))
		model_why = "what is walked to";
	else if (!log_is_right())
		model_why = "what runs, and when";
	else
		return true;
	return false;
}

bool model_accepts(const struct op *call, const struct op *irq, int *position)
{
	for (int at = *position;; at++) {
		m = start;
		m.irq = irq;
		m.handler = perform;
		m.position = at;
		m.possible = true;
		window(m.timers.clock);
		m.out.result = perform(call);
		window(m.timers.clock);
		if (m.position >= 0)
			return false;
		settle();
		if (is_right(call)) {
			*position = at;
			return true;
		}
		if (at == MODEL_NEVER)
			return false;
	}
}
