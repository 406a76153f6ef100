/* SPDX-License-Identifier: MIT */
/*
 * tools/show/idled/conn.c - connections, from accept4() to close()
 *
 * Before an idle connection is closed, it is read once more: what has come
 * while the process was stopped, or busy, still counts. So a connection from
 * which something comes in time is never closed, however late the timer runs.
 *
 * When there is no descriptor or memory for another one, the listening sockets
 * are left alone until one is closed, or for RETRY_MS: those who connect wait
 * in the queue, and the one that was accepted, if any, is kept until it can be
 * watched. A connection that cannot be read for want of memory is left alone
 * for RETRY_MS, too: it is never closed for that. All memory of the process is
 * taken at the start.
 *
 * Who asks for the counters has ASK_MS, and STATUS_MAX may at a time: one more
 * takes the place of one who has been answered, else of one who has sent
 * nothing, else of the first. So a flood of those cuts off nobody who is about
 * to ask, and none who is slow holds up others.
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

/* What has come from those who ask for the counters, from 1 on. */
static struct request {
	uint64_t number; /* how many had asked then; 0: it is nobody's */
	struct conn *conn;
	size_t length;	    /* of the text */
	bool answered;	    /* the other one has to close, too */
	char text[REQUEST]; /* with a zero at its end */
} requests[STATUS_MAX + 1];

/* A connection; its index is its descriptor. */
struct conn {
	struct jif_timer timer; /* closes it */
	int64_t last;	   /* when something came; of a request: it began, or */
			   /* was answered */
	struct peer *peer; /* NULL: it is to the status port, or closed */
	unsigned char request; /* its place; 0: it is not to the status port */
	bool alone;	       /* it is not watched until its timer expires */
};

static struct conn *conns;
static int nconns;
static unsigned serving;
static uint64_t asked;
static int listener = -1;
static int status_listener = -1;
static struct jif_timer retry;
static bool paused;

/* What was accepted last, until it is admitted or refused; fd -1: nothing. */
static struct {
	int fd;
	bool asks;
	struct sockaddr_storage address;
} newcomer = { .fd = -1 };

static int fd_of(const struct conn *conn)
{
	return (int)(conn - conns);
}

static struct request *request_of(const struct conn *conn)
{
	return &requests[conn->request];
}

unsigned conn_count(void)
{
	return serving + (newcomer.fd >= 0 && !newcomer.asks);
}

/* One of them may be closed, or never have been opened. */
static int watch_listeners(bool on)
{
	int err = listener < 0 ? 0 : watch_again(listener, on);

	if (!err && status_listener >= 0)
		err = watch_again(status_listener, on);
	paused = !on || err;
	return err;
}

/* Standard error names the first one of its kind. */
static void put_off(const char *call, int err)
{
	char what[64];

	snprintf(what, sizeof(what), "%s, which will be tried again", call);
	if (!counters.errors[err < ERRORS ? err : 0])
		say_error(what, err);
	count_error(err);
}

static void pause_accepting(const char *call, int err)
{
	put_off(call, err);
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
	request_of(conn)->number = 0;
	conn->request = 0;
	close_fd(conn);
}

/* A tick more: the one that is under way has begun before this. */
static void postpone(struct conn *conn)
{
	conn->last = clock_ns();
	jif_timer_postpone(&wheel, &conn->timer,
			   clock_ticks() + options.idle_ms + 1);
}

static bool lacks_memory(int err)
{
	return err == ENOMEM || err == ENOBUFS;
}

/* For a while, or epoll would report it again at once. */
static void leave_alone(struct conn *conn, const char *call, int err)
{
	put_off(call, err);
	watch_again(fd_of(conn), false);
	conn->alone = true;
	jif_timer_mod(&wheel, &conn->timer, clock_ticks() + RETRY_MS);
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
	} else if (lacks_memory(errno)) {
		leave_alone(conn, "recv()", errno);
	} else {
		count_error(errno);
		close_conn(conn, &counters.closed_by_error);
	}
	return false;
}

static void answer(struct conn *conn)
{
	struct request *request = request_of(conn);
	size_t size;
	const char *text = status_text(request->text, serving, &size);

	if (send(fd_of(conn), text, size, MSG_NOSIGNAL) < 0) {
		if (lacks_memory(errno)) {
			leave_alone(conn, "send()", errno);
			return;
		}
		count_error(errno);
	}
	request->answered = true;
	request->length = 0;
	shutdown(fd_of(conn), SHUT_WR);
	conn->last = clock_ns();
	jif_timer_reduce(&wheel, &conn->timer, clock_ticks() + LEAVE_MS);
}

/*
 * Answers when the request is there, or there is no room for more of it; and
 * then reads on: a socket that is closed with something unread takes the answer
 * back.
 */
static void read_request(struct conn *conn)
{
	struct request *request = request_of(conn);
	size_t room = REQUEST - 1 - request->length;
	ssize_t n = recv(fd_of(conn), request->text + request->length, room, 0);
	bool ended = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);

	if (n < 0 && lacks_memory(errno)) {
		leave_alone(conn, "recv()", errno);
		return;
	}
	if (request->answered) {
		if (ended)
			close_asker(conn);
		return;
	}
	if (n > 0)
		request->length += (size_t)n;
	if (ended || request->length == REQUEST - 1 ||
	    memmem(request->text, request->length, "\r\n\r\n", 4) ||
	    memmem(request->text, request->length, "\n\n", 2))
		answer(conn);
}

