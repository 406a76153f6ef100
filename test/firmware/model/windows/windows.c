/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/model/windows/windows.c - an interrupt before each access to
 * memory
 *
 * A call is made again and again, each time with a handler that makes another
 * one, before one access of lib/ later. What comes of the two has to be what
 * comes of them one after the other, in one order or the other, and never again
 * the first once it is the second. That is what both return, what each call
 * would return then, and what runs when until the end.
 *
 * So it is for a main loop that runs and sleeps: what the handler does in a
 * sleep, or beside the search for it, has to be what it does before or after
 * the turn of that tick of a loop that never sleeps. A part of all windows is
 * tried there, with each handler another part.
 *
 * usage: windows [CALL]: those that have this in their text
 */
#include <jif/firmware/await.h>
#include <jif/firmware/calendar.h>
#include <jif/firmware/flags.h>
#include <jif/firmware/queue.h>
#include <jif/firmware/sched.h>
#include <jif/firmware/table.h>
#include <jif/jiffies.h>
#include <jif/kit/sim.h>
#include <jif/periodic.h>
#include <jif/port.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../wheel/model/quiet.h"

#define SIZE(of) (sizeof(of) / sizeof(*(of)))
#define START	 (UINT32_C(0) - 10)
#define END	 30u
#define STRIDE	 29u
#define SHOWN	 4u

static struct world {
	struct jif_wheel wheel;
	struct jif_timer timer[3];
	struct jif_periodic periodic[2];
	struct jif_sched sched;
	struct jif_work work[2];
	struct jif_delayed_work delayed[2];
	struct jif_task task[6];
	struct jif_event event[2];
	struct jif_flags flags;
	struct jif_queue queue[2];
	unsigned char storage[2][2], byte;
	struct jif_await here;
	uint32_t got;
	int err;
	struct jif_table table;
	struct jif_entry entries[3];
	struct jif_calendar calendar;
	struct jif_alarm alarm[2];
} w, begin[2]; /* in the second one, the scheduler sleeps */

/*
 * Calls for any context, with what they say. What is number 0 of its kind is
 * armed, queued or asleep; 1 is idle, or paused.
 */
