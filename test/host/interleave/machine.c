/* SPDX-License-Identifier: MIT */
/*
 * test/host/interleave/machine.c - threads of which one runs at a time
 *
 * The calls of the C library that threads use are here once more: the linker
 * takes these. A mutex is glibc's, which says who has it and how often.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "machine.h"

#define THREADS 8
#define TIMERS	4
#define PLACES	4096
#define CHOICES 8192
#define STATES	(UINT64_C(1) << 24)
#define STACK	(256 * 1024)
#define NEVER	UINT64_MAX
#define START	(1000 * MS)
#define NEAR	(100 * MS)
#define LIMIT	(START + 3600 * 1000 * MS)

/* struct thread - one of them, and for what it waits */
struct thread {
	void *(*fn)(void *);
	void *arg;
	uint64_t history; /* a hash of what it has done and seen */
	const volatile void *object;
	const uint64_t *or_at; /* it goes on at its time, or at this one, */
	pthread_mutex_t *lock; /* and if it can have this */
	uint64_t end;	       /* NEVER while it runs */
	volatile void *late;   /* what it has stored, and others do not see */
	uint64_t late_value;   /* what they see */
	char locals[64];
};

/* Static memory is a part of the state, and set back before each schedule. */
uint64_t machine_moved;
static uint64_t now = START;
static struct thread threads[THREADS];
static unsigned count = 1, current, spent;
static uint64_t times[THREADS + TIMERS]; /* 0: it waits for nothing */
static bool blocks[THREADS + TIMERS];
static unsigned timers = THREADS;
static void (*after_fork)(void);
static bool alone;

/* struct machine - all the rest */
static struct machine {
	struct {
		uint8_t chosen, count;
	} choices[CHOICES];
	unsigned depth, known_depth, budget;
	bool failed, tells;
	unsigned long schedules, states;
	jmp_buf explorer;
	ucontext_t contexts[THREADS];
	char stacks[THREADS][STACK];
	uint64_t last[PLACES]; /* the history of who has changed it last */
	uint64_t hashes[STATES];
	char image[];
} * m;

extern char __data_start[], _end[];
extern char __start_thread_local[], __stop_thread_local[];

static struct thread *me(void)
{
	return &threads[current];
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a + b + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return a ^ a >> 32;
}

static void note(uint64_t what)
{
	me()->history = mix(me()->history, what);
}

/* --- choices ---------------------------------------------------------------*/

_Noreturn void machine_fail(void)
{
	m->failed = true;
	printf("\n# schedule:");
	for (unsigned i = 0; i < m->depth; i++)
		if (m->choices[i].chosen)
			printf(" %u=%u", i, m->choices[i].chosen);
	printf("\n");
	if (alone)
		_exit(1);
	longjmp(m->explorer, 1);
}

/* What is not known is so from now on. */
static bool is_known(void)
{
	const uint64_t *word = (const void *)__data_start;
	uint64_t hash = 0, i;

	for (; word < (const uint64_t *)(const void *)_end; word++)
		hash = mix(hash, *word);
	hash |= 1;
	for (i = hash % STATES; m->hashes[i]; i = (i + 1) % STATES)
		if (m->hashes[i] == hash)
			return true;
	expect(m->states < STATES / 2, "there are too many states");
	m->hashes[i] = hash;
	m->states++;
	return false;
}

/*
 * One of @of, of which all but the first @free are preemptions. At first, it is
 * the first one; the schedule ends where all of them have been run.
 */
static unsigned choose(unsigned of, unsigned free)
{
	unsigned chosen;

	if (spent >= m->budget && of > free)
		of = free;
	if (of < 2)
		return 0;
	expect(m->depth < CHOICES, "there are too many choices");
	if (m->depth >= m->known_depth) {
		if (is_known())
			longjmp(m->explorer, 1);
		m->choices[m->depth].chosen = 0;
		m->choices[m->depth].count = (uint8_t)of;
	}
	chosen = m->choices[m->depth++].chosen;
	spent += chosen >= free;
	return chosen;
}

static bool can_have(unsigned who, const pthread_mutex_t *lock)
{
	return !lock->__data.__owner || lock->__data.__owner == (int)who + 1;
}

static bool can_go_on(unsigned who)
{
	const struct thread *t = &threads[who];

	return (times[who] <= now || (t->or_at && *t->or_at <= now)) &&
	       (!t->lock || can_have(who, t->lock));
}

/* Those that can go on; this one is the first of them. */
static unsigned list_threads(unsigned *who)
{
	unsigned n = 0;

	for (unsigned i = current; i < current + (alone ? 1 : count); i++) {
		who[n] = i % count;
		n += can_go_on(who[n]);
	}
	return n;
}

/* The first time for which a thread waits, or will. */
static uint64_t next_time(void)
{
	uint64_t first = NEVER;

	for (unsigned i = 0; i < timers; i++)
		if (times[i] > now && times[i] < first)
			first = times[i];
	return first;
}

