/* SPDX-License-Identifier: MIT */
/*
 * jif/host/service.h - timers for all threads of a program, on Linux
 *
 * A thread of the service runs a wheel, and sleeps as jif_wheel_sleep() does.
 * Any thread may arm, move and delete. Callbacks run in that thread, or on a
 * pool of workers, and may make all calls but those that would wait for them.
 *
 * A job is what is armed: a timer in an object of yours. A timer by key is one
 * of the service's table. Either is pending until its callback begins, also
 * while it waits for a worker. docs/linux.md has an example.
 *
 * Callbacks return: who ends his thread ends the service; an exception ends the
 * program. A cancelled thread goes on until it is in no call, and has no lock.
 */
#ifndef JIF_SERVICE_H
#define JIF_SERVICE_H

#include <jif/config.h>

/* There are no threads on a bare machine. */
#if __STDC_HOSTED__

#include <jif/firmware/table.h>
#include <jif/host/loop.h>
#include <pthread.h>

JIF_BEGIN_DECLS

struct jif_job;
struct jif_service;

/**
 * typedef jif_job_fn - what runs when a job expires
 * @job:	the job, which is idle: it may be armed again or freed
 * Return: 0; anything else is counted and reported.
 */
typedef int jif_job_fn(struct jif_job *job);

/**
 * typedef jif_key_fn - what runs when the timer of a key expires
 * @service:	the service
 * @key:	the key; its bytes are the service's until this and what is
 *		told of it by @report have returned
 * @value:	what it was set with
 * Return: 0; anything else is counted and reported.
 */
typedef int jif_key_fn(struct jif_service *service, struct jif_key key,
		       void *value);

/** struct jif_links - a place in a ring */
struct jif_links {
	/* private: */
	struct jif_links *next;
	struct jif_links *prev;
};

/** struct jif_waiting - what expires, and then may wait for a worker */
struct jif_waiting {
	/* private: */
	struct jif_links links;
	uint64_t due;	 /* the tick that it waits for a worker from */
	uint32_t period; /* in ticks; 0 if it expires once */
	uint32_t again;	 /* how often more it waits */
	uint32_t missed; /* periods skipped after @due */
	uint8_t place;	 /* of lib/host/calls.h */
	uint8_t policy;	 /* of a job, about missed periods */
	bool keyed;	 /* it is a key's */
	bool overlaps;	 /* a key's, without @key_order */
};

/**
 * struct jif_call - a callback
 * @job:	the job; NULL: the timer of a key
 * @fn:		the job's function
 * @key:	the key
 * @value:	what it was set with
 * @due_ns:	when it was due, in nanoseconds of the service's clock
 * @missed:	how many periods after that were skipped; in a key's last call 0
 */
struct jif_call {
	struct jif_job *job;
	jif_job_fn *fn;
	struct jif_key key;
	void *value;
	uint64_t due_ns;
	uint32_t missed;
	/* private: */
	struct jif_waiting waiting;
	struct jif_call *bucket; /* the first key of this hash */
	struct jif_call *chain;	 /* the next one there, or that is free */
};

/**
 * typedef jif_call_fn - is given what did not run
 * @service:	the service, which is locked, see jif_service_lock()
 * @call:	the job, or key and value
 */
typedef void jif_call_fn(struct jif_service *service,
			 const struct jif_call *call);

/**
 * typedef jif_report_fn - is told what went wrong
 * @service:	the service, which is not locked
 * @call:	whose callback it is; a job may have been freed by that
 * @err:	what it returned; -JIF_ENOSPC without a run: the queue was full
 * @ns:		how long it has run, if @slow_ns of the service is given; else 0
 */
typedef void jif_report_fn(struct jif_service *service,
			   const struct jif_call *call, int err, uint64_t ns);

/**
 * enum jif_full - what happens when the queue of the workers is full
 * @JIF_FULL_BLOCK:	the clock waits for a worker
 * @JIF_FULL_REFUSE:	what expires then does not run; counted and reported
 */
enum jif_full { JIF_FULL_BLOCK, JIF_FULL_REFUSE };

/* How many threads can arm jobs at a time; further ones share these. */
#define JIF_SERVICE_INBOXES 8

