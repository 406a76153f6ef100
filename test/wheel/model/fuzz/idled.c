/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/fuzz/idled.c - idled, as an input says
 *
 * The first line is the command line. What follows opens connections, writes to
 * them, closes them, asks for the counters and lets time pass, which is the
 * input's as well. Connections are pairs of sockets; epoll has no part in it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"

static jmp_buf left;

__attribute__((noreturn)) static void leave(int status)
{
	longjmp(left, 1 + status);
}

/* A wrong command line ends the input, not the program. */
#define exit leave
#include "options.c"
#undef exit
#include "conn.c"

#define ARGUMENTS 16
#define ENDS	  12
#define ROOM	  20 /* for descriptors */

/**
 * struct end - the end of a connection that is not the server's
 * @fd:		-1: closed
 * @server:	the other one
 * @asks:	it is to the status port
 * @begin_ns:	when it was opened
 */
struct end {
	int fd;
	int server;
	bool asks;
	int64_t begin_ns;
};

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

struct jif_wheel wheel;
static struct options defaults;
static struct end ends[ENDS];
static int64_t now_ns;
static uint64_t sent;
static FILE *console;

/* In place of poll.c. */
int64_t clock_ns(void)
{
	return now_ns;
}

uint32_t clock_ticks(void)
{
	return (uint32_t)(now_ns / 1000000);
}

int watch(int fd)
{
	return 0;
}

int watch_again(int fd, bool on)
{
	return 0;
}

static void must(bool right, const char *what)
{
	if (right)
		return;
	fprintf(console, "idled: %s\n", what);
	abort();
}

/* An address that was taken has a port from 0 to 65535. */
static void check_port(const char *argument)
{
	const char *port = strrchr(argument, ':');
	size_t length = port ? strspn(++port, "0123456789") : 0;

	must(!port || (length && !port[length] &&
		       strtoul(port, NULL, 10) <= UINT16_MAX),
	     "that is no port");
}

static bool parse(char *line)
{
	char *argv[ARGUMENTS + 1] = { "idled" };
	char *rest;
	int argc = 1;

	for (char *word = strtok_r(line, " ", &rest); word && argc < ARGUMENTS;
	     word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	options = defaults;
	optind = 0;
	if (setjmp(left))
		return false;
	options_parse(argc, argv);
	for (int i = 1; i < argc; i++)
		check_port(argv[i]);
	must(options.idle_ms && options.idle_ms <= 86400000 &&
		     options.grace_ms && options.connections &&
		     options.per_address,
	     "an option is out of its range");
	return true;
}

/* Of IPv4, of IPv6, and the first one again, as IPv6 has it. */
static struct sockaddr_storage address_of(unsigned i)
{
	struct sockaddr_storage address = { .ss_family = AF_INET6 };
	struct sockaddr_in6 *ipv6 = (void *)&address;
	struct sockaddr_in *ipv4 = (void *)&address;

	if (i < 2) {
		address.ss_family = AF_INET;
		ipv4->sin_addr.s_addr = htonl(INADDR_LOOPBACK + i);
	} else {
		inet_pton(AF_INET6, i == 2 ? "::ffff:127.0.0.1" : "::1",
			  &ipv6->sin6_addr);
	}
	return address;
}

static bool is_open(const struct end *end)
{
	struct conn *conn = &conns[end->server];

	return end->server < nconns &&
	       (end->asks ? conn->request != 0 : conn->peer != NULL);
}

static void open_end(struct end *end, bool asks, unsigned from)
{
	int pair[2];

	if (end->fd >= 0 || end->server >= 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair))
		return;
	*end = (struct end){ .fd = pair[0],
			     .server = pair[1],
			     .asks = asks,
			     .begin_ns = now_ns };
	newcomer.fd = end->server;
	newcomer.asks = asks;
	newcomer.address = address_of(from);
	settle();
}

static void close_end(struct end *end)
{
	close(end->fd);
	end->fd = -1;
}

static void write_to(struct end *end, const void *bytes, size_t size)
{
	ssize_t n = send(end->fd, bytes, size, MSG_NOSIGNAL);

	if (n > 0 && !end->asks)
		sent += (uint64_t)n;
}

/* The server has closed it: what is left to read says why. */
static void read_end(struct end *end)
{
	char text[16384] = { 0 };
	ssize_t n = recv(end->fd, text, sizeof(text) - 1, 0);

	if (end->asks)
		must(n <= 0 || !strncmp(text, "HTTP/1.0 ", 9),
		     "the counters are no answer");
	else
		must(n == 0, "something was not read before it was closed");
	close_end(end);
}

