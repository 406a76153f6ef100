/* SPDX-License-Identifier: MIT */
/* Misuse of what runs on a wheel */
#include <jif/firmware/await.h>
#include <jif/firmware/calendar.h>
#include <jif/firmware/flags.h>
#include <jif/firmware/queue.h>
#include <jif/firmware/sched.h>
#include <jif/firmware/snapshot.h>
#include <jif/firmware/table.h>
#include <jif/periodic.h>

#include "../../wheel/unit/damage.h"
#include "../../wheel/unit/misuse.h"
#include "../../wheel/unit/unit.h"

static unsigned calls;

/* COUNTS(function, parameters): all that it does. */
#define COUNTS(name, ...)                                                      \
	static void name(__VA_ARGS__)                                          \
	{                                                                      \
		calls++;                                                       \
	}

#define ZERO(object) memset(&(object), 0, sizeof(object))

/* Of a wheel, where 65536 is a number. */
DOES(init_at_no_time_of_day, jif_wheel_init_at(&wheel, at(0), 0, 0, 0, 65536))
DOES(init_on_no_day, jif_wheel_init_at(&wheel, at(0), 65536, 0, 0, 0))
DOES(init_at_no_hour, jif_wheel_init_at(&wheel, at(0), 0, 65536, 0, 0))
DOES(init_at_no_minute, jif_wheel_init_at(&wheel, at(0), 0, 0, 65536, 0))

/* Periodic timers. */

static struct jif_periodic beat;

COUNTS(on_beat, struct jif_periodic *p)

static void start_beat(void)
{
	jif_periodic_init(&beat, on_beat, JIF_CATCHUP_EACH);
	cr_assert_eq(jif_periodic_start(&wheel, &beat, 9, 9, JIF_FOREVER), 0);
}

HAPPENS(start_for_no_calls, jif_periodic_init(&beat, on_beat, JIF_CATCHUP_EACH),
	cr_assert_eq(jif_periodic_start(&wheel, &beat, 9, 9, 0), -JIF_EINVAL),
	cr_assert_not(jif_periodic_pending(&beat)))
HAPPENS(start_without_a_period,
	jif_periodic_init(&beat, on_beat, JIF_CATCHUP_EACH),
	cr_assert_eq(jif_periodic_start(&wheel, &beat, 9, 0, 1), -JIF_EINVAL),
	cr_assert_not(jif_periodic_pending(&beat)))
HAPPENS(start_with_too_long_a_period,
	jif_periodic_init(&beat, on_beat, JIF_CATCHUP_EACH),
	cr_assert_eq(jif_periodic_start(&wheel, &beat, 9, LONGEST + 1, 1),
		     -JIF_ERANGE),
	cr_assert_not(jif_periodic_pending(&beat)))
HAPPENS(start_too_far, jif_periodic_init(&beat, on_beat, JIF_CATCHUP_EACH),
	cr_assert_eq(jif_periodic_start(&wheel, &beat, LONGEST + 1, 9, 1),
		     -JIF_ERANGE),
	cr_assert_not(jif_periodic_pending(&beat)))
HAPPENS(start_at_too_far, jif_periodic_init(&beat, on_beat, JIF_CATCHUP_EACH),
	cr_assert_eq(jif_periodic_start_at(&wheel, &beat, at(LONGEST + 1), 9,
					   1),
		     0),
	run_to(1))
HAPPENS(start_zeroed_periodic, ZERO(beat),
	cr_assert_eq(jif_periodic_start(&wheel, &beat, 9, 9, 1), -JIF_EINVAL),
	cr_assert_not(jif_periodic_stop(&beat)))

static void del_inner_timer(void)
{
	start_beat();
	cr_assert(jif_timer_del(&wheel, &beat.timer));
	jif_periodic_stop(&beat);
	cr_assert_not(jif_periodic_pending(&beat));
}

HAPPENS(del_inner_timer_of_a_pending_one, start_beat(),
	jif_timer_del(&wheel, &beat.timer),
	cr_assert(jif_periodic_pending(&beat)))
HAPPENS(del_inner_timer_of_one_with_calls_left, start_beat(),
	jif_timer_del(&wheel, &beat.timer),
	cr_assert_eq(jif_periodic_left(&beat), JIF_FOREVER))
HAPPENS(del_inner_timer_of_one_started_again, start_beat(),
	jif_timer_del(&wheel, &beat.timer),
	cr_assert_eq(jif_periodic_start(&wheel, &beat, 9, 9, 1), 1))
HAPPENS(init_started_periodic, start_beat(),
	jif_periodic_init(&beat, on_beat, JIF_CATCHUP_EACH), run_to(20))

/* Snapshots. */

#define SAVED_AT 1000

static struct jif_wheel second;
static struct jif_periodic slow;
static struct jif_saved saved[] = { JIF_SAVED_PERIODIC(1, &beat),
				    JIF_SAVED_PERIODIC(2, &slow) };
static struct jif_snapshot snapshot = { &wheel, saved, 2, 1 };
static unsigned char buffer[JIF_SNAPSHOT_SIZE(2)];