static void switch_to(unsigned to)
{
	size_t size = (size_t)(__stop_thread_local - __start_thread_local);
	unsigned from = current;

	memcpy(me()->locals, __start_thread_local, size);
	current = to;
	memcpy(__start_thread_local, me()->locals, size);
	swapcontext(&m->contexts[from], &m->contexts[to]);
}

/* The last choice is that the time moves. */
static void give_way(void)
{
	unsigned who[THREADS + 1], n, chosen;
	uint64_t next;

	do {
		n = list_threads(who);
		next = next_time();
		chosen = choose(n + (next - now <= NEAR),
				can_go_on(current) ? 1 : n);
		if (chosen == n) {
			expect(next <= LIMIT, "nobody goes on any more");
			now = next;
			machine_moved = n ? next : machine_moved;
		}
	} while (chosen == n);
	if (who[chosen] != current)
		switch_to(who[chosen]);
}

/* --- what a thread does ----------------------------------------------------*/

/* Objects may share one: they are taken for one, then. */
static uint64_t *last_of(const volatile void *at)
{
	return &m->last[(uintptr_t)at / sizeof(int) % PLACES];
}

static void change(const volatile void *at)
{
	note(*last_of(at));
	*last_of(at) = me()->history;
}

/* Others may go on before it; it waits until then. True if it was woken. */
static bool begin(const char *what, const volatile void *at, uint64_t until)
{
	struct thread *t = me();
	bool woken;

	t->object = at;
	times[current] = until;
	give_way();
	woken = !times[current];
	times[current] = 0;
	t->or_at = NULL;
	t->lock = NULL;
	if (m->tells)
		printf("# %.3f ms: thread %u %s %lx\n",
		       (double)(now - START) / MS, current, what,
		       (unsigned long)(uintptr_t)at);
	note(*last_of(at));
	note(until ? now + woken : 0);
	return woken;
}

/* Others may go on after it, when something is changed. */
static void end(void)
{
	give_way();
	note(1);
}

bool machine_fails(void)
{
	bool fails = choose(2, 1);

	note(fails);
	return fails;
}

/* One of those that wait for it, or all. */
static void wake(const volatile void *at, bool all)
{
	unsigned who[THREADS], n = 0;

	for (unsigned i = 0; i < count; i++)
		if (threads[i].object == at && times[i] > now)
			who[n++] = i;
	if (n && !all) {
		*who = who[choose(n, n)];
		n = 1;
	}
	while (n)
		times[who[--n]] = 0;
}

static void publish(struct thread *t)
{
	*last_of(t->late) = mix(t->history, 1);
	wake(t->late, true);
	t->late = NULL;
}

/* Others see what this thread has stored last; until here, they did not. */
static void see_store(void)
{
	if (!me()->late)
		return;
	give_way();
	note(4);
	if (me()->late)
		publish(me());
}

static void run_thread(void)
{
	struct thread *t = me();

	note(1);
	t->fn(t->arg);
	see_store();
	change(t);
	t->end = 0;
	begin("ends", t, NEVER);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		   void *(*fn)(void *), void *arg)
{
	ucontext_t *context;

	expect(count < THREADS, "there are too many threads");
	see_store();
	context = &m->contexts[count];
	threads[count] = (struct thread){
		.fn = fn, .arg = arg, .history = count, .end = NEVER
	};
	getcontext(context);
	context->uc_stack.ss_sp = m->stacks[count];
	context->uc_stack.ss_size = STACK;
	makecontext(context, run_thread, 0);
	*thread = count++;
	begin("creates", &threads[*thread], 0);
	return 0;
}

int pthread_join(pthread_t thread, void **result)
{
	see_store();
	me()->or_at = &threads[thread].end;
	begin("joins", &threads[thread], NEVER);
	return 0;
}

pthread_t pthread_self(void)
{
	return current;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	after_fork = child;
	return 0;
}

pid_t fork(void)
{
	pid_t child = _Fork();

	if (!child) {
		alone = true;
		m->budget = 0;
		after_fork();
	}
	return child;
}

/* --- locks -----------------------------------------------------------------*/

static int own(pthread_mutex_t *mutex)
{
	expect(!mutex->__data.__count++ ||
		       mutex->__data.__kind == PTHREAD_MUTEX_RECURSIVE,
	       "a lock does not nest");
	mutex->__data.__owner = (int)current + 1;
	change(mutex);
	return 0;
}

