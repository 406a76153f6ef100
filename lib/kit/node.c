/* SPDX-License-Identifier: MIT */
/*
 * lib/kit/node.c - several firmwares in one program; see jif/kit/node.h
 *
 * A node's machine and jiffies are the program's while it runs. In between,
 * jif_sim is empty: what happens to the net's own wheel is no window of any
 * node; within a node, that is done with interrupts off.
 *
 * A sleep ends a turn: it takes 0 ticks, and the node says until when it wants
 * to sleep. Its jiffies are right again when it gets the next turn.
 */
#include <jif/jiffies.h>
#include <jif/kit/node.h>
#include <string.h>

#include "../bug.h"

static struct jif_node *running;

/* They stay in place until those of another node are wanted. */
static void load_statics(struct jif_net *net, struct jif_node *node)
{
	if (!net->size || net->loaded == node)
		return;
	if (net->loaded)
		memcpy(net->loaded->memory, net->statics, net->size);
	if (node)
		memcpy(net->statics, node->memory, net->size);
	net->loaded = node;
}

static uint32_t sleep_after_turn(uint32_t ticks)
{
	struct jif_wheel *wheel = &running->net->wheel;
	uint32_t most = ticks < JIF_DELAY_MAX ? ticks : JIF_DELAY_MAX;

	running->slept = true;
	if (ticks != UINT32_MAX)
		jif_timer_mod(wheel, &running->timer,
			      jif_wheel_clock(wheel) + most);
	return 0;
}

static void enter(struct jif_node *node)
{
	uint32_t now = node->begin + jif_net_clock(node->net);

	if (running)
		jif_panic("a node runs within another one");
	load_statics(node->net, node);
	jif_timer_del(&node->net->wheel, &node->timer);
	node->slept = false;
	running = node;
	jif_sim = node->sim;
	jif_jiffies = node->jiffies;
	jif_ticks(now - jif_now());
}

/* Its main loop turns. One that does not sleep gets the next turn soon. */
static void turn_and_leave(struct jif_node *node)
{
	node->turn();
	node->sim = jif_sim;
	node->jiffies = jif_jiffies;
	jif_sim = (struct jif_sim){ .irq = NULL };
	running = NULL;
	if (!node->slept)
		jif_timer_mod(&node->net->wheel, &node->timer,
			      jif_net_clock(node->net) + 1);
}

static void wake(struct jif_timer *timer)
{
	struct jif_node *node = jif_container_of(timer, struct jif_node, timer);

	enter(node);
	turn_and_leave(node);
}

static void free_message(struct jif_net *net, struct jif_message *message)
{
	message->next = net->free;
	net->free = message;
}

static void *bytes_of(const struct jif_net *net, struct jif_message *message)
{
	size_t number = (size_t)(message - net->messages);

	if (!net->bytes)
		return message->bytes;
	return (char *)net->bytes + number * net->longest;
}

static void deliver(struct jif_timer *timer)
{
	struct jif_message *message =
		jif_container_of(timer, struct jif_message, timer);
	struct jif_node *node = message->to;

	if (node->receive) {
		enter(node);
		jif_sim.in_irq = true;
		node->receive(message->from, bytes_of(node->net, message),
			      message->size);
		jif_sim.in_irq = false;
		turn_and_leave(node);
	}
	free_message(node->net, message);
}

/* From 0 on, less than @end. */
static uint32_t draw(struct jif_net *net, uint32_t end)
{
	net->random = net->random * UINT64_C(6364136223846793005) +
		      UINT64_C(1442695040888963407);
	return (uint32_t)((net->random >> 32) * end >> 32);
}

void jif_net_init(struct jif_net *net)
{
	JIF_POWER_ON(true);
	jif_wheel_init(&net->wheel, 0);
	JIF_POWER_ON(false);
	net->loaded = NULL;
	running = NULL; /* The test before may have failed within a node. */
	net->random = net->seed;
	draw(net, 1);
	net->free = NULL;
	for (unsigned i = 0; i < net->capacity; i++) {
		jif_timer_init(&net->messages[i].timer, deliver);
		free_message(net, &net->messages[i]);
	}
}

void jif_net_run(struct jif_net *net, uint32_t ticks)
{
	jif_wheel_run(&net->wheel, jif_net_clock(net) + ticks);
}

uint32_t jif_net_clock(const struct jif_net *net)
{
	return jif_wheel_clock(&net->wheel);
}

void jif_node_start(struct jif_net *net, struct jif_node *node, uint32_t now,
		    void (*init)(void))
{
	node->net = net;
	node->sim = (struct jif_sim){ .sleep = sleep_after_turn };
	node->begin = now - jif_net_clock(net);
	node->jiffies = now;
	node->on = true;
	jif_timer_init(&node->timer, wake);
	enter(node);
	JIF_POWER_ON(true);
	init();
	JIF_POWER_ON(false);
	turn_and_leave(node);
}

void jif_node_stop(struct jif_node *node)
{
	struct jif_net *net = node->net;
	struct jif_message *message;

	node->on = false;
	jif_timer_del(&net->wheel, &node->timer);
	for (unsigned i = 0; i < net->capacity; i++) {
		message = &net->messages[i];
		if (jif_timer_pending(&message->timer) && message->to == node) {
			jif_timer_del(&net->wheel, &message->timer);
			free_message(net, message);
		}
	}
	if (net->loaded == node)
		load_statics(net, NULL);
}

void jif_node_raise(struct jif_node *node, void (*handler)(void))
{
	if (!node->on)
		return;
	enter(node);
	jif_sim.in_irq = true;
	handler();
	jif_sim.in_irq = false;
	turn_and_leave(node);
}

struct jif_node *jif_node_running(void)
{
	return running;
}

int jif_node_send(struct jif_node *to, const struct jif_link *link,
		  const void *bytes, size_t size)
{
	struct jif_net *net = to->net;
	struct jif_message *message;
	uint32_t delay;
	bool lost;

	/* A node that was never started has no net. */
	if (size > (net && net->bytes ? net->longest : JIF_MESSAGE_MAX))
		return -JIF_EINVAL;
	if (!to->on)
		return 0;
	message = net->free;
	lost = draw(net, 1000000) < link->loss;
	delay = link->delay + draw(net, link->jitter + 1);
	if (!message)
		return -JIF_ENOSPC;
	if (lost)
		return 0;
	net->free = message->next;
	message->from = running;
	message->to = to;
	message->size = size;
	memcpy(bytes_of(net, message), bytes, size);
	jif_sim.off++;
	jif_timer_mod(&net->wheel, &message->timer, jif_net_clock(net) + delay);
	jif_sim.off--;
	return 0;
}
