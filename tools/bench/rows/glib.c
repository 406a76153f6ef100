/* SPDX-License-Identifier: MIT */
/*
 * rows/glib.c - GLib: sources with a ready time; a tick is a millisecond
 *
 * A source is attached when it is made, and arming sets its ready time. The
 * usual time-outs of GLib would be allocated by each arming.
 */
#include <glib.h>

#include "../ops.h"
#include "virtual.h"

#define MS 1000000u
#define US 1000

static GMainContext *context;

static gboolean expired(GSource *source, GSourceFunc function, gpointer data)
{
	(void)function;
	(void)data;
	g_source_set_ready_time(source, -1);
	bench_expire(source);
	return G_SOURCE_CONTINUE;
}

static bool init(uint32_t now)
{
	(void)now;
	virtual_tick = MS;
	context = g_main_context_new();
	return g_main_context_acquire(context);
}

static void *make(void *memory)
{
	static GSourceFuncs functions = { .dispatch = expired };
	GSource *source = g_source_new(&functions, sizeof(GSource));

	(void)memory;
	g_source_attach(source, context);
	return source;
}

static void arm(void *source, uint32_t expires)
{
	g_source_set_ready_time(source, (gint64)expires * US);
}

static void cancel(void *source)
{
	g_source_set_ready_time(source, -1);
}

static void run(uint32_t now)
{
	(void)now;
	g_main_context_iteration(context, FALSE);
}

static void jump(void)
{
	g_main_context_iteration(context, TRUE);
}

BENCH_TICKS(run)

const struct bench_ops bench_ops = {
	.init = init,
	.make = make,
	.arm = arm,
	.cancel = cancel,
	.rearm = arm,
	.run = run,
	.ticks = ticks,
	.jump = jump,
};
