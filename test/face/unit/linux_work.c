/* SPDX-License-Identifier: MIT */
/* The kernel's work and delayed work, case by case */
#include <jif/face/linux/workqueue.h>
#include <signal.h>

#include "../../wheel/unit/panic.h"
#include "../../wheel/unit/unit.h"

#define LOG 16

/**
 * struct job - an object as clients of the kernel's work have them
 * @name:	a letter
 * @again:	its function queues it again after so many jiffies; 0: not
 * @work:	its work
 */
struct job {
	char name;
	unsigned long again;
	struct delayed_work work;
};

static struct jif_workqueue queue;
static struct job jobs[3];
static struct delayed_work *const a = &jobs[0].work;
static struct delayed_work *const b = &jobs[1].work;
static struct delayed_work *const c = &jobs[2].work;
static unsigned long base;
static char ran[LOG];
static unsigned nran;

static void note(struct work_struct *work)
{
	struct job *job =
		jif_container_of(to_delayed_work(work), struct job, work);

	if (nran < LOG - 1)
		ran[nran] = job->name;
	nran++;
	if (job->again)
		schedule_delayed_work(&job->work, job->again);
}

static void init(void)
{
	unit_init();
	set_jiffies(0);
	base = jiffies;
	jif_workqueue_init(&queue, NULL);
	jif_linux_init(&wheel, NULL);
	jif_linux_init_work(&queue);
	memset(jobs, 0xa5, sizeof(jobs));
	memset(ran, 0, sizeof(ran));
	nran = 0;
	for (unsigned i = 0; i < 3; i++) {
		jobs[i].name = (char)('a' + i);
		jobs[i].again = 0;
		INIT_DELAYED_WORK(&jobs[i].work, note);
	}
}

TestSuite(linux_work, .init = init, .fini = unit_fini);

/* The main loop, up to @after the start. */
static void pass_to(unsigned long after)
{
	while (jiffies - base < after) {
		jif_tick();
		jif_wheel_run(&wheel, jif_now());
		jif_workqueue_run(&queue, JIF_FOREVER);
	}
}

/* By then, so many have run. */
static void expect_ran(unsigned long after, unsigned n)
{
	pass_to(after);
	cr_assert_eq(nran, n, "%u at %lu", nran, after);
}

Test(linux_work, runs_in_the_main_loop_in_the_order_of_queueing)
{
	cr_assert(schedule_work(&b->work));
	cr_assert(queue_work(system_wq, &a->work));
	cr_assert(work_pending(&a->work));
	cr_assert_not(schedule_work(&b->work), "it is pending");
	cr_assert_eq(nran, 0);
	pass_to(1);
	cr_assert_str_eq(ran, "ba");
	cr_assert_not(work_pending(&a->work));
	cr_assert(schedule_work(&a->work));
	cr_assert(cancel_work_sync(&a->work));
}

static unsigned defined_runs;

static void count_run(struct work_struct *work)
{
	defined_runs++;
}

Test(linux_work, defined_statically_can_be_queued)
{
	static DECLARE_WORK(defined, count_run);
	static DECLARE_DELAYED_WORK(defined_later, count_run);
	static DECLARE_DEFERRABLE_WORK(defined_lazy, count_run);

	defined_runs = 0;
	cr_assert_not(cancel_work(&defined));
	cr_assert_not(cancel_delayed_work(&defined_later));
	cr_assert(schedule_work(&defined));
	cr_assert(schedule_delayed_work(&defined_later, 3));
	cr_assert(schedule_delayed_work(&defined_lazy, 3));
	cr_assert_eq(defined_lazy.timer.flags, TIMER_DEFERRABLE);
	pass_to(2);
	cr_assert_eq(defined_runs, 1);
	pass_to(3);
	cr_assert_eq(defined_runs, 3);
}

Test(linux_work, delayed_runs_exactly_after_its_delay)
{
	cr_assert(schedule_delayed_work(a, 10));
	cr_assert(delayed_work_pending(a));
	cr_assert(work_pending(&a->work));
	cr_assert(a->timer.expires == base + 10, "clients read the field");
	cr_assert_not(schedule_delayed_work(a, 5), "it stays as it is");
	cr_assert_not(queue_delayed_work(system_wq, a, 0));
	expect_ran(9, 0);
	expect_ran(10, 1);
	cr_assert_not(delayed_work_pending(a));
}

