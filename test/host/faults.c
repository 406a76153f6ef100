/* SPDX-License-Identifier: MIT */
/*
 * test/host/faults.c - system calls that fail under a service or a loop
 *
 * This program has these calls itself, before the C library has them. After an
 * error, nothing is left, and the next attempt is right.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <jif/host/service.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "tap.h"

#define MS	   UINT64_C(1000000)
#define WORKERS	   2
#define SIGNALS	   50

#define NEXT(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

static struct jif_service service;
static struct jif_worker workers[WORKERS];
static struct jif_call calls[4];
static struct jif_job job;
static sem_t ran;
/* Which call fails, from 1 on, and with which error. */
static int create_at, timer_at, timer_error;
static int unjoined;	/* so many threads that nobody has waited for */
static int interrupted; /* so many calls of read() */
static clockid_t clock_asked;
static int flags_asked;
static pthread_t handled_by;
static volatile sig_atomic_t handled, handled_elsewhere;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		   void *(*run)(void *), void *argument)
{
	int err;

	if (create_at && !--create_at)
		return EAGAIN;
	err = NEXT(pthread_create)(thread, attributes, run, argument);
	JIF_FETCH_ADD(&unjoined, !err, RELAXED);
	return err;
}

int pthread_join(pthread_t thread, void **result)
{
	JIF_FETCH_ADD(&unjoined, -1, RELAXED);
	return NEXT(pthread_join)(thread, result);
}

int timerfd_create(clockid_t clock, int flags)
{
	clock_asked = clock;
	flags_asked = flags;
	if (timer_at && !--timer_at) {
		errno = timer_error;
		return -1;
	}
	return NEXT(timerfd_create)(clock, flags);
}

/* What the clocks show, if it is set. */
static struct timespec shown;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	if (!shown.tv_sec || clock != CLOCK_MONOTONIC)
		return NEXT(clock_gettime)(clock, now);
	*now = shown;
	return 0;
}

static struct itimerspec set;
static unsigned sets;

int timerfd_settime(int fd, int flags, const struct itimerspec *value,
		    struct itimerspec *old)
{
	set = *value;
	sets += flags == TFD_TIMER_ABSTIME && !old ? 1 : 100;
	return NEXT(timerfd_settime)(fd, flags, value, old);
}

/* Only what waits for a timer reads here. */
ssize_t read(int fd, void *bytes, size_t size)
{
	if (size == sizeof(uint64_t) &&
	    __atomic_load_n(&interrupted, __ATOMIC_SEQ_CST) > 0) {
		__atomic_sub_fetch(&interrupted, 1, __ATOMIC_SEQ_CST);
		errno = EINTR;
		return -1;
	}
	return NEXT(read)(fd, bytes, size);
}

static int run(struct jif_job *expired)
{
	sem_post(&ran);
	return 0;
}

/* How many there are of what a process has: fd or task. */
static int count(const char *path)
{
	DIR *folder = opendir(path);
	int n = -1;

	for (; folder && readdir(folder); n++)
		;
	if (folder)
		closedir(folder);
	return n;
}

/* A thread that was joined may be there for a moment: the least of many. */
static int count_tasks(void)
{
	int n, least = INT_MAX;

	for (unsigned i = 0; i < 100; i++) {
		n = count("/proc/self/task");
		least = n < least ? n : least;
		usleep(100);
	}
	return least;
}

static void make(void)
{
	service = (struct jif_service){ .workers = workers,
					.worker_count = WORKERS,
					.calls = calls,
					.call_count = 4 };
	ok(!jif_service_init(&service), "a service is initialised");
	jif_job_init(&service, &job, run);
}

/* It runs a job, and ends. */
static void works(const char *name)
{
	int err = jif_service_start(&service);

	if (!err) {
		(void)!jif_job_add(&job, jif_service_now(&service) + MS);
		await(&ran);
		err = jif_service_stop(&service, NULL);
	}
	is(err, 0, name);
}

/* The name of a test begins with that of the fault. */
static const char *named(const char *fault, const char *what)
{
	static char text[128];

	snprintf(text, sizeof(text), "%s: %s", fault, what);
	return text;
}

static void fails(int want, const char *fault)
{
	int files = count("/proc/self/fd"), tasks = count_tasks();

	is(jif_service_start(&service), want, named(fault, "an error"));
	is(count("/proc/self/fd"), files,
	   named(fault, "no descriptor is left"));
	is(count_tasks(), tasks, named(fault, "no thread is left"));
	works(named(fault, "it starts when that is over"));
}