#define EACH_CALL(CALL)                                                        \
	CALL(jif_timer_add(&w.wheel, &w.timer[1], soon(1)))                    \
	CALL(jif_timer_mod(&w.wheel, &w.timer[0], soon(2)))                    \
	CALL(jif_timer_mod(&w.wheel, &w.timer[1], soon(1)))                    \
	CALL(jif_timer_mod_pending(&w.wheel, &w.timer[0], soon(3)))            \
	CALL(jif_timer_reduce(&w.wheel, &w.timer[0], soon(1)))                 \
	CALL(jif_timer_postpone(&w.wheel, &w.timer[0], soon(9)))               \
	CALL(jif_timer_add_in(&w.wheel, &w.timer[1], 1))                       \
	CALL(jif_timer_mod_in(&w.wheel, &w.timer[0], 1))                       \
	CALL(jif_timer_del(&w.wheel, &w.timer[0]))                             \
	CALL(jif_timer_shutdown(&w.wheel, &w.timer[0]))                        \
	CALL(jif_timer_pause(&w.wheel, &w.timer[0]))                           \
	CALL(jif_timer_resume(&w.wheel, &w.timer[0]))                          \
	CALL(jif_timer_resume(&w.wheel, &w.timer[2]))                          \
	CALL(jif_timer_pending(&w.timer[0]))                                   \
	CALL(jif_timer_left(&w.wheel, &w.timer[0]))                            \
	CALL(jif_timer_left(&w.wheel, &w.timer[2]))                            \
	CALL(jif_wheel_empty(&w.wheel))                                        \
	CALL(jif_wheel_now(&w.wheel))                                          \
	CALL(jif_periodic_start(&w.wheel, &w.periodic[0], 2, 9, JIF_FOREVER))  \
	CALL(jif_periodic_start_at(&w.wheel, &w.periodic[1], soon(3), 9, 2))   \
	CALL(jif_periodic_start_ratio(&w.wheel, &w.periodic[0], 1, 25, 3, 9))  \
	CALL(jif_periodic_change(&w.periodic[0], 5, 4))                        \
	CALL(jif_periodic_stop(&w.periodic[0]))                                \
	CALL(jif_periodic_pause(&w.periodic[0]))                               \
	CALL(jif_periodic_resume(&w.periodic[0]))                              \
	CALL(jif_periodic_resume(&w.periodic[1]))                              \
	CALL(jif_periodic_next(&w.periodic[0], &when) + when)                  \
	CALL(jif_periodic_next(&w.periodic[1], &when) + when)                  \
	CALL(jif_periodic_pending(&w.periodic[0]))                             \
	CALL(jif_periodic_left(&w.periodic[0]))                                \
	CALL(jif_work_queue(&w.sched.work, &w.work[0]))                        \
	CALL(jif_work_queue(&w.sched.work, &w.work[1]))                        \
	CALL(jif_work_cancel(&w.sched.work, &w.work[0]))                       \
	CALL(jif_work_pending(&w.work[0]))                                     \
	CALL(jif_workqueue_empty(&w.sched.work))                               \
	CALL(jif_delayed_work_queue(&w.sched.work, &w.delayed[1], 1))          \
	CALL(jif_delayed_work_mod(&w.sched.work, &w.delayed[0], 1))            \
	CALL(jif_delayed_work_mod(&w.sched.work, &w.delayed[0], 0))            \
	CALL(jif_delayed_work_cancel(&w.delayed[0]))                           \
	CALL(jif_delayed_work_pending(&w.delayed[0]))                          \
	CALL(jif_delayed_work_next(&w.delayed[0], &when) + when)               \
	CALL(jif_delayed_work_next(&w.delayed[1], &when) + when)               \
	EACH_TASK_CALL(CALL) EACH_KEY_CALL(CALL) EACH_TICK(CALL)

#define EACH_TASK_CALL(CALL)                                                   \
	CALL(jif_task_wake(&w.task[0]))                                        \
	CALL(jif_task_wake(&w.task[1]))                                        \
	CALL(jif_task_wake(&w.task[3]))                                        \
	CALL(jif_task_set_priority(&w.task[0], 0))                             \
	CALL(jif_task_set_priority(&w.task[4], 3))                             \
	CALL(jif_task_sleep(&w.task[0], 2))                                    \
	CALL(jif_task_sleep(&w.task[5], 1))                                    \
	CALL(jif_task_wait(&w.task[5], &w.event[0], 2))                        \
	CALL(jif_task_wait(&w.task[5], &w.event[1], 2))                        \
	CALL(jif_task_wait(&w.task[1], &w.event[0], JIF_FOREVER))              \
	CALL(jif_task_start(&w.task[4], 1, 11))                                \
	CALL(jif_task_start(&w.task[5], 2, 12))                                \
	CALL(jif_task_next(&w.task[0], &when) + when)                          \
	CALL(jif_task_next(&w.task[4], &when) + when)                          \
	CALL(jif_task_next(&w.task[5], &when) + when)                          \
	CALL(jif_task_stop(&w.task[0]))                                        \
	CALL(jif_task_stop(&w.task[1]))                                        \
	CALL(jif_task_stop(&w.task[4]))                                        \
	CALL(jif_task_pending(&w.task[0]))                                     \
	CALL(jif_event_wake(&w.event[0]))                                      \
	CALL(jif_event_wake(&w.event[1]))                                      \
	CALL(jif_event_wake_all(&w.event[0]))                                  \
	CALL(jif_flags_set(&w.flags, 2))                                       \
	CALL(jif_flags_set(&w.flags, 4))                                       \
	CALL(jif_flags_clear(&w.flags, 1))                                     \
	CALL(jif_flags_get(&w.flags))                                          \
	CALL(jif_flags_wait(&w.flags, &w.task[5], 1, JIF_FLAGS_ANY, 2))        \
	CALL(jif_flags_wait(&w.flags, &w.task[2], 8, JIF_FLAGS_ALL, 3))        \
	CALL(jif_flags_take(&w.task[2]))                                       \
	CALL(jif_queue_send(&w.queue[0], "a"))                                 \
	CALL(jif_queue_send(&w.queue[1], "b"))                                 \
	CALL(jif_queue_receive(&w.queue[0], &byte) + byte)                     \
	CALL(jif_queue_wait(&w.queue[0], &w.task[5], 2))                       \
	CALL(jif_queue_wait(&w.queue[1], &w.task[5], 2))                       \
	CALL(jif_queue_count(&w.queue[0]))                                     \
	CALL(jif_await_pending(&w.task[5], &w.here))                           \
	CALL(jif_await_left(&w.task[5], &w.here))