Test(linux_work, delayed_by_zero_is_queued_at_once)
{
	cr_assert(schedule_delayed_work(a, 0));
	cr_assert(work_pending(&a->work));
	cr_assert(delayed_work_pending(a));
	jif_workqueue_run(&queue, JIF_FOREVER);
	cr_assert_eq(nran, 1);
}

Test(linux_work, mod_replaces_the_delay)
{
	cr_assert_not(mod_delayed_work(system_wq, a, 10));
	cr_assert(mod_delayed_work(system_wq, a, 20));
	expect_ran(19, 0);
	cr_assert(mod_delayed_work(system_wq, a, 0), "it is queued at once");
	cr_assert(work_pending(&a->work));
	cr_assert(mod_delayed_work(system_wq, a, 5), "and waits again");
	expect_ran(23, 0);
	expect_ran(24, 1);
}

Test(linux_work, cancelled_does_not_run)
{
	schedule_delayed_work(a, 10);
	schedule_delayed_work(b, 0);
	cr_assert(cancel_delayed_work(a));
	cr_assert(cancel_delayed_work_sync(b));
	cr_assert_not(cancel_delayed_work(a));
	cr_assert_not(cancel_delayed_work_sync(b));
	expect_ran(20, 0);
}

Test(linux_work, is_not_pending_in_its_function_and_may_queue_itself)
{
	jobs[0].again = 4;
	schedule_delayed_work(a, 4);
	expect_ran(15, 3);
	cr_assert(cancel_delayed_work_sync(a));
	expect_ran(30, 3);
}

Test(linux_work, flushed_runs_within_the_call)
{
	schedule_work(&b->work);
	schedule_work(&a->work);
	cr_assert(flush_work(&a->work));
	cr_assert_str_eq(ran, "a");
	cr_assert_not(flush_work(&a->work));
	pass_to(1);
	cr_assert_str_eq(ran, "ab");
}

Test(linux_work, delayed_and_flushed_does_not_wait_for_its_timer)
{
	schedule_delayed_work(a, 1000);
	schedule_delayed_work(b, 0);
	cr_assert(flush_delayed_work(a));
	cr_assert(flush_delayed_work(b));
	cr_assert_not(flush_delayed_work(b));
	cr_assert_str_eq(ran, "ab");
	cr_assert_not(timer_pending(&a->timer));
}

static void flush_other(struct work_struct *work)
{
	flush_work(&b->work);
}

Test(linux_work, is_flushed_by_other_work)
{
	INIT_WORK(&a->work, flush_other);
	schedule_work(&a->work);
	schedule_work(&b->work);
	pass_to(1);
	cr_assert_str_eq(ran, "b");
}

Test(linux_work, queue_that_is_flushed_has_run_all_that_was_pending)
{
	jobs[1].again = 1000;
	schedule_work(&a->work);
	schedule_work(&b->work);
	jif_workqueue_run(&queue, 1);
	schedule_work(&a->work);
	schedule_work(&c->work);
	flush_scheduled_work();
	cr_assert_str_eq(ran, "abac");
	cr_assert(cancel_delayed_work(b));
}

Test(linux_work, goes_to_a_queue_of_its_own)
{
	static struct jif_workqueue mine;
	struct workqueue_struct wq = { &mine };

	jif_workqueue_init(&mine, NULL);
	queue_work(&wq, &a->work);
	queue_delayed_work(&wq, b, 2);
	expect_ran(2, 0);
	cr_assert_eq(jif_workqueue_run(&mine, JIF_FOREVER), 2);
	cr_assert_str_eq(ran, "ab");
}

Test(linux_work, pending_on_a_queue_stays_on_it)
{
	struct jif_workqueue own;
	struct workqueue_struct mine = { &own };

	jif_workqueue_init(&own, NULL);
	cr_assert(schedule_work(&a->work));
	cr_assert_not(queue_work(&mine, &a->work));
	cr_assert(cancel_work(&a->work));
	expect_ran(1, 0);
}

Test(linux_work, queues_that_are_asked_for_are_the_one)
{
	struct workqueue_struct *wq =
		alloc_workqueue("mine%d", WQ_UNBOUND, 1, 7);

	cr_assert_eq(wq, system_wq);
	cr_assert_eq(create_singlethread_workqueue("x"), system_wq);
	queue_work(wq, &a->work);
	destroy_workqueue(wq);
	cr_assert_eq(nran, 1);
}

