/* SPDX-License-Identifier: MIT */
/* Misuse of loops and services */
#include <jif/host/service.h>
#include <setjmp.h>

#include "../../wheel/unit/damage.h"
#include "../../wheel/unit/misuse.h"
#include "../../wheel/unit/unit.h"

static struct jif_loop loop;
static struct jif_timer timer;
static unsigned calls;
static uint64_t time_ns;

static uint64_t clock_ns(const struct jif_loop *of)
{
	return time_ns;
}

static jmp_buf out;
static bool leaves;

static void on_timer(struct jif_timer *t)
{
	calls++;
	if (leaves)
		longjmp(out, 1);
	cr_assert_eq(jif_loop_run(&loop), -JIF_EINVAL);
}

static void init_loop(void)
{
	calls = 0;
	leaves = false;
	time_ns = 1000000000;
	loop = (struct jif_loop){ .clock = clock_ns };
	cr_assert_eq(jif_loop_init(&loop), 0);
	jif_timer_init(&timer, on_timer);
}

HAPPENS(add_to_zeroed_loop, init_loop(), memset(&loop, 0, sizeof(loop)),
	cr_assert_eq(jif_loop_add(&loop, &timer, 1), -JIF_EINVAL))
HAPPENS(run_zeroed_loop, init_loop(), memset(&loop, 0, sizeof(loop)),
	cr_assert_eq(jif_loop_run(&loop), -JIF_EINVAL))
AFTER(init_loop_with_too_short_a_tick, loop = (struct jif_loop){ .tick_ns = 1 },
      cr_assert_eq(jif_loop_init(&loop), -JIF_EINVAL))
HAPPENS(add_pending_to_loop, init_loop(),
	cr_assert_eq(jif_loop_add(&loop, &timer, time_ns + 5000000), 0),
	cr_assert_eq(jif_loop_add(&loop, &timer, time_ns), -JIF_EBUSY))
HAPPENS(add_delay_to_loop, init_loop(),
	cr_assert_eq(jif_loop_add(&loop, &timer, 500000000), 0),
	cr_assert_eq(jif_loop_mod(&loop, &timer, time_ns), 1))
HAPPENS(add_to_loop_at_once, init_loop(),
	cr_assert_eq(jif_loop_add(&loop, &timer, 0), 0),
	cr_assert_eq(jif_loop_mod(&loop, &timer, time_ns), 1))
AFTER(add_too_far_to_loop, init_loop(),
      cr_assert_eq(jif_loop_add(&loop, &timer, UINT64_MAX), -JIF_ERANGE))

static void ask_loop_too_far(void)
{
	uint32_t expires;

	init_loop();
	cr_assert_eq(jif_loop_expires(&loop, UINT64_MAX, &expires),
		     -JIF_ERANGE);
}

static void run_loop_in_callback(void)
{
	init_loop();
	cr_assert_eq(jif_loop_add(&loop, &timer, time_ns), 0);
	time_ns += 5000000;
	cr_assert_eq(jif_loop_run(&loop), 0);
	cr_assert_eq(calls, 1);
}

static void leave_run_of_loop(void)
{
	init_loop();
	leaves = true;
	cr_assert_eq(jif_loop_add(&loop, &timer, time_ns), 0);
	time_ns += 5000000;
	if (!setjmp(out))
		jif_loop_run(&loop);
	cr_assert_eq(calls, 1);
	cr_assert_eq(jif_loop_run(&loop), -JIF_EINVAL);
}

static void shut_loop_down_twice(void)
{
	init_loop();
	jif_loop_shutdown(&loop);
	jif_loop_shutdown(&loop);
	cr_assert_eq(jif_loop_add(&loop, &timer, time_ns), -JIF_ECANCELED);
	cr_assert_eq(jif_loop_run(&loop), -JIF_ECANCELED);
}

static void init_timer_of_loop(void)
{
	init_loop();
	cr_assert_eq(jif_loop_add(&loop, &timer, time_ns), 0);
	jif_timer_init(&timer, on_timer);
	time_ns += 5000000;
	jif_loop_run(&loop);
}

static struct jif_service service;
static struct jif_job job;
static int result;

static int on_job(struct jif_job *j)
{
	result = jif_service_stop(&service, NULL);
	calls++;
	jif_service_lock(&service);
	jif_service_unlock(&service);
	return 0;
}

static void start_service_by(uint64_t (*clock)(const struct jif_loop *of))
{
	calls = 0;
	memset(&service, 0, sizeof(service));
	service.loop.clock = clock;
	cr_assert_eq(jif_service_init(&service), 0);
	cr_assert_eq(jif_service_start(&service), 0);
	jif_job_init(&service, &job, on_job);
}

static void start_service(void)
{
	start_service_by(NULL);
}

/* Time stands still. */
static void start_service_at_1s(void)
{
	time_ns = 1000000000;
	start_service_by(clock_ns);
}

static void stop_service(int pending)
{
	cr_assert_eq(jif_service_stop(&service, NULL), pending);
}