/** struct jif_inbox - jobs that are armed, and that the clock has not seen */
struct jif_inbox {
	/* private: */
	pthread_mutex_t lock;
	struct jif_timer *last;
	unsigned count;
	bool open;
	char unused[64]; /* no cache line is in two of them */
};

/** struct jif_worker - a thread of the service */
struct jif_worker {
	/* private: */
	pthread_t thread;
	struct jif_service *service;
	struct jif_call call;	 /* what runs in it */
	struct jif_call spare;	 /* a place more for keys that wait */
	struct jif_links behind; /* what waits for the end of that call */
	uint64_t begun_ns;	 /* when that began */
	bool busy;		 /* something does */
	bool reports;		 /* it is a report, which is not counted */
};

/**
 * struct jif_counts - what a service has done since it was made
 * @ran:	callbacks that have run
 * @slow:	of these, how many took @slow_ns or longer
 * @failed:	of these, how many did not return 0
 * @refused:	expiries that the queue was too full for
 */
struct jif_counts {
	uint64_t ran;
	uint64_t slow;
	uint64_t failed;
	uint64_t refused;
};

/* How many classes of lateness there are; see struct jif_stats. */
#define JIF_LATE_CLASSES 24

/**
 * struct jif_stats - a service as it is seen
 * @counts:	what it has done
 * @longest_ns:	the callback that took longest; without @slow_ns, 0
 * @late_ns:	the lateness of all callbacks, added up
 * @late:	how many callbacks began later than they were due: by less than
 *		1024 ns, 2048 ns, and so on; the last one: by any time
 * @pending:	jobs that are armed, and keys that are armed or paused
 * @queued:	jobs and keys that wait for a worker, or for their own end
 * @running:	callbacks that run
 *
 * Where callbacks run in the thread of the clock, and without @slow_ns, late is
 * counted to the beginning of a batch of up to 32.
 */
struct jif_stats {
	struct jif_counts counts;
	uint64_t longest_ns;
	uint64_t late_ns;
	uint64_t late[JIF_LATE_CLASSES];
	unsigned pending;
	unsigned queued;
	unsigned running;
};

/**
 * struct jif_service - a service
 * @loop:	its wheel and clock; see struct jif_loop for what to fill in
 * @table:	the timers by key; with @entries, @capacity, @hash, or none
 * @key_fn:	what runs when one of them expires
 * @key_order:	calls of one key do not overlap
 * @key_catchup: what happens to the periods of a key that a stall has covered
 * @key_bytes:	memory for copies of keys that are strings, of JIF_KEY_BYTES();
 *		NULL: a string stays there while its key is pending or runs
 * @key_size:	how long the longest string is
 * @workers:	memory for the workers
 * @worker_count: how many; 0: callbacks run in the thread of the clock
 * @calls:	memory for the queue of the workers
 * @call_count:	how many may wait for a worker; with workers, at least 1. Jobs
 *		that wait for their own end do not count
 * @full:	what happens when it is full
 * @slow_ns:	how long a callback may take before it is slow; 0: any time
 * @report:	gets callbacks that failed, were slow or are refused; or NULL
 */
struct jif_service {
	struct jif_loop loop;
	struct jif_table table;
	jif_key_fn *key_fn;
	bool key_order;
	enum jif_catchup key_catchup;
	uint8_t *key_bytes;
	uint32_t key_size;
	struct jif_worker *workers;
	unsigned worker_count;
	struct jif_call *calls;
	unsigned call_count;
	enum jif_full full;
	uint64_t slow_ns;
	jif_report_fn *report;
	/* private: */
	struct jif_stats stats;
	pthread_mutex_t lock;	 /* guards all of it */
	pthread_cond_t work;	 /* there is something for a worker */
	pthread_cond_t room;	 /* the queue is not full any more */
	pthread_cond_t done;	 /* a callback or a thread has ended */
	struct jif_worker clock; /* the thread of the clock */
	unsigned threads;	 /* how many there are, with these */
	unsigned alive;		 /* of these, how many have not ended */
	unsigned idle;		 /* workers that wait for @work */
	unsigned waiting;	 /* how many threads wait for @done */
	unsigned depth;		 /* how often its owner has taken the lock */
	int cancel;		 /* whether that thread could be cancelled */
	int state;		 /* of lib/host/calls.h */
	bool stopping;		 /* a thread waits for the others */
	struct jif_links ready;	 /* what may run as soon as a worker is free */
	unsigned ready_count;
	struct jif_call *free;	    /* the calls that no key uses */
	uint64_t now_ns;	    /* when the batch under way began */
	jif_call_fn *drain;	    /* what a drain calls */
	jif_timer_fn *expire_entry; /* of the table, when a key expires */
	uint32_t left;		    /* @left of that entry */
	struct jif_inbox inbox[JIF_SERVICE_INBOXES];
};

