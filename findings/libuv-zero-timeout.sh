#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/libuv-zero-timeout.sh - in libuv 1.44.2, a timer that its callback
# starts with a timeout of 0 runs again in the same iteration
#
# libuv's documentation says that it runs in the next one, and programs yield to
# I/O like this. Here, work that is split into 1,000 such rounds holds all other
# events until its last one. With a timeout of 1, it does yield.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian libuv1=1.44.2 libuv1-dev=1.44.2

cat >"$folder/zero.c" <<'END'
#include <stdio.h>
#include <uv.h>

static int rounds;
static int rounds_of_check = -1;

static void on_check(uv_check_t *check)
{
	rounds_of_check = rounds;
	uv_check_stop(check);
}

/* The timeout of the next round is what the timer's data points to. */
static void on_timer(uv_timer_t *timer)
{
	if (++rounds < 1000)
		uv_timer_start(timer, on_timer, *(uint64_t *)timer->data, 0);
}

static void try(uint64_t timeout)
{
	uv_loop_t *loop = uv_default_loop();
	uv_timer_t timer;
	uv_check_t check;

	rounds = 0;
	uv_check_init(loop, &check);
	uv_check_start(&check, on_check);
	uv_timer_init(loop, &timer);
	timer.data = &timeout;
	uv_timer_start(&timer, on_timer, 0, 0);
	uv_run(loop, UV_RUN_NOWAIT);
	printf("timeout %d: %d rounds in an iteration, %d before check\n",
	       (int)timeout, rounds, rounds_of_check);
	uv_timer_stop(&timer);
	uv_close((uv_handle_t *)&timer, NULL);
	uv_close((uv_handle_t *)&check, NULL);
	uv_run(loop, UV_RUN_DEFAULT);
}

int main(void)
{
	try(0);
	try(1);
	return 0;
}
END
gcc -Wall -Werror -isystem "$root/usr/include" "$folder/zero.c" \
	-o "$folder/zero" "$root"/usr/lib/*/libuv.so.1 || exit 2
"$folder/zero" |
	saw "timeout 0: 1000 rounds in an iteration, 1000 before check
timeout 1: 1 rounds in an iteration, 1 before check" || exit 1
