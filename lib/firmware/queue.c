/* SPDX-License-Identifier: MIT */
/* lib/firmware/queue.c - messages of one length, from any context to tasks */
#include <jif/firmware/queue.h>

#include "../bug.h"
#include "../port/jif_port.h"
#include "../shared.h"
#include "waiters.h"

int jif_queue_init(struct jif_queue *queue, void *storage, uint16_t size,
		   uint16_t capacity)
{
	if (!capacity || (size && !storage))
		return jif_invalid("a queue lacks storage", queue);
	*queue = (struct jif_queue){
		.storage = storage,
		.size = size,
		.capacity = capacity,
	};
	return 0;
}

/* There need not be a memcpy(). */
static void copy(unsigned char *to, const unsigned char *from, unsigned size)
{
	while (size--)
		*to++ = *from++;
}

static unsigned char *message_at(const struct jif_queue *queue, unsigned number)
{
	return queue->storage + (size_t)number * queue->size;
}

static inline unsigned count_of(const struct jif_queue *queue)
{
	return (unsigned)queue->waiters.set;
}

/* The number of the first place behind them, if there is one. */
static unsigned end_of(const struct jif_queue *queue)
{
	unsigned ahead = (unsigned)queue->capacity - queue->first;
	unsigned count = count_of(queue);

	return count < ahead ? queue->first + count : count - ahead;
}

/* A debug build reports one that has no room at all. */
static inline bool has_room(const struct jif_queue *queue)
{
	if (CONFIG_JIF_DEBUG && !queue->capacity)
		jif_refused("a queue is used that was never initialised", queue,
			    NULL);
	return count_of(queue) < queue->capacity;
}

int jif_queue_send(struct jif_queue *queue, const void *message)
{
	jif_irq_t flags = jif_irq_save();
	int err = -JIF_ENOSPC;

	if (has_room(queue)) {
		copy(message_at(queue, end_of(queue)), message, queue->size);
		queue->waiters.set++;
		if (queue->waiters.tail)
			flags = jif_end_wait(first_waiter(&queue->waiters),
					     flags);
		err = 0;
	}
	jif_irq_restore(flags);
	return err;
}

int jif_queue_receive(struct jif_queue *queue, void *message)
{
	jif_irq_t flags = jif_irq_save();
	int err = -JIF_ENOENT;

	if (count_of(queue)) {
		copy(message, message_at(queue, queue->first), queue->size);
		queue->waiters.set--;
		if (++queue->first == queue->capacity)
			queue->first = 0;
		err = 0;
	}
	jif_irq_restore(flags);
	return err;
}

int jif_queue_wait(struct jif_queue *queue, struct jif_task *task,
		   uint32_t timeout)
{
	struct wish wish;

	wish.how = 0;
	return jif_wait(task, &queue->waiters, timeout, &wish);
}

unsigned jif_queue_count(const struct jif_queue *queue)
{
	jif_irq_t flags;
	unsigned count;

	LOOK_ANEW();
	if (!TEARS)
		return (unsigned)READ_SHARED(&queue->waiters.set);
	flags = jif_irq_save();
	count = count_of(queue);
	jif_irq_restore(flags);
	return count;
}
