/* SPDX-License-Identifier: MIT */
/*
 * test/host/interleave/machine.c - threads of which one runs at a time
 *
 * The calls of the C library that threads use are here once more: the linker
 * takes these.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "machine.h"

#define THREADS	 8
#define FDS	 2
#define OBJECTS	 256
#define FRAMES	 8192
#define STATES	 (UINT64_C(1) << 24)
#define STACK	 (256 * 1024)
#define FIRST_FD 1000
#define NEVER	 UINT64_MAX
#define START	 (1000 * MS)
#define NEAR	 (100 * MS)
#define LIMIT	 (START + 3600 * 1000 * MS)

/* struct lock - what is in a pthread_mutex_t */
struct lock {
	unsigned owner; /* its number plus 1; or 0 */
	unsigned depth;
	bool nests;
};

/* struct thread - one of them */
struct thread {
	ucontext_t context;
	void *(*fn)(void *);
	void *arg;
	uint64_t history; /* a hash of what it has done and seen */
	enum {
		READY,
		LOCKING,
		WAITING,
		READING,
		JOINING,
		SPINNING,
		ENDED
	} state;
	uint64_t seen;	    /* who had written what it spins for */
	const void *object; /* that it waits for */
	struct lock *lock;  /* that it has to have, too */
	uint64_t until;	    /* or until that time */
	bool signalled;
	volatile void *late; /* what it has stored, and others do not see */
	uint64_t late_value; /* what they see */
	char locals[64];
};

/* struct run - one schedule */
struct run {
	struct thread threads[THREADS];
	struct {
		const volatile void *at;
		uint64_t last; /* the history of who has written it last */
	} objects[OBJECTS];
	struct fd {
		uint64_t when;
		bool open, blocks;
	} fds[FDS];
	unsigned count, current, spent;
	uint64_t now, moved;
	void (*child)(void);
	bool alone; /* the child of a fork */
};

/* struct machine - it is not static: that memory is set back */
struct machine {
	struct run run;
	ucontext_t explorer;
	void (*plan)(const void *arg);
	const void *arg;
	struct {
		uint8_t chosen, count;
	} frames[FRAMES];
	unsigned depth, known_depth, budget;
	bool failed, tells;
	unsigned long schedules, states;
	size_t image_size;
	char stacks[THREADS][STACK];
	_Alignas(4096) uint64_t hashes[STATES];
	char image[];
};

unsigned long machine_schedules, machine_states;

static struct machine *m;

extern char __data_start[], _end[];
extern char __start_thread_local[], __stop_thread_local[];

static struct thread *me(void)
{
	return &m->run.threads[m->run.current];
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
	a ^= a >> 29;
	a *= UINT64_C(0xbf58476d1ce4e5b9);
	return a ^ a >> 32;
}

static uint64_t number(const volatile void *at)
{
	return (uint64_t)(uintptr_t)at;
}

/* --- choices ---------------------------------------------------------------*/

void machine_check(bool cond, const char *format, ...)
{
	va_list values;

	if (cond)
		return;
	m->failed = true;
	printf("# %.3f ms: ", (double)(m->run.now - START) / MS);
	va_start(values, format);
	vprintf(format, values);
	va_end(values);
	printf("\n# schedule:");
	for (unsigned i = 0; i < m->depth; i++)
		if (m->frames[i].chosen)
			printf(" %u=%u", i, m->frames[i].chosen);
	printf("\n");
	if (m->run.alone)
		_exit(1);
	setcontext(&m->explorer);
}

static uint64_t hash_state(void)
{
	uint64_t hash = mix(mix(m->run.now, m->run.current), m->run.spent);

	for (unsigned i = 0; i < m->run.count; i++)
		hash = mix(hash, m->run.threads[i].history);
	for (unsigned i = 0; i < OBJECTS; i++)
		if (m->run.objects[i].last)
			hash += mix(number(m->run.objects[i].at),
				    m->run.objects[i].last);
	return hash | 1;
}

/* What is not known is so from now on. */
static bool is_known(uint64_t hash)
{
	uint64_t i = hash % STATES;

	for (; m->hashes[i]; i = (i + 1) % STATES)
		if (m->hashes[i] == hash)
			return true;
	machine_check(m->states < STATES / 2, "there are too many states");
	m->hashes[i] = hash;
	m->states++;
	return false;
}

/*
 * One of @count, of which all but the first @free are preemptions. At first, it
 * is the first one; the schedule ends where all of them have been run.
 */