static int restore_late(size_t size)
{
	return jif_snapshot_restore(&snapshot, buffer, size, now(),
				    SAVED_AT + 5);
}

static int restored(void)
{
	return restore_late(sizeof(buffer));
}

/* One of two is saved, and all is as before it was started. */
static void save_beat(void)
{
	saved[0].id = 1;
	snapshot.product = 1;
	jif_periodic_init(&slow, on_beat, JIF_CATCHUP_EACH);
	start_beat();
	cr_assert_eq(jif_snapshot_save(&snapshot, buffer, sizeof(buffer), now(),
				       SAVED_AT),
		     JIF_SNAPSHOT_SIZE(1));
	jif_periodic_stop(&beat);
}

HAPPENS(save_a_list_out_of_order, (save_beat(), saved[0].id = 2),
	cr_assert_eq(jif_snapshot_save(&snapshot, buffer, sizeof(buffer), now(),
				       SAVED_AT),
		     -JIF_EINVAL),
	saved[0].id = 1)
HAPPENS(restore_a_list_out_of_order, (save_beat(), saved[0].id = 2),
	cr_assert_eq(restored(), -JIF_EINVAL), saved[0].id = 1)
HAPPENS(save_to_too_small_a_buffer, (save_beat(), start_beat()),
	cr_assert_eq(jif_snapshot_save(&snapshot, buffer,
				       JIF_SNAPSHOT_SIZE(1) - 1, now(),
				       SAVED_AT),
		     -JIF_ENOSPC),
	jif_periodic_stop(&beat))
HAPPENS(restore_twice, (save_beat(), restored()),
	cr_assert_eq(restored(), -JIF_EBUSY), jif_periodic_stop(&beat))
HAPPENS(restore_to_a_wheel_in_use, (save_beat(), arm(0, 9)),
	cr_assert_eq(restored(), -JIF_EBUSY), run_to(9))

static void restore_in_callback(unsigned timer)
{
	cr_assert_eq(restored(), -JIF_EBUSY);
}

HAPPENS(restore_in_run, (save_beat(), arm(0, 9)),
	unit_callback = restore_in_callback, run_to(9))
HAPPENS(restore_what_is_zeroed, (save_beat(), ZERO(beat)),
	cr_assert_eq(restored(), -JIF_EINVAL),
	cr_assert_not(jif_periodic_pending(&beat)))
HAPPENS(restore_what_is_started_elsewhere,
	(save_beat(), jif_wheel_init(&second, 0),
	 (void)!jif_periodic_start(&second, &beat, 7, 7, JIF_FOREVER)),
	cr_assert_eq(restored(), -JIF_EBUSY), jif_periodic_stop(&beat))
HAPPENS(restore_a_part, save_beat(),
	cr_assert_eq(restore_late(JIF_SNAPSHOT_SIZE(1) - 1), -JIF_EMSGSIZE),
	cr_assert_not(jif_periodic_pending(&beat)))
HAPPENS(restore_a_damaged_number, (save_beat(), buffer[28] ^= 2),
	cr_assert_eq(restored(), -JIF_EBADMSG),
	cr_assert_not(jif_periodic_pending(&beat)))
HAPPENS(restore_of_another_product, (save_beat(), snapshot.product = 2),
	cr_assert_eq(restored(), -JIF_ESTALE), snapshot.product = 1)
HAPPENS(restore_to_another_list,
	(save_beat(), snapshot.list++, snapshot.count--),
	cr_assert_eq(restored(), -JIF_ENOENT),
	(snapshot.list--, snapshot.count++))

/* Work. */

static struct jif_workqueue queues[2];
static struct jif_work works[3], copy;
static struct jif_delayed_work dwork;

COUNTS(on_work, struct jif_work *w)

static void init_works(void)
{
	calls = 0;
	memset(queues, 0xa5, sizeof(queues));
	for (unsigned i = 0; i < 2; i++)
		jif_workqueue_init(&queues[i], &wheel);
	for (unsigned i = 0; i < 3; i++)
		jif_work_init(&works[i], on_work, 1);
	jif_delayed_work_init(&dwork, on_work, 1);
}

static void queue_works(void)
{
	init_works();
	for (unsigned i = 0; i < 3; i++)
		cr_assert(jif_work_queue(&queues[0], &works[i]));
}

static void run_works_of(unsigned queue, unsigned want)
{
	cr_assert_eq(jif_workqueue_run(&queues[queue], 9), want);
	cr_assert_eq(calls, want);
}

HAPPENS(cancel_on_another_queue, queue_works(),
	cr_assert_not(jif_work_cancel(&queues[1], &works[1])),
	run_works_of(0, 3))
HAPPENS(queue_without_function, init_works(), jif_work_init(&works[0], NULL, 1),
	cr_assert_not(jif_work_queue(&queues[0], &works[0])))
HAPPENS(queue_with_a_priority_too_many, init_works(),
	jif_work_init(&works[0], on_work, CONFIG_JIF_WORK_PRIORITIES),
	cr_assert_not(jif_work_queue(&queues[0], &works[0])))