Test(linux_work, that_waits_for_its_timer_is_pending)
{
	cr_assert(queue_delayed_work(system_wq, a, 10));
	cr_assert(work_pending(&a->work));
	cr_assert_not(queue_work(system_wq, &a->work), "it is pending");
	cr_assert(cancel_delayed_work_sync(a));
	cr_assert_not(work_pending(&a->work));
	expect_ran(20, 0);
	cr_assert(queue_work(system_wq, &a->work));
	cr_assert_not(queue_delayed_work(system_wq, a, 10));
	cr_assert(cancel_delayed_work_sync(a));
	expect_ran(40, 0);
}

static void queue_again(struct work_struct *work)
{
	if (++defined_runs < 5)
		schedule_work(work);
}

Test(linux_work, what_queues_itself_is_drained)
{
	static DECLARE_WORK(again, queue_again);

	defined_runs = 0;
	schedule_work(&again);
	flush_workqueue(system_wq);
	cr_assert(work_pending(&again));
	drain_workqueue(system_wq);
	cr_assert_not(work_pending(&again));
	cr_assert_eq(defined_runs, 5);
}

static void fail(const char *what, const void *object, void (*fn)(void))
{
	cr_assert_fail("no misuse");
}

Test(linux_work, disabled_is_refused_until_enabled_as_often)
{
	if (CONFIG_JIF_DEBUG)
		jif_warn = fail;
	schedule_work(&a->work);
	cr_assert(disable_work(&a->work), "it was pending");
	cr_assert_not(disable_work_sync(&a->work));
	cr_assert_not(schedule_work(&a->work));
	cr_assert_not(work_pending(&a->work));
	cr_assert_not(enable_work(&a->work));
	cr_assert_not(schedule_work(&a->work));
	cr_assert(enable_work(&a->work));
	cr_assert(schedule_work(&a->work));
	pass_to(1);
	cr_assert_str_eq(ran, "a");
}

Test(linux_work, enabled_and_queued_runs_once_it_is_enabled)
{
	disable_work(&a->work);
	disable_work(&a->work);
	cr_assert_not(enable_and_queue_work(system_wq, &a->work));
	cr_assert_not(work_pending(&a->work));
	cr_assert(enable_and_queue_work(system_wq, &a->work));
	pass_to(1);
	cr_assert_str_eq(ran, "a");
}

Test(linux_work, is_disabled_at_most_248_times)
{
	for (unsigned i = 0; i < 248; i++)
		disable_work(&a->work);
	for (unsigned i = 0; i < 247; i++)
		cr_assert_not(enable_work(&a->work));
	cr_assert(enable_work(&a->work));
	cr_assert(enable_work(&a->work), "it is left alone");
	cr_assert(schedule_work(&a->work));
}

Test(linux_work, disabled_once_more_panics, .signal = SIGABRT)
{
	panic_with("priority == UINT8_MAX");
	for (unsigned i = 0; i < 249; i++)
		disable_work(&a->work);
}

Test(linux_work, delayed_and_disabled_neither_waits_nor_is_queued)
{
	schedule_delayed_work(a, 5);
	cr_assert(disable_delayed_work(a));
	cr_assert_not(disable_delayed_work_sync(a));
	cr_assert_not(schedule_delayed_work(a, 5));
	cr_assert_not(schedule_delayed_work(a, 0));
	cr_assert_not(mod_delayed_work(system_wq, a, 5));
	cr_assert_not(mod_delayed_work(system_wq, a, 0));
	cr_assert_not(delayed_work_pending(a));
	cr_assert(jif_wheel_empty(&wheel));
	cr_assert_not(enable_delayed_work(a));
	cr_assert(enable_delayed_work(a));
	cr_assert(schedule_delayed_work(a, 5));
	expect_ran(5, 1);
}

static struct work_struct *current;
static unsigned busy[2];

static void look(struct work_struct *work)
{
	current = current_work();
	schedule_work(work);
	busy[0] = work_busy(&a->work);
	busy[1] = work_busy(&b->work);
}

static void flush_and_look(struct work_struct *work)
{
	flush_work(&b->work);
	cr_assert_eq(current, &b->work);
	cr_assert_eq(busy[0], WORK_BUSY_RUNNING);
	cr_assert_eq(busy[1], WORK_BUSY_PENDING | WORK_BUSY_RUNNING);
	cr_assert_eq(current_work(), work);
}