/** JIF_KEY_BYTES - how much memory @key_bytes of a service is */
#define JIF_KEY_BYTES(capacity, worker_count, call_count, key_size)            \
	(((size_t)(capacity) + (call_count) + 2 * (worker_count) + 2) *        \
	 (key_size))

/** struct jif_job - a timer of a service */
struct jif_job {
	/* private: */
	struct jif_timer timer;
	struct jif_service *service;
	jif_job_fn *fn; /* what runs when it expires */
	struct jif_waiting waiting;
	uint64_t due_ns; /* when it expires; what is left while it is paused */
	uint32_t times;	 /* how often it expires, with the next one */
	unsigned where;	 /* of lib/host/calls.h */
};

/**
 * struct jif_times - when a job or the timer of a key expires
 * @expires_ns:	first, absolute, in nanoseconds of the service's clock
 * @period_ns:	from time to time, a whole number of ticks; 0: there is one time
 * @slack_ns:	how late the first time may be, to share a wake-up with others
 * @times:	how often it runs, without missed periods; JIF_FOREVER: no end
 * @catchup:	of a job: what happens to periods that a stall has covered; for
 *		keys, there is @key_catchup of the service
 */
struct jif_times {
	uint64_t expires_ns;
	uint64_t period_ns;
	uint64_t slack_ns;
	uint32_t times;
	enum jif_catchup catchup;
};

/**
 * jif_times_once - one time
 * @expires_ns:	when: absolute, in nanoseconds of the service's clock
 * Context: any.
 * Return: it, for jif_service_set() and its like.
 */
static inline struct jif_times jif_times_once(uint64_t expires_ns)
{
	struct jif_times when = { expires_ns, 0, 0, 1, JIF_CATCHUP_SKIP };

	return when;
}

/**
 * jif_times_every - several times
 * @expires_ns:	the first one: absolute, in nanoseconds of the service's clock
 * @period_ns:	from one to the next, a whole number of ticks
 * @times:	how many; JIF_FOREVER: no end
 * Context: any.
 * Return: them, with JIF_CATCHUP_SKIP, for jif_service_set() and its like.
 */
static inline struct jif_times
jif_times_every(uint64_t expires_ns, uint64_t period_ns, uint32_t times)
{
	struct jif_times when = { expires_ns, period_ns, 0, times,
				  JIF_CATCHUP_SKIP };

	return when;
}

/**
 * jif_service_init - make a service, which is stopped
 * @service:	a service of which the caller has filled in what is not private
 * Context: before the service is used.
 * Return: 0; -JIF_EINVAL if a field is missing or out of range, or memory has a
 * size of 0; -JIF_EBUSY if it runs, and nothing has changed.
 */
int jif_service_init(struct jif_service *service)
	JIF_AGREE_ON(CONFIG_JIF_SPREAD, jif_service_init);

/**
 * jif_service_start - start the threads
 * @service:	a service that is stopped
 *
 * All signals are blocked in these threads. It begins with nothing pending:
 * what was armed by calls of other headers before is taken off.
 *
 * The child of a fork() has none of these threads; one that a callback forks,
 * ends when that returns. There, its parent's service may be initialised anew;
 * other calls change nothing, and may return errors.
 * Context: any thread.
 * Return: 0; -JIF_EINVAL if it was never initialised; -JIF_EBUSY if it runs, or
 * is about to stop; -JIF_ECANCELED if it is a parent's; -JIF_EDEADLK if the
 * calling thread has it locked; or the error of timerfd_create(2) or
 * pthread_create(3), negative, and it is stopped as before.
 */
int jif_service_start(struct jif_service *service);

