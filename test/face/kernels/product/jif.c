/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/product/jif.c - the product on jif's scheduler
 */
#include <jif/firmware/await.h>
#include <jif/jif.h>

#include "product.h"

static struct jif_wheel wheel;
static struct jif_sched sched;
static struct jif_task sensor_a, sensor_b, radio, menu;
static struct jif_await in_radio, in_menu;
static struct jif_event pressed = JIF_EVENT_INIT, acked = JIF_EVENT_INIT;
static unsigned char storage[QUEUE * sizeof(struct message)];
static struct jif_queue readings =
	JIF_QUEUE_INIT(storage, sizeof(struct message), QUEUE);

static void on_press(struct jif_timer *timer)
{
	(void)timer;
	note(PRESSED);
	jif_event_wake(&pressed);
}

static struct jif_timer debounce = JIF_TIMER_INIT(on_press);

void on_edge(void)
{
	jif_timer_mod(&wheel, &debounce, jif_now() + DEBOUNCE);
}

void on_ack(void)
{
	jif_event_wake(&acked);
}

static void sample(struct jif_task *task)
{
	uint8_t sensor = task == &sensor_b;
	struct message reading = { sensor, (uint8_t)now };

	note(sensor ? SAMPLED_B : SAMPLED_A);
	jif_queue_send(&readings, &reading);
}

static void run_radio(struct jif_task *task)
{
	static struct message message;
	static unsigned tries;
	int err;

	JIF_TASK_BEGIN(task, &in_radio);
	for (;;) {
		JIF_RECEIVE(&readings, &message, JIF_FOREVER, err);
		for (tries = TRIES; tries; tries--) {
			transmit();
			JIF_WAIT(&acked, ACK_WITHIN);
			if (!jif_task_timed_out(task))
				break;
		}
		if (tries)
			hear();
		else
			note(LOST);
	}
	JIF_TASK_END;
}

static void run_menu(struct jif_task *task)
{
	JIF_TASK_BEGIN(task, &in_menu);
	for (;;) {
		JIF_WAIT(&pressed, JIF_FOREVER);
		note(ON);
		do {
			JIF_WAIT(&pressed, MENU_TIME);
		} while (!jif_task_timed_out(task));
		note(OFF);
	}
	JIF_TASK_END;
}

int main(void)
{
	jif_wheel_init(&wheel, jif_now());
	jif_sched_init(&sched, &wheel, NULL, NULL);
	jif_task_init(&sched, &radio, run_radio, 0, 0);
	jif_task_init(&sched, &sensor_a, sample, 1, 0);
	jif_task_init(&sched, &sensor_b, sample, 1, 0);
	jif_task_init(&sched, &menu, run_menu, 2, 0);
	(void)!jif_task_start(&sensor_a, jif_now() + FIRST_A, PERIOD_A);
	(void)!jif_task_start(&sensor_b, jif_now() + FIRST_B, PERIOD_B);
	jif_task_wake(&radio);
	jif_task_wake(&menu);
	target_tick = product_tick;
	jif_port_start();
	for (;;)
		jif_sched_run(&sched);
}
