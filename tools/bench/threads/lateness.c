/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/threads/lateness.c - how late timers are, on the kernel's clock
 *
 * Arms many timers, at random milliseconds within a minute, lets some seconds
 * go by, and prints how many nanoseconds late each was that expired.
 *
 * usage: lateness WAY TIMERS SECONDS SEED
 *
 * "timerfd" is the least that there can be: one descriptor, and times that have
 * been sorted beforehand.
 */
#include <event2/event.h>
#include <jif/service.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "test/model/random.h"

#define MS     UINT64_C(1000000)
#define MINUTE 60000

/**
 * struct item - a timer of each kind, and when it is due
 * @ms:		after the beginning
 * @late_ns:	how late it was
 * @ran:	it has expired
 */
struct item {
	struct jif_job job;
	struct jif_timer timer;
	uv_timer_t uv;
	uint32_t ms;
	int64_t late_ns;
	bool ran;
};

static struct item *items;
static unsigned count;
static uint64_t seconds;
static uint64_t begin_ns;
static struct jif_service service;
static struct jif_loop loop;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 * MS + (uint64_t)ts.tv_nsec;
}

static void expire(struct item *item)
{
	item->late_ns = (int64_t)(now() - begin_ns - item->ms * MS);
	item->ran = true;
}

static int expire_job(struct jif_job *job)
{
	expire(jif_container_of(job, struct item, job));
	return 0;
}

static void wait_service(void)
{
	if (jif_service_init(&service) || jif_service_start(&service))
		exit(2);
	begin_ns = now();
	for (unsigned i = 0; i < count; i++) {
		jif_job_init(&service, &items[i].job, expire_job);
		jif_job_add(&items[i].job, begin_ns + items[i].ms * MS);
	}
	sleep((unsigned)seconds);
	/* For ever: no callback begins any more. */
	jif_service_lock(&service);
}

static void wait_fine(void)
{
	service.loop.tick_ns = MS / 10;
	wait_service();
}

static void expire_timer(struct jif_timer *timer)
{
	expire(jif_container_of(timer, struct item, timer));
}

static void wait_loop(void)
{
	struct pollfd fd = { .events = POLLIN };

	if (jif_loop_init(&loop))
		exit(2);
	fd.fd = loop.fd;
	begin_ns = now();
	for (unsigned i = 0; i < count; i++) {
		jif_timer_init(&items[i].timer, expire_timer);
		jif_loop_add(&loop, &items[i].timer,
			     begin_ns + items[i].ms * MS);
	}
	while (now() < begin_ns + seconds * 1000 * MS) {
		poll(&fd, 1, 100);
		jif_loop_run(&loop);
	}
}

static int by_ms(const void *a, const void *b)
{
	uint32_t left = ((const struct item *)a)->ms;
	uint32_t right = ((const struct item *)b)->ms;

	return (left > right) - (left < right);
}

static void wait_timerfd(void)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	struct itimerspec when = { .it_value = { 0, 0 } };
	uint64_t expirations, due;
	unsigned i = 0;

	qsort(items, count, sizeof(*items), by_ms);
	begin_ns = now();
	while (i < count && items[i].ms < seconds * 1000) {
		due = begin_ns + items[i].ms * MS;
		when.it_value.tv_sec = (time_t)(due / (1000 * MS));
		when.it_value.tv_nsec = (long)(due % (1000 * MS));
		timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
		if (read(fd, &expirations, sizeof(expirations)) < 0)
			exit(2);
		for (due = items[i].ms; i < count && items[i].ms == due; i++)
			expire(&items[i]);
	}
}

static void expire_uv(uv_timer_t *timer)
{
	expire(jif_container_of(timer, struct item, uv));
}

static void stop_uv(uv_timer_t *timer)
{
	uv_stop(timer->loop);
}

static void wait_libuv(void)
{
	uv_loop_t *uv = uv_default_loop();
	static uv_timer_t end;

	uv_update_time(uv);
	begin_ns = now();
	for (unsigned i = 0; i < count; i++) {
		uv_timer_init(uv, &items[i].uv);
		uv_timer_start(&items[i].uv, expire_uv, items[i].ms, 0);
	}
	uv_timer_init(uv, &end);
	uv_timer_start(&end, stop_uv, seconds * 1000, 0);
	uv_run(uv, UV_RUN_DEFAULT);
}

static void expire_event(evutil_socket_t fd, short what, void *item)
{
	(void)fd;
	(void)what;
	expire(item);
}

static void wait_libevent(void)
{
	struct event_base *base = event_base_new();
	struct timeval delay = { .tv_sec = (time_t)seconds };
	uint64_t us;

	event_base_loopexit(base, &delay);
	begin_ns = now();
	for (unsigned i = 0; i < count; i++) {
		us = items[i].ms * 1000u - (now() - begin_ns) / 1000;
		if ((int64_t)us < 0)
			us = 0;
		delay.tv_sec = (time_t)(us / 1000000);
		delay.tv_usec = (suseconds_t)(us % 1000000);
		event_add(event_new(base, -1, 0, expire_event, &items[i]),
			  &delay);
	}
	event_base_dispatch(base);
}

static const struct {
	const char *name;
	void (*wait)(void);
} ways[] = {
	{ "service", wait_service }, { "fine", wait_fine },
	{ "loop", wait_loop },	     { "timerfd", wait_timerfd },
	{ "libuv", wait_libuv },     { "libevent", wait_libevent },
};

int main(int argc, char *argv[])
{
	uint64_t random =
		random_begin(argc > 4 ? strtoul(argv[4], NULL, 10) : 1);

	count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	seconds = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	items = calloc(count ? count : 1, sizeof(*items));
	if (!items)
		return 2;
	/* Not before all are armed. */
	for (unsigned i = 0; i < count; i++)
		items[i].ms = 500 + random_next(&random, MINUTE);
	for (unsigned i = 0; argc > 1 && i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(ways[i].name, argv[1]))
			ways[i].wait();
	for (unsigned i = 0; i < count; i++)
		if (items[i].ran)
			printf("%lld\n", (long long)items[i].late_ns);
	return 0;
}