#define KEY(number) jif_key_number(number)

#define EACH_KEY_CALL(CALL)                                                    \
	CALL(jif_table_set(&w.table, KEY(1), w.storage, jif_once(soon(1))))    \
	CALL(jif_table_set(&w.table, KEY(3), NULL, jif_every(soon(2), 7, 3)))  \
	CALL(jif_table_add(&w.table, KEY(3), w.storage, jif_once(soon(3))))    \
	CALL(jif_table_add(&w.table, KEY(4), NULL, jif_once(soon(1))))         \
	CALL(jif_table_find(&w.table, KEY(3)))                                 \
	CALL(jif_table_next(&w.table, 0))                                      \
	CALL(jif_table_count(&w.table))                                        \
	CALL(jif_table_stopped(&w.table))                                      \
	CALL((jif_table_start(&w.table), 0))                                   \
	CALL(jif_table_exists(&w.table, KEY(1)))                               \
	CALL(jif_table_move(&w.table, KEY(1), soon(2)))                        \
	CALL(jif_table_remove(&w.table, KEY(1)))                               \
	CALL(jif_table_pause(&w.table, KEY(1)))                                \
	CALL(jif_table_resume(&w.table, KEY(1)))                               \
	CALL(jif_table_resume(&w.table, KEY(2)))                               \
	CALL(jif_table_left(&w.table, KEY(1)))                                 \
	CALL(jif_table_times(&w.table, KEY(1)))

/*
 * Time passes in a handler, and it may run the wheel of who does not. How many
 * have expired is not looked at: the timer of a task that does not wait yet may
 * be one of them.
 */
#define EACH_TICK(CALL)                                                        \
	CALL((jif_tick(), 0))                                                  \
	CALL((jif_ticks(5), jif_wheel_run(&w.wheel, jif_now()), 0))

/* Those that are not for a handler. */
#define EACH_MAIN_CALL(CALL)                                                   \
	CALL(jif_wheel_clock(&w.wheel))                                        \
	CALL(jif_timer_expires(&w.wheel, &w.timer[0]))                         \
	CALL(jif_calendar_clock(&w.calendar))                                  \
	CALL((jif_calendar_set(&w.calendar, 5), 0))                            \
	CALL(jif_alarm_start(&w.calendar, &w.alarm[1], JIF_DAILY, 3))          \
	CALL(jif_alarm_start(&w.calendar, &w.alarm[0], JIF_DAILY, 9))          \
	CALL(jif_alarm_stop(&w.alarm[0]))                                      \
	CALL(jif_alarm_expires(&w.alarm[0]))                                   \
	CALL((jif_await_init(&w.here), 0))

#define TEXT_OF(call) #call,
static const char *const texts[] = { EACH_CALL(TEXT_OF) EACH_MAIN_CALL(
					     TEXT_OF) "a wheel that sleeps",
				     "a scheduler that sleeps" };
#define ONE(call)   +1
#define MINUS(call) -1
enum {
	ANY_CALLS = EACH_CALL(ONE),
	TICKS = ANY_CALLS EACH_TICK(MINUS),
	CALLS = ANY_CALLS EACH_MAIN_CALL(ONE),
	WHEEL_SLEEPS = CALLS,
	SCHED_SLEEPS,
};

