/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/unit/queue.c - message queues: what the model of
 * test/firmware/model/turns.c does not say
 */
#include <jif/firmware/queue.h>

#include "../../wheel/unit/unit.h"

#define TASKS	 3
#define SIZE	 3
#define CAPACITY 4

static struct jif_sched sched;
static struct jif_task tasks[TASKS];
static struct jif_queue queue;
static unsigned char storage[SIZE * CAPACITY + 1];

/* What ran, in order, and the first byte of what it received; or '-'. */
static struct {
	unsigned task;
	char got;
	bool timed_out;
} runs[16];
static unsigned nruns;

static void run_task(struct jif_task *task)
{
	char message[SIZE] = { '-' };

	if (nruns == 16)
		return;
	runs[nruns].task = (unsigned)(task - tasks);
	runs[nruns].timed_out = jif_task_timed_out(task);
	jif_queue_receive(&queue, message);
	runs[nruns++].got = message[0];
}

static void init(void)
{
	unit_init();
	set_jiffies(0);
	memset(tasks, 0xa5, sizeof(tasks));
	memset(&queue, 0xa5, sizeof(queue));
	memset(storage, 0xa5, sizeof(storage));
	nruns = 0;
	jif_sched_init(&sched, &wheel, NULL, NULL);
	cr_assert_eq(jif_queue_init(&queue, storage, SIZE, CAPACITY), 0);
	for (unsigned i = 0; i < TASKS; i++)
		jif_task_init(&sched, &tasks[i], run_task, 1, 0);
}

static void fini(void)
{
	cr_expect_eq(storage[SIZE * CAPACITY], 0xa5, "behind the storage");
	unit_fini();
}

TestSuite(queue, .init = init, .fini = fini);

/* A message is three letters, so that a byte of another one shows. */
static int send(char letter)
{
	const char message[SIZE] = { letter, (char)(letter + 1),
				     (char)(letter + 2) };

	return jif_queue_send(&queue, message);
}

static char receive(void)
{
	char message[SIZE + 1] = { 0 };

	message[SIZE] = 'x';
	if (jif_queue_receive(&queue, message))
		return message[0] ? '!' : '-';
	if (message[1] != message[0] + 1 || message[2] != message[0] + 2 ||
	    message[SIZE] != 'x')
		return '?';
	return message[0];
}

static int wait_for_message(unsigned task)
{
	return jif_queue_wait(&queue, &tasks[task], JIF_FOREVER);
}

static void fail(const char *what, const void *object, void (*fn)(void))
{
	cr_assert(!what, "%s", what);
}

/* Filled and emptied at each place of the ring, and more than once around. */
Test(queue, messages_come_in_order_and_a_full_queue_refuses)
{
	char next = 'a', oldest = 'a';

	if (CONFIG_JIF_DEBUG)
		jif_warn = fail;
	for (unsigned round = 0; round < 2 * CAPACITY + 1; round++) {
		for (unsigned i = 0; i < CAPACITY; i++) {
			cr_assert_eq(jif_queue_count(&queue), i);
			cr_assert_eq(send(next), 0);
			next = (char)(next < 'p' ? next + 1 : 'a');
		}
		cr_assert_eq(send('z'), -JIF_ENOSPC);
		cr_assert_eq(jif_queue_count(&queue), CAPACITY);
		for (unsigned i = 0; i < CAPACITY; i++) {
			cr_assert_eq(receive(), oldest);
			oldest = (char)(oldest < 'p' ? oldest + 1 : 'a');
		}
		cr_assert_eq(receive(), '-');
		cr_assert_eq(jif_queue_count(&queue), 0);
		send('q');
		cr_assert_eq(receive(), 'q');
	}
}

/* More than 8 bits hold; the statically initialised one, too. */
Test(queue, messages_of_no_bytes_count_events)
{
	struct jif_queue count = JIF_QUEUE_INIT(NULL, 0, UINT16_MAX);
	unsigned sent = 0;

	while (!jif_queue_send(&count, NULL))
		sent++;
	cr_assert_eq(sent, UINT16_MAX);
	cr_assert_eq(jif_queue_count(&count), UINT16_MAX);
	while (!jif_queue_receive(&count, NULL))
		sent--;
	cr_assert_eq(sent, 0);
}

Test(queue, bad_arguments_are_refused_and_change_nothing)
{
	send('a');
	cr_expect_eq(jif_queue_init(&queue, NULL, 1, 1), -JIF_EINVAL);
	cr_expect_eq(jif_queue_init(&queue, storage, 1, 0), -JIF_EINVAL);
	cr_expect_eq(jif_queue_wait(&queue, &tasks[0], LONGEST), -JIF_ERANGE);
	cr_expect_not(jif_task_pending(&tasks[0]));
	cr_expect_eq(receive(), 'a');
	cr_expect_eq(jif_queue_init(&queue, NULL, 0, 1), 0);
}

Test(queue, calls_leave_interrupts_off_if_they_were)
{
	jif_sim.off = 1;
	wait_for_message(0);
	send('a');
	jif_queue_count(&queue);
	receive();
	cr_assert_eq(jif_sim.off, 1);
	jif_sim.off = 0;
}
