/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/lazy.c - how often a machine wakes up, with and without slack
 *
 * The timers of the demonstration for a day, and the recorded trace, which
 * comes in on the standard input. The machine sleeps until the next expiry on
 * the first wheel, and runs the second one, too, when it is awake. Each expiry
 * is checked: never early, nor later than its slack allows.
 */
#include <jif/jiffies.h>
#include <jif/lazy.h>
#include <jif/wheel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY UINT32_C(86400000)

/* Of the rows, which timers may be late, and how: by an eighth of a delay. */
enum policy { EXACT, ROUNDED, LAZY, DEFERRED, LAZY_AND_DEFERRED, POLICIES };

/**
 * struct client - one timer
 * @lazy:	it
 * @due:	when it would expire without slack
 * @slack:	how much later it may
 * @period:	from one to the next; 0: the trace arms it
 * @deferrable:	it need not wake anybody
 */
struct client {
	struct jif_lazy lazy;
	uint32_t due;
	uint32_t slack;
	uint32_t period;
	bool deferrable;
};

static struct jif_wheel main_wheel, second_wheel;
static enum policy policy;
static unsigned long wakeups, expiries;

static void fail(const char *what)
{
	fprintf(stderr, "wakeups: %s\n", what);
	exit(1);
}

static void start(struct client *client, uint32_t due, uint32_t delay)
{
	bool deferred = policy == DEFERRED || policy == LAZY_AND_DEFERRED;

	client->due = due;
	client->slack = policy == EXACT || policy == DEFERRED ? 0 : delay / 8;
	if (deferred && client->deferrable)
		client->slack = JIF_FOREVER;
	if (policy == ROUNDED)
		jif_lazy_mod(&client->lazy,
			     jif_time_coalesce(due, client->slack), 0);
	else
		jif_lazy_mod(&client->lazy, due, client->slack);
}

static void expire(struct jif_lazy *lazy)
{
	struct client *client = jif_container_of(lazy, struct client, lazy);
	uint32_t late = jif_wheel_clock(&main_wheel) - client->due;

	if (late > JIF_DELAY_MAX)
		fail("an expiry is early");
	if (late > client->slack)
		fail("an expiry is later than its slack allows");
	expiries++;
	if (client->period)
		start(client, client->due + client->period, client->period);
}

static void init(struct client *client)
{
	jif_lazy_init(&main_wheel, &second_wheel, &client->lazy, expire);
}

/* Sleeps and wakes up to a time. A wake-up of the trace itself is not one. */
static void pass_to(uint32_t end)
{
	uint32_t when;

	while (jif_wheel_next_expiry(&main_wheel, &when) && when <= end) {
		wakeups++;
		jif_wheel_run(&main_wheel, when);
		jif_wheel_run(&second_wheel, when);
	}
	jif_wheel_run(&main_wheel, end);
}

static void begin(void)
{
	jif_wheel_init(&main_wheel, 0);
	jif_wheel_init(&second_wheel, 0);
	wakeups = expiries = 0;
}

/* What the demonstration does; @apart is what is between two beginnings. */
static void run_demonstration(uint32_t apart)
{
	static const struct {
		uint32_t period;
		bool deferrable;
	} timers[] = {
		{ 1000, true },	    /* the heartbeat: to be seen when awake */
		{ 10000, false },   /* the watchdog */
		{ 60000, false },   /* the report */
		{ DAY / 2, false }, /* the job of every 12 hours */
	};
	static struct client clients[4];

	for (unsigned i = 0; i < 4; i++) {
		init(&clients[i]);
		clients[i].period = timers[i].period;
		clients[i].deferrable = timers[i].deferrable;
		start(&clients[i], i * apart + timers[i].period,
		      timers[i].period);
	}
	pass_to(DAY);
}

/* As much of a row as is needed. */
struct row {
	uint32_t at;
	char op;
	uint32_t timer;
	int32_t delay;
	uint32_t expires;
	bool deferrable;
};

static struct row *rows;
static struct client *clients;
static size_t nrows;
static uint32_t ntimers;

static bool parse(char *line, struct row *row)
{
	char *fields[8] = { line };

	for (unsigned i = 1; i < 8; i++) {
		fields[i] = strchr(fields[i - 1], ',');
		if (!fields[i])
			fail("a row has not eight columns");
		*fields[i]++ = '\0';
	}
	row->at = (uint32_t)strtoul(fields[0], NULL, 10);
	row->op = fields[1][0];
	row->timer = (uint32_t)strtoul(fields[2], NULL, 10);
	row->delay = (int32_t)strtol(fields[4], NULL, 10);
	row->expires = (uint32_t)strtol(fields[5], NULL, 10);
	row->deferrable = strchr(fields[7], 'D');
	return row->op != 'e';
}

static void read_trace(void)
{
	char line[200];

	rows = calloc(300000, sizeof(*rows));
	if (!rows || !fgets(line, sizeof(line), stdin))
		fail("there is no trace");
	while (nrows < 300000 && fgets(line, sizeof(line), stdin)) {
		if (!parse(line, &rows[nrows]))
			continue;
		if (rows[nrows].timer > ntimers)
			ntimers = rows[nrows].timer;
		nrows++;
	}
	clients = calloc(ntimers + 1, sizeof(*clients));
	if (!clients)
		fail("there is no memory");
}

static void run_trace(void)
{
	for (uint32_t i = 0; i <= ntimers; i++)
		init(&clients[i]);
	for (size_t i = 0; i < nrows; i++) {
		struct client *client = &clients[rows[i].timer];
		int32_t delay = rows[i].delay > 1 ? rows[i].delay : 1;

		pass_to(rows[i].at);
		jif_lazy_del(&client->lazy);
		client->deferrable = rows[i].deferrable;
		if (rows[i].op == 's')
			start(client, rows[i].at + (uint32_t)delay,
			      (uint32_t)delay);
	}
	if (policy == EXACT && expiries != 102218)
		fail("not as many expiries as the replay has");
}

/* A row of the table: what @run makes of each policy. */
static void print_row(const char *what, void (*run)(void))
{
	printf("| %s |", what);
	for (int p = EXACT; p < POLICIES; p++) {
		policy = (enum policy)p;
		begin();
		run();
		printf(" %lu |", wakeups);
	}
	printf("\n");
}

static void together(void)
{
	run_demonstration(0);
}

static void apart(void)
{
	run_demonstration(137);
}

int main(void)
{
	read_trace();
	printf("| wake-ups | exact | rounded | lazy | deferrable | "
	       "lazy and deferrable |\n"
	       "|---|---:|---:|---:|---:|---:|\n");
	print_row("demonstration, a day", together);
	print_row("its timers, begun 137 ms apart", apart);
	print_row("recorded trace", run_trace);
	free(clients);
	free(rows);
	return 0;
}
