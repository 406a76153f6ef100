/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/glib.c - timers in a main loop of GLib
 */
#include <glib-unix.h>
#include <jif/host/loop.h>
#include <stdio.h>

#define MS UINT64_C(1000000)

static struct jif_loop timers;
static GMainLoop *main_loop;

static gboolean run_timers(gint fd, GIOCondition condition, gpointer data)
{
	(void)fd;
	(void)condition;
	(void)data;
	jif_loop_run(&timers);
	return G_SOURCE_CONTINUE;
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
	g_main_loop_quit(main_loop);
}

int main(void)
{
	struct jif_timer first = JIF_TIMER_INIT(blink);
	struct jif_timer last = JIF_TIMER_INIT(finish);
	uint64_t now;
	guint source;

	if (jif_loop_init(&timers))
		return 1;
	main_loop = g_main_loop_new(NULL, FALSE);
	source = g_unix_fd_add(timers.fd, G_IO_IN, run_timers, NULL);

	now = jif_loop_now(&timers);
	jif_loop_add(&timers, &last, now + 60 * MS);
	jif_loop_add(&timers, &first, now + 20 * MS);
	g_main_loop_run(main_loop);
	g_source_remove(source);
	g_main_loop_unref(main_loop);
	jif_loop_shutdown(&timers);
	return 0;
}