/* What its owner has stored is seen before. */
static void disown(pthread_mutex_t *mutex)
{
	expect(mutex->__data.__owner == (int)current + 1,
	       "another thread has the lock");
	see_store();
	change(mutex);
	if (!--mutex->__data.__count)
		mutex->__data.__owner = 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	see_store();
	me()->lock = mutex;
	begin("locks", mutex, 0);
	return own(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	see_store();
	begin("tries to lock", mutex, 0);
	return can_have(current, mutex) ? own(mutex) : EBUSY;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	disown(mutex);
	if (!mutex->__data.__owner)
		end();
	return 0;
}

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000 * MS + (uint64_t)time->tv_nsec;
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	bool woken;

	disown(mutex);
	expect(!mutex->__data.__owner, "a wait with a lock that nests");
	change(cond);
	me()->lock = mutex;
	woken = begin("waits", cond, machine_fails() ? 0 : ns_of(until));
	own(mutex);
	return woken ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	return pthread_cond_timedwait(
		cond, mutex, &(struct timespec){ .tv_sec = INT32_MAX });
}

int pthread_cond_signal(pthread_cond_t *cond)
{
	begin("wakes one", cond, 0);
	change(cond);
	wake(cond, false);
	return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond)
{
	begin("wakes all", cond, 0);
	change(cond);
	wake(cond, true);
	return 0;
}

/* --- time ------------------------------------------------------------------*/

int clock_gettime(clockid_t clock, struct timespec *time)
{
	note(now);
	time->tv_sec = (time_t)(now / (1000 * MS));
	time->tv_nsec = (long)(now % (1000 * MS));
	return 0;
}

void machine_wait(int fd, uint64_t until)
{
	see_store();
	if (fd >= 0)
		me()->or_at = &times[fd];
	begin("waits", me(), until);
}

/* A descriptor is readable from its time on. */
int timerfd_create(clockid_t clock, int flags)
{
	expect(timers < THREADS + TIMERS, "there are too many timers");
	times[timers] = NEVER;
	blocks[timers] = !(flags & TFD_NONBLOCK);
	return (int)timers++;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *when,
		    struct itimerspec *before)
{
	uint64_t ns = ns_of(&when->it_value);

	begin("sets", &times[fd], 0);
	change(&times[fd]);
	times[fd] = ns ? ns : NEVER;
	end();
	return 0;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	if (blocks[fd])
		see_store();
	me()->or_at = &times[fd];
	begin("reads", &times[fd], blocks[fd] ? NEVER : 0);
	if (times[fd] > now) {
		errno = EAGAIN;
		return -1;
	}
	change(&times[fd]);
	times[fd] = NEVER;
	end();
	return (ssize_t)size;
}

int close(int fd)
{
	times[fd] = 0;
	return 0;
}

const void *machine_load(const volatile void *from)
{
	begin("loads", from, 0);
	for (unsigned i = 0; i < count; i++)
		if (threads[i].late == from && i != current)
			return &threads[i].late_value;
	return (const void *)(uintptr_t)from;
}

/* Who has a store that is not seen looks once more. */
void machine_spin(const volatile void *at)
{
	if (me()->late)
		see_store();
	else
		begin("waits", at, NEVER);
}

/* In memory, it is new at once; others are shown what was there. */
void machine_begin_store(volatile void *to, size_t size, bool late)
{
	see_store();
	begin("changes", to, 0);
	for (unsigned i = 0; i < count; i++)
		if (threads[i].late == to)
			publish(&threads[i]);
	if (!late || !machine_fails())
		return;
	memcpy(&me()->late_value, (const void *)(uintptr_t)to, size);
	me()->late = to;
}

void machine_end_store(volatile void *to)
{
	if (me()->late != to) {
		change(to);
		wake(to, true);
	}
	end();
}

/* --- all schedules ---------------------------------------------------------*/

static void run_schedule(void (*plan)(void), size_t size)
{
	m->depth = 0;
	m->schedules++;
	memset(m->last, 0, sizeof(m->last));
	if (!setjmp(m->explorer))
		plan();
	memcpy(__data_start, m->image, size);
}

/* Has the next one chosen; false if all were run. */
static bool advance(void)
{
	while (m->depth--)
		if (++m->choices[m->depth].chosen <
		    m->choices[m->depth].count) {
			m->known_depth = m->depth + 1;
			return true;
		}
	return false;
}

static void read_schedule(const char *text)
{
	unsigned i, chosen;
	int n;

	for (; sscanf(text, "%u=%u%n", &i, &chosen, &n) == 2; text += n)
		m->choices[i].chosen = (uint8_t)chosen;
	m->known_depth = CHOICES;
	m->tells = true;
}

bool machine_explore(const char *name, void (*plan)(void), unsigned most,
		     const char *schedule)
{
	size_t size = (size_t)(_end - __data_start);
	bool failed = false;

	for (unsigned n = schedule ? most : 0; n <= most && !failed; n++) {
		m = calloc(1, sizeof(*m) + size);
		memcpy(m->image, __data_start, size);
		m->budget = n;
		if (schedule)
			read_schedule(schedule);
		do {
			run_schedule(plan, size);
		} while (!m->failed && !schedule && advance());
		failed = m->failed;
		if (failed || n == most)
			printf("%sok - %s # %lu schedules, %lu states\n",
			       failed ? "not " : "", name, m->schedules,
			       m->states);
		free(m);
	}
	return !failed;
}