static unsigned choose(unsigned count, unsigned free)
{
	unsigned chosen;

	if (m->run.spent >= m->budget && count > free)
		count = free;
	if (count < 2)
		return 0;
	machine_check(m->depth < FRAMES, "there are too many choices");
	if (m->depth >= m->known_depth) {
		if (is_known(hash_state()))
			setcontext(&m->explorer);
		m->frames[m->depth].chosen = 0;
		m->frames[m->depth].count = (uint8_t)count;
	}
	chosen = m->frames[m->depth++].chosen;
	m->run.spent += chosen >= free;
	return chosen;
}

/* --- threads ---------------------------------------------------------------*/

static uint64_t *last_of(const volatile void *at)
{
	unsigned i = (unsigned)mix(number(at), 0) % OBJECTS;

	while (m->run.objects[i].at && m->run.objects[i].at != at)
		i = (i + 1) % OBJECTS;
	m->run.objects[i].at = at;
	return &m->run.objects[i].last;
}

static bool is_readable(const struct fd *fd)
{
	return !fd->open || (fd->when && fd->when <= m->run.now);
}

static bool can_go_on(const struct thread *t)
{
	bool over = t->until <= m->run.now;

	switch (t->state) {
	case LOCKING:
		return !t->lock->owner;
	case WAITING:
		return (t->signalled || over) && !t->lock->owner;
	case READING:
		return over || (t->object && is_readable(t->object));
	case SPINNING:
		return *last_of(t->object) != t->seen;
	case JOINING:
		return ((const struct thread *)t->object)->state == ENDED;
	default:
		return t->state == READY;
	}
}

static void make_earlier(uint64_t *first, uint64_t when)
{
	if (when > m->run.now && when < *first)
		*first = when;
}

/* The first time for which a thread waits, or will. */
static uint64_t next_time(void)
{
	uint64_t first = NEVER;

	for (unsigned i = 0; i < m->run.count; i++)
		if (m->run.threads[i].state != READY)
			make_earlier(&first, m->run.threads[i].until);
	for (unsigned i = 0; i < FDS; i++)
		if (m->run.fds[i].open)
			make_earlier(&first, m->run.fds[i].when);
	return first;
}

static void switch_to(unsigned to)
{
	struct thread *from = me(), *next = &m->run.threads[to];
	size_t size = (size_t)(__stop_thread_local - __start_thread_local);

	memcpy(from->locals, __start_thread_local, size);
	memcpy(__start_thread_local, next->locals, size);
	m->run.current = to;
	swapcontext(&from->context, &next->context);
}

/* Those that can go on; this one is the first of them. */
static unsigned list_threads(unsigned *who)
{
	unsigned n = 0;

	if (can_go_on(me()))
		who[n++] = m->run.current;
	for (unsigned i = 0; i < m->run.count && !m->run.alone; i++)
		if (i != m->run.current && can_go_on(&m->run.threads[i]))
			who[n++] = i;
	return n;
}

static void give_way(void)
{
	unsigned who[THREADS], n = list_threads(who), chosen;
	uint64_t next = next_time();

	while (!n) {
		machine_check(next <= LIMIT, "nobody goes on any more");
		m->run.now = next;
		n = list_threads(who);
		next = next_time();
	}
	chosen = choose(n + (next - m->run.now <= NEAR),
			can_go_on(me()) ? 1 : n);
	if (chosen == n) {
		m->run.now = m->run.moved = next;
		n = list_threads(who);
		chosen = choose(n, can_go_on(me()) ? 1 : n);
	}
	if (who[chosen] != m->run.current)
		switch_to(who[chosen]);
}

static void note(uint64_t what)
{
	me()->history = mix(me()->history, what);
}

/* Others may go on before it. */
static void begin(const char *what, const volatile void *at)
{
	give_way();
	if (m->tells)
		printf("# %.3f ms: thread %u %s %lx\n",
		       (double)(m->run.now - START) / MS, m->run.current, what,
		       (unsigned long)number(at));
	note(mix(number(at), *last_of(at)));
}

/* And after it, when it has written. */
static void end(const volatile void *at)
{
	*last_of(at) = me()->history;
	give_way();
	note(1);
}

