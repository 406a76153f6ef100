/* SPDX-License-Identifier: MIT */
/*
 * lease.h - a server leases one thing to one client at a time
 *
 * A client asks, and has the lease for LEASE ticks from when it asked: it has
 * asked before the server counts, so its lease ends before the server gives
 * another one. Half-way, it asks again. Messages may be lost, overtake each
 * other, and come from a client or server that has been off in between.
 */
#ifndef LEASE_H
#define LEASE_H

#include <jif/port.h>
#include <stddef.h>
#include <stdint.h>

/* In ticks of a millisecond. */
#define LEASE	   120000
#define ANSWER_MAX 2000
#define PAUSE_MAX  120000
#define USE_MAX	   600000
#define REST_MAX   3600000

enum kind { ASK, GIVE_BACK, GRANTED, BUSY };

/* What is refused never comes. */
static inline void must(int result)
{
	if (result < 0)
		jif_panic("it is refused");
}

/**
 * struct message - what clients and server tell each other
 * @kind:	one of enum kind
 * @client:	who asks, or is answered
 * @number:	of the question; larger than all before, also before a reset
 * @ticks:	with BUSY: so long the lease of another one goes on
 */
struct message {
	uint32_t kind;
	uint32_t client;
	uint32_t number;
	uint32_t ticks;
};

void server_init(void);
void server_turn(void);
void server_receive(const struct message *message);

void client_init(void);
void client_turn(void);
void client_receive(const struct message *message);

/* What they need from their board. */
void board_send(const struct message *message);
uint32_t board_id(void);
uint32_t board_resets(void);
uint32_t board_random(uint32_t end);
void board_use(int on);

#endif
