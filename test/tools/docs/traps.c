/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/traps.c - first guesses that compile and do something else
 *
 * usage: traps [TRAP [bare]]
 *
 * Without an argument, prints the names of all. With one, falls into that trap,
 * as a program would that was written without a look at the headers, and prints
 * what a debug build is to say first; that goes to standard error. With "bare",
 * jif_warn is NULL, as on a target. Others are rows of misuse.
 */
#include <jif/debug.h>
#include <jif/jif.h>
#include <stdio.h>
#include <string.h>

static struct jif_wheel wheel;
static struct jif_timer timer;
static struct jif_periodic periodic;
static unsigned calls;

static void on_timer(struct jif_timer *t)
{
	(void)t;
	calls++;
}

static void on_periodic(struct jif_periodic *p)
{
	(void)p;
	calls++;
}

static void run(unsigned ticks)
{
	while (ticks--) {
		jif_tick();
		jif_wheel_run(&wheel, jif_now());
	}
}

static void init(void)
{
	jif_wheel_init(&wheel, jif_now());
	jif_timer_init(&timer, on_timer);
	jif_periodic_init(&periodic, on_periodic, JIF_CATCHUP_EACH);
}

static void started_after_a_sleep(void)
{
	init();
	jif_ticks(3600000);
	(void)!jif_periodic_start(&wheel, &periodic, 500, 500, JIF_FOREVER);
	jif_wheel_run(&wheel, jif_now());
}

static void added_while_pending(void)
{
	init();
	(void)!jif_timer_add_in(&wheel, &timer, 500);
	run(400);
	(void)!jif_timer_add_in(&wheel, &timer, 500);
	run(200);
}

static void poll_without_source(void)
{
	init();
	for (unsigned i = 0; i < 1024; i++)
		jif_wheel_poll(&wheel);
}

/**
 * struct trap - one of them
 * @name:	of it
 * @fall:	falls into it
 * @what:	what a debug build says
 * @object:	of what
 * @fn:		the function that is told, if there is one
 */
static const struct trap {
	const char *name;
	void (*fall)(void);
	const char *what;
	const void *object;
	void (*fn)(struct jif_timer *t);
} traps[] = {
	{ "started_after_a_sleep", started_after_a_sleep,
	  "a wheel without time source is behind jif_now()", &wheel, NULL },
	{ "added_while_pending", added_while_pending,
	  "a timer is added that is pending", &timer, on_timer },
	{ "poll_without_source", poll_without_source,
	  "a wheel without time source is polled", &wheel, NULL },
};

int main(int argc, char **argv)
{
	const struct trap *trap = traps;

	for (; trap < traps + sizeof(traps) / sizeof(traps[0]); trap++) {
		if (argc < 2) {
			puts(trap->name);
		} else if (!strcmp(argv[1], trap->name)) {
			printf("jif: %s: object %p, function %#jx\n",
			       trap->what, (void *)(uintptr_t)trap->object,
			       (uintmax_t)(uintptr_t)trap->fn);
			fflush(stdout);
			if (argc > 2)
				jif_warn = NULL;
			trap->fall();
		}
	}
	return 0;
}
