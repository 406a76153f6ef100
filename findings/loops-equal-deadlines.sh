#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/loops-equal-deadlines.sh - timers of one deadline run in the order of
# a heap in libevent 2.1, libev 4.33 and Boost.Asio 1.74: in the first two, the
# one armed first, and then the others from the last to the second
#
# One expects the order of arming, as libuv has it, and sees it with two timers.
# A clock that is read once for each round makes equal deadlines of equal
# delays: what a callback arms as the second and third runs as the third and
# second.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian libevent-2.1-7=2.1.12 libevent-dev=2.1.12 libev4=1:4.33 \
	libev-dev=1:4.33 libboost1.74-dev=1.74.0 libuv1=1.44.2 \
	libuv1-dev=1.44.2

cat >"$folder/equal.h" <<'END'
#include <stdio.h>
#define TIMERS 8
static char names[TIMERS + 1] = "abcdefgh";
static void say(const void *name)
{
	putchar(*(const char *)name);
}
END
cat >"$folder/libevent.c" <<'END'
#include <event2/event.h>

static struct event_base *loop;

static void on_timer(evutil_socket_t socket, short what, void *name)
{
	(void)socket, (void)what;
	say(name);
}

/* A round has one time, as a callback sees it. */
static void begin(evutil_socket_t socket, short what, void *none)
{
	struct timeval delay = {0, 10000};

	(void)socket, (void)what, (void)none;
	for (int i = 0; i < TIMERS; i++)
		event_add(event_new(loop, -1, 0, on_timer, &names[i]), &delay);
}

int main(void)
{
	struct timeval at_once = {0, 0};

	loop = event_base_new();
	event_add(event_new(loop, -1, 0, begin, NULL), &at_once);
	return event_base_dispatch(loop) < 0;
}
END
cat >"$folder/libev.c" <<'END'
#include <ev.h>

static void on_timer(struct ev_loop *loop, ev_timer *timer, int what)
{
	(void)loop, (void)what;
	say(timer->data);
}

int main(void)
{
	static ev_timer timers[TIMERS];
	struct ev_loop *loop = ev_default_loop(0);

	for (int i = 0; i < TIMERS; i++) {
		ev_timer_init(&timers[i], on_timer, 0.01, 0.);
		timers[i].data = &names[i];
		ev_timer_start(loop, &timers[i]);
	}
	return ev_run(loop, 0);
}
END
cat >"$folder/libuv.c" <<'END'
#include <uv.h>

static void on_timer(uv_timer_t *timer)
{
	say(timer->data);
}

int main(void)
{
	static uv_timer_t timers[TIMERS];
	uv_loop_t *loop = uv_default_loop();

	for (int i = 0; i < TIMERS; i++) {
		uv_timer_init(loop, &timers[i]);
		timers[i].data = &names[i];
		uv_timer_start(&timers[i], on_timer, 10, 0);
	}
	return uv_run(loop, UV_RUN_DEFAULT);
}
END
cat >"$folder/asio.cc" <<'END'
#include <boost/asio.hpp>
#include <list>

int main()
{
	boost::asio::io_context loop;
	std::list<boost::asio::steady_timer> timers;
	auto at = std::chrono::steady_clock::now() +
		  std::chrono::milliseconds(10);

	for (char &name : names) {
		if (!name)
			break;
		timers.emplace_back(loop, at);
		timers.back().async_wait(
			[&name](const boost::system::error_code &) {
				say(&name);
			});
	}
	loop.run();
}
END

# run LOOP COMPILER SOURCE OPTION...
run() {
	loop=$1
	compiler=$2
	source=$folder/$3
	shift 3
	"$compiler" -Wall -Werror -O1 -pthread -include "$folder/equal.h" \
		-isystem "$root/usr/include" "$source" -o "$folder/$loop" \
		"$@" || exit 2
	echo "$loop: $("$folder/$loop")"
}
{
	run libuv gcc libuv.c "$root"/usr/lib/*/libuv.so.1
	run libevent gcc libevent.c "$root"/usr/lib/*/libevent-2.1.so.7
	run libev gcc libev.c "$root"/usr/lib/*/libev.so.4
	run Asio g++ asio.cc
} | saw "libuv: abcdefgh
libevent: ahgfedcb
libev: ahgfedcb
Asio: acgfhebd" || exit 1
