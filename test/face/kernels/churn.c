/* SPDX-License-Identifier: MIT */
/* See churn.h */
#include "churn.h"

#include <jif/jiffies.h>

#include "../../target/target.h"
#include "../../wheel/model/verbs.h"

#define TIMERS 24 /* of each owner */
#define ALL    (CHURN_OWNERS * TIMERS)
#define MOST   8 /* calls within one operation */

/* How far ahead timers are; and when churn_is_sparse(). */
#ifndef FARTHEST
#define FARTHEST 4000
#endif
#ifndef SPARSE
#define SPARSE (churn_ticks() & 0x200)
#endif

/*
 * @armed, @expires:	what the last operation has left
 * @old, @was:		a call of an arming before that is still under way
 * @open:		an operation is under way; calls are noted and judged
 *			when it is known what it has done
 * @may:		an expiry that was past already when it was armed may
 *			come up to here
 */
struct model {
	struct jif_timer timer;
	uint32_t expires, may, was, was_may;
	bool armed, old, open;
	unsigned char calls;
	uint32_t clock[MOST];
};

static struct jif_kernel *kernel;
static struct model models[ALL];
static struct jif_timer alone;
static volatile bool is_alone;
static uint32_t state[CHURN_OWNERS] = { 2463534242u, 88675123u, 521288629u,
					362436069u };
static uint32_t ops[CHURN_OWNERS], calls, last;
static uint32_t late[3], early, wrong, results, unasked, lost;

uint32_t churn_random(enum churn_owner owner, uint32_t below)
{
	uint32_t x = state[owner];

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	state[owner] = x;
	return x % below;
}

static void judge(uint32_t expires, uint32_t may, uint32_t clock)
{
	if (clock == expires)
		return;
	if (jif_time_before(clock, expires))
		early++;
	else if (jif_time_after(clock, may))
		wrong++;
}

/* In the task that runs the wheel, right when the call has begun. */
static void on_call(struct jif_timer *timer)
{
	struct model *m = jif_container_of(timer, struct model, timer);
	uint32_t clock = jif_wheel_clock(&kernel->wheel);
	uint32_t flags = churn_mask();
	uint32_t behind = churn_ticks() - clock;

	calls++;
	if (behind > INT32_MAX)
		early++;
	else
		late[behind < 2 ? behind : 2]++;
	if (m->old) {
		m->old = false;
		judge(m->was, m->was_may, clock);
	} else if (m->open && m->calls < MOST) {
		m->clock[m->calls++] = clock;
	} else if (m->armed) {
		m->armed = false;
		judge(m->expires, m->may, clock);
	} else {
		unasked++;
	}
	churn_unmask(flags);
}

static void on_alone(struct jif_timer *timer)
{
	is_alone = false;
}

void churn_arm_alone(void)
{
	uint32_t expires = churn_ticks() + 3;

	is_alone = true;
	if (jif_timer_mod(&kernel->wheel, &alone, expires) < 0)
		return;
	jif_kernel_wake(kernel, expires);
}

bool churn_alone(void)
{
	return is_alone;
}

void churn_start(struct jif_kernel *of)
{
	kernel = of;
	last = churn_ticks();
	jif_timer_init(&alone, on_alone);
	for (unsigned i = 0; i < ALL; i++)
		jif_timer_init(&models[i].timer, on_call);
}

bool churn_is_sparse(void)
{
	return SPARSE;
}

static uint32_t delay(enum churn_owner owner)
{
	if (churn_is_sparse())
		return churn_random(owner, 4) ?
			       10 + churn_random(owner, FARTHEST) :
			       1 + churn_random(owner, 3);
	switch (churn_random(owner, 10)) {
	case 0:
		return 1 + churn_random(owner, FARTHEST);
	case 1:
	case 2:
	case 3:
		return 1 + churn_random(owner, 130);
	default:
		return 1 + churn_random(owner, 6);
	}
}

static const unsigned char verbs[] = { ADD,	 MOD,	      REDUCE,
				       POSTPONE, MOD_PENDING, DEL };

/* What the operation has to leave, from what it said of the timer. */
static void expect(struct model *m, unsigned op, bool pending, uint32_t expires)
{
	bool keeps = (pending && op == ADD) || (!pending && op == MOD_PENDING);

	if (op == REDUCE && pending && !jif_time_before(expires, m->expires))
		keeps = true;
	if (keeps) {
		m->armed = pending;
		return;
	}
	m->armed = op != DEL;
	m->expires = expires;
	m->may = jif_time_before(churn_ticks(), expires) ? expires :
							   churn_ticks() + 1;
}

/* With interrupts off: takes note of what came while it was under way. */
static void settle(struct model *m, unsigned op, bool pending, uint32_t expires)
{
	unsigned i = 0;

	m->open = false;
	if (pending && !m->armed)
		results++;
	if (m->armed && !pending) {
		if (m->calls) {
			judge(m->expires, m->may, m->clock[i++]);
		} else {
			m->old = true;
			m->was = m->expires;
			m->was_may = m->may;
		}
	}
	expect(m, op, pending, expires);
	for (; i < m->calls; i++) {
		unasked += !m->armed;
		m->armed = false;
		judge(m->expires, m->may, m->clock[i]);
	}
	m->calls = 0;
}

void churn_op(enum churn_owner owner)
{
	struct model *m =
		&models[(unsigned)owner * TIMERS + churn_random(owner, TIMERS)];
	unsigned op = verbs[churn_random(owner, sizeof(verbs))];
	uint32_t ahead = delay(owner);
	uint32_t flags = churn_mask();
	uint32_t expires = churn_ticks() + ahead;
	bool pending;

	m->open = true;
	if (jif_time_after(expires, last))
		last = expires;
	churn_unmask(flags);
	/* For ADD, that is -JIF_EBUSY. */
	pending = verb_call(op, &kernel->wheel, &m->timer, expires);
	flags = churn_mask();
	settle(m, op, pending, expires);
	ops[owner]++;
	churn_unmask(flags);
	if (op != DEL)
		jif_kernel_wake(kernel, expires);
}

uint32_t churn_ops(void)
{
	return ops[CHURN_BELOW] + ops[CHURN_ABOVE] + ops[CHURN_TICK] +
	       ops[CHURN_IRQ];
}

uint32_t churn_last(void)
{
	return last;
}

static void say(const char *what, uint32_t number)
{
	target_put_number(number);
	target_put_text(what);
}

bool churn_end(unsigned may)
{
	uint32_t too_late = (may > 1 ? 0 : late[2]) + (may ? 0 : late[1]);

	for (unsigned i = 0; i < ALL; i++)
		lost += models[i].armed || models[i].old;
	say(" operations: ", churn_ops());
	say(" below, ", ops[CHURN_BELOW]);
	say(" above, ", ops[CHURN_ABOVE]);
	say(" in ticks, ", ops[CHURN_TICK]);
	say(" in interrupts\n", ops[CHURN_IRQ]);
	say(" calls: ", calls);
	say(" on their tick, ", late[0]);
	say(" one late, ", late[1]);
	say(" later; ", late[2]);
	say(" early, ", early);
	say(" of a wrong tick, ", wrong);
	say(" unasked, ", unasked);
	say(" lost, ", lost);
	say(" wrong results; invariant ", results);
	say("\n", (uint32_t)jif_wheel_check(&kernel->wheel));
	return !too_late && !early && !wrong && !unasked && !lost && !results &&
	       !jif_wheel_check(&kernel->wheel);
}