AFTER(start_zeroed_service, memset(&service, 0, sizeof(service)),
      cr_assert_eq(jif_service_start(&service), -JIF_EINVAL))
HAPPENS(init_service_with_workers_missing, memset(&service, 0, sizeof(service)),
	service.worker_count = 2,
	cr_assert_eq(jif_service_init(&service), -JIF_EINVAL))

static void start_service_twice(void)
{
	start_service();
	cr_assert_eq(jif_service_start(&service), -JIF_EBUSY);
	stop_service(0);
	cr_assert_eq(jif_service_stop(&service, NULL), -JIF_ECANCELED);
}

HAPPENS(unlock_what_is_not_locked, start_service(),
	jif_service_unlock(&service), stop_service(0))

static void drain_what_is_locked(void)
{
	start_service();
	jif_service_lock(&service);
	cr_assert_eq(jif_service_drain(&service, NULL), -JIF_EDEADLK);
	jif_service_unlock(&service);
	stop_service(0);
}

static void delete_job_of_what_is_locked(void)
{
	start_service();
	jif_service_lock(&service);
	cr_assert_eq(jif_job_del_sync(&job), -JIF_EDEADLK);
	jif_service_unlock(&service);
	stop_service(0);
}

static void stop_service_in_a_job(void)
{
	result = 0;
	start_service();
	cr_assert_eq(jif_job_add(&job, 1), 0);
	while (jif_service_counts(&service).ran == 0)
		;
	cr_assert_eq(result, -JIF_EDEADLK);
	stop_service(0);
}

static int leave_thread(struct jif_job *j)
{
	pthread_exit(NULL);
}

static void end_thread_of_service(void)
{
	start_service();
	jif_job_init(&service, &job, leave_thread);
	cr_assert_eq(jif_job_add(&job, 1), 0);
	while (jif_service_running(&service))
		;
	cr_assert_eq(jif_job_add(&job, 1), -JIF_ECANCELED);
	stop_service(0);
}

static void add_pending_job(void)
{
	uint64_t later_ns;

	start_service();
	later_ns = jif_service_now(&service) + UINT64_C(60000000000);
	cr_assert_eq(jif_job_add(&job, later_ns), 0);
	cr_assert_eq(jif_job_add(&job, later_ns), -JIF_EBUSY);
	stop_service(1);
}

/* It is on the wheel, not in an inbox. */
static void add_job_of_the_wheel(void)
{
	start_service();
	jif_service_lock(&service);
	cr_assert_eq(jif_job_add_in(&job, UINT64_C(60000000000)), 0);
	cr_assert_eq(jif_job_add_in(&job, UINT64_C(60000000000)), -JIF_EBUSY);
	jif_service_unlock(&service);
	stop_service(1);
}

static void add_before_start(void)
{
	memset(&service, 0, sizeof(service));
	cr_assert_eq(jif_service_init(&service), 0);
	jif_job_init(&service, &job, on_job);
	cr_assert_eq(jif_job_add_in(&job, 1), -JIF_ECANCELED);
}

HAPPENS(add_job_too_far, start_service(),
	cr_assert_eq(jif_job_add_in(&job, UINT64_MAX / 2), -JIF_ERANGE),
	stop_service(0))
HAPPENS(start_job_for_no_times, start_service(),
	cr_assert_eq(jif_job_start(&job, jif_times_every(0, 1, 2)),
		     -JIF_EINVAL),
	stop_service(0))
HAPPENS(add_key_without_table, start_service(),
	cr_assert_eq(jif_service_set(&service, jif_key_number(1), NULL,
				     jif_times_once(0)),
		     -JIF_EINVAL),
	stop_service(0))

static struct jif_entry entry;
static uint8_t key_bytes[JIF_KEY_BYTES(1, 0, 0, 4)];

static int on_key(struct jif_service *s, struct jif_key key, void *value)
{
	return 0;
}

static void start_keys(void)
{
	memset(&service, 0, sizeof(service));
	service.table.entries = &entry;
	service.table.capacity = 1;
	service.table.hash = jif_key_hash;
	service.key_fn = on_key;
	service.key_bytes = key_bytes;
	service.key_size = 4;
	cr_assert_eq(jif_service_init(&service), 0);
	cr_assert_eq(jif_service_start(&service), 0);
}

HAPPENS(set_key_too_far, start_keys(),
	cr_assert_eq(jif_service_set(&service, jif_key_number(1), NULL,
				     jif_times_once(UINT64_MAX / 2)),
		     -JIF_ERANGE),
	stop_service(0))
HAPPENS(move_key_too_far, start_keys(),
	cr_assert_eq(jif_service_move(&service, jif_key_number(1),
				      UINT64_MAX / 2),
		     -JIF_ERANGE),
	stop_service(0))
HAPPENS(set_too_long_a_key, start_keys(),
	cr_assert_eq(jif_service_set(&service, jif_key_bytes("five5", 5), NULL,
				     jif_times_once(0)),
		     -JIF_EINVAL),
	stop_service(0))