/* When its timer is due if it is not left alone. */
static uint32_t due(const struct conn *conn)
{
	return (uint32_t)(conn->last / 1000000) +
	       (!conn->request		   ? options.idle_ms + 1 :
		request_of(conn)->answered ? LEAVE_MS :
					     ASK_MS);
}

static void attend(struct conn *conn)
{
	int err = watch_again(fd_of(conn), true);

	if (err) {
		leave_alone(conn, "epoll_ctl()", err);
		return;
	}
	conn->alone = false;
	jif_timer_mod(&wheel, &conn->timer, due(conn));
	if (conn->request)
		read_request(conn);
}

static void expire_conn(struct jif_timer *timer)
{
	struct conn *conn = jif_container_of(timer, struct conn, timer);

	if (conn->alone) {
		attend(conn);
	} else if (!conn->peer) {
		close_asker(conn);
	} else if (read_conn(conn)) {
		count_late(clock_ns() - conn->last -
			   options.idle_ms * INT64_C(1000000));
		close_conn(conn, &counters.closed_idle);
	}
}

static struct conn *conn_open(int fd)
{
	struct conn *conn = &conns[fd];

	*conn = (struct conn){ .last = clock_ns() };
	jif_timer_init(&conn->timer, expire_conn);
	return conn;
}

/* A new connection; or the counter of why there is none. */
static uint64_t *admit(int fd, const struct sockaddr_storage *address)
{
	struct peer *peer;

	if (fd >= nconns || serving == options.connections)
		return &counters.refused_full;
	peer = peer_add(address);
	if (!peer)
		return &counters.refused_address;
	serving++;
	conn_open(fd)->peer = peer;
	postpone(&conns[fd]);
	return &counters.accepted;
}

/* Whose place a new one takes: the least of these. */
static uint64_t place_of(const struct request *request)
{
	uint64_t kind = request->answered ? 0 : request->length ? 2 : 1;

	return request->number ? kind << 62 | request->number : 0;
}

static bool admit_asker(int fd)
{
	struct request *place = &requests[1];
	struct conn *conn;

	if (fd >= nconns)
		return false;
	for (unsigned i = 2; i <= STATUS_MAX; i++)
		if (place_of(&requests[i]) < place_of(place))
			place = &requests[i];
	if (place->number)
		close_asker(place->conn);
	conn = conn_open(fd);
	*place = (struct request){ .number = ++asked, .conn = conn };
	conn->request = (unsigned char)(place - requests);
	jif_timer_mod(&wheel, &conn->timer, due(conn));
	read_request(conn);
	return true;
}

static bool take(int fd)
{
	uint64_t *counter;

	if (newcomer.asks)
		return admit_asker(fd);
	counter = admit(fd, &newcomer.address);
	(*counter)++;
	return counter == &counters.accepted;
}

/* Takes or refuses the newcomer, if any. False: it has to wait. */
static bool settle(void)
{
	int fd = newcomer.fd;
	int err = fd < 0 ? 0 : watch(fd);

	if (err) {
		pause_accepting("epoll_ctl()", err);
		return false;
	}
	newcomer.fd = -1;
	if (fd >= 0 && !take(fd))
		close(fd);
	return true;
}

static void resume(struct jif_timer *timer)
{
	int err;

	if (!settle())
		return;
	err = watch_listeners(true);
	if (err)
		pause_accepting("epoll_ctl()", err);
}

/* Accepts what waits, for a while: true if there may be more. */
static bool accept_some(int from)
{
	socklen_t size;

	for (unsigned i = 0; i < ACCEPTS && !paused; i++) {
		size = sizeof(newcomer.address);
		newcomer.asks = from == status_listener;
		newcomer.fd = accept4(from,
				      (struct sockaddr *)&newcomer.address,
				      &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (newcomer.fd >= 0) {
			settle();
		} else if (errno == ECONNABORTED) {
			count_error(errno);
		} else {
			if (errno != EAGAIN && errno != EINTR)
				pause_accepting("accept()", errno);
			return false;
		}
	}
	return !paused;
}

void conn_ready(int fd)
{
	if (fd == listener || fd == status_listener)
		accept_some(fd);
	else if (conns[fd].peer)
		read_conn(&conns[fd]);
	else if (conns[fd].request)
		read_request(&conns[fd]);
}

void conn_stop(void)
{
	if (paused)
		resume(&retry);
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
	/* What is accepted has it, too: urgent bytes are read as any others. */
	setsockopt(fd, SOL_SOCKET, SO_OOBINLINE, &on, sizeof(on));
	if (bind(fd, (const struct sockaddr *)&at->address, at->size))
		fail(flag, "bind()");
	if (listen(fd, SOMAXCONN) || watch(fd))
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
	if (!conns || !peer_init())
		fail("connections", "calloc()");
}

void conn_init(void)
{
	make_room();
	jif_timer_init(&retry, resume);
	listener = listen_on("listen", &options.listen);
	if (options.status.size) {
		if (!status_init())
			fail("status", "fmemopen()");
		status_listener = listen_on("status", &options.status);
	}
	fflush(stdout);
}
