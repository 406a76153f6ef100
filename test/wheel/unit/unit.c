/* SPDX-License-Identifier: MIT */
/* The fixture of all suites */
#include "unit.h"

struct jif_wheel wheel;
struct jif_timer timers[UNIT_TIMERS];
struct unit_fired fired[UNIT_LOG];
unsigned nfired;
struct jif_place places[UNIT_LOG];
unsigned nplaces;
void (*unit_callback)(unsigned timer);
void (*unit_window)(void);
uint32_t unit_time;

void unit_fire(struct jif_timer *timer)
{
	unsigned i = (unsigned)(timer - timers);

	if (nfired < UNIT_LOG)
		fired[nfired] = (struct unit_fired){ i, now() };
	nfired++;
	if (unit_callback)
		unit_callback(i);
}

static void note_place(unsigned what, const struct jif_wheel *on,
		       const struct jif_timer *timer, uint32_t value)
{
	enum jif_trace_event event = JIF_TRACE_EVENT(what);

	if ((event == JIF_TRACE_START || event == JIF_TRACE_CASCADE) &&
	    timer == &timers[0] && nplaces < UNIT_LOG)
		places[nplaces++] = jif_timer_find(on, timer);
}

static void window(void)
{
	if (unit_window)
		unit_window();
}

static unsigned windows_left;
static void (*comes)(void);

static void in_one_window(void)
{
	if (windows_left && !--windows_left)
		comes();
}

void unit_in_window(unsigned number, void (*what)(void))
{
	windows_left = number;
	comes = what;
	unit_window = in_one_window;
}

void unit_fall_behind(void)
{
	jif_ticks(10);
	jif_wheel_run(&wheel, at(5));
}

void unit_no_warning(const char *what, const void *object, void (*fn)(void))
{
}

uint32_t unit_tell_time(const struct jif_wheel *of)
{
	cr_assert_eq(of, &wheel);
	cr_expect_neq(jif_sim.off, 0, "interrupts are off");
	return at(unit_time);
}

void unit_set_time(uint32_t after)
{
	unit_time = after;
	jif_warn = unit_no_warning;
	jif_wheel_set_time(&wheel, unit_tell_time);
}

void unit_wheel(struct jif_wheel *other, uint32_t at_boot)
{
	memset(other, 0xa5, sizeof(*other));
	jif_wheel_init(other, at_boot);
}

void unit_init_at(unsigned day, unsigned hour, unsigned minute, unsigned second)
{
	memset(&wheel, 0xa5, sizeof(wheel));
	memset(timers, 0xa5, sizeof(timers));
	memset(&jif_sim, 0, sizeof(jif_sim));
	nfired = 0;
	nplaces = 0;
	unit_callback = NULL;
	unit_window = NULL;
	jif_warn = NULL;
	/* As they are at boot: nobody has counted any. */
	jif_ticks((uint32_t)CONFIG_JIF_INITIAL_JIFFIES - jif_now());
	jif_wheel_init_at(&wheel, START, day, hour, minute, second);
	for (unsigned i = 0; i < UNIT_TIMERS; i++)
		jif_timer_init(&timers[i], unit_fire);
	jif_trace = note_place;
	jif_sim.irq = window;
}

void unit_init(void)
{
	unit_init_at(0, 0, 0, 0);
}

void unit_fini(void)
{
	cr_assert_eq(jif_wheel_check(&wheel), 0);
	cr_assert_eq(jif_sim.off, 0, "interrupts are still off");
}

uint32_t now(void)
{
	return jif_wheel_clock(&wheel) - START;
}

void arm(unsigned i, uint32_t after)
{
	cr_assert_eq(jif_timer_add(&wheel, &timers[i], at(after)), 0);
}

void arm_all(unsigned n, uint32_t after)
{
	for (unsigned i = 0; i < n; i++)
		arm(i, after);
}

unsigned run_to(uint32_t after)
{
	return jif_wheel_run(&wheel, at(after));
}

void tick_to(uint32_t after)
{
	while (now() < after)
		run_to(now() + 1);
}

unsigned run_under(void (*in_window)(void), uint32_t after)
{
	unsigned n;

	unit_window = in_window;
	n = run_to(after);
	unit_window = NULL;
	return n;
}

void expect_exact(uint32_t after, unsigned n)
{
	cr_expect_eq(run_to(after - 1), 0, "before %u", (unsigned)after);
	cr_expect_eq(run_to(after), n, "at %u", (unsigned)after);
}

void expect_log(unsigned n, const struct unit_fired *want)
{
	cr_assert_eq(nfired, n);
	for (unsigned i = 0; i < n; i++) {
		cr_expect_eq(fired[i].timer, want[i].timer, "timer of %u", i);
		cr_expect_eq(fired[i].after, want[i].after, "time of %u", i);
	}
}

void expect_order(unsigned n)
{
	cr_assert_eq(nfired, n);
	for (unsigned i = 0; i < n; i++)
		cr_expect_eq(fired[i].timer, i, "timer %u ran at place %u",
			     fired[i].timer, i);
}

uint32_t next(void)
{
	uint32_t when;

	cr_assert(jif_wheel_next_stop(&wheel, &when));
	return when - START;
}

uint32_t next_expiry(void)
{
	uint32_t when;

	cr_assert(jif_wheel_next_expiry(&wheel, &when));
	return when - START;
}

unsigned count(unsigned i)
{
	unsigned n = 0;

	for (unsigned k = 0; k < nfired && k < UNIT_LOG; k++)
		n += fired[k].timer == i;
	return n;
}

static int count_one(void *n, const struct jif_timer *timer, unsigned level,
		     unsigned slot, uint32_t remaining)
{
	++*(unsigned *)n;
	return 0;
}

unsigned unit_pending(void)
{
	unsigned n = 0;

	jif_wheel_walk(&wheel, count_one, &n);
	return n;
}

struct look {
	const struct jif_timer *timer;
	struct jif_place place;
};

static int look_at(void *arg, const struct jif_timer *timer, unsigned level,
		   unsigned slot, uint32_t remaining)
{
	struct look *look = arg;

	if (timer != look->timer)
		return 0;
	look->place = (struct jif_place){ level, slot, remaining };
	return 1;
}

struct jif_place place_of(unsigned i)
{
	struct look look = { &timers[i], { 4, 0, 0 } };

	jif_wheel_walk(&wheel, look_at, &look);
	return look.place;
}

void expect_place(unsigned i, unsigned level, unsigned slot, uint32_t remaining)
{
	struct jif_place place = place_of(i);

	cr_expect_eq(place.level, level, "level %u", place.level);
	cr_expect_eq(place.slot, slot, "slot %u", place.slot);
	if (remaining != ANY_TIME)
		cr_expect_eq(place.remaining, remaining);
}