/* All of it happens every day, and none is reported. */
static void arm_as_one_may(void)
{
	uint64_t over;

	time_ns = 1000000000;
	over = time_ns - 1000000;
	start_service_by(clock_ns);
	cr_assert_eq(jif_job_add(&job, over), 0);
	cr_assert_eq(jif_job_mod_in(&job, 60000000), 1);
	cr_assert_eq(jif_job_mod_in(&job, 60000000), 1);
	stop_service(1);
	cr_assert_eq(jif_job_add_in(&job, 1), -JIF_ECANCELED);
}

HAPPENS(add_delay_to_job, start_service_at_1s(),
	cr_assert_eq(jif_job_add(&job, 500000000), 0), stop_service(1))
HAPPENS(start_job_by_a_delay, start_service_at_1s(),
	cr_assert_eq(jif_job_start(&job, jif_times_once(500000000)), 0),
	stop_service(1))

static void use_zeroed_job(void)
{
	memset(&job, 0, sizeof(job));
	cr_assert_eq(jif_job_add(&job, 1), -JIF_EINVAL);
	cr_assert_not(jif_job_del(&job));
	cr_assert_not(jif_job_pending(&job));
	cr_assert_eq(jif_job_del_sync(&job), 0);
}

static void init_pending_job(void)
{
	start_service();
	jif_service_lock(&service);
	cr_assert_eq(jif_job_add(&job, jif_service_now(&service) + 60000000),
		     0);
	jif_job_init(&service, &job, on_job);
	jif_wheel_drain(&service.loop.wheel, NULL);
	jif_service_unlock(&service);
}

#define NO_LOOP "a loop is used that was never initialised"
#define DELAY	"a time is before the loop or service was made"
#define IN_RUN	"a loop is run within a run, or was left"
#define FAR	"a delay is too long"
#define BUSY	"a job is added that is pending"
#define WAITS	"a call waits for its own callback or lock"
#define TIMER	"W2: a pending timer was initialised"

const struct misuse misuse_host[] = {
	{ ROW(add_to_zeroed_loop), NO_LOOP, &loop },
	{ ROW(run_zeroed_loop), NO_LOOP, &loop },
	{ ROW(init_loop_with_too_short_a_tick), "a loop has no such tick",
	  &loop },
	{ ROW(add_pending_to_loop), "a timer is added that is pending", &timer,
	  FUNCTION_OF(timer) },
	{ ROW(add_delay_to_loop), DELAY, &timer, FUNCTION_OF(timer) },
	{ ROW(add_to_loop_at_once) },
	{ ROW(add_too_far_to_loop), FAR, &timer, FUNCTION_OF(timer) },
	{ ROW(ask_loop_too_far), FAR, &loop },
	{ ROW(run_loop_in_callback), IN_RUN, &loop },
	{ ROW(leave_run_of_loop), IN_RUN, &loop },
	{ ROW(shut_loop_down_twice) },
	{ ROW(init_timer_of_loop), TIMER, &timer, FUNCTION_OF(timer), DAMAGED },
	{ ROW(start_zeroed_service), "a service was never initialised",
	  &service },
	{ ROW(init_service_with_workers_missing), "a service lacks a field",
	  &service },
	{ ROW(start_service_twice), "a service is started that runs",
	  &service },
	{ ROW(unlock_what_is_not_locked),
	  "a service is unlocked that is not locked", &service },
	{ ROW(drain_what_is_locked), WAITS, &service },
	{ ROW(delete_job_of_what_is_locked), WAITS, &service },
	{ ROW(stop_service_in_a_job), WAITS, &service },
	{ ROW(end_thread_of_service), "a callback has ended a thread",
	  &service },
	{ ROW(add_pending_job), BUSY, &job, &job.fn },
	{ ROW(add_job_of_the_wheel), BUSY, &job, &job.fn },
	{ ROW(add_before_start), "a service was never started", &job, &job.fn },
	{ ROW(add_job_too_far), FAR, &job, &job.fn },
	{ ROW(start_job_for_no_times), "a job or key has no such times",
	  &service },
	{ ROW(add_key_without_table), "a service has no table for keys",
	  &service },
	{ ROW(set_key_too_far), FAR, &service },
	{ ROW(move_key_too_far), FAR, &service },
	{ ROW(set_too_long_a_key), "a key is longer than @key_size", &service },
	{ ROW(arm_as_one_may) },
	{ ROW(add_delay_to_job), DELAY, &job, &job.fn },
	{ ROW(start_job_by_a_delay), DELAY, &job, &job.fn },
	{ ROW(use_zeroed_job), "a job cannot run", &job },
	{ ROW(init_pending_job), TIMER, &job.timer, FUNCTION_OF(job.timer),
	  DAMAGED },
};
const unsigned misuse_host_count = sizeof(misuse_host) / sizeof(misuse_host[0]);
