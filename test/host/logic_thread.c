/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic_thread.c - threads that end in a call, and forks
 */
#include "logic.h"

static void runs_out(void)
{
	struct rlimit before, none = { 0, 0 };

	begin_at(1, 0, WRAP);
	jif_service_init(&service);
	getrlimit(RLIMIT_NOFILE, &before);
	none.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_NOFILE, &none);
	is(jif_service_start(&service), -EMFILE, "no descriptor is left");
	setrlimit(RLIMIT_NOFILE, &before);
	is(jif_job_add(&a.job, WRAP), -JIF_ECANCELED, "so it is stopped");
	is(jif_service_stop(&service, NULL), -JIF_ECANCELED, "as before");
	is(jif_service_start(&service), 0, "and can be started later");
	end();
}

/* Nothing of the parent's can be relied on but for the number of forks. */
static int call_in_child(void)
{
	struct jif_stats stats;

	if (jif_job_add(&a.job, WRAP) != -JIF_ECANCELED ||
	    jif_job_del(&b.job) || jif_job_pending(&b.job) ||
	    jif_job_del_sync(&a.job) != -JIF_ECANCELED)
		return 1;
	if (set_key(1, WRAP, true) != -JIF_ECANCELED ||
	    jif_service_move(&service, jif_key_number(1), WRAP) !=
		    -JIF_ECANCELED ||
	    jif_service_remove(&service, jif_key_number(1)) != -JIF_ECANCELED)
		return 2;
	if (jif_service_stop(&service, NULL) != -JIF_ECANCELED ||
	    jif_service_start(&service) != -JIF_ECANCELED ||
	    jif_service_drain(&service, NULL) != -JIF_ECANCELED)
		return 3;
	jif_service_lock(&service);
	jif_service_unlock(&service);
	jif_service_wake(&service);
	jif_service_stats(&service, &stats);
	if (stats.pending || jif_service_count(&service) ||
	    jif_service_left(&service, jif_key_number(1)) ||
	    jif_job_left(&b.job) || jif_job_pause(&b.job) ||
	    jif_service_running(&service) || jif_service_stopped(&service))
		return 4;
	return 0;
}

static int call_more_in_child(void)
{
	if (jif_service_counts(&service).ran || jif_job_del(&c.job) ||
	    jif_service_current(&service, &last_call))
		return 5;
	if (jif_service_pause(&service, jif_key_number(1)) != -JIF_ECANCELED ||
	    jif_service_resume(&service, jif_key_number(1)) != -JIF_ECANCELED ||
	    jif_service_remove_sync(&service, jif_key_number(1)) !=
		    -JIF_ECANCELED)
		return 6;
	return jif_service_init(&service) || jif_service_drain(&service, NULL);
}

static void leaves_a_child_alone(void)
{
	uint64_t t = begin_keys(1);
	int status = -1;
	pid_t child;

	hold_worker(t);
	set_key(1, t + HOUR, true);
	jif_job_add(&b.job, t + HOUR);
	jif_job_add(&c.job, t + HOUR);
	jif_job_pause(&c.job);
	pthread_mutex_lock(&service.lock);
	child = fork();
	if (!child)
		_exit(call_in_child() || call_more_in_child());
	pthread_mutex_unlock(&service.lock);
	waitpid(child, &status, 0);
	is(status, 0, "in the child of a fork, calls are errors");
	sem_post(&a.gate);
	is(jif_service_stop(&service, NULL), 2, "the parent has what it had");
}

static int fork_in_call(struct jif_job *job)
{
	struct item *item = jif_container_of(job, struct item, job);
	pid_t child = fork();

	if (!child)
		_exit(jif_service_current(&service, &last_call));
	waitpid(child, &item->result, 0);
	return 0;
}

/* The child, too: that ends it, with status 0, before an alarm does. */
static int fork_and_return(struct jif_job *job)
{
	struct item *item = jif_container_of(job, struct item, job);
	sigset_t all;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child) {
		waitpid(child, &item->result, 0);
	} else {
		sigfillset(&all);
		pthread_sigmask(SIG_UNBLOCK, &all, NULL);
		alarm(10);
	}
	return 0;
}