/* --- what comes of it ------------------------------------------------------*/

static struct outcome {
	uint32_t call, act, then[ANY_CALLS], count;
	struct event {
		uint32_t when, who, value;
	} log[128];
} got;
static bool loops;

static void must(bool cond)
{
	if (!cond)
		abort();
}

static void note(const void *who, uint32_t value)
{
	must(got.count < SIZE(got.log));
	got.log[got.count++] = (struct event){
		jif_now() - START,
		(uint32_t)((const char *)who - (const char *)&w), value
	};
}

static void run_timer(struct jif_timer *timer)
{
	note(timer, 0);
}

static void run_periodic(struct jif_periodic *p)
{
	note(p, jif_periodic_missed(p));
}

static void run_work(struct jif_work *work)
{
	note(work, 0);
}

/* What stops a task right before it runs makes it forget its time-out. */
static void run_task(struct jif_task *task)
{
	note(task,
	     jif_flags_take(task) * 2 + (!loops && jif_task_timed_out(task)));
}

static void run_key(struct jif_table *table, struct jif_key key, void *value)
{
	note(table, (uint32_t)key.number * 2 + (value != NULL));
}

static void run_alarm(struct jif_alarm *alarm)
{
	note(alarm, 0);
}

static void await(struct jif_task *task)
{
	JIF_TASK_BEGIN(task, &w.here);
	for (;;) {
		JIF_RECEIVE(&w.queue[0], &w.byte, 7, w.err);
		note(task, (uint32_t)w.err);
		JIF_WAIT_FLAGS(&w.flags, 2, JIF_FLAGS_ANY, 5, w.got);
		note(task, w.got);
		JIF_WAIT(&w.event[0], 5);
		note(task, 100);
		JIF_SLEEP(4);
	}
	JIF_TASK_END;
}

/* --- the world -------------------------------------------------------------*/

/* Without a loop, whatever time a handler has made of it. */
static uint32_t soon(uint32_t ticks)
{
	return (loops ? jif_now() : START) + ticks;
}

/* Each call is one case of it. */
static uint32_t call(unsigned number)
{
	uint32_t when = 0;
	unsigned char byte = 0;

#define IF(call)                                                               \
	if (!number--)                                                         \
		return (uint32_t)(call);
	EACH_CALL(IF) EACH_MAIN_CALL(IF) abort();
}

static void build_works(void (*idle)(uint32_t ticks))
{
	jif_task_fn *const fns[SIZE(w.task)] = { [3] = await };

	jif_sched_init(&w.sched, &w.wheel, idle, NULL);
	for (unsigned i = 0; i < SIZE(w.work); i++) {
		jif_work_init(&w.work[i], run_work, i);
		jif_delayed_work_init(&w.delayed[i], run_work, 1);
	}
	for (unsigned i = 0; i < SIZE(w.task); i++)
		jif_task_init(&w.sched, &w.task[i], fns[i] ? fns[i] : run_task,
			      i % 3, 0);
	jif_flags_init(&w.flags);
	for (unsigned i = 0; i < SIZE(w.queue); i++)
		must(!jif_queue_init(&w.queue[i], w.storage[i], 1, 2));
	must(jif_work_queue(&w.sched.work, &w.work[0]) &&
	     jif_delayed_work_queue(&w.sched.work, &w.delayed[0], 4) &&
	     !jif_task_sleep(&w.task[0], 9) &&
	     !jif_task_wait(&w.task[1], &w.event[0], 13) &&
	     !jif_flags_set(&w.flags, 1) &&
	     !jif_flags_wait(&w.flags, &w.task[2], 3, JIF_FLAGS_ALL, 19) &&
	     !jif_queue_wait(&w.queue[0], &w.task[3], 12) &&
	     !jif_task_start(&w.task[4], 6, 16));
}

