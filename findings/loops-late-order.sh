#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/loops-late-order.sh - when a loop comes late, GLib 2.74 runs its
# timers as they were armed, PulseAudio 16.1 runs the newest first, and sd-event
# 252 begins with the earliest, and goes on in the order of a heap
#
# One expects the order of the deadlines, as libuv has it, and a loop that is in
# time shows no other: of the three, sd-event's manual says that it is
# undefined. After one long callback, a timer can run before one that was due 70
# ms earlier.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian libglib2.0-0=2.74.6 libglib2.0-dev=2.74.6 libpulse0=16.1 \
	libpulse-dev=16.1 libsystemd0=252 libsystemd-dev=252 \
	libuv1=1.44.2 libuv1-dev=1.44.2

# Timers a to h, which are due in the order dfahcgeb.
cat >"$folder/late.c" <<'END'
#include <glib.h>
#include <pulse/pulseaudio.h>
#include <stdio.h>
#include <sys/time.h>
#include <systemd/sd-event.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#define TIMERS  8
#define LATE_US 300000

static const unsigned due_ms[TIMERS] = {30, 80, 50, 10, 70, 20, 60, 40};
static char names[TIMERS + 1] = "abcdefgh";

static void say(void *name)
{
	putchar(*(char *)name);
}

static int on_glib(void *name)
{
	say(name);
	return 0;
}

static void glib(void)
{
	for (int i = 0; i < TIMERS; i++)
		g_timeout_add(due_ms[i], on_glib, &names[i]);
	usleep(LATE_US);
	while (g_main_context_iteration(NULL, 0))
		;
}

static void on_pulse(pa_mainloop_api *api, pa_time_event *event,
		     const struct timeval *at, void *name)
{
	(void)api, (void)event, (void)at;
	say(name);
}

static void pulse(void)
{
	pa_mainloop *loop = pa_mainloop_new();
	pa_mainloop_api *api = pa_mainloop_get_api(loop);
	struct timeval now;

	gettimeofday(&now, NULL);
	for (int i = 0; i < TIMERS; i++) {
		struct timeval at = now;

		pa_timeval_add(&at, due_ms[i] * 1000);
		api->time_new(api, &at, on_pulse, &names[i]);
	}
	usleep(LATE_US);
	while (pa_mainloop_iterate(loop, 0, NULL) > 0)
		;
}

static int on_sd(sd_event_source *source, uint64_t at, void *name)
{
	(void)source, (void)at;
	say(name);
	return 0;
}

static void sd(void)
{
	sd_event *loop = NULL;
	uint64_t now;

	sd_event_new(&loop);
	sd_event_now(loop, CLOCK_MONOTONIC, &now);
	for (int i = 0; i < TIMERS; i++)
		sd_event_add_time(loop, NULL, CLOCK_MONOTONIC,
				  now + due_ms[i] * 1000, 1, on_sd, &names[i]);
	usleep(LATE_US);
	while (sd_event_run(loop, 0) > 0)
		;
}

static void on_uv(uv_timer_t *timer)
{
	say(timer->data);
}

static void uv(void)
{
	static uv_timer_t timers[TIMERS];

	for (int i = 0; i < TIMERS; i++) {
		uv_timer_init(uv_default_loop(), &timers[i]);
		timers[i].data = &names[i];
		uv_timer_start(&timers[i], on_uv, due_ms[i], 0);
	}
	usleep(LATE_US);
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

int main(void)
{
	printf("armed:      %s\nlibuv:      ", names);
	uv();
	printf("\nGLib:       ");
	glib();
	printf("\nPulseAudio: ");
	pulse();
	printf("\nsd-event:   ");
	sd();
	printf("\n");
	return 0;
}
END
gcc -Wall -Werror "$folder/late.c" -o "$folder/late" \
	-isystem "$root/usr/include" -isystem "$root/usr/include/glib-2.0" \
	-isystem "$(echo "$root"/usr/lib/*/glib-2.0/include)" \
	"$root"/usr/lib/*/libglib-2.0.so.0 "$root"/usr/lib/*/libpulse.so.0 \
	"$(find "$root" -name libsystemd.so.0)" "$root"/usr/lib/*/libuv.so.1 \
	-Wl,--allow-shlib-undefined || exit 2
"$folder/late" | saw "armed:      abcdefgh
libuv:      dfahcgeb
GLib:       abcdefgh
PulseAudio: hgfedcba
sd-event:   dbegchaf" || exit 1