/**
 * jif_service_stop - let running callbacks end, and take the rest off
 * @service:	a service that runs
 * @drain:	given all that is pending, as by jif_service_drain()
 *
 * From now on nothing can be armed, and no callback begins. Waits for those
 * that run, and for the threads. Then the service may be started again.
 * Context: any thread but those of the service.
 * Return: how many were pending; -JIF_ECANCELED if it does not run, or another
 * thread stops it; -JIF_EDEADLK from a callback, or with the service locked.
 */
int jif_service_stop(struct jif_service *service, jif_call_fn *drain);

/**
 * jif_service_running - does a service run?
 * @service:	the service
 * Context: any thread.
 * Return: true if jobs and keys can be armed, other than in a drain.
 */
bool jif_service_running(struct jif_service *service);

/**
 * jif_service_stopped - has a service stopped?
 * @service:	the service
 * Context: any thread.
 * Return: true if it can be started; while it is being stopped, it neither runs
 * nor has stopped.
 */
bool jif_service_stopped(struct jif_service *service);

/**
 * jif_service_drain - take off all that is pending
 * @service:	the service
 * @drain:	called with each one; NULL: nothing is called
 *
 * Calls that wait for a worker come first, in order of expiry, with their
 * @due_ns, which is 0 for the rest; then keys, in no certain order; then jobs,
 * in order of expiry. Those of a tick that a stop cuts short come with the next
 * one's. @drain is called with the service locked: it may delete, but
 * meanwhile nothing can be armed, nor may it be by calls of other headers.
 * Timers that such calls have armed are taken off, counted, but not handed out.
 * Context: any thread.
 * Return: how many; -JIF_EDEADLK within a drain, or with the service locked.
 */
int jif_service_drain(struct jif_service *service, jif_call_fn *drain);

/**
 * jif_service_now - what time it is
 * @service:	the service
 * Context: any thread.
 * Return: in nanoseconds of the service's clock.
 */
uint64_t jif_service_now(const struct jif_service *service);

/**
 * jif_service_wake - have the service look at its clock
 * @service:	the service
 *
 * For a clock of the program's own, when it has moved on.
 * Context: any thread.
 */
void jif_service_wake(struct jif_service *service);

/**
 * jif_service_counts - what a service has done
 * @service:	the service
 * Context: any thread.
 * Return: the counts.
 */
struct jif_counts jif_service_counts(struct jif_service *service);

/**
 * jif_service_stats - what a service does, and has done
 * @service:	the service
 * @stats:	set to that; in a child of fork(), to zeros
 * Context: any thread.
 */
void jif_service_stats(struct jif_service *service, struct jif_stats *stats);

/**
 * jif_service_current - the callback that asks
 * @service:	the service
 * @call:	set to it: when it was due, and how many periods were missed
 * Context: a callback.
 * Return: false if this is no callback of the service; then nothing is set.
 */
bool jif_service_current(struct jif_service *service, struct jif_call *call);

/**
 * jif_service_lock - keep all other threads out
 * @service:	the service
 *
 * For several calls in one step, and for those of other headers about its
 * @table and @loop, which nobody makes without it; but not jif_loop_run(),
 * jif_wheel_drain(), jif_entry_missed() or, without a function,
 * jif_table_drain(). Calls nest. No callback begins meanwhile, but some may go
 * on. What others have armed since the clock woke up may not be on the wheel.
 * Context: any thread.
 */
void jif_service_lock(struct jif_service *service);

/**
 * jif_service_unlock - let other threads in again
 * @service:	a service that this thread has locked
 * Context: any thread.
 */
void jif_service_unlock(struct jif_service *service);

/**
 * jif_job_init - make a job ready to be armed
 * @service:	the service that it will be armed on
 * @job:	memory that is not a pending job
 * @fn:		what runs when it expires
 *
 * A job does not overlap itself: if it expires again while it runs, it waits.
 * Context: any thread.
 */
void jif_job_init(struct jif_service *service, struct jif_job *job,
		  jif_job_fn *fn);

