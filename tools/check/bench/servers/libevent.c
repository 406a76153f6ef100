/* SPDX-License-Identifier: MIT */
/*
 * tools/check/bench/servers/libevent.c - what idled does, on libevent: the load
 * that test/tools/idled/load.py puts on both
 *
 * A persistent event for each connection, whose time-out begins anew with each
 * read. It is a common one: a queue, of which the heap has the first.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct event_base *base;
static const struct timeval *idle;

static void on_event(evutil_socket_t fd, short what, void *place)
{
	static char ignored[16384];
	struct event **event = place;
	ssize_t n = what & EV_READ ? recv(fd, ignored, sizeof(ignored), 0) : 0;

	if (n > 0)
		return;
	event_free(*event);
	free(place);
	close(fd);
}

static void on_connection(evutil_socket_t listener, short what, void *none)
{
	struct event **event;
	int fd;

	while ((fd = accept4(listener, NULL, NULL,
			     SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		event = malloc(sizeof(*event));
		*event = event_new(base, fd, EV_READ | EV_PERSIST, on_event,
				   event);
		event_add(*event, idle);
	}
}

int main(int argc, char **argv)
{
	struct timeval seconds = { argc > 1 ? atoi(argv[1]) : 30, 0 };
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	socklen_t size = sizeof(at);

	base = event_base_new();
	idle = event_base_init_common_timeout(base, &seconds);
	if (bind(fd, (struct sockaddr *)&at, size) || listen(fd, SOMAXCONN))
		return 1;
	getsockname(fd, (struct sockaddr *)&at, &size);
	printf("listen 127.0.0.1 %d\n", ntohs(at.sin_port));
	fflush(stdout);
	event_add(event_new(base, fd, EV_READ | EV_PERSIST, on_connection,
			    NULL),
		  NULL);
	return event_base_dispatch(base);
}