static unsigned asking(void)
{
	unsigned n = 0;

	for (unsigned i = 1; i <= STATUS_MAX; i++)
		n += requests[i].number != 0;
	return n;
}

static int64_t begin_of(const struct end *end)
{
	return end->asks ? end->begin_ns : conns[end->server].last;
}

static int64_t most_of(const struct end *end)
{
	return ((end->asks ? ASK_MS : options.idle_ms) + 2) * INT64_C(1000000);
}

/* What holds between any two calls. */
static void check_all(bool ran)
{
	unsigned open = 0, asks = 0;

	for (int i = 0; i < ENDS; i++) {
		struct end *end = &ends[i];

		if (end->server < 0)
			continue;
		if (!is_open(end)) {
			if (end->fd >= 0)
				read_end(end);
			end->server = -1;
			continue;
		}
		*(end->asks ? &asks : &open) += 1;
		must(end->asks || conns[end->server].peer->count <=
					  options.per_address,
		     "there are too many of one address");
		must(!ran || now_ns - begin_of(end) < most_of(end),
		     "an idle connection is open");
	}
	must(open == serving && open <= options.connections && asks == asking(),
	     "it counts connections wrong");
	must(peer_count() <= open, "it counts addresses wrong");
	must(counters.accepted ==
		     open + counters.closed_idle + counters.closed_by_peer +
			     counters.closed_by_error + counters.closed_by_stop,
	     "a connection is not accounted for");
	must(!counters.closed_early, "one was closed too early");
}

static void pass(int64_t ns)
{
	now_ns += ns > 0 ? ns : 0;
	jif_wheel_run(&wheel, clock_ticks());
}

static void act(const uint8_t **input, const uint8_t *input_end)
{
	static const char *const requests[] = { "GET / HTTP/1.0\r\n\r\n",
						"GET /metrics\n\n", "GET /x",
						"\r\n" };
	static const int64_t some_ns[] = { 1, 999999, 1000000, 100000000 };
	struct end *end = &ends[random_read(input, input_end, ENDS)];
	uint32_t act = random_read(input, input_end, 10);
	uint32_t n = random_read(input, input_end, 256);
	bool ready = end->fd >= 0 && end->server >= 0;
	size_t rest = (size_t)(input_end - *input);

	if (act < 3)
		open_end(end, act == 2, n % 4);
	else if (act == 3)
		pass(options.idle_ms * INT64_C(1000000) + n * INT64_C(500000) -
		     2000000);
	else if (act == 4)
		pass(some_ns[n % 4] * (1 + n / 4));
	else if (act == 5 && !paused)
		pause_accepting("accept()", EMFILE);
	else if (act == 6 && ready)
		conn_ready(end->server);
	else if (act == 7 && ready)
		close_end(end);
	else if (act == 8 && ready)
		write_to(end, requests[n % 4], strlen(requests[n % 4]));
	else if (act == 9 && ready) {
		write_to(end, *input, n < rest ? n : rest);
		*input += n < rest ? n : rest;
	}
	check_all(act == 3 || act == 4);
}

static void begin(void)
{
	now_ns = (INT64_C(1) << 32) * 1000000 - 3000000000;
	counters = (struct counters){ 0 };
	memset(conns, 0, ROOM * sizeof(*conns));
	serving = 0;
	memset(requests, 0, sizeof(requests));
	sent = 0;
	paused = false;
	jif_wheel_init(&wheel, clock_ticks());
	jif_timer_init(&retry, resume);
	for (int i = 0; i < ENDS; i++)
		ends[i] = (struct end){ .fd = -1, .server = -1 };
}

static void finish(void)
{
	conn_drain();
	check_all(false);
	must(!serving && !asking() && !peer_count(), "something is still open");
	must(counters.received_bytes == sent, "it counts bytes wrong");
	for (int i = 0; i < ENDS; i++)
		if (ends[i].fd >= 0)
			close_end(&ends[i]);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	defaults = options;
	nconns = ROOM;
	conns = calloc(ROOM, sizeof(*conns));
	console = stderr;
	options.connections = ROOM;
	must(conns && peer_init() && status_init(), "there is no memory");
	stdout = stderr = fopen("/dev/null", "w");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	const uint8_t *input_end = input + size;
	const uint8_t *stop = memchr(input, '\n', size);
	char *line = strndup((const char *)input,
			     (size_t)((stop ? stop : input_end) - input));

	if (parse(line) && stop) {
		begin();
		for (input = stop + 1; input < input_end;)
			act(&input, input_end);
		finish();
	}
	free(line);
	return 0;
}