static void build_table(void)
{
	w.table = (struct jif_table){ .wheel = &w.wheel,
				      .fn = run_key,
				      .hash = jif_key_hash,
				      .entries = w.entries,
				      .capacity = SIZE(w.entries) };
	must(!jif_table_init(&w.table) &&
	     !jif_table_set(&w.table, KEY(1), NULL, jif_every(soon(5), 9, 2)) &&
	     !jif_table_set(&w.table, KEY(2), NULL, jif_once(soon(7))) &&
	     !jif_table_pause(&w.table, KEY(2)) &&
	     !jif_calendar_init(&w.calendar, &w.wheel, 1, 0));
	jif_alarm_init(&w.alarm[0], run_alarm);
	jif_alarm_init(&w.alarm[1], run_alarm);
	must(!jif_alarm_start(&w.calendar, &w.alarm[0], JIF_DAILY, 15));
}

static void build(bool sleeps)
{
	memset(&w, 0, sizeof(w));
	jif_ticks(START - jif_now());
	jif_wheel_init_time(&w.wheel, jif_time_jiffies);
	for (unsigned i = 0; i < SIZE(w.timer); i++)
		jif_timer_init(&w.timer[i], run_timer);
	for (unsigned i = 0; i < SIZE(w.periodic); i++) {
		jif_periodic_init(&w.periodic[i], run_periodic,
				  JIF_CATCHUP_EACH);
		must(!jif_periodic_start(&w.wheel, &w.periodic[i], 3, 12, 5));
	}
	must(!jif_timer_add(&w.wheel, &w.timer[0], soon(5)) &&
	     !jif_timer_add(&w.wheel, &w.timer[2], soon(8)) &&
	     jif_timer_pause(&w.wheel, &w.timer[2]) &&
	     jif_periodic_pause(&w.periodic[1]));
	build_works(sleeps ? jif_port_idle : NULL);
	build_table();
	begin[sleeps] = w;
}

/* --- windows ---------------------------------------------------------------*/

static unsigned act, chosen, window, at;
static bool wakes;

static bool is_chosen(void)
{
	return jif_now() - START < END - 2 && ++window == chosen;
}

/* The handler of all that lets interrupts in. */
static void let_in(void)
{
	if (!wakes && !is_chosen())
		return;
	wakes = false;
	at = jif_now() - START;
	got.act = call(act);
}

static void come_at(unsigned number)
{
	chosen = number;
	jif_sim.irq = number ? let_in : NULL;
}

/* Interrupts are off, so that one that comes then ends it. */
static uint32_t sleep_for(uint32_t ticks)
{
	uint32_t left = END - (jif_now() - START);

	ticks = ticks < left ? ticks : left;
	wakes = chosen && is_chosen();
	if (!wakes && ticks && chosen && is_chosen()) {
		wakes = true;
		return ticks - 1;
	}
	return wakes ? 0 : ticks;
}

/* --- trials ----------------------------------------------------------------*/

/* Before, after and among what a turn does. */
enum place { BEFORE, AFTER, AMONG, PLACES };

static struct outcome want[END + 1][PLACES];
static bool known[END + 1];
static unsigned long trials, wrong;
static unsigned told; /* of this call */

static void put_back(bool sleeps)
{
	jif_ticks(START - jif_now());
	w = begin[sleeps];
	memset(&got, 0, sizeof(got));
	window = 0;
	wakes = false;
}

/* What is asked does not count for what is to come. */
static void ask(void)
{
	struct world before = w;
	uint32_t now = jif_now();

	come_at(0);
	must(!jif_wheel_check(&w.wheel) && !jif_sim.off);
	for (unsigned i = 0; i < ANY_CALLS; i++)
		got.then[i] = call(i);
	jif_ticks(now - jif_now());
	w = before;
}

static void turn(unsigned loop)
{
	if (loop == WHEEL_SLEEPS)
		jif_wheel_run(&w.wheel, jif_now());
	else
		while (jif_sched_run(&w.sched))
			;
}

/* Never sleeps; the handler comes on that tick. */
static void tick_on(unsigned loop, uint32_t tick, enum place place)
{
	bool comes;

	while (jif_now() - START < END) {
		comes = jif_now() - START == tick;
		if (comes && place == AMONG)
			jif_wheel_run(&w.wheel, jif_now());
		if (comes && place == AFTER)
			turn(loop);
		if (comes)
			got.act = call(act);
		turn(loop);
		jif_tick();
	}
	turn(loop);
}

