/* SPDX-License-Identifier: MIT */
/*
 * tools/idled/conn.c - connections, from accept4() to close()
 *
 * Before an idle connection is closed, it is read once more: what has come
 * while the process was stopped, or busy, still counts. So a connection from
 * which something comes in time is never closed, however late the timer runs.
 *
 * When there is no descriptor or memory for another one, the listening socket
 * is left alone until one is closed, or for RETRY_MS: those who connect wait in
 * its queue, and epoll does not report it again and again.
 *
 * Who asks for the counters has ASK_MS, and STATUS_MAX may at a time: one more
 * takes the place of the first of them. So none who is slow holds up others.
 */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "idled.h"

#define ACCEPTS	 64
#define REQUEST	 1024
#define RETRY_MS 100
#define LEAVE_MS 1000
#define ASK_MS	 5000

/**
 * struct request - what has come from one who asks for the counters
 * @number:	how many had asked then; 0: it is nobody's
 * @conn:	whose it is
 * @length:	of the text
 * @answered:	nothing is left but that the other one closes, too
 * @text:	with a zero at its end
 */
static struct request {
	uint64_t number;
	struct conn *conn;
	size_t length;
	bool answered;
	char text[REQUEST];
} requests[STATUS_MAX];

/**
 * struct conn - a connection; its index is its descriptor
 * @timer:	closes it
 * @last:	when something has come last
 * @peer:	of that address; NULL: it is to the status port, or closed
 * @request:	NULL: it is not to the status port
 */
struct conn {
	struct jif_timer timer;
	int64_t last;
	struct peer *peer;
	struct request *request;
};

static struct conn *conns;
static int nconns;
static unsigned serving;
static uint64_t asked;
static int listener = -1;
static int status_listener = -1;
static struct jif_timer retry;
static bool paused;

static int fd_of(const struct conn *conn)
{
	return (int)(conn - conns);
}

unsigned conn_count(void)
{
	return serving;
}

/* Also when one of them is closed, or was never opened. */
static void watch_listeners(bool on)
{
	paused = !on;
	watch(listener, on);
	watch(status_listener, on);
}

static void resume(struct jif_timer *timer)
{
	(void)timer;
	watch_listeners(true);
}

static void pause_accepting(int err)
{
	if (!counters.errors[err])
		say_error("accept(), which will be tried again", err);
	count_error(err);
	counters.pauses++;
	watch_listeners(false);
	jif_timer_mod(&wheel, &retry, clock_ticks() + RETRY_MS);
}

static void close_fd(struct conn *conn)
{
	jif_timer_del(&wheel, &conn->timer);
	close(fd_of(conn));
	if (paused)
		jif_timer_reduce(&wheel, &retry, clock_ticks());
}

static void close_conn(struct conn *conn, uint64_t *counter)
{
	(*counter)++;
	serving--;
	peer_del(conn->peer);
	conn->peer = NULL;
	close_fd(conn);
}

static void close_asker(struct conn *conn)
{
	conn->request->number = 0;
	conn->request = NULL;
	close_fd(conn);
}

/* A tick more: the one that is under way has begun before this. */
static void postpone(struct conn *conn)
{
	conn->last = clock_ns();
	jif_timer_postpone(&wheel, &conn->timer,
			   clock_ticks() + options.idle_ms + 1);
}

/* Reads what has come. True: it is open, and nothing has. */
static bool read_conn(struct conn *conn)
{
	static char ignored[16384];
	ssize_t n = recv(fd_of(conn), ignored, sizeof(ignored), 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n > 0) {
		counters.received_bytes += (uint64_t)n;
		postpone(conn);
	} else if (n == 0) {
		close_conn(conn, &counters.closed_by_peer);
	} else {
		count_error(errno);
		close_conn(conn, &counters.closed_by_error);
	}
	return false;
}

/* A socket that is closed with something unread takes the answer back. */
static void read_rest(struct conn *conn)
{
	char ignored[REQUEST];
	ssize_t n = recv(fd_of(conn), ignored, sizeof(ignored), 0);

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_asker(conn);
}

/* Answers when the request is there, or there is no room for more of it. */
static void read_request(struct conn *conn)
{
	struct request *request = conn->request;
	size_t room = REQUEST - 1 - request->length;
	ssize_t n = recv(fd_of(conn), request->text + request->length, room, 0);
	size_t size;
	char *text;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		request->length += (size_t)n;
	if (n > 0 && request->length < REQUEST - 1 &&
	    !memmem(request->text, request->length, "\r\n\r\n", 4) &&
	    !memmem(request->text, request->length, "\n\n", 2))
		return;
	text = status_text(request->text, serving, &size);
	if (text && send(fd_of(conn), text, size, MSG_NOSIGNAL) < 0)
		count_error(errno);
	free(text);
	request->answered = true;
	shutdown(fd_of(conn), SHUT_WR);
	jif_timer_reduce(&wheel, &conn->timer, clock_ticks() + LEAVE_MS);
}

static void expire_conn(struct jif_timer *timer)
{
	struct conn *conn = jif_container_of(timer, struct conn, timer);

	if (!conn->peer) {
		close_asker(conn);
	} else if (read_conn(conn)) {
		count_late(clock_ns() - conn->last -
			   options.idle_ms * INT64_C(1000000));
		close_conn(conn, &counters.closed_idle);
	}
}