HAPPENS(queue_pending, queue_works(),
	cr_assert_not(jif_work_queue(&queues[1], &works[1])),
	run_works_of(0, 3))
HAPPENS(init_pending_work, queue_works(), jif_work_init(&works[1], on_work, 1),
	run_works_of(0, 3))
HAPPENS(init_pending_work_and_cancel_its_neighbour, queue_works(),
	jif_work_init(&works[1], on_work, 1),
	jif_work_cancel(&queues[0], &works[2]))
HAPPENS(init_pending_work_and_queue_behind, queue_works(),
	jif_work_init(&works[2], on_work, 1),
	(void)!jif_delayed_work_queue(&queues[0], &dwork, 0))

static void init_pending_work_and_queue_it_again(void)
{
	queue_works();
	jif_work_init(&works[1], on_work, 1);
	jif_work_queue(&queues[0], &works[1]);
	run_works_of(0, 3);
}

static void init_pending_work_and_queue_it_elsewhere(void)
{
	queue_works();
	jif_work_init(&works[0], on_work, 1);
	jif_work_queue(&queues[1], &works[0]);
	run_works_of(0, 3);
}

HAPPENS(zero_pending_work, queue_works(), ZERO(works[1]), run_works_of(0, 3))
HAPPENS(free_pending_work, queue_works(),
	memset(&works[1], 0x6b, sizeof(works[1])), run_works_of(0, 3))
HAPPENS(free_the_last_work, queue_works(),
	memset(&works[2], 0x6b, sizeof(works[2])), run_works_of(0, 3))
HAPPENS(overwrite_priority_of_work, queue_works(),
	works[1].priority = CONFIG_JIF_WORK_PRIORITIES,
	jif_work_cancel(&queues[0], &works[1]))
HAPPENS(bad_prev_of_work, queue_works(), works[1].prev = NULL,
	jif_work_cancel(&queues[0], &works[1]))
HAPPENS(copy_pending_work, queue_works(), copy = works[1],
	jif_work_cancel(&queues[0], &copy))
HAPPENS(copy_pending_work_and_cancel_elsewhere, queue_works(), copy = works[1],
	jif_work_cancel(&queues[1], &copy))
HAPPENS(init_queue_in_use, queue_works(), jif_workqueue_init(&queues[0], NULL),
	run_works_of(0, 0))
/* As garbage is: its map does not agree with its lists, or a bool is none. */
HAPPENS(init_garbage_as_queue, queue_works(), queues[0].occupied |= 1,
	jif_workqueue_init(&queues[0], NULL))
HAPPENS(init_other_garbage_as_queue, queue_works(),
	queues[0].occupied |= 1u << (CONFIG_JIF_WORK_PRIORITIES - 1),
	jif_workqueue_init(&queues[0], NULL))
HAPPENS(init_no_bool_as_queue, queue_works(), memset(&queues[0].running, 2, 1),
	jif_workqueue_init(&queues[0], NULL))
HAPPENS(queue_on_a_freed_queue, init_works(),
	memset(&queues[0], 0x6b, sizeof(queues[0])),
	cr_assert_not(jif_work_queue(&queues[0], &works[0])))
HAPPENS(run_zeroed_queue, init_works(), ZERO(queues[0]), run_works_of(0, 0))

static unsigned ran;

static void run_queue(void)
{
	ran = jif_workqueue_run(&queues[0], 9);
}

static void run_in_handler(void)
{
	queue_works();
	unit_window = run_queue;
	jif_sim_irq();
	unit_window = NULL;
	cr_assert_eq(ran, 0);
	run_works_of(0, 3);
}

static void run_again(struct jif_work *w)
{
	calls++;
	run_queue();
}

static void run_in_work(void)
{
	queue_works();
	works[0].fn = run_again;
	run_works_of(0, 3);
	cr_assert_eq(ran, 0);
}

/* Delayed work. */

static void cancel_zeroed_delayed(void)
{
	init_works();
	ZERO(dwork);
	cr_assert_not(jif_delayed_work_cancel(&dwork));
	cr_assert_not(jif_delayed_work_pending(&dwork));
}

static void cancel_queued_directly(void)
{
	init_works();
	cr_assert(jif_work_queue(&queues[0], &dwork.work));
	cr_assert(jif_delayed_work_cancel(&dwork));
	run_works_of(0, 0);
}

static void mod_queued_directly(void)
{
	init_works();
	cr_assert(jif_work_queue(&queues[0], &dwork.work));
	cr_assert_eq(jif_delayed_work_mod(&queues[0], &dwork, 9), 1);
	run_works_of(0, 0);
}

static void cancel_queued_directly_elsewhere(void)
{
	init_works();
	cr_assert(jif_delayed_work_queue(&queues[0], &dwork, 0));
	run_works_of(0, 1);
	cr_assert(jif_work_queue(&queues[1], &dwork.work));
	cr_assert(jif_delayed_work_cancel(&dwork));
	calls = 0;
	run_works_of(1, 0);
}

static void queue_waiting_directly(void)
{
	init_works();
	cr_assert(jif_delayed_work_queue(&queues[0], &dwork, 9));
	cr_assert_not(jif_work_queue(&queues[1], &dwork.work));
	run_works_of(1, 0);
}