Test(linux_work, is_busy_while_it_waits_and_while_it_runs)
{
	INIT_WORK(&a->work, flush_and_look);
	INIT_WORK(&b->work, look);
	cr_assert_eq(work_busy(&a->work), 0);
	schedule_work(&a->work);
	schedule_work(&b->work);
	cr_assert_eq(work_busy(&a->work), WORK_BUSY_PENDING);
	cr_assert_null(current_work());
	jif_workqueue_run(&queue, 1);
	cr_assert_eq(current, &b->work);
	cr_assert_eq(work_busy(&a->work), 0);
	cr_assert_null(current_work());
	cancel_work(&b->work);
	schedule_delayed_work(c, 3);
	cr_assert_eq(work_busy(&c->work), WORK_BUSY_PENDING);
}

struct reader {
	bool reads;
	struct rcu_work put;
	struct execute_work late;
};

static struct reader reader;

static void put_reader(struct work_struct *work)
{
	cr_assert_eq(from_work(&reader, to_rcu_work(work), put), &reader);
	cr_assert_not(reader.reads);
	nran++;
}

static void read_and_put(struct work_struct *work)
{
	reader.reads = true;
	cr_assert(queue_rcu_work(system_wq, &reader.put));
	cr_assert_not(queue_rcu_work(system_wq, &reader.put));
	reader.reads = false;
}

Test(linux_work, of_rcu_runs_after_what_reads)
{
	INIT_WORK(&a->work, read_and_put);
	INIT_RCU_WORK(&reader.put, put_reader);
	schedule_work(&a->work);
	expect_ran(1, 1);
	queue_rcu_work(system_wq, &reader.put);
	cr_assert(flush_rcu_work(&reader.put));
	cr_assert_not(flush_rcu_work(&reader.put));
	cr_assert_eq(nran, 2);
}

static void execute(struct work_struct *work)
{
	cr_assert_eq(work, &reader.late.work);
	nran++;
}

static int executed;

static void execute_in_handler(void)
{
	jif_sim.irq = NULL;
	cr_assert_null(current_work(), "a handler is no work");
	executed = execute_in_process_context(execute, &reader.late);
}

static void let_interrupt_in(struct work_struct *work)
{
	jif_sim.irq = execute_in_handler;
	jif_now();
	(void)work_busy(work);
}

Test(linux_work, is_made_where_a_handler_may_not_call)
{
	cr_assert_eq(execute_in_process_context(execute, &reader.late), 0);
	cr_assert_eq(nran, 1);
	INIT_WORK(&a->work, let_interrupt_in);
	schedule_work(&a->work);
	jif_workqueue_run(&queue, 1);
	cr_assert_eq(executed, 1);
	cr_assert_eq(nran, 1);
	expect_ran(1, 2);
}

Test(linux_work, has_the_constants_of_the_kernel)
{
	cr_assert_eq(WQ_MAX_ACTIVE, 512);
	cr_assert_eq(WQ_DFL_ACTIVE, 256);
	cr_assert_eq(TIMER_INIT_FLAGS, 0x00380000);
	cr_assert_eq(NEXT_TIMER_MAX_DELTA, 0x3fffffff);
}

/* A handler that comes right after the timer was taken off for its callback. */
static void cancel_in_window(void)
{
	if (a->work.armed && !timer_pending(&a->timer)) {
		jif_sim.irq = NULL;
		cr_assert(delayed_work_pending(a));
		cr_assert(cancel_delayed_work(a));
	}
}

static void delay_in_window(void)
{
	if (a->work.armed && !timer_pending(&a->timer)) {
		jif_sim.irq = NULL;
		cr_assert(mod_delayed_work(system_wq, a, 4));
	}
}

Test(linux_work, delayed_anew_between_expiry_and_queueing_runs_once_and_later)
{
	schedule_delayed_work(a, 3);
	jif_sim.irq = delay_in_window;
	pass_to(6);
	cr_assert(!jif_sim.irq, "there was such a moment");
	cr_assert_eq(nran, 0);
	expect_ran(7, 1);
}

Test(linux_work, cancelled_between_expiry_and_queueing_does_not_run)
{
	schedule_delayed_work(a, 3);
	jif_sim.irq = cancel_in_window;
	pass_to(5);
	cr_assert(!jif_sim.irq, "there was such a moment");
	cr_assert_eq(nran, 0);
}