static void publish(struct thread *t)
{
	*last_of(t->late) = mix(t->history, number(t->late));
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

static void wait_as(int state, const void *object, uint64_t until)
{
	struct thread *t = me();

	see_store();
	t->state = state;
	t->object = object;
	t->until = until;
	t->signalled = false;
	give_way();
	t->state = READY;
	note(mix(number(object), m->run.now));
}

static void run_thread(void)
{
	struct thread *t = me();

	t->fn(t->arg);
	see_store();
	t->state = ENDED;
	if (t == m->run.threads)
		setcontext(&m->explorer);
	give_way();
}

static unsigned add_thread(void *(*fn)(void *), void *arg)
{
	struct thread *t = &m->run.threads[m->run.count];

	t->fn = fn;
	t->arg = arg;
	t->history = m->run.count + 1;
	t->until = NEVER;
	getcontext(&t->context);
	t->context.uc_stack.ss_sp = m->stacks[m->run.count];
	t->context.uc_stack.ss_size = STACK;
	makecontext(&t->context, run_thread, 0);
	return m->run.count++;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		   void *(*fn)(void *), void *arg)
{
	(void)attributes;
	machine_check(m->run.count < THREADS, "there are too many threads");
	*thread = add_thread(fn, arg);
	begin("creates", thread);
	return 0;
}

int pthread_join(pthread_t thread, void **result)
{
	(void)result;
	wait_as(JOINING, &m->run.threads[thread], NEVER);
	note(m->run.threads[thread].history);
	return 0;
}

pthread_t pthread_self(void)
{
	return m->run.current;
}

int pthread_setcancelstate(int state, int *before)
{
	(void)state;
	if (before)
		*before = 0;
	return 0;
}

int pthread_once(pthread_once_t *once, void (*fn)(void))
{
	if (!*once)
		fn();
	*once = 1;
	return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	(void)prepare;
	(void)parent;
	m->run.child = child;
	return 0;
}

bool machine_fork(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		m->run.alone = true;
		m->budget = 0;
		m->run.child();
		return true;
	}
	waitpid(child, &status, 0);
	machine_check(child > 0 && !status, "that was in the child");
	return false;
}

/* --- locks -----------------------------------------------------------------*/

static bool is_mine(const struct lock *lock)
{
	return lock->owner == m->run.current + 1;
}

static int own(struct lock *lock)
{
	machine_check(!is_mine(lock) || lock->nests, "a lock does not nest");
	lock->owner = m->run.current + 1;
	lock->depth++;
	note(*last_of(lock));
	*last_of(lock) = me()->history;
	return 0;
}

static void disown(struct lock *lock)
{
	machine_check(is_mine(lock), "another thread has the lock");
	see_store();
	if (!--lock->depth)
		lock->owner = 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex,
		       const pthread_mutexattr_t *attributes)
{
	int type = PTHREAD_MUTEX_NORMAL;

	if (attributes)
		pthread_mutexattr_gettype(attributes, &type);
	*(struct lock *)mutex =
		(struct lock){ .nests = type == PTHREAD_MUTEX_RECURSIVE };
	return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	struct lock *lock = (struct lock *)mutex;

	see_store();
	begin("locks", lock);
	me()->lock = lock;
	if (lock->owner && !is_mine(lock))
		wait_as(LOCKING, lock, NEVER);
	return own(lock);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	struct lock *lock = (struct lock *)mutex;

	see_store();
	begin("tries to lock", lock);
	return lock->owner && !is_mine(lock) ? EBUSY : own(lock);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	struct lock *lock = (struct lock *)mutex;

	note(number(lock));
	disown(lock);
	if (!lock->owner)
		end(lock);
	return 0;
}

int pthread_cond_init(pthread_cond_t *cond,
		      const pthread_condattr_t *attributes)
{
	(void)cond;
	(void)attributes;
	return 0;
}

static int wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex,
		      uint64_t until)
{
	struct thread *t = me();
	struct lock *lock = (struct lock *)mutex;

	machine_check(lock->depth == 1, "a wait with a lock that nests");
	note(mix(number(cond), *last_of(cond)));
	*last_of(cond) = *last_of(lock) = t->history;
	disown(lock);
	t->lock = lock;
	wait_as(WAITING, cond, until);
	note(t->signalled);
	own(lock);
	return t->signalled ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	return wait_until(cond, mutex, NEVER);
}

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000 * MS + (uint64_t)time->tv_nsec;
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	return wait_until(cond, mutex, ns_of(until));
}

static unsigned list_waiting(const pthread_cond_t *cond, struct thread **who)
{
	struct thread *t = m->run.threads;
	unsigned n = 0;

	begin("wakes", cond);
	*last_of(cond) = me()->history;
	for (; t < m->run.threads + m->run.count; t++)
		if (t->state == WAITING && t->object == cond && !t->signalled &&
		    t->until > m->run.now)
			who[n++] = t;
	return n;
}

/* It wakes any of them. */
int pthread_cond_signal(pthread_cond_t *cond)
{
	struct thread *who[THREADS];
	unsigned n = list_waiting(cond, who);

	if (n)
		who[choose(n, n)]->signalled = true;
	return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond)
{
	struct thread *who[THREADS];
	unsigned n = list_waiting(cond, who);

	while (n)
		who[--n]->signalled = true;
	return 0;
}

/* --- time ------------------------------------------------------------------*/

uint64_t machine_now(void)
{
	return m->run.now;
}

uint64_t machine_moved(void)
{
	return m->run.moved;
}

static struct fd *fd_of(int fd)
{
	return fd < 0 ? NULL : &m->run.fds[fd - FIRST_FD];
}