/**
 * jif_job_add - arm an idle job
 * @job:	a job that has been initialised
 * @expires_ns:	absolute, in nanoseconds of the service's clock
 *
 * It runs on the first tick that is not sooner; if it is past, on the next one.
 * Context: any thread.
 * Return: 0; -JIF_EBUSY if it is pending; -JIF_ERANGE if that is more than
 * JIF_DELAY_MAX ticks from now; -JIF_EINVAL if it has no function, or was never
 * initialised; -JIF_ECANCELED if the service does not run, or is being drained.
 * After an error, nothing has changed.
 */
JIF_MUST_CHECK
int jif_job_add(struct jif_job *job, uint64_t expires_ns);

/**
 * jif_job_mod - arm a job, pending or not
 * @job:	a job that has been initialised
 * @expires_ns:	as for jif_job_add()
 * Context: any thread.
 * Return: 1 if it was pending, 0 if it was not; an error as jif_job_add().
 */
JIF_MUST_CHECK
int jif_job_mod(struct jif_job *job, uint64_t expires_ns);

/**
 * jif_job_add_in - arm an idle job, so long from now
 * @job:	a job that has been initialised
 * @delay_ns:	at least so many nanoseconds from now on
 * Context: any thread.
 * Return: as jif_job_add().
 */
JIF_MUST_CHECK
int jif_job_add_in(struct jif_job *job, uint64_t delay_ns);

/**
 * jif_job_mod_in - arm a job, pending or not, so long from now
 * @job:	a job that has been initialised
 * @delay_ns:	as for jif_job_add_in()
 * Context: any thread.
 * Return: as jif_job_mod().
 */
JIF_MUST_CHECK
int jif_job_mod_in(struct jif_job *job, uint64_t delay_ns);

/**
 * jif_job_start - arm a job for several times, pending or not
 * @job:	a job that has been initialised
 * @when:	jif_times_once() or jif_times_every(), with slack and catch-up
 *
 * When its callback begins, it is pending again, except the last time: to free
 * it there, delete it first. If it expires while it waits for a worker, it runs
 * once more then, or it is missed, as @when says.
 * Context: any thread.
 * Return: as jif_job_mod(); -JIF_ERANGE also for a period; -JIF_EINVAL if times
 * are 0, or more than 1 without a period, or that is no whole number of ticks.
 */
JIF_MUST_CHECK
int jif_job_start(struct jif_job *job, struct jif_times when);

/**
 * jif_job_pause - disarm a job, and keep the time that it has left
 * @job:	a job that has been initialised
 *
 * What is left is kept to the nanosecond, and of several times, all that are to
 * come. What waits for a worker does not run; if that was the last time, none
 * is left of it. To all calls but jif_job_resume() and jif_job_left(), a paused
 * job is an idle one: arming and jif_job_del() end the pause.
 * Context: any thread.
 * Return: true if it was pending.
 */
bool jif_job_pause(struct jif_job *job);

/**
 * jif_job_resume - arm a paused job for the time that it had left
 * @job:	a job that has been initialised
 *
 * It is never early, and of all its pauses together, less than two ticks late.
 * Context: any thread.
 * Return: 0; -JIF_EINVAL if it is not paused; else as jif_job_add().
 */
int jif_job_resume(struct jif_job *job);

/**
 * jif_job_del - disarm a job
 * @job:	a job that has been initialised
 *
 * Its callback may be running in another thread; jif_job_del_sync() waits.
 * Context: any thread.
 * Return: true if it was pending, and does not run.
 */
bool jif_job_del(struct jif_job *job);

/**
 * jif_job_del_sync - disarm a job, and wait until it does not run
 * @job:	a job that has been initialised
 *
 * Also if its callback arms it again. If no other thread does, it may be freed.
 * Context: any thread. Not from a callback whose end the job's own waits for.
 * Return: how often it was pending; -JIF_EDEADLK from its own callback, or with
 * the service locked, and then nothing has changed.
 */
int jif_job_del_sync(struct jif_job *job);

/**
 * jif_job_pending - is a job armed, or does it wait for a worker?
 * @job:	a job that has been initialised
 * Context: any thread.
 * Return: true if its callback is still to begin.
 */
bool jif_job_pending(struct jif_job *job);

/**
 * jif_job_left - how long until a job expires next
 * @job:	a job that has been initialised
 * Context: any thread.
 * Return: nanoseconds from now, or kept by a pause; 0 if due or not armed.
 */
uint64_t jif_job_left(struct jif_job *job);

