/* SPDX-License-Identifier: MIT */
/* What test/tools/trace/same.scn says, recorded */
#include <jif/port.h>
#include <jif/trace.h>

#include "target.h"

#define MINUTE UINT32_C(60)
#define HOUR   UINT32_C(3600)
#define DAY    UINT32_C(86400)
#define START  (21 * HOUR + 30 * MINUTE + 2)

/* What jifsim begins with. */
#define JIFFIES (-30u)

enum { LEASE, SENSOR, BACKUP, MONTH, DOOR, TIMERS };
static const char *const names[TIMERS] = { "lease", "sensor", "backup", "month",
					   "door" };

enum { ARM, POSTPONE, CANCEL };

/* At that time of day 0; the delay is from then on. */
static const struct step {
	uint32_t time;
	uint8_t act;
	uint8_t timer;
	uint32_t delay;
} steps[] = {
	{ START, ARM, LEASE, HOUR + 2 * MINUTE + 3 },
	{ START, ARM, SENSOR, 45 },
	{ START, ARM, BACKUP, 2 * DAY },
	{ START, ARM, MONTH, 30 * DAY },
	{ START + 10, ARM, SENSOR, 90 },
	{ START + 10, POSTPONE, LEASE, 2 * HOUR },
	{ START + 58, ARM, DOOR, 10 * MINUTE },
	{ START + 657, CANCEL, DOOR, 0 },
	{ 22 * HOUR, ARM, DOOR, 15 * HOUR },
	{ DAY + 3 * HOUR, ARM, SENSOR, 1 },
	{ DAY + 3 * HOUR, ARM, LEASE, 59 },
	{ DAY + 3 * HOUR, POSTPONE, BACKUP, 3 * DAY },
};

#define STEPS (sizeof(steps) / sizeof(*steps))

static struct jif_wheel wheel;
static struct jif_timer timers[TIMERS];
static struct jif_trace_record records[256];

void jif_panic(const char *why)
{
	target_put_text(why);
	target_exit(1);
}

static void fire(struct jif_timer *timer)
{
}

static void run_to(uint32_t time)
{
	while (jif_wheel_clock(&wheel) != JIFFIES + time - START)
		jif_wheel_run(&wheel, jif_wheel_clock(&wheel) + 1);
}

static void take(const struct step *step)
{
	struct jif_timer *timer = &timers[step->timer];
	uint32_t expires = jif_wheel_clock(&wheel) + step->delay;

	if (step->act == ARM)
		jif_timer_mod(&wheel, timer, expires);
	else if (step->act == POSTPONE)
		jif_timer_postpone(&wheel, timer, expires);
	else
		jif_timer_del(&wheel, timer);
}

int main(void)
{
	jif_wheel_init_at(&wheel, JIFFIES, 0, 21, 30, 2);
	jif_trace_start(&wheel, records, sizeof(records) / sizeof(*records));
	for (unsigned i = 0; i < TIMERS; i++)
		jif_timer_init(&timers[i], fire);
	for (unsigned i = 0; i < STEPS; i++) {
		run_to(steps[i].time);
		take(&steps[i]);
	}
	run_to(5 * DAY);
	jif_trace_print(target_putc);
	for (unsigned i = 0; i < TIMERS; i++)
		jif_trace_print_name(target_putc, &timers[i], names[i]);
	target_puts("jif-tick 1000\n");
	jif_wheel_print(&wheel, target_putc, NULL);
	target_exit(0);
}
