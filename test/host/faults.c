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
#include <jif/service.h>
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

/* Until when a thread waits; it does not, if it is to give up. */
static struct timespec waits_until;
static bool gives_up;

int pthread_cond_timedwait(pthread_cond_t *what, pthread_mutex_t *lock,
			   const struct timespec *end)
{
	waits_until = *end;
	return gives_up ? ETIMEDOUT :
			  NEXT(pthread_cond_timedwait)(what, lock, end);
}

/* A signal wakes any of those that wait: here, one that has to wait on. */
int pthread_cond_signal(pthread_cond_t *what)
{
	if (what == &service.done && service.waiting > 1)
		return 0;
	return NEXT(pthread_cond_signal)(what);
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

/* After it has been woken, the thread of the clock waits for the gate. */
static sem_t clock_gate;
static bool clock_held;

/* Only what waits for a timer reads here. */
ssize_t read(int fd, void *bytes, size_t size)
{
	ssize_t n;

	if (size == sizeof(uint64_t) &&
	    __atomic_load_n(&interrupted, __ATOMIC_SEQ_CST) > 0) {
		__atomic_sub_fetch(&interrupted, 1, __ATOMIC_SEQ_CST);
		errno = EINTR;
		return -1;
	}
	n = NEXT(read)(fd, bytes, size);
	if (__atomic_load_n(&clock_held, __ATOMIC_SEQ_CST))
		await(&clock_gate);
	return n;
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

static sem_t gate;

static int run_held(struct jif_job *expired)
{
	sem_post(&ran);
	await(&gate);
	return expired != &job;
}

/* At 5,000,000,000.9 s; more than 68 years is these. */
static void stop_in_time(void)
{
	static const struct {
		uint64_t ns;
		struct timespec end;
	} rows[] = {
		{ 5 * MS, { 5000000000, 905000000 } },
		{ 100 * MS, { 5000000001, 0 } },
		{ 1200 * MS, { 5000000002, 100000000 } },
		{ 2147483647999 * MS, { 7147483648, 899000000 } },
		{ 2147483648000 * MS, { 7147483647, 900000000 } },
		{ UINT64_MAX, { 7147483647, 900000000 } },
	};

	make();
	job.fn = run_held;
	sem_init(&gate, 0, 0);
	jif_service_start(&service);
	(void)!jif_job_add(&job, jif_service_now(&service));
	await(&ran);
	gives_up = true;
	shown = (struct timespec){ 5000000000, 900000000 };
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		jif_service_stop_in(&service, NULL, rows[i].ns);
		ok(waits_until.tv_sec == rows[i].end.tv_sec &&
			   waits_until.tv_nsec == rows[i].end.tv_nsec,
		   "a stop waits for so long");
	}
	shown.tv_sec = 0;
	gives_up = false;
	sem_post(&gate);
	is(jif_service_stop(&service, NULL), 0, "until all has ended");
}

static const struct jif_job *told;
static uint64_t told_ns;

static void tell(struct jif_service *s, const struct jif_call *call, int err,
		 uint64_t ns)
{
	if (err == -JIF_ETIMEDOUT) {
		told_ns = ns;
		__atomic_store_n(&told, call->job, __ATOMIC_RELEASE);
	}
}

/* Until the watch waits until then; the clocks are shown to it anew. */
static void await_watch(time_t s, long ns, const char *name)
{
	bool same;

	do {
		usleep(100);
		pthread_mutex_lock(&service.lock);
		same = waits_until.tv_sec == 5000000000 + s &&
		       waits_until.tv_nsec == ns;
		pthread_mutex_unlock(&service.lock);
	} while (!same);
	ok(same, name);
}

static void show(time_t s, long ns)
{
	pthread_mutex_lock(&service.lock);
	shown = (struct timespec){ 5000000000 + s, ns };
	waits_until.tv_sec = 0;
	pthread_mutex_unlock(&service.lock);
	jif_service_wake(&service);
}

/* Two callbacks, of 5 s at most each; no clock goes on by itself. */
static void watch_in_time(void)
{
	static struct jif_job other;

	shown = (struct timespec){ 5000000000, 0 };
	service.slow_ns = 5000 * MS;
	service.report = tell;
	jif_service_start(&service);
	jif_job_init(&service, &other, run_held);
	(void)!jif_job_add(&job, 0);
	show(0, 1000000);
	await(&ran);
	await_watch(5, 1000000, "a watch waits until a callback is slow");
	(void)!jif_job_add(&other, 0);
	show(2, 0);
	await(&ran);
	show(3, 0);
	await_watch(5, 1000000, "or the first of them");
	show(5, 500000000);
	await_watch(7, 0, "then until the next one is");
	ok(__atomic_load_n(&told, __ATOMIC_ACQUIRE) == &job &&
		   told_ns == 5499 * MS,
	   "and has told of that which was");
	show(7, 0);
	while (__atomic_load_n(&told, __ATOMIC_ACQUIRE) != &other)
		usleep(100);
	is((long long)told_ns, 5000 * MS, "as of the next one, on time");
	gives_up = true;
	is(jif_service_stop_in(&service, NULL, 0), -JIF_ETIMEDOUT, "a stop");
	is((long long)told_ns, told == &job ? 6999 * MS : 5000 * MS,
	   "tells for how long, too");
	gives_up = false;
	sem_post(&gate);
	sem_post(&gate);
	is(jif_service_stop(&service, NULL), 0, "until both have ended");
	shown.tv_sec = 0;
}

/* struct gated - a job, and what its callback waits for */
struct gated {
	struct jif_job job;
	sem_t gate;
};

static int run_gated(struct jif_job *expired)
{
	sem_post(&ran);
	await(&jif_container_of(expired, struct gated, job)->gate);
	return 0;
}

static void arm_gated(struct gated *gated)
{
	jif_job_init(&service, &gated->job, run_gated);
	sem_init(&gated->gate, 0, 0);
	(void)!jif_job_add(&gated->job, 0);
}

/* It runs in that worker, and ends. */
static void end_gated(const struct jif_worker *worker)
{
	bool busy;

	pthread_mutex_lock(&service.lock);
	sem_post(&jif_container_of(worker->call.job, struct gated, job)->gate);
	pthread_mutex_unlock(&service.lock);
	do {
		usleep(100);
		pthread_mutex_lock(&service.lock);
		busy = worker->busy;
		pthread_mutex_unlock(&service.lock);
	} while (busy);
}

/* The one that begins last is in that worker. */
static void watch_the_first(struct jif_worker *last)
{
	static struct gated gated[WORKERS], next;

	shown = (struct timespec){ 5000000000, 0 };
	jif_service_start(&service);
	for (unsigned i = 0; i < WORKERS; i++)
		arm_gated(&gated[i]);
	show(0, 1000000);
	for (unsigned i = 0; i < WORKERS; i++)
		await(&ran);
	end_gated(last);
	arm_gated(&next);
	show(2, 0);
	await(&ran);
	show(3, 0);
	await_watch(5, 1000000, "it waits for the first, whoever runs that");
	for (unsigned i = 0; i < WORKERS; i++)
		end_gated(&workers[i]);
	jif_service_stop(&service, NULL);
	shown.tv_sec = 0;
}

static sem_t telling, told_gate;

static void hold_report(struct jif_service *s, const struct jif_call *call,
			int err, uint64_t ns)
{
	tell(s, call, err, ns);
	sem_post(&telling);
	await(&told_gate);
}

static void *stop_at_once(void *arg)
{
	jif_service_stop_in(&service, NULL, 0);
	return arg;
}

static void *stop(void *arg)
{
	*(int *)arg = jif_service_stop(&service, NULL);
	return NULL;
}

static void *delete (void *arg)
{
	jif_job_del_sync(&job);
	return arg;
}

/* Until so many threads run, and so many wait for the end of something. */
static void await_service(unsigned alive, unsigned waiting)
{
	bool so;

	do {
		usleep(100);
		pthread_mutex_lock(&service.lock);
		so = service.alive == alive && service.waiting == waiting;
		pthread_mutex_unlock(&service.lock);
	} while (!so);
}

/* One waits for a report by who has given up, one for the last thread. */
static void two_wait_for_ends(void)
{
	pthread_t hasty, patient, other;
	int result = -1;

	make();
	job.fn = run_held;
	service.report = hold_report;
	sem_init(&telling, 0, 0);
	sem_init(&told_gate, 0, 0);
	sem_init(&clock_gate, 0, 0);
	jif_service_start(&service);
	(void)!jif_job_add(&job, jif_service_now(&service));
	await(&ran);
	__atomic_store_n(&clock_held, true, __ATOMIC_SEQ_CST);
	pthread_create(&hasty, NULL, stop_at_once, NULL);
	await(&telling);
	sem_post(&gate);
	await_service(1, 0);
	pthread_create(&other, NULL, delete, NULL);
	await_service(1, 1);
	pthread_create(&patient, NULL, stop, &result);
	await_service(1, 2);
	__atomic_store_n(&clock_held, false, __ATOMIC_SEQ_CST);
	sem_post(&clock_gate);
	pthread_join(patient, NULL);
	is(result, 0, "a stop sees the last thread end, though others wait");
	sem_post(&told_gate);
	pthread_join(hasty, NULL);
	pthread_join(other, NULL);
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
	stop_in_time();
	watch_in_time();
	watch_the_first(&workers[0]);
	watch_the_first(&workers[1]);
	two_wait_for_ends();
	fail_loops();
	set_timers();
	set_next_timers();
	set_other_timers();
	is(unjoined, 0,
	   "each thread that was made is waited for, and no other");
	return tap_end();
}