/**
 * jif_service_set - set the timer of a key, whether it has one or not
 * @service:	the service
 * @key:	the key
 * @value:	handed to the service's function
 * @when:	jif_times_once() or jif_times_every()
 *
 * What the key had before is replaced.
 * Context: any thread.
 * Return: as jif_table_set(); -JIF_ERANGE if it is too far, as
 * jif_job_add(); -JIF_EINVAL also if the service has no table, a period
 * is no whole number of ticks or a string is too long; -JIF_ECANCELED if the
 * service does not run or is being drained. After an error, all is as before.
 */
JIF_MUST_CHECK
int jif_service_set(struct jif_service *service, struct jif_key key,
		    void *value, struct jif_times when);

/**
 * jif_service_add - set the timer of a key that has none
 * @service:	the service
 * @key:	the key
 * @value:	handed to the service's function
 * @when:	jif_times_once() or jif_times_every()
 * Context: any thread.
 * Return: as jif_service_set(); -JIF_EEXIST if the key is pending.
 */
JIF_MUST_CHECK
int jif_service_add(struct jif_service *service, struct jif_key key,
		    void *value, struct jif_times when);

/**
 * jif_service_move - let the timer of a key expire at another time
 * @service:	the service
 * @key:	the key
 * @expires_ns:	as for jif_job_add()
 *
 * What waits for a worker does not run. From the new time on, the key expires
 * as often as it was to after what waited, but once at least.
 * Context: any thread.
 * Return: 1 if it was pending, 0 if paused; -JIF_ENOENT if neither; -JIF_ENOSPC
 * if it waits for a worker, and the table is full; -JIF_ERANGE, -JIF_EINVAL or
 * -JIF_ECANCELED as jif_service_set(). After an error, nothing has changed.
 */
int jif_service_move(struct jif_service *service, struct jif_key key,
		     uint64_t expires_ns);

/**
 * jif_service_pause - stop the time of a key; what waits does not run
 * @service:	the service
 * @key:	the key
 *
 * What is left is kept to the nanosecond; with ticks of more than 2 s, each
 * pause may round it up, by less than 4 us.
 * Context: any thread.
 * Return: as jif_table_pause(); -JIF_EBUSY if its last call waits for a worker;
 * -JIF_EINVAL or -JIF_ECANCELED as jif_service_set().
 */
int jif_service_pause(struct jif_service *service, struct jif_key key);

/**
 * jif_service_resume - let the time of a key go on
 * @service:	the service
 * @key:	the key
 *
 * It is never early, and of all its pauses together, less than two ticks late;
 * a tick more for each after which the wheel does not reach its time.
 * Context: any thread.
 * Return: as jif_table_resume(); -JIF_EINVAL or -JIF_ECANCELED as
 * jif_service_set().
 */
int jif_service_resume(struct jif_service *service, struct jif_key key);

/**
 * jif_service_left - how long until a key expires next
 * @service:	the service
 * @key:	the key
 * Context: any thread.
 * Return: nanoseconds from now on, while it is paused those that are left; 0 if
 * it is due, or not in the table.
 */
uint64_t jif_service_left(struct jif_service *service, struct jif_key key);

/**
 * jif_service_count - how many keys are in the table
 * @service:	the service
 * Context: any thread.
 * Return: paused ones too, but none that waits for a worker for its last time.
 */
unsigned jif_service_count(struct jif_service *service);

/**
 * jif_service_remove - take the timer of a key out
 * @service:	the service
 * @key:	the key
 * Context: any thread.
 * Return: 0 if it was pending, and does not run; -JIF_ENOENT if it was not;
 * -JIF_ECANCELED if the service does not run.
 */
int jif_service_remove(struct jif_service *service, struct jif_key key);

/**
 * jif_service_remove_sync - take the timer of a key out, wait while it runs
 * @service:	the service
 * @key:	the key
 * Context: any thread. Not from a callback whose end that of the key waits for.
 * Return: how many callbacks do not run; -JIF_EDEADLK from its own callback, or
 * with it locked, and nothing has changed; -JIF_ECANCELED if it does not run.
 */
int jif_service_remove_sync(struct jif_service *service, struct jif_key key);

JIF_END_DECLS

#endif

#endif