void machine_wait(int fd, uint64_t until)
{
	wait_as(READING, fd_of(fd), until);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	note(m->run.now);
	now->tv_sec = (time_t)(m->run.now / (1000 * MS));
	now->tv_nsec = (long)(m->run.now % (1000 * MS));
	return 0;
}

int timerfd_create(clockid_t clock, int flags)
{
	int i = 0;

	(void)clock;
	while (m->run.fds[i].open)
		i++;
	m->run.fds[i] =
		(struct fd){ .open = true, .blocks = !(flags & TFD_NONBLOCK) };
	return FIRST_FD + i;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *when,
		    struct itimerspec *before)
{
	(void)flags;
	(void)before;
	see_store();
	begin("sets", fd_of(fd));
	fd_of(fd)->when = ns_of(&when->it_value);
	end(fd_of(fd));
	return 0;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	struct fd *timer = fd_of(fd);

	(void)buffer;
	see_store();
	begin("reads", timer);
	if (timer->blocks && !is_readable(timer))
		wait_as(READING, timer, NEVER);
	if (!is_readable(timer)) {
		errno = EAGAIN;
		return -1;
	}
	timer->when = 0;
	end(timer);
	return (ssize_t)size;
}

int close(int fd)
{
	fd_of(fd)->open = false;
	return 0;
}

/* --- memory ----------------------------------------------------------------*/

const void *machine_load(const volatile void *from)
{
	begin("loads", from);
	for (unsigned i = 0; i < m->run.count; i++)
		if (m->run.threads[i].late == from && i != m->run.current)
			return &m->run.threads[i].late_value;
	return (const void *)(uintptr_t)from;
}

void machine_spin(const volatile void *at)
{
	me()->seen = *last_of(at);
	wait_as(SPINNING, (const void *)(uintptr_t)at, NEVER);
}

/* In memory, it is new at once; others are shown what was there. */
void machine_begin_store(volatile void *to, size_t size, bool late)
{
	see_store();
	begin("changes", to);
	for (unsigned i = 0; i < m->run.count; i++)
		if (m->run.threads[i].late == to)
			publish(&m->run.threads[i]);
	if (!late || !choose(2, 1))
		return;
	note(2);
	memcpy(&me()->late_value, (const void *)(uintptr_t)to, size);
	me()->late = to;
}

void machine_end_store(volatile void *to)
{
	if (me()->late != to)
		*last_of(to) = me()->history;
	give_way();
	note(1);
}

/* --- all schedules ---------------------------------------------------------*/

static void *run_plan(void *unused)
{
	m->plan(m->arg);
	return unused;
}

static void run_schedule(void)
{
	volatile bool began = false;

	memcpy(__data_start, m->image, m->image_size);
	memset(&m->run, 0, sizeof(m->run));
	m->run.now = START;
	m->depth = 0;
	m->schedules++;
	add_thread(run_plan, NULL);
	getcontext(&m->explorer);
	if (began)
		return;
	began = true;
	setcontext(&m->run.threads[0].context);
}

/* Has the next one chosen; false if all were run. */
static bool advance(void)
{
	while (m->depth && m->frames[m->depth - 1].chosen + 1 ==
				   m->frames[m->depth - 1].count)
		m->depth--;
	m->known_depth = m->depth;
	if (m->depth)
		m->frames[m->depth - 1].chosen++;
	return m->depth;
}

static void make_machine(void)
{
	size_t size = (size_t)(_end - __data_start);

	if (__stop_thread_local - __start_thread_local >
	    (ptrdiff_t)sizeof(m->run.threads->locals))
		abort();
	m = mmap(NULL, sizeof(*m) + size, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	m->image_size = size;
	memcpy(m->image, __data_start, size);
}

static void read_schedule(const char *text)
{
	unsigned i, chosen;
	int n;

	memset(m->frames, 0, sizeof(m->frames));
	for (; sscanf(text, "%u=%u%n", &i, &chosen, &n) == 2; text += n)
		m->frames[i].chosen = (uint8_t)chosen;
}

bool machine_explore(void (*plan)(const void *arg), const void *arg,
		     unsigned preemptions, const char *schedule)
{
	if (!m)
		make_machine();
	m->plan = plan;
	m->arg = arg;
	m->failed = false;
	m->tells = schedule;
	m->schedules = m->states = 0;
	madvise(m->hashes, sizeof(m->hashes), MADV_DONTNEED);
	if (schedule)
		read_schedule(schedule);
	m->known_depth = schedule ? FRAMES : 0;
	m->budget = preemptions;
	do {
		run_schedule();
	} while (!m->failed && !schedule && advance());
	machine_schedules = m->schedules;
	machine_states = m->states;
	return !m->failed;
}
