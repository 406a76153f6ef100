/* SPDX-License-Identifier: MIT */
/*
 * tools/show/idled/idled.h - a server that closes idle connections
 *
 * One thread, one epoll, one wheel whose tick is a millisecond of
 * CLOCK_MONOTONIC, so that a wall clock that is set changes nothing. Whatever a
 * peer sends is a sign of life, and postpones its timer.
 */
#pragma once

#include <jif/wheel.h>
#include <sys/socket.h>

/* For what is not a connection, and those to the status port at a time. */
#define OTHER_FILES 10
#define STATUS_MAX  8

/* Where to listen. */
struct endpoint {
	struct sockaddr_storage address; /* and port */
	socklen_t size;			 /* of the address; 0: nowhere */
};

/* What the command line says. */
struct options {
	struct endpoint listen; /* for connections */
	struct endpoint status; /* for those who ask for the counters */
	uint32_t idle_ms;	/* so long without a byte, and one is closed */
	uint32_t grace_ms;	/* so long a stop waits for them to end */
	uint32_t connections;	/* how many there may be */
	uint32_t per_address;	/* how many of one address */
};

extern struct options options;

/* Fills in options; what is wrong is named, and ends the program. */
void options_parse(int argc, char **argv);

/* What all wait for; poll_fd is for epoll. */
extern struct jif_wheel wheel;
extern int poll_fd;

/* The clock, and the ticks that are over of it. */
int64_t clock_ns(void);
uint32_t clock_ticks(void);

/* Has epoll report a descriptor; and from now on, or not: 0, or the error. */
int watch(int fd);
int watch_again(int fd, bool on);

/* Connections of one address. */
struct peer {
	uint32_t address[4]; /* IPv4 as IPv6 has it; the first half of IPv6 */
	uint32_t count;	     /* how many */
	uint32_t next;	     /* in its bucket, or that is free */
};

/* Makes room for as many as there may be connections: false if it cannot. */
bool peer_init(void);

/* One more of that address: NULL if it has as many as it may. */
struct peer *peer_add(const struct sockaddr_storage *address);
void peer_del(struct peer *peer);
unsigned peer_count(void);

/* The events that counters count, and what a reader of them is told. */
#define COUNTERS(X)                                                            \
	X(accepted, "connections accepted")                                    \
	X(refused_full, "connections refused: --connections")                  \
	X(refused_address, "connections refused: --per-address")               \
	X(closed_idle, "connections closed because they were idle")            \
	X(closed_by_peer, "connections that the peer has closed")              \
	X(closed_by_error, "connections that an error has ended")              \
	X(closed_by_stop, "connections that were open at the end")             \
	X(closed_early, "connections closed too early, which never happens")   \
	X(received_bytes, "bytes received")                                    \
	X(pauses, "times when accepting was put off: no descriptor, memory")   \
	X(wakeups, "times the process was woken up")

/* Upper ends of how late idle connections are closed, in seconds. */
#define LATE_ENDS                                                              \
	{                                                                      \
		1e-3, 2e-3, 5e-3, .01, .02, .05, .1, .2, .5, 1, 5              \
	}
#define LATE_RANGES 12

/* errno has no value as large as this. */
#define ERRORS		   140

#define MEMBER(name, help) uint64_t name;
extern struct counters {
	COUNTERS(MEMBER)
	uint64_t late[LATE_RANGES];
	int64_t late_ns;
	uint64_t errors[ERRORS];
} counters;

/* Counts an error; also names it on standard error, with @what failed. */
void count_error(int err);
void say_error(const char *what, int err);

/* Counts how late an idle connection is closed. */
void count_late(int64_t late_ns);

/* Text for the reader of the status port, until the next one is made. */
bool status_init(void);
const char *status_text(const char *request, unsigned connections,
			size_t *size);

/* Opens what listens, and makes room for connections. */
void conn_init(void);

/* A descriptor is readable: one that listens, or a connection. */
void conn_ready(int fd);

/* How many are open, but for those to the status port. */
unsigned conn_count(void);

/* No new ones from now on; and all are closed. */
void conn_stop(void);
void conn_drain(void);
