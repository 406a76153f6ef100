/* SPDX-License-Identifier: MIT */
/*
 * tools/show/idled/main.c - the loop: wait, read, let time pass
 *
 * The wait ends at jif_wheel_next_stop(), which takes a bounded time; the exact
 * jif_wheel_next_expiry() would look at thousands of connections whose timers
 * were postponed, after each byte that comes.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/un.h>
#include <unistd.h>

#include "idled.h"

#define EVENTS 128

static int signal_fd;
static struct jif_timer grace, watchdog;
static uint32_t watchdog_ms;
static bool stopping, stopped;

/*
 * Tells systemd, if it has asked to be told. The socket stays open: later there
 * may be no descriptor for one.
 */
static void notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t length = path ? strlen(path) : 0;
	static int fd = -1;

	if (!length)
		return;
	if (length >= sizeof(to.sun_path)) {
		say_error("$NOTIFY_SOCKET", ENAMETOOLONG);
		return;
	}
	memcpy(to.sun_path, path, length);
	if (path[0] == '@')
		to.sun_path[0] = '\0';
	if (fd < 0)
		fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 ||
	    sendto(fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT,
		   (struct sockaddr *)&to,
		   (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
			       length)) < 0)
		say_error("$NOTIFY_SOCKET", errno);
}

static void feed_watchdog(struct jif_timer *timer)
{
	notify("WATCHDOG=1");
	jif_timer_mod(&wheel, timer, clock_ticks() + watchdog_ms);
}

/* Twice in the time that systemd gives this process; if it does. */
static void start_watchdog(void)
{
	const char *us = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID");
	unsigned long ms = us ? strtoul(us, NULL, 10) / 2000 : 0;

	jif_timer_init(&watchdog, feed_watchdog);
	if (!us || (pid && strtol(pid, NULL, 10) != getpid()))
		return;
	watchdog_ms = ms < 1		 ? 1 :
		      ms < JIF_DELAY_MAX ? (uint32_t)ms :
					   JIF_DELAY_MAX;
	feed_watchdog(&watchdog);
}

static void end_grace(struct jif_timer *timer)
{
	stopped = true;
}

/*
 * The first signal begins the stop, and the second one ends it. Who is told of
 * the stop can rely on it that nothing more is accepted.
 */
static void on_signal(void)
{
	struct signalfd_siginfo info;

	if (read(signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	stopped = stopping;
	if (stopping)
		return;
	stopping = true;
	conn_stop();
	notify("STOPPING=1");
	jif_timer_mod(&wheel, &grace, clock_ticks() + options.grace_ms + 1);
}

static void init(void)
{
	sigset_t signals;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	jif_wheel_init(&wheel, clock_ticks());
	jif_timer_init(&grace, end_grace);
	poll_fd = epoll_create1(EPOLL_CLOEXEC);
	signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (poll_fd < 0 || signal_fd < 0 || watch(signal_fd)) {
		say_error("epoll_create1(), signalfd()", errno);
		exit(1);
	}
	conn_init();
	notify("READY=1");
	start_watchdog();
}

/*
 * In milliseconds, as epoll_wait() has it. Also without a connection the wheel
 * follows the clock: after 24.8 days it would take the time for the past.
 */
static int time_left(void)
{
	uint32_t when, left = JIF_SLEEP_MAX;

	if (jif_wheel_next_stop(&wheel, &when))
		left = when - clock_ticks();
	if (left > JIF_DELAY_MAX)
		return 0;
	return (int)(left < JIF_SLEEP_MAX ? left : JIF_SLEEP_MAX);
}

static void turn(void)
{
	static struct epoll_event events[EVENTS];
	int n = epoll_wait(poll_fd, events, EVENTS, time_left());

	if (n < 0 && errno != EINTR) {
		say_error("epoll_wait()", errno);
		exit(1);
	}
	counters.wakeups++;
	for (int i = 0; i < n; i++)
		if (events[i].data.fd == signal_fd)
			on_signal();
		else
			conn_ready(events[i].data.fd);
	jif_wheel_run(&wheel, clock_ticks());
}

/* Or a connection would get what is printed, or find no descriptor left. */
static void open_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
			_exit(1);
	for (int fd = STDERR_FILENO + 1; fd < FD_SETSIZE; fd++)
		close(fd);
}

int main(int argc, char **argv)
{
	open_standard();
	options_parse(argc, argv);
	init();
	while (!stopped && !(stopping && !conn_count()))
		turn();
	jif_timer_del(&wheel, &grace);
	jif_timer_del(&wheel, &watchdog);
	conn_drain();
	printf("accepted %lu, closed: idle %lu, by peer %lu, by error %lu, "
	       "by stop %lu\n",
	       (unsigned long)counters.accepted,
	       (unsigned long)counters.closed_idle,
	       (unsigned long)counters.closed_by_peer,
	       (unsigned long)counters.closed_by_error,
	       (unsigned long)counters.closed_by_stop);
	return 0;
}