static void count_signal(int number)
{
	if (pthread_equal(pthread_self(), handled_by))
		handled++;
	else
		handled_elsewhere++;
}

static unsigned signals_blocked(void)
{
	sigset_t mask;
	unsigned n = 0;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	for (int i = 1; i < SIGRTMAX; i++)
		n += sigismember(&mask, i) == 1;
	return n;
}

/* As long as this thread takes none, another one that could would get it. */
static void take_signals(void)
{
	struct sigaction how = { .sa_handler = count_signal };
	unsigned before = signals_blocked();
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);

	handled_by = pthread_self();
	sigaction(SIGCHLD, &how, NULL);
	is(jif_service_start(&service), 0, "a service that gets signals");
	is(signals_blocked(), before, "as do those who start it");
	for (int i = 0; i < SIGNALS; i++) {
		pthread_sigmask(SIG_BLOCK, &child, NULL);
		kill(getpid(), SIGCHLD);
		(void)!jif_job_add(&job, jif_service_now(&service));
		await(&ran);
		pthread_sigmask(SIG_UNBLOCK, &child, NULL);
	}
	is(jif_service_stop(&service, NULL), 0, "stops");
	is(handled, SIGNALS, "each came to the program's own thread");
	is(handled_elsewhere, 0, "and none to the service's");
}

static void fail_loops(void)
{
	static struct jif_loop loop;

	timer_at = 1;
	timer_error = ENFILE;
	is(jif_loop_init(&loop), -ENFILE, "a loop without a descriptor");
	is(jif_loop_init(&loop), 0, "a loop with one");
	is(clock_asked, CLOCK_MONOTONIC, "of the clock that nobody sets");
	is(flags_asked, TFD_CLOEXEC | TFD_NONBLOCK, "which does not wait");
	jif_loop_shutdown(&loop);
	loop.boottime = true;
	is(jif_loop_init(&loop), 0, "a loop that goes on in a suspend");
	is(clock_asked, CLOCK_BOOTTIME, "has the clock that does");
	jif_loop_shutdown(&loop);
}

/* Once since the last look, to that time. */
static bool is_set_to(time_t s, long ns)
{
	bool right = sets == 1 && set.it_value.tv_sec == s &&
		     set.it_value.tv_nsec == ns && !set.it_interval.tv_sec &&
		     !set.it_interval.tv_nsec;

	if (!right)
		printf("# %u times, last to %lld.%09ld\n", sets,
		       (long long)set.it_value.tv_sec, set.it_value.tv_nsec);
	sets = 0;
	return right;
}

static void nothing(struct jif_timer *timer)
{
}

static struct jif_loop loop;

/* Sooner than what the kernel's timer is set to; but not the third time. */
static void go_on(struct jif_timer *timer)
{
	static unsigned n;

	if (n++ != 2)
		jif_loop_add(&loop, timer, 0);
}

static uint64_t an_hour(const struct jif_loop *of)
{
	return 3600000 * MS;
}

static void dirty(struct jif_loop *loop, uint64_t tick_ns)
{
	memset(loop, 0xa5, sizeof(*loop));
	loop->tick_ns = tick_ns;
	loop->boottime = false;
	loop->clock = NULL;
	sets = 0;
}

/* The seconds do not fit into 32 bits; no machine has run for that long. */
static void set_timers(void)
{
	struct jif_timer early = JIF_TIMER_INIT(nothing);
	struct jif_timer late = JIF_TIMER_INIT(nothing);
	struct itimerspec past = { .it_value.tv_nsec = 1 };
	uint64_t s = 1000 * MS, now = 5000000000 * s + 123456789;

	shown = (struct timespec){ 5000000000, 123456789 };
	dirty(&loop, 0);
	is((long long)jif_loop_now(&loop), (long long)now, "nanoseconds");
	is(jif_loop_init(&loop), 0, "with memory that is not zero");
	ok(is_set_to(5001073741, 947000000), "sleeps for JIF_SLEEP_MAX ticks");
	jif_loop_run(&loop);
	is(sets, 0, "a run before changes nothing");
	jif_loop_add(&loop, &late, now + 2 * s);
	ok(is_set_to(5000000002, 124000000), "until the end of a tick");
	jif_loop_add(&loop, &early, now - now % MS + s);
	ok(is_set_to(5000000001, 123000000), "or its beginning, if it is that");
	jif_loop_mod(&loop, &late, now + 3 * s);
	is(sets, 0, "what is later changes nothing");
	shown.tv_sec++;
	jif_loop_run(&loop);
	ok(!jif_timer_pending(&early) && is_set_to(5000000003, 124000000),
	   "after a run, until what was moved");
	timerfd_settime(loop.fd, TFD_TIMER_ABSTIME, &past, NULL);
	interrupted = 3;
	sets = 0;
	jif_loop_run(&loop);
	ok(!interrupted && is_set_to(5000000003, 124000000),
	   "a run that is interrupted takes the wake-up");
	jif_loop_run(&loop);
	is(sets, 0, "once");
	is(jif_loop_add(&loop, &late, 0), -JIF_EBUSY, "what is pending");
	jif_loop_add(&loop, &early, now + 3 * s);
	is(sets, 0, "is not armed anew, nor set for what is due with it");
	jif_loop_shutdown(&loop);
}