static void child_of_a_call_ends_with_it(unsigned n)
{
	uint64_t t = begin(n, JIF_FULL_BLOCK);

	a.job.fn = fork_and_return;
	a.result = -1;
	jif_job_add(&a.job, t + 5 * MS);
	go_to(t + 5 * MS);
	finish_work();
	is(a.result, 0,
	   n ? "so does that of a worker's" :
	       "the child of a callback ends with it");
	end();
}

static void runs_no_call_in_a_child(void)
{
	uint64_t t = begin(0, 0);

	a.job.fn = fork_in_call;
	a.result = -1;
	jif_job_add(&a.job, t + 5 * MS);
	go_to(t + 5 * MS);
	finish_work();
	is(a.result, 0, "a callback that forks is none in the child");
	end();
}

#define TRIES 50000

/* Goes no further if one has taken the lock with it. */
static void is_free(const char *name)
{
	unsigned tries = 0;

	while (tries < TRIES && pthread_mutex_trylock(&service.lock)) {
		wait_a_bit();
		tries++;
	}
	ok(tries < TRIES, name);
	if (tries == TRIES)
		exit(tap_end());
	pthread_mutex_unlock(&service.lock);
}

static void note_cancelled(struct jif_service *s, const struct jif_call *call)
{
	pthread_testcancel();
	note(jif_container_of(call->job, struct item, job)->name);
}

static int wait_for_job(void)
{
	return jif_job_del_sync(&a.job);
}

static int wait_for_key(void)
{
	return jif_service_remove_sync(&service, jif_key_number(1));
}

static int wait_for_stop(void)
{
	return jif_service_stop(&service, note_cancelled);
}

static int cancel_state = PTHREAD_CANCEL_ENABLE;

/* If it may be cancelled, it is when the call has returned, and not before. */
static void *be_cancelled(void *wait)
{
	int result;

	pthread_setcancelstate(cancel_state, NULL);
	result = (*(int (**)(void))wait)();
	note((char)('0' + result));
	pthread_testcancel();
	note('!');
	return NULL;
}

static void gives_the_lock_back(int (*wait)(void), const char *want,
				const char *name)
{
	uint64_t t = begin_keys(2);
	pthread_t thread;
	void *end_of_it;

	hold_worker(t);
	hold_keys();
	set_key(1, t + 6 * MS, true);
	begin_to(t + 6 * MS);
	await(&key_begun);
	jif_job_add(&b.job, t + HOUR);
	pthread_create(&thread, NULL, be_cancelled, &wait);
	await_waiting();
	pthread_cancel(thread);
	sem_post(&a.gate);
	sem_post(&key_gate);
	pthread_join(thread, &end_of_it);
	is_free(name);
	finish_work();
	ok((end_of_it == PTHREAD_CANCELED) ==
			   (cancel_state == PTHREAD_CANCEL_ENABLE) &&
		   noted_all(want),
	   "and ends when the call has done its work");
	end();
}

static void *hold_lock(void *arg)
{
	jif_service_lock(&service);
	jif_service_lock(&service);
	sem_post(&key_begun);
	await(&key_gate);
	jif_service_unlock(&service);
	pthread_testcancel();
	jif_service_unlock(&service);
	note('u');
	pthread_testcancel();
	return arg;
}

static void unlocks_what_it_has_locked(void)
{
	pthread_t thread;
	void *end_of_it;

	begin(0, 0);
	sem_init(&key_begun, 0, 0);
	sem_init(&key_gate, 0, 0);
	pthread_create(&thread, NULL, hold_lock, NULL);
	await(&key_begun);
	pthread_cancel(thread);
	sem_post(&key_gate);
	pthread_join(thread, &end_of_it);
	is_free("a thread that is cancelled unlocks the service");
	ok(end_of_it == PTHREAD_CANCELED && noted("u"), "and ends then");
	end();
}