static void delay_without_wheel(void)
{
	init_works();
	jif_workqueue_init(&queues[0], NULL);
	cr_assert_not(jif_delayed_work_queue(&queues[0], &dwork, 9));
	cr_assert_not(jif_delayed_work_pending(&dwork));
}

HAPPENS(delay_too_far, init_works(),
	cr_assert_eq(jif_delayed_work_mod(&queues[0], &dwork, LONGEST),
		     -JIF_ERANGE),
	cr_assert_not(jif_delayed_work_pending(&dwork)))
static void init_waiting_delayed(void)
{
	init_works();
	(void)!jif_delayed_work_mod(&queues[0], &dwork, 9);
	jif_delayed_work_init(&dwork, on_work, 1);
	run_to(jif_now() - START + 20);
}

/* Tasks. */

static struct jif_sched sched;
static struct jif_task tasks[2];
static struct jif_event event;

COUNTS(on_task, struct jif_task *t)

static void init_task(unsigned i)
{
	jif_task_init(&sched, &tasks[i], on_task, 1, 0);
}

static void init_tasks(void)
{
	calls = 0;
	memset(&sched, 0xa5, sizeof(sched));
	jif_sched_init(&sched, &wheel, NULL, NULL);
	jif_event_init(&event);
	init_task(0);
	init_task(1);
}

static void wake_tasks(void)
{
	init_tasks();
	cr_assert(jif_task_wake(&tasks[0]));
	cr_assert(jif_task_wake(&tasks[1]));
}

static void init_sched_with_work(void)
{
	init_tasks();
	jif_work_init(&works[0], on_work, 1);
	jif_work_queue(&sched.work, &works[0]);
	jif_sched_init(&sched, &wheel, NULL, NULL);
	cr_assert_eq(jif_sched_run(&sched), 0);
}

/* It is not moved on by the turns. */
static void init_sched_on_a_wheel_without_time(void)
{
	jif_wheel_set_time(&wheel, jif_wheel_clock);
	init_tasks();
	jif_wheel_set_time(&wheel, NULL);
}

static void wait_tasks(void)
{
	init_tasks();
	for (unsigned i = 0; i < 2; i++)
		cr_assert_eq(jif_task_wait(&tasks[i], &event, JIF_FOREVER), 0);
}

static void run_turn(void)
{
	ran = jif_sched_run(&sched);
}

static void turn_in_handler(void)
{
	wake_tasks();
	unit_window = run_turn;
	jif_sim_irq();
	unit_window = NULL;
	cr_assert_eq(ran, 0);
	cr_assert_eq(calls, 0);
}

HAPPENS(init_ready_task, wake_tasks(), init_task(0), run_turn())
HAPPENS(zero_ready_task, wake_tasks(), ZERO(tasks[1]), run_turn())
HAPPENS(init_waiting_task, wait_tasks(), init_task(0), jif_event_wake(&event))
HAPPENS(init_waiting_task_and_wake_its_neighbour, wait_tasks(), init_task(0),
	jif_task_wake(&tasks[1]))

static void init_waiting_task_and_wake_it(void)
{
	init_tasks();
	cr_assert_eq(jif_task_wait(&tasks[0], &event, JIF_FOREVER), 0);
	init_task(0);
	jif_task_wake(&tasks[0]);
	jif_event_wake(&event);
}

static void init_sleeping_task(void)
{
	init_tasks();
	cr_assert_eq(jif_task_sleep(&tasks[0], 9), 0);
	init_task(0);
	jif_ticks(20);
	run_to(jif_now() - START);
}

static struct jif_flags flags;
static struct jif_queue messages;
static unsigned char storage[1];

static void wait_for_flags(void)
{
	init_tasks();
	jif_flags_init(&flags);
	for (unsigned i = 0; i < 2; i++)
		cr_assert_eq(jif_flags_wait(&flags, &tasks[i], 1, JIF_FLAGS_ANY,
					    JIF_FOREVER),
			     0);
}

HAPPENS(init_task_that_waits_for_flags, wait_for_flags(), init_task(0),
	jif_flags_set(&flags, 2))
HAPPENS(wait_for_no_flags, wait_for_flags(),
	cr_assert_eq(jif_flags_wait(&flags, &tasks[1], 0, JIF_FLAGS_ANY, 9),
		     -JIF_EINVAL),
	cr_assert(jif_flags_set(&flags, 1)))
HAPPENS(wait_for_flags_in_no_way, wait_for_flags(),
	cr_assert_eq(jif_flags_wait(&flags, &tasks[1], 1, JIF_FLAGS_CLEAR, 9),
		     -JIF_EINVAL),
	cr_assert(jif_flags_set(&flags, 1)))
REFUSES(queue_without_storage, jif_queue_init(&messages, NULL, 1, 1),
	-JIF_EINVAL)
REFUSES(queue_without_capacity, jif_queue_init(&messages, storage, 1, 0),
	-JIF_EINVAL)
