/* SPDX-License-Identifier: MIT */
/*
 * server.c - leases to one client at a time
 *
 * After a reset it does not know who has the lease, and waits until that is
 * over.
 */
#include <jif/jif.h>

#include "lease.h"

#define QUESTIONS 8

static struct jif_wheel wheel;
static struct jif_sched sched;
static struct jif_work work;
static struct jif_queue questions;
static struct message storage[QUESTIONS], question;
static struct jif_timer end;
static uint32_t holder, number;

static void on_end(struct jif_timer *timer)
{
	(void)timer;
	holder = 0;
}

static void answer(void)
{
	struct message out = question;

	if (!holder || holder == question.client) {
		if (holder != question.client || question.number > number)
			number = question.number;
		holder = question.client;
		must(jif_timer_mod_in(&wheel, &end, LEASE));
		out.kind = GRANTED;
	} else {
		out.kind = BUSY;
		out.ticks = jif_timer_left(&wheel, &end);
	}
	board_send(&out);
}

static void take_question(void)
{
	if (question.kind == ASK) {
		answer();
	} else if (holder == question.client && question.number >= number) {
		holder = 0;
		jif_timer_del(&wheel, &end);
	}
}

static void on_questions(struct jif_work *done)
{
	(void)done;
	while (!jif_queue_receive(&questions, &question))
		take_question();
}

/* What there is no room for is lost, as on the radio. */
void server_receive(const struct message *message)
{
	if (!jif_queue_send(&questions, message))
		jif_work_queue(&sched.work, &work);
}

void server_turn(void)
{
	jif_sched_run(&sched);
}

void server_init(void)
{
	jif_wheel_init_time(&wheel, jif_time_jiffies);
	jif_sched_init(&sched, &wheel, jif_port_idle, NULL);
	must(jif_queue_init(&questions, storage, sizeof(question), QUESTIONS));
	jif_work_init(&work, on_questions, 0);
	jif_timer_init(&end, on_end);
	holder = UINT32_MAX;
	must(jif_timer_mod_in(&wheel, &end, LEASE));
}