static int leave_thread(struct jif_job *job)
{
	note('x');
	pthread_exit(NULL);
}

static void leave_report(struct jif_service *s, const struct jif_call *call,
			 int err, uint64_t ns)
{
	keep_report(s, call, err, ns);
	pthread_exit(NULL);
}

static uint32_t leave_locked(struct jif_key key)
{
	if (!pthread_equal(pthread_self(), service.clock.thread))
		return jif_key_hash(key);
	jif_service_lock(&service);
	pthread_exit(NULL);
}

static void has_ended(const char *name)
{
	unsigned tries = 0;

	while (jif_service_running(&service) && ++tries < TRIES)
		wait_a_bit();
	is(jif_job_add(&e.job, WRAP + HOUR), -JIF_ECANCELED, name);
}

static void ends_with_a_thread(unsigned n, const char *name)
{
	uint64_t t = begin(n, JIF_FULL_BLOCK);
	struct jif_stats stats;

	jif_job_init(&service, &c.job, leave_thread);
	jif_job_add(&b.job, t + HOUR);
	jif_job_add(&c.job, t + 5 * MS);
	jif_job_add(&d.job, t + 5 * MS);
	begin_to(t + 5 * MS);
	has_ended(name);
	is(jif_service_stop(&service, note_drained), 2,
	   "what is pending is handed out");
	ok(noted("xdb"), "and has not run");
	is(jif_job_del_sync(&c.job), 0, "nobody waits for it");
	jif_service_stats(&service, &stats);
	ok(!stats.running && stats.counts.failed == 1 && !stats.longest_ns,
	   "it has failed");
	ok(!jif_service_start(&service), "it may start again");
	jif_job_add(&d.job, t + 6 * MS);
	go_to(t + 6 * MS);
	finish_work();
	ok(noted("d"), "and go on");
	end();
}

static void ends_with_a_report(void)
{
	uint64_t t = WRAP;
	struct jif_stats stats;

	begin_at(1, JIF_FULL_REFUSE, t);
	service.report = leave_report;
	start_service();
	hold_worker(t);
	queue_the_others(t);
	has_ended("a report may end the clock's thread");
	jif_service_stats(&service, &stats);
	is(stats.running, 1, "the worker goes on");
	sem_post(&a.gate);
	is(jif_service_stop(&service, NULL), 2, "to the end");
	ok(noted("a"), "of its callback");
}

static void ends_with_the_lock(void)
{
	uint64_t t = begin_keys(0);

	service.table.hash = leave_locked;
	set_key(1, t + 5 * MS, true);
	set_key(2, t + HOUR, true);
	begin_to(t + 5 * MS);
	has_ended("one that has the lock may end the clock's thread");
	is_free("and gives it back");
	is(jif_service_stop(&service, NULL), 2, "keys are taken off");
}

void lose_threads(void)
{
	runs_out();
	leaves_a_child_alone();
	runs_no_call_in_a_child();
	child_of_a_call_ends_with_it(0);
	child_of_a_call_ends_with_it(1);
	gives_the_lock_back(wait_for_job, "a10",
			    "who is cancelled in del_sync has no lock");
	gives_the_lock_back(wait_for_key, "a10", "nor in remove_sync");
	gives_the_lock_back(wait_for_stop, "a11b", "nor in stop");
	cancel_state = PTHREAD_CANCEL_DISABLE;
	gives_the_lock_back(wait_for_job, "a10!",
			    "who cannot be cancelled cannot be in del_sync");
	gives_the_lock_back(wait_for_key, "a10!", "nor in remove_sync so");
	gives_the_lock_back(wait_for_stop, "a11b!", "nor in stop so");
	unlocks_what_it_has_locked();
	ends_with_a_thread(0, "when the clock's thread has ended, add says so");
	ends_with_a_thread(1, "or a worker");
	ends_with_a_report();
	ends_with_the_lock();
}