static bool watch_new(int fd)
{
	int err = watch(fd, true);

	if (err)
		count_error(err);
	return !err;
}

/* A new connection; or the counter of why there is none. */
static uint64_t *admit(int fd, const struct sockaddr_storage *address)
{
	struct conn *conn = &conns[fd];

	if (fd >= nconns || serving == options.connections)
		return &counters.refused_full;
	conn->peer = peer_add(address);
	if (!conn->peer)
		return &counters.refused_address;
	if (!watch_new(fd)) {
		peer_del(conn->peer);
		conn->peer = NULL;
		return &counters.closed_by_error;
	}
	serving++;
	jif_timer_init(&conn->timer, expire_conn);
	postpone(conn);
	return &counters.accepted;
}

static bool admit_asker(int fd)
{
	struct request *first = requests;
	struct conn *conn = &conns[fd];

	if (fd >= nconns || !watch_new(fd))
		return false;
	for (unsigned i = 1; i < STATUS_MAX; i++)
		if (requests[i].number < first->number)
			first = &requests[i];
	if (first->number)
		close_asker(first->conn);
	*first = (struct request){ .number = ++asked, .conn = conn };
	conn->request = first;
	jif_timer_init(&conn->timer, expire_conn);
	jif_timer_mod(&wheel, &conn->timer, clock_ticks() + ASK_MS);
	read_request(conn);
	return true;
}

static void take(int fd, bool asks, const struct sockaddr_storage *address)
{
	uint64_t *counter;

	if (asks) {
		if (!admit_asker(fd))
			close(fd);
		return;
	}
	counter = admit(fd, address);
	(*counter)++;
	if (counter != &counters.accepted)
		close(fd);
}

/* Accepts what waits, for a while: true if there may be more. */
static bool accept_some(int from)
{
	struct sockaddr_storage address;
	socklen_t size;
	int fd;

	for (unsigned i = 0; i < ACCEPTS; i++) {
		size = sizeof(address);
		fd = accept4(from, (struct sockaddr *)&address, &size,
			     SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			take(fd, from == status_listener, &address);
		} else if (errno == ECONNABORTED) {
			count_error(errno);
		} else {
			if (errno != EAGAIN && errno != EINTR)
				pause_accepting(errno);
			return false;
		}
	}
	return true;
}

void conn_ready(int fd)
{
	if (fd == listener || fd == status_listener)
		accept_some(fd);
	else if (conns[fd].peer)
		read_conn(&conns[fd]);
	else if (conns[fd].request && conns[fd].request->answered)
		read_rest(&conns[fd]);
	else if (conns[fd].request)
		read_request(&conns[fd]);
}

void conn_stop(void)
{
	while (accept_some(listener))
		;
	close(listener);
	listener = -1;
}

static void drain(struct jif_timer *timer)
{
	struct conn *conn = jif_container_of(timer, struct conn, timer);

	if (!conn->peer)
		close_asker(conn);
	else if (read_conn(conn) || conn->peer)
		close_conn(conn, &counters.closed_by_stop);
}

void conn_drain(void)
{
	jif_timer_del(&wheel, &retry);
	jif_wheel_drain(&wheel, drain);
}

__attribute__((noreturn)) static void fail(const char *flag, const char *what)
{
	fprintf(stderr, "idled: --%s: %s: %s\n", flag, what, strerror(errno));
	exit(1);
}

static int listen_on(const char *flag, const struct endpoint *at)
{
	int fd = socket(at->address.ss_family,
			SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct sockaddr_storage address;
	socklen_t size = sizeof(address);
	char host[64], port[8];
	int on = 1;

	if (fd < 0)
		fail(flag, "socket()");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (const struct sockaddr *)&at->address, at->size))
		fail(flag, "bind()");
	if (listen(fd, SOMAXCONN) || watch(fd, true))
		fail(flag, "listen()");
	getsockname(fd, (struct sockaddr *)&address, &size);
	if (!getnameinfo((struct sockaddr *)&address, size, host, sizeof(host),
			 port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV))
		printf("%s %s %s\n", flag, host, port);
	return fd;
}

/* As many descriptors as there may be connections, and a few more. */
static void make_room(void)
{
	struct rlimit limit;

	nconns = (int)options.connections + STATUS_MAX + OTHER_FILES;
	if (getrlimit(RLIMIT_NOFILE, &limit))
		fail("connections", "getrlimit()");
	if (limit.rlim_max < (rlim_t)nconns) {
		fprintf(stderr,
			"idled: --connections: \"%u\": expected at most %ld, "
			"since only %lu files may be open: ulimit -Hn\n",
			(unsigned)options.connections,
			(long)limit.rlim_max - STATUS_MAX - OTHER_FILES,
			(unsigned long)limit.rlim_max);
		exit(1);
	}
	limit.rlim_cur = (rlim_t)nconns;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		fail("connections", "setrlimit()");
	conns = calloc((size_t)nconns, sizeof(*conns));
	if (!conns)
		fail("connections", "calloc()");
}

void conn_init(void)
{
	make_room();
	jif_timer_init(&retry, resume);
	listener = listen_on("listen", &options.listen);
	if (options.status.size)
		status_listener = listen_on("status", &options.status);
	fflush(stdout);
}
