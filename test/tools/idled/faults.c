/* SPDX-License-Identifier: MIT */
/*
 * test/tools/idled/faults.c - calls that fail, for LD_PRELOAD
 *
 * $FAULTS lists calls, each with its number from 1 on and the error that it is
 * to return, such as "accept4:3:24,recv:1:12"; number 0 stands for each one.
 * "epoll_add" is an epoll_ctl() that adds. $FROM lists the addresses that
 * connections come from, one after the other.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>

/* Is this call one that fails? */
static bool fails(const char *name, unsigned *calls)
{
	const char *row = getenv("FAULTS");
	size_t length = strlen(name);

	++*calls;
	for (; row && *row; row = strchr(row, ',') ? strchr(row, ',') + 1 : "")
		if (!strncmp(row, name, length) && row[length] == ':') {
			char *end;
			unsigned long at = strtoul(row + length + 1, &end, 10);

			errno = atoi(end + 1);
			if (!at || at == *calls)
				return true;
		}
	return false;
}

#define NEXT(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

#define CALL(type, bad, name, parameters, arguments)                           \
	type name parameters                                                   \
	{                                                                      \
		static unsigned calls;                                         \
                                                                               \
		return fails(#name, &calls) ? (bad) : NEXT(name) arguments;    \
	}

CALL(int, -1, epoll_create1, (int flags), (flags))
CALL(int, -1, setrlimit, (__rlimit_resource_t what, const struct rlimit *limit),
     (what, limit))
CALL(int, -1, listen, (int fd, int queue), (fd, queue))
CALL(ssize_t, -1, recv, (int fd, void *bytes, size_t size, int flags),
     (fd, bytes, size, flags))
CALL(ssize_t, -1, send, (int fd, const void *bytes, size_t size, int flags),
     (fd, bytes, size, flags))
CALL(ssize_t, -1, getrandom, (void *to, size_t size, unsigned flags),
     (to, size, flags))
CALL(FILE *, NULL, fmemopen, (void *text, size_t size, const char *mode),
     (text, size, mode))

int epoll_ctl(int fd, int op, int of, struct epoll_event *event)
{
	static unsigned calls, adds;

	if ((op == EPOLL_CTL_ADD && fails("epoll_add", &adds)) ||
	    fails("epoll_ctl", &calls))
		return -1;
	return NEXT(epoll_ctl)(fd, op, of, event);
}

/* Without an end, the wheel would lose the clock after 24.8 days. */
int epoll_wait(int fd, struct epoll_event *events, int n, int timeout)
{
	static unsigned calls;

	if (timeout < 0)
		abort();
	return fails("epoll_wait", &calls) ?
		       -1 :
		       NEXT(epoll_wait)(fd, events, n, timeout);
}

int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
	static unsigned calls;
	static const char *from;
	struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)address;
	char text[64];

	if (fails("accept4", &calls))
		return -1;
	fd = NEXT(accept4)(fd, address, size, flags);
	if (!from)
		from = getenv("FROM");
	if (fd >= 0 && from && sscanf(from, "%63[^,]", text) == 1) {
		from += strlen(text) + (from[strlen(text)] == ',');
		ipv6->sin6_family = AF_INET6;
		inet_pton(AF_INET6, text, &ipv6->sin6_addr);
	}
	return fd;
}
