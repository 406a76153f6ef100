/* SPDX-License-Identifier: MIT */
/*
 * test/budget/nodes.c - what a message between nodes costs
 *
 * 200 nodes, each with static variables of its own, pass a thousand messages
 * on, each to a node that it names: 100,000 times. Then begin() is called, and
 * they are passed on as often again.
 */
#include <jif/kit/node.h>
#include <jif/port.h>
#include <stdio.h>
#include <stdlib.h>

#define NODES	 200
#define MESSAGES 1000
#define TIMES	 100000

static unsigned firmware[16], memory[NODES][16];
static struct jif_message messages[MESSAGES + 1];
static struct jif_net net = {
	.statics = firmware,
	.size = sizeof(firmware),
	.messages = messages,
	.capacity = MESSAGES + 1,
};
static struct jif_node nodes[NODES];
static const struct jif_link radio = { 5, 200, 0 };
static unsigned long passed_on;

static void pass_on(unsigned number)
{
	number = number * 1664525 + 1013904223;
	if (jif_node_send(&nodes[(number >> 8) % NODES], &radio, &number,
			  sizeof(number))) {
		fputs("nodes: error: a message is lost\n", stderr);
		exit(1);
	}
	passed_on++;
}

static void receive(struct jif_node *from, const void *bytes, size_t size)
{
	firmware[0]++;
	pass_on(*(const unsigned *)bytes);
}

static void sleep_until_then(void)
{
	jif_sim.off++;
	jif_port_idle(UINT32_MAX);
	jif_sim.off--;
}

static void power_on(void)
{
	for (unsigned i = 0; i < MESSAGES / NODES; i++)
		pass_on((unsigned)(jif_node_running() - nodes) + i * NODES);
}

__attribute__((noipa)) static void begin(void)
{
}

int main(void)
{
	jif_net_init(&net);
	for (unsigned i = 0; i < NODES; i++) {
		nodes[i].memory = memory[i];
		nodes[i].receive = receive;
		nodes[i].turn = sleep_until_then;
	}
	for (unsigned i = 0; i < NODES; i++)
		jif_node_start(&net, &nodes[i], 0, power_on);
	while (passed_on < TIMES)
		jif_net_run(&net, 1);
	begin();
	while (passed_on < 2 * TIMES)
		jif_net_run(&net, 1);
	return 0;
}
