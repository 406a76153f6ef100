/* SPDX-License-Identifier: MIT */
/*
 * client.c - wants the lease now and then, uses it for a while, gives it back
 */
#include <jif/jif.h>

#include "lease.h"

static struct jif_wheel wheel;
static struct jif_sched sched;
static struct jif_work work;
static struct message answer;
static struct jif_timer ask, end, done;
static uint32_t number, asked;
static bool holding;

static void send(enum kind kind)
{
	struct message out = { kind, board_id(), number, 0 };

	board_send(&out);
}

static void on_ask(struct jif_timer *timer)
{
	number++;
	asked = jif_now();
	must(jif_timer_mod_in(&wheel, timer, ANSWER_MAX));
	send(ASK);
}

static void drop(void)
{
	holding = false;
	board_use(0);
}

/* It was not renewed in time. */
static void on_end(struct jif_timer *timer)
{
	(void)timer;
	drop();
}

/* What the server answers to earlier questions does not count any more. */
static void on_done(struct jif_timer *timer)
{
	(void)timer;
	number++;
	if (holding) {
		drop();
		send(GIVE_BACK);
	}
	jif_timer_del(&wheel, &end);
	must(jif_timer_mod_in(&wheel, &ask, board_random(REST_MAX)));
}

static void on_answer(struct jif_work *queued)
{
	(void)queued;
	if (answer.number != number)
		return;
	if (answer.kind == GRANTED) {
		jif_timer_mod(&wheel, &end, asked + LEASE);
		jif_timer_mod(&wheel, &ask, asked + LEASE / 2);
		if (!jif_timer_pending(&done))
			must(jif_timer_mod_in(&wheel, &done,
					      board_random(USE_MAX)));
		if (!holding)
			board_use(1);
		holding = true;
	} else {
		must(jif_timer_mod_in(&wheel, &ask,
				      answer.ticks + board_random(PAUSE_MAX)));
	}
}

void client_receive(const struct message *message)
{
	answer = *message;
	jif_work_queue(&sched.work, &work);
}

void client_turn(void)
{
	jif_sched_run(&sched);
}

void client_init(void)
{
	jif_wheel_init_time(&wheel, jif_time_jiffies);
	jif_sched_init(&sched, &wheel, jif_port_idle, NULL);
	jif_work_init(&work, on_answer, 0);
	jif_timer_init(&ask, on_ask);
	jif_timer_init(&end, on_end);
	jif_timer_init(&done, on_done);
	number = board_resets() << 20;
	holding = false;
	must(jif_timer_mod_in(&wheel, &ask, board_random(REST_MAX)));
}
