/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/libuv.c - timers in a loop of libuv
 */
#include <jif/host/loop.h>
#include <stdio.h>
#include <uv.h>

#define MS UINT64_C(1000000)

static struct jif_loop timers;
static uv_poll_t poll_timers;

static void run_timers(uv_poll_t *handle, int status, int events)
{
	(void)handle;
	(void)status;
	(void)events;
	jif_loop_run(&timers);
}

static void blink(struct jif_timer *timer)
{
	(void)timer;
	puts("blink");
}

static void finish(struct jif_timer *timer)
{
	(void)timer;
	puts("finish");
	uv_close((uv_handle_t *)&poll_timers, NULL);
}

int main(void)
{
	struct jif_timer first = JIF_TIMER_INIT(blink);
	struct jif_timer last = JIF_TIMER_INIT(finish);
	uint64_t now;

	if (jif_loop_init(&timers))
		return 1;
	uv_poll_init(uv_default_loop(), &poll_timers, timers.fd);
	uv_poll_start(&poll_timers, UV_READABLE, run_timers);

	now = jif_loop_now(&timers);
	jif_loop_add(&timers, &last, now + 60 * MS);
	jif_loop_add(&timers, &first, now + 20 * MS);
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	jif_loop_shutdown(&timers);
	return uv_loop_close(uv_default_loop());
}
