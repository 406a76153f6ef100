/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic.c - what a service does, with a clock of the test's own
 *
 * Time is what the test says, and begins shortly before ticks of a millisecond
 * wrap in 32 bits. Where something has to happen in another thread, the test
 * waits for it, for as long as that takes.
 *
 * usage: logic [many]: or what takes more keys and calls than 16 bits count
 */
#include "logic.h"

struct jif_service service;
struct jif_entry entries[4];
struct jif_worker workers[WORKERS];
struct jif_call calls[CALLS];
uint64_t fake_ns;
char trace[64];
unsigned traced;

pthread_mutex_t tracing = PTHREAD_MUTEX_INITIALIZER;

uint64_t fake_clock(const struct jif_loop *loop)
{
	return __atomic_load_n(&fake_ns, __ATOMIC_RELAXED);
}

/* For another thread to do something; less work than sched_yield(). */
void wait_a_bit(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

void set_clock(uint64_t ns)
{
	__atomic_store_n(&fake_ns, ns, __ATOMIC_RELAXED);
}

void note(char what)
{
	pthread_mutex_lock(&tracing);
	if (traced < sizeof(trace) - 1)
		trace[traced++] = what;
	pthread_mutex_unlock(&tracing);
}

void forget(void)
{
	pthread_mutex_lock(&tracing);
	memset(trace, 0, sizeof(trace));
	traced = 0;
	pthread_mutex_unlock(&tracing);
}

bool noted(const char *want)
{
	bool same;

	pthread_mutex_lock(&tracing);
	same = !strcmp(trace, want);
	if (!same)
		printf("# want: \"%s\", got: \"%s\"\n", want, trace);
	pthread_mutex_unlock(&tracing);
	forget();
	return same;
}

/* Each of these once, in no certain order. */
bool noted_all(const char *names)
{
	char *place, got[sizeof(trace)];

	pthread_mutex_lock(&tracing);
	memcpy(got, trace, sizeof(got));
	pthread_mutex_unlock(&tracing);
	forget();
	for (; *names && (place = strchr(got, *names)); names++)
		memmove(place, place + 1, strlen(place));
	return !*names && !*got;
}

/*
 * Until the clock thread has caught up with the time, and sleeps again. The end
 * of jif_service_lock() would set the sleep anew.
 */
void settle(void)
{
	bool asleep;

	do {
		wait_a_bit();
		pthread_mutex_lock(&service.lock);
		asleep = service.loop.until_ns &&
			 service.loop.ran ==
				 fake_clock(NULL) / service.loop.tick_ns;
		pthread_mutex_unlock(&service.lock);
	} while (!asleep);
}

void begin_to(uint64_t ns)
{
	set_clock(ns);
	jif_service_wake(&service);
}

void go_to(uint64_t ns)
{
	begin_to(ns);
	settle();
}

/* By then, these have run. */
void expect_by(uint64_t ns, const char *names, const char *why)
{
	go_to(ns);
	ok(noted(names), why);
}

/* What a field of the service has while its lock is held. */
unsigned seen(const unsigned *field)
{
	unsigned value;

	pthread_mutex_lock(&service.lock);
	value = *field;
	pthread_mutex_unlock(&service.lock);
	return value;
}

/* Until that is as much, or more. */
void await_field(const unsigned *field, unsigned value)
{
	while (seen(field) < value)
		wait_a_bit();
}

bool nothing_queued(void)
{
	return !seen(&service.stats.queued);
}

/* Until the workers have nothing to do. */
void finish_work(void)
{
	bool busy;

	do {
		wait_a_bit();
		busy = !nothing_queued();
		pthread_mutex_lock(&service.lock);
		for (unsigned i = 0; i < service.worker_count; i++)
			busy |= service.workers[i].busy;
		pthread_mutex_unlock(&service.lock);
	} while (busy);
}

struct item a, b, c, d, e;
sem_t key_begun, key_gate;
bool key_held;

int run_item(struct jif_job *job)
{
	struct item *item = jif_container_of(job, struct item, job);
	uint64_t again = item->again_ns;

	item->thread = pthread_self();
	item->again_ns = 0;
	if (again)
		jif_job_add(job, again);
	if (item->held) {
		sem_post(&item->begun);
		await(&item->gate);
	}
	set_clock(fake_clock(NULL) + item->takes_ns);
	note(item->name);
	return item->result;
}

void init_item(struct item *item, char name)
{
	memset(item, 0, sizeof(*item));
	memset(&item->job, 0xa5, sizeof(item->job));
	jif_job_init(&service, &item->job, run_item);
	sem_init(&item->begun, 0, 0);
	sem_init(&item->gate, 0, 0);
	item->name = name;
}

void begin_at(unsigned n, enum jif_full full, uint64_t start)
{
	memset(&service, 0, sizeof(service));
	service.table.used = 1;
	memset(&service.stats, 0xa5,
	       sizeof(service) - offsetof(struct jif_service, stats));
	service.loop.clock = fake_clock;
	key_held = false;
	if (n) {
		service.workers = workers;
		service.worker_count = n;
		service.calls = calls;
		service.call_count = CALLS;
		service.full = full;
	}
	set_clock(start);
	forget();
	init_item(&a, 'a');
	init_item(&b, 'b');
	init_item(&c, 'c');
	init_item(&d, 'd');
	init_item(&e, 'e');
}

void start_service(void)
{
	jif_service_init(&service);
	jif_service_start(&service);
}

uint64_t begin(unsigned n, enum jif_full full)
{
	begin_at(n, full, START);
	start_service();
	return START;
}

void end(void)
{
	jif_service_stop(&service, NULL);
}

void await_runs(unsigned n)
{
	while (jif_service_counts(&service).ran < n)
		wait_a_bit();
}

void end_and_forget(void)
{
	end();
	forget();
}

/* A callback that goes on until its gate is opened. */
void hold(struct item *item, uint64_t ns)
{
	item->held = true;
	jif_job_add(&item->job, ns);
	begin_to(ns);
	await(&item->begun);
}

void hold_worker(uint64_t t)
{
	hold(&a, t + 5 * MS);
}

/* The callback of hold_worker() ends, and what has waited for it runs. */
void finish_a(void)
{
	sem_post(&a.gate);
	finish_work();
}

/* One more than the queue of one worker has room for. */
void queue_the_others(uint64_t t)
{
	jif_job_add(&b.job, t + 6 * MS);
	jif_job_add(&c.job, t + 6 * MS);
	jif_job_add(&d.job, t + 6 * MS);
	begin_to(t + 6 * MS);
}

uint64_t stop_ns(void)
{
	uint64_t ns;

	settle();
	pthread_mutex_lock(&service.lock);
	ns = service.loop.until_ns;
	pthread_mutex_unlock(&service.lock);
	return ns;
}

void *arm_c(void *arg)
{
	jif_job_add(&c.job, *(uint64_t *)arg);
	return NULL;
}

void arm_c_elsewhere(uint64_t ns)
{
	pthread_t other;

	pthread_create(&other, NULL, arm_c, &ns);
	pthread_join(other, NULL);
}

struct item many[MANY];

void note_drained(struct jif_service *s, const struct jif_call *call)
{
	if (!call->job)
		note((char)('0' + call->key.number));
	else
		note(jif_container_of(call->job, struct item, job)->name);
	if (call->job &&
	    (jif_job_pending(call->job) || call->fn != call->job->fn ||
	     jif_job_del_sync(call->job) != -JIF_EDEADLK))
		note('!');
	if (jif_service_stop(s, NULL) != -JIF_EDEADLK ||
	    jif_service_drain(s, NULL) != -JIF_EDEADLK ||
	    (call->key.number == 4 && jif_service_left(s, jif_key_number(3))))
		note('!');
}

void *delete_sync(void *arg)
{
	struct item *item = arg;

	item->result = jif_job_del_sync(&item->job);
	note('-');
	return NULL;
}

void await_full(void)
{
	await_field(&service.ready_count, service.call_count);
}

void *stop(void *arg)
{
	*(int *)arg = jif_service_stop(&service, note_drained);
	return NULL;
}

/* Another thread has begun to stop it, so that no job is armed any more. */
pthread_t begin_stop(struct item *spare, int *drained)
{
	pthread_t thread;

	pthread_create(&thread, NULL, stop, drained);
	while (jif_job_add(&spare->job, START + HOUR) != -JIF_ECANCELED)
		jif_job_del(&spare->job);
	return thread;
}

struct jif_call reported;
int reported_err;
uint64_t reported_ns;
unsigned reports;

void keep_report(struct jif_service *s, const struct jif_call *call, int err,
		 uint64_t ns)
{
	jif_service_lock(s);
	if (s->depth != 1)
		note('!');
	reported = *call;
	reported_err = err;
	reported_ns = ns;
	reports++;
	jif_service_unlock(s);
}

void start_to_report(void)
{
	service.report = keep_report;
	start_service();
	reports = 0;
}

sem_t reporting, reported_gate;

void hold_report(struct jif_service *s, const struct jif_call *call, int err,
		 uint64_t ns)
{
	keep_report(s, call, err, ns);
	sem_post(&reporting);
	await(&reported_gate);
}

/* Until another thread waits for the end of a call, or has done with it. */
void await_waiting(void)
{
	bool waiting;

	do {
		wait_a_bit();
		waiting = seen(&service.waiting);
		pthread_mutex_lock(&tracing);
		waiting |= traced;
		pthread_mutex_unlock(&tracing);
	} while (!waiting);
}

struct jif_call key_call; /* the last one */

void hold_keys(void)
{
	sem_init(&key_begun, 0, 0);
	sem_init(&key_gate, 0, 0);
	key_held = true;
}

int run_key(struct jif_service *s, struct jif_key key, void *value)
{
	if (s != &service || value != &entries[key.number % 4] ||
	    !jif_service_current(s, &key_call))
		note('!');
	if (key_held) {
		sem_post(&key_begun);
		await(&key_gate);
	}
	note((char)('0' + key.number % 10));
	return jif_service_remove_sync(s, key) == -JIF_EDEADLK ? 0 : -1;
}

void use_keys(void)
{
	service.key_fn = run_key;
	service.table.entries = entries;
	service.table.capacity = 4;
	service.table.hash = jif_key_hash;
}

uint64_t begin_keys(unsigned n)
{
	begin_at(n, JIF_FULL_BLOCK, START);
	use_keys();
	service.key_order = true;
	service.key_catchup = JIF_CATCHUP_EACH;
	ok(!jif_service_init(&service) && !jif_service_start(&service),
	   n ? "a service for keys, with workers" : "a service for keys");
	return START;
}

/* Keys that are in no order, with this policy for those that are late. */
uint64_t begin_late_keys(unsigned n, enum jif_full full,
			 enum jif_catchup policy)
{
	begin_at(n, full, START);
	use_keys();
	service.key_catchup = policy;
	start_service();
	return START;
}

int set_key(unsigned number, uint64_t ns, bool add)
{
	return (add ? jif_service_add : jif_service_set)(&service,
							 jif_key_number(number),
							 &entries[number % 4],
							 jif_times_once(ns));
}

/* With a call for each period that is missed. */
struct jif_times each(struct jif_times when)
{
	when.catchup = JIF_CATCHUP_EACH;
	return when;
}

void set_every(unsigned number, uint64_t ns, uint64_t period, uint32_t times)
{
	jif_service_set(&service, jif_key_number(number), &entries[number % 4],
			jif_times_every(ns, period, times));
}

void never(struct jif_timer *timer)
{
	note('!');
}

struct jif_call last_call;

int look_at_call(struct jif_job *job)
{
	note(jif_service_current(&service, &last_call) ? 'p' : '!');
	return 0;
}

char name_of(struct jif_key key)
{
	return *(const char *)key.bytes;
}

int run_bytes(struct jif_service *s, struct jif_key key, void *value)
{
	note(name_of(key));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "many")) {
		count_beyond_16_bits();
		return tap_end();
	}
	run_jobs();
	make_calls();
	keep_keys();
	tell_what_is_slow();
	keep_time();
	lose_threads();
	know_what_time_it_is();
	return tap_end();
}