/* At a tick, with what is armed for it, in a run, and too far. */
static void set_next_timers(void)
{
	struct jif_timer again = JIF_TIMER_INIT(go_on);
	struct jif_timer far = JIF_TIMER_INIT(nothing);
	uint32_t expires;

	shown = (struct timespec){ 5000000000, 0 };
	dirty(&loop, 0);
	jif_loop_init(&loop);
	sets = 0;
	is(jif_loop_expires(&loop, 5000000000 * 1000 * MS + 1, &expires), 0,
	   "a time has a tick");
	is(expires, (uint32_t)(5000000000 * 1000 + 1), "of 32 bits");
	jif_loop_add(&loop, &far, 5002147483 * 1000 * MS + 647 * MS);
	is(sets, 0, "what is further than a sleep sets nothing");
	jif_loop_add(&loop, &again, 5000000000 * 1000 * MS);
	ok(is_set_to(5000000000, 1000000),
	   "what is due is so on the next tick");
	for (unsigned i = 1; i < 3; i++) {
		shown.tv_nsec = i * 1000000;
		jif_loop_run(&loop);
		ok(is_set_to(5000000000, (i + 1) * 1000000),
		   "what a callback arms, once at the end of the run");
	}
	shown.tv_nsec = 3000000;
	jif_loop_run(&loop);
	ok(is_set_to(5001073741, 827000000), "then for the longest sleep");
	jif_loop_add(&loop, &again, 5000000000 * 1000 * MS + 5 * MS);
	ok(is_set_to(5000000000, 5000000), "or less");
	shown.tv_nsec = 5000000;
	jif_loop_run(&loop);
	ok(is_set_to(5000000000, 6000000),
	   "once, also if that is before what the run was for");
	jif_loop_shutdown(&loop);
}

/* What is too far for the kernel's clock, and a clock of the program's own. */
static void set_other_timers(void)
{
	struct jif_timer timer = JIF_TIMER_INIT(nothing);

	dirty(&loop, 3600000 * MS);
	jif_loop_init(&loop);
	sets = 0;
	jif_loop_add(&loop, &timer, UINT64_MAX - 3600000 * MS);
	is(sets, 0, "what is further than 292 years sets nothing");
	jif_loop_mod(&loop, &timer, 0);
	ok(is_set_to(5000000400, 0), "the next hour");
	jif_timer_del(&loop.wheel, &timer);
	shown.tv_sec += 3600;
	jif_loop_run(&loop);
	ok(is_set_to(9223372036, 854775807), "as far as it reaches");
	jif_loop_shutdown(&loop);

	dirty(&loop, MS);
	loop.clock = an_hour;
	jif_loop_init(&loop);
	jif_loop_add(&loop, &timer, 0);
	is(sets, 0, "a clock of its own sets no timer of the kernel");
	jif_loop_shutdown(&loop);
	shown.tv_sec = 0;
}

int main(void)
{
	unsigned blocked = signals_blocked();

	sem_init(&ran, 0, 0);
	make();
	works("without a fault");
	timer_at = 1;
	timer_error = EMFILE;
	fails(-EMFILE, "no descriptor for its timer");
	make();
	create_at = 1;
	fails(-EAGAIN, "the clock has no thread");
	create_at = 2;
	fails(-EAGAIN, "the first worker has none");
	create_at = 1 + WORKERS;
	fails(-EAGAIN, "the last worker has none");
	interrupted = 5;
	works("a wait that is interrupted goes on");
	is(interrupted, 0, "it was");
	is(signals_blocked(), blocked, "no signal was blocked for long");
	take_signals();
	fail_loops();
	set_timers();
	set_next_timers();
	set_other_timers();
	is(unjoined, 0,
	   "each thread that was made is waited for, and no other");
	return tap_end();
}
