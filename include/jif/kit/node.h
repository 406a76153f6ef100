/* SPDX-License-Identifier: MIT */
/*
 * jif/kit/node.h - several firmwares in one program, on the simulated machine
 *
 * For a program that is compiled with CONFIG_JIF_PORT_SIM=1. Each node is a
 * machine: it has jiffies, a struct jif_sim and, if it wants, the static
 * variables of its firmware for itself. One clock drives them all: a node that
 * sleeps takes no time until it is woken. Messages between nodes take time, and
 * may be lost; the same seed gives the same run again: see docs/tests.md. What
 * is static in lib/face/linux and lib/firmware/record.c is theirs together; so
 * is, where a long has 32 bits, the upper half of jif_now64().
 */
#ifndef JIF_NODE_H
#define JIF_NODE_H

#include <jif/kit/sim.h>
#include <jif/wheel.h>

JIF_BEGIN_DECLS

/** JIF_MESSAGE_MAX - the most bytes of a message, without memory for more */
#define JIF_MESSAGE_MAX 64

/** struct jif_message - a message under way */
struct jif_message {
	/* private: */
	struct jif_timer timer;		/* delivers it */
	struct jif_message *next;	/* the next one that is free */
	struct jif_node *from;		/* who has sent it; NULL: no node */
	struct jif_node *to;		/* who gets it */
	size_t size;			/* in bytes */
	uint8_t bytes[JIF_MESSAGE_MAX]; /* what it says */
};

/**
 * struct jif_net - nodes that share a clock
 * @statics:	the static variables of the firmware, of which each node has its
 *		own; NULL: there are none, or none that nodes must not share
 * @size:	of these, in bytes
 * @messages:	memory for the messages under way
 * @capacity:	how many of them, with the one that is being received
 * @bytes:	memory for what they say, @longest bytes for each of @capacity;
 *		NULL: each has JIF_MESSAGE_MAX bytes of its own
 * @longest:	the most bytes of a message then
 * @seed:	of what is lost, and how long the rest takes
 *
 * The caller fills in what is not private, and then calls jif_net_init().
 */
struct jif_net {
	void *statics;
	size_t size;
	struct jif_message *messages;
	unsigned capacity;
	void *bytes;
	size_t longest;
	uint64_t seed;
	/* private: */
	struct jif_wheel wheel;	  /* who wakes up, and what arrives */
	struct jif_node *loaded;  /* whose static variables @statics has */
	struct jif_message *free; /* the first message that is */
	uint64_t random;	  /* the state of the generator */
};

/**
 * struct jif_node - a machine and its firmware
 * @turn:	a turn of its main loop, which ends when it sleeps, by
 *		jif_port_idle(); without a sleep, the next one is a tick later
 * @receive:	a message has come: runs as an interrupt; NULL: none is taken
 * @memory:	room for its static variables, of the size that the net has;
 *		what is there at first are their values at power-on
 */
struct jif_node {
	void (*turn)(void);
	void (*receive)(struct jif_node *from, const void *bytes, size_t size);
	void *memory;
	/* private: */
	struct jif_net *net;	/* where it is */
	struct jif_timer timer; /* wakes it up */
	struct jif_sim sim;	/* its machine, while it does not run */
	uint32_t begin;		/* its jiffies minus the clock of the net */
	unsigned long jiffies;	/* its jiffies, while it does not run */
	bool on;		/* it has power */
	bool slept;		/* its last turn has ended with a sleep */
};

/**
 * struct jif_link - what becomes of a message
 * @delay:	how many ticks it takes, at least; 0 is 1
 * @jitter:	how many more, at most; both together, JIF_DELAY_MAX at most
 * @loss:	how many of a million are lost
 */
struct jif_link {
	uint32_t delay;
	uint32_t jitter;
	uint32_t loss;
};

/**
 * jif_net_init - make a net without nodes
 * @net:	a net of which the caller has filled in what is not private
 * Context: the simulation.
 */
void jif_net_init(struct jif_net *net)
	JIF_AGREE_ON(CONFIG_JIF_SPREAD, jif_net_init);

/**
 * jif_net_run - let time pass
 * @net:	the net
 * @ticks:	how many, at most JIF_DELAY_MAX
 * Context: the simulation; not within a node.
 */
void jif_net_run(struct jif_net *net, uint32_t ticks);

/**
 * jif_net_clock - the time
 * @net:	the net
 * Context: any.
 * Return: the ticks since jif_net_init(), modulo 2^32.
 */
uint32_t jif_net_clock(const struct jif_net *net);

/**
 * jif_node_start - power on
 * @net:	the net that it is, or will be, in
 * @node:	a node of which the caller has filled in what is not private
 * @now:	what its jiffies are
 * @init:	initialises what static variables at power-on do not
 *
 * Its main loop turns once, at once. After jif_node_stop() it may be started
 * again, with @memory as it was at first if the firmware relies on that.
 * Context: the simulation; not within a node.
 */
void jif_node_start(struct jif_net *net, struct jif_node *node, uint32_t now,
		    void (*init)(void));

/**
 * jif_node_stop - power off
 * @node:	a node that has been started
 *
 * It does nothing any more, and loses the messages that are under way to it.
 * Context: the simulation; not within a node.
 */
void jif_node_stop(struct jif_node *node);

/**
 * jif_node_raise - a handler of the node runs now, as an interrupt
 * @node:	a node; if it is off, nothing happens
 * @handler:	the handler
 * Context: the simulation; not within a node.
 */
void jif_node_raise(struct jif_node *node, void (*handler)(void));

/**
 * jif_node_running - which node is this?
 * Context: any; most often a fake of the board.
 * Return: the node that runs; NULL: none does.
 */
struct jif_node *jif_node_running(void);

/**
 * jif_node_send - send a message
 * @to:		who gets it, by its @receive, if it is on
 * @link:	how it gets there
 * @bytes:	what it says; they are copied
 * @size:	in bytes, as many as the net has memory for
 * Context: any; most often a fake of the board.
 * Return: 0, also if it will be lost; -JIF_EINVAL if it is too long;
 * -JIF_ENOSPC if too many are under way.
 */
int jif_node_send(struct jif_node *to, const struct jif_link *link,
		  const void *bytes, size_t size);

JIF_END_DECLS

#endif