HAPPENS(send_to_zeroed_queue, ZERO(messages),
	cr_assert_eq(jif_queue_send(&messages, storage), -JIF_ENOSPC),
	cr_assert_eq(jif_queue_receive(&messages, storage), -JIF_ENOENT))
HAPPENS(init_sched_in_use, wake_tasks(),
	jif_sched_init(&sched, &wheel, NULL, NULL),
	cr_assert_eq(jif_sched_run(&sched), 0))
/* Its time source is gone. */
static void run_where_the_wheel_was_initialised_anew(void)
{
	set_jiffies(0);
	init_tasks();
	jif_wheel_init(&wheel, at(0));
	cr_assert_eq(jif_sched_run(&sched), 0);
	jif_wheel_set_time(&wheel, jif_time_jiffies);
	cr_assert_eq(jif_sched_run(&sched), 0);
}

static uint32_t tell_past(const struct jif_wheel *of)
{
	return jif_wheel_clock(of) + LONGEST + 1;
}

HAPPENS(run_where_the_wheel_was_zeroed, (set_jiffies(0), ZERO(second)),
	(jif_sched_init(&sched, &second, NULL, NULL), ZERO(second)),
	cr_assert_eq(jif_sched_run(&sched), 0))
HAPPENS(run_where_the_source_is_behind,
	(init_tasks(), jif_wheel_set_time(&wheel, tell_past)),
	cr_assert_eq(jif_sched_run(&sched), 0), unit_init())
HAPPENS(run_on_a_zeroed_wheel, ZERO(second),
	jif_sched_init(&sched, &second, NULL, NULL),
	cr_assert_eq(jif_sched_run(&sched), 0))
HAPPENS(sleep_zeroed_task, init_tasks(), ZERO(tasks[0]),
	cr_assert_eq(jif_task_sleep(&tasks[0], 9), -JIF_EINVAL))
HAPPENS(start_task_too_far, init_tasks(),
	cr_assert_eq(jif_task_start(&tasks[0], LONGEST, 9), -JIF_ERANGE),
	cr_assert_not(jif_task_stop(&tasks[0])))
HAPPENS(sleep_task_too_far, init_tasks(),
	cr_assert_eq(jif_task_sleep(&tasks[0], LONGEST), -JIF_ERANGE),
	cr_assert_not(jif_task_stop(&tasks[0])))
HAPPENS(wake_task_with_a_priority_too_many, init_tasks(),
	jif_task_init(&sched, &tasks[0], tasks[1].fn, 10, 0),
	cr_assert_not(jif_task_wake(&tasks[0])))
HAPPENS(start_task_without_a_period, init_tasks(),
	cr_assert_eq(jif_task_start(&tasks[0], 9, 0), -JIF_EINVAL),
	cr_assert_not(jif_task_stop(&tasks[0])))

/* It begins anew. */
static struct jif_await here;

static void on_switch(struct jif_task *t)
{
	calls++;
	JIF_TASK_BEGIN(t, &here);
	switch (calls) {
	case 1:
		JIF_SLEEP(1);
	}
	JIF_TASK_END;
}

static void wait_within_a_switch(void)
{
	init_tasks();
	ZERO(here);
	jif_task_init(&sched, &tasks[0], on_switch, 1, 0);
	jif_task_wake(&tasks[0]);
	run_turn();
	jif_task_wake(&tasks[0]);
	run_turn();
	jif_task_stop(&tasks[0]);
	cr_assert_eq(calls, 2);
}

static void on_sleep_of_too_long(struct jif_task *t)
{
	calls++;
	JIF_TASK_BEGIN(t, &here);
	JIF_SLEEP(LONGEST + 1);
	JIF_TASK_END;
}

static void sleep_for_too_long(void)
{
	init_tasks();
	ZERO(here);
	jif_task_init(&sched, &tasks[0], on_sleep_of_too_long, 1, 0);
	jif_task_wake(&tasks[0]);
	run_turn();
	cr_assert_eq(calls, 1);
	cr_assert(jif_task_stop(&tasks[0]));
}

/* Calendars. */

static struct jif_calendar calendar;
static struct jif_alarm alarm, later, latest;

COUNTS(ring, struct jif_alarm *which)

static void start_alarms(void)
{
	jif_calendar_init(&calendar, &wheel, 1, 0);
	jif_alarm_init(&alarm, ring);
	jif_alarm_init(&later, ring);
	jif_alarm_init(&latest, ring);
	cr_assert_eq(jif_alarm_start(&calendar, &alarm, JIF_DAILY, 60), 0);
	cr_assert_eq(jif_alarm_start(&calendar, &later, JIF_DAILY, 60), 0);
	cr_assert_eq(jif_alarm_start(&calendar, &latest, JIF_DAILY, 60), 0);
}

/* Its timer is taken off, so that only the list of alarms is hurt. */
static void init_started_alarm(void)
{
	start_alarms();
	jif_timer_del(&wheel, &alarm.timer);
	jif_alarm_init(&alarm, ring);
	cr_assert_eq(jif_alarm_start(&calendar, &alarm, JIF_DAILY, 60),
		     -JIF_EBUSY);
	jif_calendar_set(&calendar, 30);
	cr_assert(jif_alarm_stop(&later));
}

