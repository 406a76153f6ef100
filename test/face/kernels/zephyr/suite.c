/* SPDX-License-Identifier: MIT */
/*
 * usage: zephyr-suite
 *
 * The tests of SUITE, each in a process of its own, with FRONT_END in place of
 * Zephyr's kernel/timeout.c and TIMER in place of its kernel/timer.c, or these:
 * one thread, time that is counted and passes when a test waits.
 */
#include "kernel.h"

#include <sys/wait.h>
#include <unistd.h>

#include FRONT_END

/* The clock; the last announcement was at base. */
static struct hardware {
	uint64_t now, base, alarm, settings, wakes, stops;
	bool handles;
} hw;

int test_cpu;
bool test_sloppy;
unsigned test_locks;
/* Called where an interrupt, or another processor, may come in between. */
static void (*test_in_between)(void);

#include TIMER

sys_clock_ticks_t sys_clock_elapsed(void)
{
	return (sys_clock_ticks_t)((hw.now - hw.base) / CYCLES_PER_TICK);
}

void sys_clock_set_timeout(sys_clock_ticks_t ticks, bool idle)
{
	uint64_t at = sys_clock_elapsed() + (uint64_t)ticks;

	(void)idle;
	hw.settings++;
	if (at > INT64_MAX / 2) {
		hw.alarm = UINT64_MAX;
		return;
	}
	if (!ticks)
		at++;
	hw.alarm = hw.base + at * CYCLES_PER_TICK;
}

void sys_clock_no_timeout(void)
{
	hw.stops++;
	hw.alarm = UINT64_MAX;
}

static void sys_clock_announce(sys_clock_ticks_t ticks)
{
	sys_clock_announce_locked(ticks, sys_clock_lock());
}

static void interrupt(void)
{
	sys_clock_ticks_t ticks;

	while (!hw.handles && !test_locks && hw.now >= hw.alarm) {
		ticks = sys_clock_elapsed();
		hw.alarm = UINT64_MAX;
		hw.base += (uint64_t)ticks * CYCLES_PER_TICK;
		hw.wakes++;
		hw.handles = true;
		sys_clock_announce(ticks);
		hw.handles = false;
	}
}

void test_window(void)
{
	if (test_locks)
		return;
	if (test_in_between)
		test_in_between();
	interrupt();
}

static void k_busy_wait(uint64_t us)
{
	uint64_t end = hw.now + us;

	while (!hw.handles && !test_locks && hw.alarm <= end) {
		hw.now = MAX(hw.now, hw.alarm);
		interrupt();
	}
	hw.now = MAX(hw.now, end);
}

#define Z_SPIN_DELAY k_busy_wait

struct sleeper {
	struct _timeout to;
	bool woken;
};

static struct k_thread this_thread, *other_thread;

static void wake(struct _timeout *to)
{
	CONTAINER_OF(to, struct sleeper, to)->woken = true;
}

/* The other thread runs as soon as this one waits, and to its end. */
static int wait_for(const unsigned *is, k_timeout_t timeout)
{
	struct sleeper sleeper = { .woken = false };
	struct k_thread *other = other_thread;

	z_add_timeout(&sleeper.to, wake, timeout);
	other_thread = NULL;
	if (other)
		other->fn(NULL, NULL, NULL);
	while (!*is && !sleeper.woken) {
		zassert_true(hw.alarm != UINT64_MAX);
		hw.now = MAX(hw.now, hw.alarm);
		interrupt();
	}
	z_try_abort_timeout(&sleeper.to);
	return *is ? 0 : -EAGAIN;
}

int z_pend_curr(struct k_spinlock *lock, k_spinlock_key_t key, _wait_q_t *queue,
		k_timeout_t timeout)
{
	this_thread.ready = 0;
	queue->thread = &this_thread;
	k_spin_unlock(lock, key);
	return wait_for(&this_thread.ready, timeout);
}

struct k_thread *z_unpend1_no_timeout(_wait_q_t *queue)
{
	struct k_thread *thread = queue->thread;

	queue->thread = NULL;
	return thread;
}

static void k_sleep(k_timeout_t timeout)
{
	static const unsigned never;

	wait_for(&never, timeout);
}

#define k_usleep(us) k_sleep(K_TICKS(k_us_to_ticks_ceil64(us)))
#define k_msleep(ms) k_sleep(K_MSEC(ms))

static int64_t k_uptime_delta(int64_t *since)
{
	int64_t before = *since;

	*since = k_uptime_get();
	return *since - before;
}

static void k_sem_init(struct k_sem *sem, unsigned count, unsigned most)
{
	(void)most;
	sem->count = count;
}

static void k_sem_give(struct k_sem *sem)
{
	sem->count = 1;
}

static int k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
	int ret = wait_for(&sem->count, timeout);

	sem->count = 0;
	return ret;
}

static void k_thread_create(struct k_thread *thread, char *stack, size_t size,
			    void (*fn)(void *, void *, void *), ...)
{
	(void)stack;
	(void)size;
	thread->fn = fn;
	other_thread = thread;
}

#define k_thread_join(thread, timeout) zassert_true(!other_thread)

#include SUITE

static int run(const struct ztest *test)
{
	pid_t child = fork();
	int status = 0;

	if (child) {
		waitpid(child, &status, 0);
		return status;
	}
	alarm(20);
	ztest_now = test;
	/* A machine has been up for a while when tests begin. */
	k_busy_wait(5000);
	if (ztest_setup)
		ztest_setup();
	test->fn();
	exit(0);
}

int main(void)
{
	unsigned count = 0, failed = 0;
	int status;

	for (const struct ztest *test = ztests; test; test = test->next) {
		fflush(stdout);
		status = run(test);
		count++;
		if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) {
			printf("ok %u - %s # SKIP\n", count, test->name);
			continue;
		}
		failed += status != 0;
		printf("%sok %u - %s\n", status ? "not " : "", count,
		       test->name);
	}
	printf("1..%u\n", count);
	return failed != 0;
}
