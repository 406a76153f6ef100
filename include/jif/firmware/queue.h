/* SPDX-License-Identifier: MIT */
/*
 * jif/firmware/queue.h - messages of one length, from any context to tasks
 *
 * They are copied into storage of the caller's, and received in the order in
 * which they were sent. Anyone may send, and several tasks may receive. A long
 * message is sent as a pointer to it, whose memory the receiver gives back.
 * A queue of messages of 0 bytes has no storage, and counts events.
 */
#ifndef JIF_QUEUE_H
#define JIF_QUEUE_H

#include <jif/firmware/sched.h>

JIF_BEGIN_DECLS

/** struct jif_queue - messages, and the tasks that wait for some */
struct jif_queue {
	/* private: */
	struct jif_event waiters; /* its @set is how many messages there are */
	unsigned char *storage;	  /* of the messages */
	uint16_t size;		  /* of a message */
	uint16_t capacity;	  /* how many there may be */
	uint16_t first;		  /* the number of the oldest one's place */
};

/**
 * JIF_QUEUE_INIT - static initialiser of a struct jif_queue
 * @storage:	as for jif_queue_init(), but an array of unsigned char
 * @size:	as there
 * @capacity:	as there
 */
#define JIF_QUEUE_INIT(storage, size, capacity)                                \
	{                                                                      \
		JIF_EVENT_INIT, (storage), (size), (capacity), 0               \
	}

/**
 * jif_queue_init - make an empty queue
 * @queue:	memory that no task waits for
 * @storage:	@size * @capacity bytes, which stay; NULL if @size is 0
 * @size:	of a message, in bytes
 * @capacity:	how many messages there may be, at least 1
 * Context: before the queue is used.
 * Return: 0; -JIF_EINVAL without capacity or storage: nothing has changed.
 */
int jif_queue_init(struct jif_queue *queue, void *storage, uint16_t size,
		   uint16_t capacity);

/**
 * jif_queue_send - put a message at the end
 * @queue:	a queue that has been initialised
 * @message:	is copied; not read if messages have 0 bytes
 *
 * Wakes the task that has waited longest, one for each message.
 * Context: any. Interrupts are off while it is copied.
 * Return: 0; -JIF_ENOSPC if the queue is full, and nothing has changed.
 */
int jif_queue_send(struct jif_queue *queue, const void *message);

/**
 * jif_queue_receive - take the oldest message, if there is one
 * @queue:	a queue that has been initialised
 * @message:	where it is copied to
 * Context: any. Interrupts are off while it is copied.
 * Return: 0; -JIF_ENOENT if the queue is empty, and nothing has changed.
 */
int jif_queue_receive(struct jif_queue *queue, void *message);

/**
 * jif_queue_wait - have a task run when there is a message, or time is up
 * @queue:	a queue that has been initialised
 * @task:	a task that has been initialised; most often the one that runs
 * @timeout:	as for jif_task_wait()
 *
 * Like jif_task_wait(). If there is a message already, the task is ready at
 * once. When it runs, another task may have received it.
 * Context: any.
 * Return: as jif_task_wait().
 */
int jif_queue_wait(struct jif_queue *queue, struct jif_task *task,
		   uint32_t timeout);

/**
 * jif_queue_count - how many messages are there?
 * @queue:	a queue that has been initialised
 * Context: any.
 * Return: their number.
 */
unsigned jif_queue_count(const struct jif_queue *queue);

JIF_END_DECLS

#endif
