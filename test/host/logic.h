/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic.h - what the tests of a service share
 *
 * Each logic_NOUN.c has the tests of one noun; logic.c runs them.
 */
#ifndef LOGIC_H
#define LOGIC_H

#include <jif/debug.h>
#include <jif/host/service.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

/* What becomes of most armings is what these tests look at. */
#pragma GCC diagnostic ignored "-Wunused-result"

#define MS	UINT64_C(1000000)
#define US	UINT64_C(1000)
#define HOUR	(3600 * 1000 * MS)
#define WRAP	(UINT64_C(4294967296) * MS)
#define START	(WRAP - 10 * MS)
#define WORKERS 2
#define CALLS	2

extern struct jif_service service;
extern struct jif_entry entries[4];
extern struct jif_worker workers[WORKERS];
extern struct jif_call calls[CALLS];
extern uint64_t fake_ns;
extern char trace[64];
extern unsigned traced;
extern pthread_mutex_t tracing;

uint64_t fake_clock(const struct jif_loop *loop);
void wait_a_bit(void);
void set_clock(uint64_t ns);
void note(char what);
void forget(void);
bool noted(const char *want);
bool noted_all(const char *names);
void settle(void);
void begin_to(uint64_t ns);
void go_to(uint64_t ns);
void expect_by(uint64_t ns, const char *names, const char *why);
unsigned seen(const unsigned *field);
void await_field(const unsigned *field, unsigned value);
bool nothing_queued(void);
void finish_work(void);
void await_runs(unsigned n);

/**
 * struct item - a job of a test
 * @job:	the job
 * @name:	what it leaves in the trace
 * @again_ns:	it arms itself for that time; 0: it does not
 * @begun:	posted when the callback has begun; it waits for @gate then
 * @gate:	see @begun
 * @held:	whether it does
 * @result:	what the callback returns
 * @takes_ns:	the clock moves on meanwhile
 * @thread:	where it ran
 */
struct item {
	struct jif_job job;
	char name;
	uint64_t again_ns;
	sem_t begun;
	sem_t gate;
	bool held;
	int result;
	uint64_t takes_ns;
	pthread_t thread;
};

extern struct item a, b, c, d, e;

int run_item(struct jif_job *job);
void init_item(struct item *item, char name);
void begin_at(unsigned n, enum jif_full full, uint64_t start);
uint64_t begin(unsigned n, enum jif_full full);
void start_service(void);
void end(void);
void end_and_forget(void);
void hold(struct item *item, uint64_t ns);
void hold_worker(uint64_t t);
void finish_a(void);
void queue_the_others(uint64_t t);
uint64_t stop_ns(void);
void *arm_c(void *arg);
void arm_c_elsewhere(uint64_t ns);

#define MANY 300

extern struct item many[MANY];

void note_drained(struct jif_service *s, const struct jif_call *call);
void *delete_sync(void *arg);
void await_full(void);
void *stop(void *arg);
pthread_t begin_stop(struct item *spare, int *drained);

extern struct jif_call reported;
extern int reported_err;
extern uint64_t reported_ns;
extern unsigned reports;

void keep_report(struct jif_service *s, const struct jif_call *call, int err,
		 uint64_t ns);
void start_to_report(void);

extern sem_t reporting, reported_gate;

void hold_report(struct jif_service *s, const struct jif_call *call, int err,
		 uint64_t ns);
void await_waiting(void);

extern sem_t key_begun, key_gate;
extern bool key_held;
extern struct jif_call key_call;

void hold_keys(void);
int run_key(struct jif_service *s, struct jif_key key, void *value);
void use_keys(void);
uint64_t begin_keys(unsigned n);
uint64_t begin_late_keys(unsigned n, enum jif_full full,
			 enum jif_catchup policy);
struct jif_times each(struct jif_times when);
void set_every(unsigned number, uint64_t ns, uint64_t period, uint32_t times);
int set_key(unsigned number, uint64_t ns, bool add);
void never(struct jif_timer *timer);

extern struct jif_call last_call;

int look_at_call(struct jif_job *job);
char name_of(struct jif_key key);
int run_bytes(struct jif_service *s, struct jif_key key, void *value);

void run_jobs(void);
void make_calls(void);
void keep_keys(void);
void tell_what_is_slow(void);
void keep_time(void);
void lose_threads(void);
void know_what_time_it_is(void);
void count_beyond_16_bits(void);

#endif
