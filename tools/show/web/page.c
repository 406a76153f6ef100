/* SPDX-License-Identifier: MIT */
/*
 * page.c - jifsim in a page: its run, step by step, with a hand in it
 *
 * There is one run in the life of this program; a new run is a new instance of
 * the module. Times are ticks since the midnight of day 0, as doubles, which
 * are exact up to 2^53.
 */
#include <stdio.h>
#include <string.h>

#include "sim.h"

#define PAGE_CALL(name)                                                        \
	__attribute__((import_module("page"), import_name(#name)))
#define PAGE_EXPORT(name) __attribute__((export_name(#name)))

/* The text of a file, with a NUL behind it; NULL if there is none. */
char *page_file(const char *path, size_t *size) PAGE_CALL(file);

/*
 * An entry was armed, or was @moved to another slot; it is not armed any more;
 * it has fired. Ticks count from the midnight of day 0.
 */
void page_placed(const struct entry *entry, int moved, unsigned level,
		 unsigned slot, double expires) PAGE_CALL(placed);
void page_ended(const struct entry *entry) PAGE_CALL(ended);
void page_fired(const struct entry *entry, double tick, double late)
	PAGE_CALL(fired);

/* An entry that page_walk() came to. */
void page_seen(const struct entry *entry, unsigned level, unsigned slot,
	       double remaining, double expires) PAGE_CALL(seen);

static struct options options;
static struct scenario scenario;
static struct sim sim = { .scenario = &scenario, .options = &options };

/* In place of source.c: files are the page's. */
enum status source_read(struct source *source, const char *path)
{
	source->path = mem_print("%s", path);
	source->text = page_file(path, &source->size);
	if (!source->text) {
		diag_file(source,
			  "cannot be opened: No such file or directory");
		return STATUS_NO_INPUT;
	}
	if (source->size >= 3 && !memcmp(source->text, "\xef\xbb\xbf", 3)) {
		source->text += 3;
		source->size -= 3;
	}
	return STATUS_OK;
}

bool source_is_below(const char *path, const char *of)
{
	return true;
}

void source_free(struct source *source)
{
}

static double expiry(const struct jif_timer *timer)
{
	return (double)sim_tick(&sim, jif_timer_expires(&sim.wheel, timer));
}

/* The linker puts these in place of the simulator's own, which they call. */
void __real_expect_placed(const struct sim *of, struct entry *entry, bool moved,
			  struct slot slot);
void __real_expect_ended(const struct sim *of, struct entry *entry);
void __real_report_fired(struct sim *of, const struct firing *firing);

void __wrap_expect_placed(const struct sim *of, struct entry *entry, bool moved,
			  struct slot slot)
{
	__real_expect_placed(of, entry, moved, slot);
	page_placed(entry, moved, slot.level, slot.number,
		    expiry(&entry->periodic.timer));
}

void __wrap_expect_ended(const struct sim *of, struct entry *entry)
{
	__real_expect_ended(of, entry);
	page_ended(entry);
}

void __wrap_report_fired(struct sim *of, const struct firing *firing)
{
	__real_report_fired(of, firing);
	page_fired(&firing->timer->entry, (double)firing->tick,
		   (double)(firing->ran - firing->tick));
}

/* Reads a scenario, or the trace of a replay, and begins to run it. */
PAGE_EXPORT(start) int page_start(const char *path, bool replay)
{
	static char errors[16 * BUFSIZ];
	enum status status;

	/* They come after what the same call has put out. */
	setvbuf(stderr, errors, _IOFBF, sizeof(errors));
	options.replay = replay;
	options.quiet = replay;
	status = replay ? read_trace(&scenario, path) :
			  read_scenario(&scenario, path);
	if (status != STATUS_OK) {
		diag_stop(&scenario.source);
		fflush(NULL);
		return (int)status;
	}
	run_start(&sim);
	run_to(&sim, scenario.start);
	fflush(NULL);
	return STATUS_OK;
}

/* Reports, and returns what jifsim would exit with. */
PAGE_EXPORT(stop) int page_stop(void)
{
	enum status status = run_stop(&sim);

	fflush(NULL);
	return (int)status;
}

PAGE_EXPORT(run) void page_run(double tick)
{
	run_to(&sim, (int64_t)tick);
	fflush(NULL);
}

#define PAGE_NUMBER(name, what)                                                \
	PAGE_EXPORT(name) double page_##name(void)                             \
	{                                                                      \
		return (double)(what);                                         \
	}

PAGE_NUMBER(now, sim.now)
PAGE_NUMBER(clock, sim_clock(&sim)) /* behind now while the loop is stuck */
PAGE_NUMBER(first, scenario.start)
PAGE_NUMBER(last, scenario.end)
PAGE_NUMBER(tickms, (double)scenario.tick_us / 1000)
PAGE_NUMBER(spread, CONFIG_JIF_SPREAD)

/* When there is something to be done next; -1 if never. */
PAGE_EXPORT(next) double page_next(void)
{
	int64_t next = -1, line;
	uint32_t stop;

	if (jif_wheel_next_stop(&sim.wheel, &stop))
		next = sim_tick(&sim, stop);
	if (next >= 0 && next < sim.stalled)
		next = sim.stalled;
	if (run_next(&sim, &line) && (next < 0 || line < next))
		next = line;
	return (double)next;
}

static int see(void *arg, const struct jif_timer *timer, unsigned level,
	       unsigned slot, uint32_t remaining)
{
	page_seen(entry_of(timer), level, slot, (double)remaining,
		  expiry(timer));
	return 0;
}

PAGE_EXPORT(walk) void page_walk(void)
{
	jif_wheel_walk(&sim.wheel, see, NULL);
}

PAGE_EXPORT(name) const char *page_name(const struct entry *entry)
{
	return entry->timer->name;
}

/* That of the scenario, or a new one. */
static struct timer *find_timer(const char *name)
{
	struct timer *timer = sim.timers;

	for (uint32_t i = 0; i < scenario.names.count; i++, timer++)
		if (!strcmp(timer->name, name))
			return timer;
	timer = mem_alloc(1, sizeof(*timer));
	timer_init(timer, name);
	return timer;
}

/* @pending: of that name, or NULL. @name: stays where it is */
PAGE_EXPORT(arm)
void page_arm(const struct entry *pending, const char *name, double delay)
{
	timer_arm(&sim, pending ? pending->timer : find_timer(name),
		  sim.now + (int64_t)delay);
}

PAGE_EXPORT(cancel) void page_cancel(const struct entry *entry)
{
	timer_cancel(&sim, entry->timer);
}

/* By so many ticks. */
PAGE_EXPORT(postpone) void page_postpone(const struct entry *entry, double by)
{
	timer_postpone(&sim, entry->timer,
		       (int64_t)expiry(&entry->periodic.timer) + (int64_t)by);
}