HAPPENS(init_started_alarm_and_run, start_alarms(),
	jif_alarm_init(&later, ring), run_to(DAY))
HAPPENS(start_on_zeroed_calendar, ZERO(calendar), jif_alarm_init(&alarm, ring),
	cr_assert_eq(jif_alarm_start(&calendar, &alarm, JIF_DAILY, 60),
		     -JIF_EINVAL))
HAPPENS(start_on_no_day, start_alarms(),
	cr_assert_eq(jif_alarm_start(&calendar, &alarm, 0, 60), -JIF_EINVAL),
	cr_assert(jif_alarm_stop(&alarm)))
HAPPENS(stop_zeroed_alarm, ZERO(alarm), cr_assert_not(jif_alarm_stop(&alarm)),
	cr_assert_eq(jif_alarm_expires(&alarm), 0))
AFTER(next_on_no_day, cr_assert_eq(jif_calendar_next(0, JIF_MONDAY, 5), 345605),
      jif_calendar_next(0, 0x80, 0))
REFUSES(calendar_without_a_rate, jif_calendar_init(&calendar, &wheel, 0, 0),
	-JIF_EINVAL)

/* Keys. */

static struct jif_entry entries[4];
static struct jif_table table;
static jif_handle_t handle;
static char name[8];

COUNTS(on_key, struct jif_table *of, struct jif_key key, void *value)

static void set_key(void)
{
	calls = 0;
	table = (struct jif_table){ .wheel = &wheel,
				    .fn = on_key,
				    .hash = jif_key_hash,
				    .entries = entries,
				    .capacity = 4 };
	cr_assert_eq(jif_table_init(&table), 0);
	memcpy(name, "door", 5);
	cr_assert_eq(jif_table_set(&table, jif_key_bytes(name, 4), NULL,
				   jif_once(at(9))),
		     0);
	handle = jif_table_find(&table, jif_key_bytes(name, 4));
	cr_assert(handle);
}

static void change_bytes_of_a_key(void)
{
	set_key();
	name[0] = 'p'; /* is of another bucket */
	run_to(20);
	cr_assert_eq(calls, 1);
	cr_assert_eq(jif_table_count(&table), 1, "it is lost");
	cr_assert_eq(jif_entry_pause(&table, handle), -JIF_EINVAL);
}

HAPPENS(init_table_in_use, set_key(), cr_assert_eq(jif_table_init(&table), 0),
	run_to(20))
HAPPENS(set_without_a_period, set_key(),
	cr_assert_eq(jif_table_set(&table, jif_key_number(1), NULL,
				   jif_every(at(9), 0, 2)),
		     -JIF_EINVAL),
	cr_assert_eq(jif_table_count(&table), 1))
HAPPENS(set_with_too_long_a_period, set_key(),
	cr_assert_eq(jif_table_set(&table, jif_key_number(1), NULL,
				   jif_every(at(9), LONGEST + 1, 2)),
		     -JIF_ERANGE),
	cr_assert_eq(jif_table_count(&table), 1))

static void set_without_table_init(void)
{
	set_key();
	jif_table_drain(&table, NULL);
	memset(entries, 0, sizeof(entries));
	table.free = 0;
	cr_assert_eq(jif_table_set(&table, jif_key_number(1), NULL,
				   jif_once(at(9))),
		     -JIF_EINVAL);
}

static void init_table_without_entries(void)
{
	set_key();
	jif_table_drain(&table, NULL);
	table.entries = NULL;
	cr_assert_eq(jif_table_init(&table), -JIF_EINVAL);
}

static void use_stale_handle(void)
{
	set_key();
	cr_assert_eq(jif_entry_remove(&table, handle), 0);
	cr_assert_eq(jif_entry_remove(&table, handle), -JIF_ENOENT);
	cr_assert_eq(jif_entry_move(&table, handle, at(9)), -JIF_ENOENT);
}

static void use_no_handle(void)
{
	set_key();
	cr_assert_eq(jif_entry_remove(&table, 0), -JIF_ENOENT);
	cr_assert_eq(jif_entry_remove(&table, 5), -JIF_ENOENT);
	cr_assert_eq(jif_entry_remove(&table, UINT32_MAX), -JIF_ENOENT);
}

#define NO_PERIODIC "a periodic timer cannot be started so"
#define NO_COUNT    "a periodic timer has no period or count"
#define TOO_FAR	    "a delay is too long"
#define TOO_LONG    "a period is too long"
#define TAKEN_OFF   "the timer of a periodic timer was taken off"
#define NO_ORDER    "the list of a snapshot is not in order"
#define RESTORED    "a snapshot is restored to a wheel in use"
#define NO_OBJECT   "what is restored is not initialised, or not idle"
#define TIMER	    "W2: a pending timer was initialised"
#define WORK	    "W2: pending work was initialised"
#define AGAIN	    "W2: pending work was initialised and queued again"
#define BROKEN	    "W2: links of pending work are broken"
#define NO_WORK	    "work has no function, or a priority too many"
#define NO_QUEUE    "a workqueue is used that was never initialised"
#define QUEUE_USED  "a workqueue is initialised that has pending work"
#define NO_FLAGS    "a task cannot wait for flags so"

