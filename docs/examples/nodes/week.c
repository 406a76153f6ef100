/* SPDX-License-Identifier: MIT */
/*
 * week.c - a server and 99 clients, for a simulated week
 *
 * usage: week [SEED]
 *
 * Of the messages, a twentieth is lost, and another one takes up to 5 minutes.
 * Clients are cut off from the server, or switched off and on again; so is the
 * server, once a day. It must never happen that two clients use what is
 * leased, nor that it lies idle for long although some client asks for it.
 */
#include <jif/kit/node.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lease.h"

#define NODES  100
#define MINUTE 60000
#define DAY    (24 * 60 * MINUTE)
/* A lease that nobody has any more, one for an old question, and a pause. */
#define IDLE_MAX (2 * LEASE + PAUSE_MAX + MINUTE)

/* Where the linker puts the static variables of server.c and client.c. */
extern char __start_firmware[], __stop_firmware[];

static struct jif_message messages[1000];
static struct jif_net net;
static struct jif_node nodes[NODES];
static char *at_power_on;
static const struct jif_link radio = { 5, 200, 50000 };
static const struct jif_link detour = { 200, 5 * MINUTE, 0 };

static struct {
	uint64_t random;
	uint64_t ticks;
	uint32_t resets[NODES];
	unsigned user;
	unsigned cut_off;
	uint64_t idle_since;
	unsigned long uses, sent, off, lost_users;
	uint64_t idle_max;
} world;

static uint64_t now(void)
{
	return world.ticks + (uint32_t)(jif_net_clock(&net) - world.ticks);
}

static uint32_t draw(uint32_t end)
{
	world.random = world.random * UINT64_C(6364136223846793005) + 1;
	return (uint32_t)((world.random >> 32) * end >> 32);
}

static void fail(const char *why)
{
	printf("after %llu ticks: %s\n", (unsigned long long)now(), why);
	exit(1);
}

/* --- the board --- */

uint32_t board_id(void)
{
	return (uint32_t)(jif_node_running() - nodes);
}

uint32_t board_resets(void)
{
	return world.resets[board_id()];
}

uint32_t board_random(uint32_t end)
{
	return draw(end) + 1;
}

void board_send(const struct message *message)
{
	struct jif_node *to = &nodes[board_id() ? 0 : message->client];

	world.sent++;
	if (message->client == world.cut_off)
		return;
	if (jif_node_send(to, draw(20) ? &radio : &detour, message,
			  sizeof(*message)))
		fail("too many messages are under way");
}

static void end_of_use(void)
{
	world.user = 0;
	world.idle_since = now();
}

static void check_idleness(void)
{
	uint64_t idle = now() - world.idle_since;

	if (world.user)
		return;
	if (idle > IDLE_MAX)
		fail("nobody has used it for too long");
	if (idle > world.idle_max)
		world.idle_max = idle;
}

void board_use(int on)
{
	if (on && world.user)
		fail("two clients use it");
	if (!on && world.user != board_id())
		fail("a client gives back what another one uses");
	if (!on) {
		end_of_use();
		return;
	}
	check_idleness();
	world.user = board_id();
	world.uses++;
}

/* --- the nodes --- */

static void receive_server(struct jif_node *from, const void *bytes,
			   size_t size)
{
	(void)from;
	(void)size;
	server_receive(bytes);
}

static void receive_client(struct jif_node *from, const void *bytes,
			   size_t size)
{
	(void)from;
	(void)size;
	client_receive(bytes);
}

/* Their jiffies are anything, and some soon wrap. */
static void power_on(unsigned id)
{
	memcpy(nodes[id].memory, at_power_on, net.size);
	jif_node_start(&net, &nodes[id], 0u - draw(id % 2 ? DAY : UINT32_MAX),
		       id ? client_init : server_init);
}

static void power_off(unsigned id)
{
	jif_node_stop(&nodes[id]);
	world.resets[id]++;
	world.off++;
	if (id && world.user == id) {
		world.lost_users++;
		end_of_use();
	}
}

static void init(uint64_t seed)
{
	net = (struct jif_net){ .statics = __start_firmware,
				.size = (size_t)(__stop_firmware -
						 __start_firmware),
				.messages = messages,
				.capacity = 1000,
				.seed = seed };
	world.random = seed;
	at_power_on = malloc(net.size);
	memcpy(at_power_on, net.statics, net.size);
	jif_net_init(&net);
	for (unsigned i = 0; i < NODES; i++) {
		nodes[i].turn = i ? client_turn : server_turn;
		nodes[i].receive = i ? receive_client : receive_server;
		nodes[i].memory = malloc(net.size);
		power_on(i);
	}
}

static void pass(uint32_t ticks)
{
	jif_net_run(&net, ticks);
	world.ticks += ticks;
	check_idleness();
}

/* For a while, the user of the lease is, or any other client. */
static void one_is_off(void)
{
	unsigned id = draw(2) && world.user ? world.user : 1 + draw(NODES - 1);

	power_off(id);
	pass(draw(MINUTE));
	power_on(id);
}

static void one_is_cut_off(void)
{
	world.cut_off = world.user;
	pass(draw(5 * MINUTE));
	world.cut_off = 0;
}

int main(int argc, char **argv)
{
	init(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
	for (unsigned day = 0; day < 7; day++) {
		power_off(0);
		power_on(0);
		while (world.ticks < (day + 1) * (uint64_t)DAY) {
			pass(draw(15 * MINUTE));
			one_is_off();
			pass(draw(15 * MINUTE));
			one_is_cut_off();
		}
	}
	printf("%d nodes, %llu ticks: %lu messages, %lu uses, %lu times off, "
	       "%lu of them while it was in use; unused for %llu ticks at "
	       "most\n",
	       NODES, (unsigned long long)world.ticks, world.sent, world.uses,
	       world.off, world.lost_users, (unsigned long long)world.idle_max);
	return 0;
}
