/* SPDX-License-Identifier: MIT */
/*
 * test/target/stack.c - the bytes of stack that calls write, with callbacks of
 * the caller's that take none
 *
 * test/budget/stack holds them against the call graph, by these names.
 */
#include <jif/firmware/calendar.h>
#include <jif/firmware/sched.h>
#include <jif/firmware/snapshot.h>
#include <jif/firmware/table.h>
#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/port.h>

#include "chance.h"
#include "target.h"

/* No call takes as much, and on AVR there is no more. */
#define PAINTED 480
#define PAINT	0xa5

/* An ATmega328P has no flash for all at -O2. */
#if defined(__AVR__) && !defined(__OPTIMIZE_SIZE__)
#define FITS 0
#else
#define FITS 1
#endif

static struct jif_wheel wheel;
static struct jif_timer timer;
static struct jif_periodic periodic;
static struct jif_calendar calendar;
static struct jif_alarm alarm;
static struct jif_sched sched;
static struct jif_delayed_work work;
static struct jif_task task;
static struct jif_table table;
static struct jif_entry entries[1];
static union {
	struct jif_wheel deferrable;
	uint8_t saved[JIF_SNAPSHOT_SIZE(4)];
} once;

void jif_panic(const char *why)
{
	target_exit(1);
}

static inline volatile uint8_t *stack_pointer(void)
{
	volatile uint8_t *sp;

#if defined(__AVR__)
	__asm__ volatile("in %A0, __SP_L__\n\tin %B0, __SP_H__" : "=r"(sp));
#elif defined(__arm__)
	__asm__ volatile("mov %0, sp" : "=r"(sp));
#else
	__asm__ volatile("mv %0, sp" : "=r"(sp));
#endif
	return sp;
}

static JIF_ALWAYS_INLINE volatile uint8_t *paint(void)
{
	volatile uint8_t *sp = stack_pointer();

	for (int i = 1; i <= PAINTED; i++)
		sp[-i] = PAINT;
	return sp;
}

static JIF_ALWAYS_INLINE uint32_t depth_below(volatile uint8_t *sp)
{
	int depth = PAINTED;

	while (depth && sp[-depth] == PAINT)
		depth--;
	return (uint32_t)depth;
}

static JIF_NOINLINE void say(const char *name, uint32_t depth)
{
	target_put_text(name);
	target_puts(" ");
	target_put_number(depth);
	target_puts("\n");
	if (depth == PAINTED)
		target_exit(1);
}

/* The stack pointer does not move meanwhile. */
#define STACK(name, call)                                                      \
	do {                                                                   \
		volatile uint8_t *sp = paint();                                \
		uint32_t depth;                                                \
                                                                               \
		call;                                                          \
		depth = depth_below(sp);                                       \
		say(TARGET_TEXT(name), depth);                                 \
	} while (0)

static void on_timer(struct jif_timer *t)
{
}

static void on_period(struct jif_periodic *p)
{
}

static void on_alarm(struct jif_alarm *a)
{
}

static void on_key(struct jif_table *of, struct jif_key key, void *value)
{
}

static void on_work(struct jif_work *w)
{
}

static void on_task(struct jif_task *t)
{
}

static void no_idle(uint32_t ticks)
{
}

static void put(char c)
{
}

static const struct jif_saved_keys keys = { &table, 0 };
static const struct jif_saved list[] = {
	JIF_SAVED_TIMER(1, &timer),
	JIF_SAVED_PERIODIC(2, &periodic),
	{ 3, &jif_saved_table, (void *)&keys },
};
static const struct jif_snapshot snapshot = { &wheel, list, 3, 0 };

static void set_up(void)
{
	jif_wheel_init(&wheel, 0);
	jif_timer_init(&timer, on_timer);
	jif_periodic_init(&periodic, on_period, JIF_CATCHUP_SKIP);
	jif_calendar_init(&calendar, &wheel, 1, 0);
	jif_alarm_init(&alarm, on_alarm);
	jif_sched_init(&sched, &wheel, no_idle, 0);
	jif_delayed_work_init(&work, on_work, 1);
	jif_task_init(&sched, &task, on_task, 1, 0);
	table = (struct jif_table){ .wheel = &wheel,
				    .fn = on_key,
				    .hash = jif_key_hash,
				    .entries = entries,
				    .capacity = 1 };
	jif_table_init(&table);
}

/* With arguments on the stack, which moves that of the caller on AVR. */
static JIF_NOINLINE void arm_key(void)
{
	(void)!jif_table_set(&table, jif_key_number(1), 0,
			     jif_every(DAY, WEEK, 9));
}

#define ARM_PERIODIC()                                                         \
	(void)!jif_periodic_start_at(&wheel, &periodic, DAY, WEEK, 9)
#define ARM_ALARM() (void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 0)
#define ARM_TASK()  (void)!jif_task_start(&task, DAY - 1, WEEK)

/* All rings wrap when what @arm has armed expires. */
#define AFTER(arm, name, call)                                                 \
	do {                                                                   \
		set_up();                                                      \
		arm;                                                           \
		jif_wheel_run(&wheel, DAY - HOUR);                             \
		STACK(name, call);                                             \
	} while (0)
#define RUN(arm, kind)                                                         \
	AFTER(arm, "jif_wheel_run:" kind, jif_wheel_run(&wheel, DAY))

static void of_each_kind(void)
{
	AFTER((void)!jif_timer_add(&wheel, &timer, DAY), "jif_timer_mod",
	      jif_timer_mod(&wheel, &timer, DAY));
	RUN((void)!jif_timer_add(&wheel, &timer, DAY), "timer");
	RUN(ARM_PERIODIC(), "periodic");
	RUN(arm_key(), "key");
	RUN(ARM_ALARM(), "alarm");
	RUN((void)!jif_delayed_work_queue(&sched.work, &work, DAY - 1),
	    "delayed-work");
	RUN(ARM_TASK(), "task");
}

static void of_other_calls(void)
{
	AFTER(arm_key(), "jif_wheel_drain", jif_wheel_drain(&wheel, 0));
	AFTER(arm_key(), "jif_wheel_print", jif_wheel_print(&wheel, put, 0));
	AFTER(ARM_ALARM(), "jif_calendar_set",
	      jif_calendar_set(&calendar, DAY + 1));
	ARM_PERIODIC();
	arm_key();
	STACK("jif_snapshot_save",
	      jif_snapshot_save(&snapshot, once.saved, sizeof(once.saved),
				DAY - HOUR, 0));
	set_up();
	STACK("jif_snapshot_restore",
	      jif_snapshot_restore(&snapshot, once.saved, sizeof(once.saved), 0,
				   0));
}

int main(void)
{
	of_each_kind();
	if (FITS)
		of_other_calls();
	set_up();
	ARM_PERIODIC();
	arm_key();
	ARM_ALARM();
	ARM_TASK();
	jif_ticks(DAY);
	STACK("jif_sched_run", while (jif_sched_run(&sched)));
	target_exit(0);
}