const struct misuse misuse_above[] = {
	{ ROW(init_at_no_time_of_day),
	  "a wheel is initialised at no time of day", &wheel },
	{ ROW(init_on_no_day), "a wheel is initialised at no time of day",
	  &wheel },
	{ ROW(init_at_no_hour), "a wheel is initialised at no time of day",
	  &wheel },
	{ ROW(init_at_no_minute), "a wheel is initialised at no time of day",
	  &wheel },
	{ ROW(start_for_no_calls), NO_COUNT, &beat, &beat.fn },
	{ ROW(start_without_a_period), NO_COUNT, &beat, &beat.fn },
	{ ROW(start_with_too_long_a_period), TOO_LONG, &beat, &beat.fn },
	{ ROW(start_too_far), TOO_FAR, &beat, &beat.fn },
	{ ROW(start_at_too_far),
	  "a timer is armed too far ahead, and runs at once", &beat, &beat.fn },
	{ ROW(start_zeroed_periodic), NO_PERIODIC, &beat },
	{ ROW(del_inner_timer), TAKEN_OFF, &beat, &beat.fn },
	{ ROW(del_inner_timer_of_a_pending_one), TAKEN_OFF, &beat, &beat.fn },
	{ ROW(del_inner_timer_of_one_started_again), TAKEN_OFF, &beat,
	  &beat.fn },
	{ ROW(del_inner_timer_of_one_with_calls_left), TAKEN_OFF, &beat,
	  &beat.fn },
	{ ROW(init_started_periodic), TIMER, &beat.timer,
	  FUNCTION_OF(beat.timer), DAMAGED },
	{ ROW(save_a_list_out_of_order), NO_ORDER, &snapshot },
	{ ROW(restore_a_list_out_of_order), NO_ORDER, &snapshot },
	{ ROW(save_to_too_small_a_buffer) },
	{ ROW(restore_twice), RESTORED, &wheel },
	{ ROW(restore_to_a_wheel_in_use), RESTORED, &wheel },
	{ ROW(restore_in_run), RESTORED, &wheel },
	{ ROW(restore_what_is_zeroed), NO_OBJECT, &beat },
	{ ROW(restore_what_is_started_elsewhere), NO_OBJECT, &beat },
	{ ROW(restore_a_part) },
	{ ROW(restore_a_damaged_number) },
	{ ROW(restore_of_another_product) },
	{ ROW(restore_to_another_list) },
	{ ROW(cancel_on_another_queue), "work is cancelled on another queue",
	  &works[1], &works[1].fn, UNDEFINED },
	{ ROW(queue_without_function), NO_WORK, &works[0] },
	{ ROW(queue_with_a_priority_too_many), NO_WORK, &works[0],
	  &works[0].fn },
	{ ROW(queue_pending) },
	{ ROW(init_pending_work), WORK, &works[1], &works[1].fn, FATAL },
	{ ROW(init_pending_work_and_cancel_its_neighbour), WORK, &works[1],
	  &works[1].fn, FATAL },
	{ ROW(init_pending_work_and_queue_behind), WORK, &works[2],
	  &works[2].fn, FATAL },
	{ ROW(init_pending_work_and_queue_it_again), WORK, &works[1],
	  &works[1].fn, DAMAGED },
	{ ROW(init_pending_work_and_queue_it_elsewhere), AGAIN, &works[0],
	  &works[0].fn, DAMAGED },
	{ ROW(zero_pending_work), "W2: pending work was zeroed", &works[1],
	  NULL, FATAL },
	{ ROW(free_pending_work), "W2: pending work was freed or overwritten",
	  &works[1], NULL, FATAL },
	{ ROW(free_the_last_work), "W2: pending work was freed or overwritten",
	  &works[2], NULL, FATAL },
	{ ROW(overwrite_priority_of_work),
	  "W2: pending work was freed or overwritten", &works[1], NULL, FATAL },
	{ ROW(bad_prev_of_work), BROKEN, &works[1], &works[1].fn, FATAL },
	{ ROW(copy_pending_work), BROKEN, &copy, &copy.fn, DAMAGED },
	{ ROW(copy_pending_work_and_cancel_elsewhere), BROKEN, &copy, &copy.fn,
	  DAMAGED },
	{ ROW(init_queue_in_use), QUEUE_USED, &queues[0] },
	{ ROW(init_garbage_as_queue) },
	{ ROW(init_other_garbage_as_queue) },
	{ ROW(init_no_bool_as_queue) },
	{ ROW(queue_on_a_freed_queue), NO_QUEUE, &queues[0], NULL, GONE },
	{ ROW(run_zeroed_queue), NO_QUEUE, &queues[0] },
	{ ROW(run_in_handler), "a workqueue is run in a handler", &queues[0],
	  NULL, UNDEFINED },
	{ ROW(run_in_work) },
	{ ROW(cancel_zeroed_delayed) },
	{ ROW(cancel_queued_directly) },
	{ ROW(mod_queued_directly) },
	{ ROW(cancel_queued_directly_elsewhere) },
	{ ROW(queue_waiting_directly) },
	{ ROW(delay_without_wheel), "a workqueue has no wheel for a delay",
	  &queues[0] },
	{ ROW(delay_too_far), TOO_FAR, &dwork, &dwork.work.fn },
	{ ROW(init_waiting_delayed), TIMER, &dwork.timer,
	  FUNCTION_OF(dwork.timer), DAMAGED },
	{ ROW(turn_in_handler), "a scheduler is run in a handler", &sched, NULL,
	  UNDEFINED },
	{ ROW(init_ready_task), WORK, &tasks[0], &tasks[0].fn, FATAL },
	{ ROW(zero_ready_task), "W2: pending work was zeroed", &tasks[1], NULL,
	  FATAL },
	{ ROW(init_waiting_task), WORK, &tasks[0], &tasks[0].fn, FATAL },
	{ ROW(init_waiting_task_and_wake_its_neighbour), WORK, &tasks[0],
	  &tasks[0].fn, FATAL },
	{ ROW(init_waiting_task_and_wake_it),
	  "W2: a waiting task was initialised", &tasks[0], &tasks[0].fn,
	  DAMAGED },
	{ ROW(wait_within_a_switch), "a task waits within a switch of its own",
	  &here },
	{ ROW(sleep_for_too_long), "a task waits for too long", &here },
	{ ROW(init_sched_on_a_wheel_without_time),
	  "a scheduler's wheel has no time but its clock", &wheel },
	{ ROW(init_sleeping_task), TIMER, &tasks[0].timer,
	  FUNCTION_OF(tasks[0].timer), DAMAGED },
	{ ROW(init_task_that_waits_for_flags), WORK, &tasks[0], &tasks[0].fn,
	  FATAL },
	{ ROW(wait_for_no_flags), NO_FLAGS, &tasks[1] },
	{ ROW(wait_for_flags_in_no_way), NO_FLAGS, &tasks[1] },
	{ ROW(queue_without_storage), "a queue lacks storage", &messages },
	{ ROW(queue_without_capacity), "a queue lacks storage", &messages },
	{ ROW(send_to_zeroed_queue),
	  "a queue is used that was never initialised", &messages },
	{ ROW(init_sched_in_use), QUEUE_USED, &sched.ready },
	{ ROW(init_sched_with_work), QUEUE_USED, &sched.work },
	{ ROW(sleep_zeroed_task), "a task cannot run", &tasks[0] },
	{ ROW(start_task_without_a_period), "a task has no such period",
	  &tasks[0], &tasks[0].fn },
	{ ROW(start_task_too_far), TOO_FAR, &tasks[0], &tasks[0].fn },
	{ ROW(sleep_task_too_far), TOO_FAR, &tasks[0], &tasks[0].fn },
	{ ROW(wake_task_with_a_priority_too_many),
	  "a task has a priority too many", &tasks[0], &tasks[0].fn },
	{ ROW(run_where_the_wheel_was_initialised_anew),
	  "a wheel was initialised after its scheduler", &wheel },
	{ ROW(run_where_the_wheel_was_zeroed), NULL, NULL, NULL, UNDEFINED },
	{ ROW(run_where_the_source_is_behind),
	  "a wheel's time source is behind its clock", &wheel },
	{ ROW(run_on_a_zeroed_wheel), NULL, NULL, NULL, UNDEFINED },
	{ ROW(init_started_alarm), "a started alarm was initialised", &alarm,
	  &alarm.fn },
	{ ROW(init_started_alarm_and_run), TIMER, &later.timer,
	  FUNCTION_OF(later.timer), DAMAGED },
	{ ROW(start_on_zeroed_calendar), "an alarm cannot be started so",
	  &alarm },
	{ ROW(start_on_no_day), "an alarm cannot be started so", &alarm },
	{ ROW(stop_zeroed_alarm) },
	{ ROW(next_on_no_day), "a time is asked for on no day", NULL },
	{ ROW(calendar_without_a_rate), "a calendar has no such rate",
	  &calendar },
	{ ROW(change_bytes_of_a_key), "the bytes of a key have changed", &table,
	  &table.fn },
	{ ROW(init_table_in_use), TIMER, &entries[0].timer,
	  FUNCTION_OF(entries[0].timer), FATAL },
	{ ROW(set_without_table_init), "a table was never initialised",
	  &table },
	{ ROW(init_table_without_entries), "a table lacks a field", &table },
	{ ROW(use_stale_handle) },
	{ ROW(use_no_handle) },
	{ ROW(set_without_a_period), "a key has no such schedule", &table },
	{ ROW(set_with_too_long_a_period), TOO_LONG, &table },
};
const unsigned misuse_above_count =
	sizeof(misuse_above) / sizeof(misuse_above[0]);

TestSuite(misuse_above, .init = unit_init);

Test(misuse_above, each_is_told_and_the_wheel_goes_on)
{
	cr_assert_gt(misuse_try(misuse_above, misuse_above_count), 30);
}