static void sleep_on(unsigned loop)
{
	unsigned turns = 0;

	while (jif_now() - START < END) {
		turn(loop);
		if (loop == WHEEL_SLEEPS)
			jif_wheel_sleep(&w.wheel, jif_port_idle);
		must(turns++ < 10 * END);
	}
	turn(loop);
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct event));
}

/* Of one tick, in any order. */
static void sort_log(void)
{
	qsort(got.log, got.count, sizeof(*got.log), compare);
}

static bool is_same(const struct outcome *other)
{
	return !memcmp(&got, other, sizeof(got));
}

static void print(const char *what, const struct outcome *o)
{
	printf("# %s: %#x, %#x, then", what, o->call, o->act);
	for (unsigned i = 0; i < ANY_CALLS; i++)
		printf(" %x", o->then[i]);
	for (unsigned i = 0; i < o->count; i++)
		printf(", %u ran at %u: %u", o->log[i].who, o->log[i].when,
		       o->log[i].value);
	printf("\n");
}

static void tell(unsigned number, const struct outcome *wanted)
{
	wrong++;
	if (told++ >= SHOWN)
		return;
	printf("# wrong is: %s; a handler: %s\n", texts[number], texts[act]);
	print("got", &got);
	print("want", &wanted[BEFORE]);
	print("or", &wanted[AFTER]);
}

/* The call and the handler's, in that order or the other one. */
static void do_both(unsigned number, bool later)
{
	put_back(false);
	if (!later)
		got.act = call(act);
	got.call = call(number);
	if (later)
		got.act = call(act);
	ask();
	tick_on(SCHED_SLEEPS, END, BEFORE);
	want[0][later] = got;
}

static void try_call(unsigned number)
{
	bool later = false;

	do_both(number, false);
	do_both(number, true);
	for (unsigned i = 1;; i++) {
		put_back(false);
		come_at(i);
		got.call = call(number);
		if (window < i)
			break;
		ask();
		tick_on(SCHED_SLEEPS, END, BEFORE);
		trials++;
		later |= !is_same(&want[0][0]);
		if (later && !is_same(&want[0][1]))
			tell(number, want[0]);
	}
	come_at(0);
}

/* Is it what comes of a handler on tick @at? */
static bool is_one_of(unsigned loop)
{
	struct outcome seen = got;
	unsigned place = 0;

	for (; place < PLACES && !known[at]; place++) {
		put_back(false);
		tick_on(loop, at, place);
		ask();
		sort_log();
		want[at][place] = got;
	}
	known[at] = true;
	got = seen;
	for (place = 0; place < PLACES; place++)
		if (is_same(&want[at][place]))
			return true;
	return false;
}

static void try_loop(unsigned loop)
{
	memset(known, 0, sizeof(known));
	loops = true;
	for (unsigned i = 1 + act % STRIDE;; i += STRIDE) {
		put_back(true);
		come_at(i);
		sleep_on(loop);
		if (window < i)
			break;
		ask();
		sort_log();
		trials++;
		if (!is_one_of(loop))
			tell(loop, want[at]);
	}
	come_at(0);
	loops = false;
}

int main(int argc, char **argv)
{
	jif_sim = (struct jif_sim){ .sleep = sleep_for };
	build(true);
	build(false);
	for (unsigned i = 0; i < SIZE(texts); i++) {
		if (argc > 1 && !strstr(texts[i], argv[1]))
			continue;
		told = 0;
		for (act = 0; act < ANY_CALLS; act++) {
			if (i >= CALLS && act < TICKS)
				try_loop(i);
			else if (i < TICKS ||
				 (i >= ANY_CALLS && i < CALLS && act <= TICKS))
				try_call(i);
		}
	}
	printf("windows: %lu trials, %lu wrong\n", trials, wrong);
	return wrong || !trials;
}
