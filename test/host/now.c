/* SPDX-License-Identifier: MIT */
/*
 * test/host/now.c - loops and services that sleep, beside a model
 *
 * The clock is the test's own, and goes on without the wheel: by parts of a
 * tick, or by more than 2^31 of them. Calls come from the main loop, callbacks
 * and another thread, one at a time. The model knows when each thing is due to
 * the nanosecond: nothing is early, or more than a tick late, and what is left
 * is exact.
 *
 * usage: now [OPERATIONS [SEED]]
 */
#include <jif/host/service.h>
#include <sched.h>
#include <stdlib.h>

#include "tap.h"

#define THINGS 24
#define HALF   (THINGS / 2)

enum state { IDLE, ARMED, PAUSED };

/* A timer or periodic timer of a loop; or a job or key of a service. */
struct thing {
	union {
		struct jif_timer timer;
		struct jif_periodic periodic;
		struct jif_job job;
	};
	enum state state;
	bool of_ticks;	  /* what it has left is a number of ticks */
	bool past;	  /* it was due when it was armed */
	unsigned rounded; /* it may be late by so many ticks more */
	uint64_t due;	  /* while it is armed */
	uint64_t left;	  /* while it is paused */
	uint64_t period;  /* 0: one time */
	enum jif_catchup policy;
};

static struct thing things[THINGS];
static struct jif_loop loop;
static struct jif_service service;
static struct jif_entry entries[HALF];
static uint64_t now, tick, looks, begin;
static uint64_t fired, operations;
static bool in_callback;
static void (*act)(void); /* does anything */
static uint64_t seed = 1;
static const char *wrong;
static uint64_t wrong_at;

static uint64_t fake_clock(const struct jif_loop *of)
{
	__atomic_fetch_add(&looks, 1, __ATOMIC_ACQ_REL);
	return __atomic_load_n(&now, __ATOMIC_ACQUIRE);
}

static uint64_t any(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 11) % below;
}

static void expect(bool right, const char *what)
{
	if (right || wrong)
		return;
	wrong = what;
	wrong_at = operations;
}

static uint64_t begin_of_tick(uint64_t ns)
{
	return ns - ns % tick;
}

static uint64_t end_of_tick(uint64_t ns)
{
	return begin_of_tick(ns + tick - 1);
}

/* Short ones more often; rarely, more than any wheel reaches. */
static uint64_t any_ns(unsigned longest)
{
	static const uint64_t ticks[] = { 1,	      3,	 100,
					  5000,	      100000,	 700000000,
					  1900000000, 6000000000 };
	unsigned i = 0;

	while (i < longest && any(3))
		i++;
	return any(ticks[i] * tick) + any(2) * any(ticks[i]) * tick / 2;
}

static void arm(struct thing *t, uint64_t due)
{
	t->past = due <= now;
	t->rounded = 0;
	t->due = t->past ? now : due;
	t->state = ARMED;
}

static void pause_one(struct thing *t)
{
	t->left = t->due > now ? t->due - now : 0;
	if (t->of_ticks)
		t->left = t->due > now ? t->due - begin_of_tick(now) : 0;
	t->state = PAUSED;
}

/* What is out of the reach of the wheel's clock is on a tick, of keys. */
static bool is_rounded(const struct thing *t)
{
	return !t->of_ticks && t >= things + HALF &&
	       (in_callback || t->due - begin > 2147483640 * tick);
}

static void resume_one(struct thing *t)
{
	unsigned rounded = t->rounded;

	arm(t, (t->of_ticks ? begin_of_tick(now) : now) + t->left);
	t->rounded = rounded + is_rounded(t);
}

/* Of a paused one, all of it; what is due, or was, has nothing left. */
static uint64_t left_of(const struct thing *t)
{
	if (t->state == PAUSED)
		return t->left;
	if (t->state == IDLE || t->due <= now)
		return 0;
	return t->due - (t->of_ticks ? begin_of_tick(now) : now);
}

/* What a loop's run has missed; of older calls, it has the last one. */
static uint64_t missed_of(struct thing *t)
{
	uint64_t end = begin_of_tick(begin), missed;
	uint64_t old = end > tick << 30 ? end - (tick << 30) : 0;
	bool skips = t->due + t->period <= old;

	if (skips)
		t->due = old - (old - t->due) % t->period;
	if (t->policy == JIF_CATCHUP_EACH)
		return 0;
	missed = (end - t->due) / t->period;
	return missed || t->policy == JIF_CATCHUP_SKIP ? missed : skips;
}

/* In a run up to the time at which it began or, of a service, went on to. */
static void fire(struct thing *t, uint64_t missed)
{
	uint64_t due = end_of_tick(t->due), least = 0, most = 0;
	bool each = t->policy == JIF_CATCHUP_EACH;

	fired++;
	expect(t->state == ARMED, "what is idle or paused is called");
	expect(now >= t->due, "it is early");
	if (t->of_ticks && t->period) {
		least = most = missed_of(t);
	} else if (!each && t->period) {
		if (begin > due + t->rounded * tick)
			least = (begin_of_tick(begin) - due -
				 t->rounded * tick) /
				t->period;
		most = (begin_of_tick(now) - due) / t->period;
	}
	if (missed == UINT32_MAX)
		missed = most;
	expect((missed >= least && missed <= most) || t->past ||
		       (each && !t->of_ticks),
	       "other periods are missed");
	t->state = t->period ? ARMED : IDLE;
	t->due += (missed + 1) * t->period;
	if (missed && t->policy == JIF_CATCHUP_RESTART)
		t->due = begin_of_tick(begin) + t->period;
	t->past = false;
	t->rounded += !t->of_ticks && t >= things + HALF &&
		      t->due - due > 2147483640 * tick;
}

/* All that was due has been called. */
static void expect_all_called(void)
{
	uint64_t late;

	for (struct thing *t = things; t < things + THINGS; t++) {
		late = (t->past + t->rounded) * tick;
		if (t->state == ARMED)
			expect(end_of_tick(t->due) + late > begin,
			       "it is late");
	}
}

static void pass(unsigned longest)
{
	uint64_t ns = any_ns(any(200) ? 4 : longest - any(2));

	if (now < UINT64_MAX / 2)
		__atomic_store_n(&now, now + ns, __ATOMIC_RELEASE);
}

static void act_in_callback(void)
{
	in_callback = true;
	act();
	in_callback = false;
}

/* --- a loop ----------------------------------------------------------------*/

/* It is less than 2^31 ticks late after that, as the run is of up to 2^30. */
static void pass_in_callback(void)
{
	if (!any(4) && now - begin < 2000000 * tick)
		pass(5);
}

/* Out of reach, as the wheel is behind; in callbacks, by more than 2^30. */
static bool is_refused(int err, uint64_t expires)
{
	uint64_t behind = (uint32_t)(now / tick) - jif_wheel_clock(&loop.wheel);
	uint64_t ahead = end_of_tick(expires) / tick - now / tick;
	uint64_t most = JIF_SLEEP_MAX;

	if (in_callback)
		most += now / tick - begin / tick;
	return err == -JIF_ERANGE && behind <= most &&
	       ahead + behind > JIF_DELAY_MAX;
}

static void fire_timer(struct jif_timer *timer)
{
	struct thing *t = jif_container_of(timer, struct thing, timer);

	fire(t, 0);
	pass_in_callback();
	act_in_callback();
}

static void fire_periodic(struct jif_periodic *p)
{
	struct thing *t = jif_container_of(p, struct thing, periodic);

	fire(t, jif_periodic_missed(p));
	pass_in_callback();
	act_in_callback();
}

static uint32_t some_ticks(void)
{
	return (uint32_t)(any_ns(6) / tick % 1700000000);
}

static void arm_timer(struct thing *t)
{
	uint32_t delay = some_ticks();
	uint64_t ns = now + delay * tick - any(tick);
	int err, was = t->state == ARMED, add = was ? -JIF_EBUSY : 0;

	switch (any(4)) {
	case 0:
		err = jif_timer_add_in(&loop.wheel, &t->timer, delay);
		ns = begin_of_tick(now) + (delay + UINT64_C(1)) * tick;
		expect(err == add || is_refused(err, ns), "add_in");
		break;
	case 1:
		err = jif_timer_mod_in(&loop.wheel, &t->timer, delay);
		ns = begin_of_tick(now) + (delay + UINT64_C(1)) * tick;
		expect(err == was || is_refused(err, ns), "mod_in");
		break;
	case 2:
		err = jif_loop_add(&loop, &t->timer, ns);
		expect(err == add || is_refused(err, ns), "jif_loop_add()");
		ns = end_of_tick(ns);
		break;
	default:
		if (delay % 2)
			err = jif_loop_mod_in(&loop, &t->timer, ns - now);
		else
			err = jif_loop_mod(&loop, &t->timer, ns);
		expect(err == was || is_refused(err, ns),
		       "jif_loop_mod(), mod_in");
		ns = end_of_tick(ns);
	}
	if (err >= 0)
		arm(t, ns);
}

static void start_periodic(struct thing *t)
{
	uint32_t first = 1 + some_ticks(), period = 1 + some_ticks();
	uint64_t due = begin_of_tick(now) + first * tick;
	int err, was = t->state == ARMED;

	/* What is called each time is not called too often. */
	if (t->policy == JIF_CATCHUP_EACH)
		period = period / 2 + 200000000;
	err = jif_periodic_start(&loop.wheel, &t->periodic, first, period,
				 JIF_FOREVER);
	expect(err == was || is_refused(err, due), "jif_periodic_start()");
	if (err < 0)
		return;
	t->period = period * tick;
	arm(t, due);
}

static void stop_periodic(struct thing *t)
{
	expect(jif_periodic_stop(&t->periodic) == (t->state == ARMED),
	       "jif_periodic_stop()");
	t->state = IDLE;
}

static void act_on_timer(struct thing *t)
{
	int err, was = t->state;
	uint64_t left = left_of(t) / tick;

	switch (any(6)) {
	case 0:
		expect(jif_timer_pause(&loop.wheel, &t->timer) ==
			       (was == ARMED),
		       "jif_timer_pause()");
		if (was == ARMED)
			pause_one(t);
		break;
	case 1:
		err = jif_timer_resume(&loop.wheel, &t->timer);
		expect(err == (was == PAUSED ? 0 : -JIF_EINVAL) ||
			       is_refused(err, now + t->left),
		       "jif_timer_resume()");
		if (!err)
			resume_one(t);
		break;
	case 2:
		if (was != PAUSED) {
			jif_timer_del(&loop.wheel, &t->timer);
			t->state = IDLE;
		}
		break;
	case 3:
		expect(jif_timer_left(&loop.wheel, &t->timer) == left ||
			       t->past,
		       "jif_timer_left()");
		break;
	default:
		arm_timer(t);
	}
}

static void act_on_loop(void)
{
	struct thing *t = &things[any(THINGS)];

	operations++;
	if (t < things + HALF)
		act_on_timer(t);
	else if (any(3))
		start_periodic(t);
	else
		stop_periodic(t);
}

static void begin_loop(void)
{
	loop = (struct jif_loop){ .clock = fake_clock, .tick_ns = tick };
	expect(!jif_loop_init(&loop), "jif_loop_init()");
	for (unsigned i = 0; i < THINGS; i++) {
		things[i] =
			(struct thing){ .of_ticks = true,
					.policy = (enum jif_catchup)any(3) };
		jif_timer_init(&things[i].timer, fire_timer);
		if (i >= HALF)
			jif_periodic_init(&things[i].periodic, fire_periodic,
					  things[i].policy);
		else
			things[i].policy = JIF_CATCHUP_EACH;
	}
}

static void run_loop(uint64_t until)
{
	act = act_on_loop;
	begin_loop();
	while (operations < until && !wrong) {
		for (uint64_t n = any(6); n; n--) {
			pass(7);
			act_on_loop();
		}
		jif_loop_wake(&loop);
		pass(7);
		begin = now;
		jif_loop_run(&loop);
		expect_all_called();
	}
	jif_loop_shutdown(&loop);
}

/* --- a service -------------------------------------------------------------*/

static int fire_of_service(struct thing *t)
{
	struct jif_call call;

	expect(jif_service_current(&service, &call), "jif_service_current()");
	fire(t, call.missed);
	act_in_callback();
	return 0;
}

static int fire_job(struct jif_job *job)
{
	return fire_of_service(jif_container_of(job, struct thing, job));
}

static int fire_key(struct jif_service *of, struct jif_key key, void *value)
{
	return fire_of_service(value);
}

static struct jif_key key_of(const struct thing *t)
{
	return jif_key_number((jif_number_t)(t - things));
}

/* As far as a wheel reaches from now. */
static uint64_t some_ns(void)
{
	return any_ns(6) % (2000000000 * tick);
}

static struct jif_times some_times(struct thing *t)
{
	struct jif_times when = jif_times_once(now + 1 + some_ns());

	t->period = 0;
	if (any(2)) {
		when.period_ns = (some_ns() / tick + 1) * tick;
		when.times = JIF_FOREVER;
		if (t->policy == JIF_CATCHUP_EACH)
			when.period_ns = when.period_ns / 2 / tick * tick +
					 200000000 * tick;
		when.catchup = t->policy;
		t->period = when.period_ns;
	}
	return when;
}

static void arm_here(struct thing *t, uint64_t due)
{
	arm(t, due);
	t->rounded = is_rounded(t);
}

static void arm_job(struct thing *t)
{
	uint64_t delay = some_ns(), due = now + delay;
	bool was = t->state == ARMED;
	int err, add = was ? -JIF_EBUSY : 0;
	struct jif_times when;

	switch (any(5)) {
	case 0:
		err = jif_job_add(&t->job, due);
		expect(err == add, "jif_job_add()");
		break;
	case 1:
		err = jif_job_add_in(&t->job, delay);
		expect(err == add, "jif_job_add_in()");
		break;
	case 2:
		err = jif_job_mod(&t->job, due);
		expect(err == was, "jif_job_mod()");
		break;
	case 3:
		err = jif_job_mod_in(&t->job, delay);
		expect(err == was, "jif_job_mod_in()");
		break;
	default:
		when = some_times(t);
		expect(jif_job_start(&t->job, when) == was, "jif_job_start()");
		arm_here(t, when.expires_ns);
		return;
	}
	if (!err || err == 1) {
		t->period = 0;
		arm_here(t, due);
	}
}

static void arm_key(struct thing *t)
{
	int was = t->state != IDLE;
	struct jif_times when;
	uint64_t due = now + 1 + some_ns();
	uint64_t period = t->period;
	int err;

	switch (any(3)) {
	case 0:
		err = jif_service_move(&service, key_of(t), due);
		expect(err == (was ? t->state == ARMED : -JIF_ENOENT),
		       "jif_service_move()");
		if (was)
			arm_here(t, due);
		break;
	case 1:
		when = some_times(t);
		err = jif_service_add(&service, key_of(t), t, when);
		expect(err == (was ? -JIF_EEXIST : 0), "jif_service_add()");
		if (was)
			t->period = period;
		else
			arm_here(t, when.expires_ns);
		break;
	default:
		when = some_times(t);
		expect(jif_service_set(&service, key_of(t), t, when) == was,
		       "jif_service_set()");
		arm_here(t, when.expires_ns);
	}
}

static bool is_left(const struct thing *t, uint64_t got)
{
	uint64_t left = left_of(t);

	return got == left || t->past ||
	       (got > left && got - left < t->rounded * tick);
}

static void pause_thing(struct thing *t, bool key)
{
	if (key)
		expect(jif_service_pause(&service, key_of(t)) ==
			       (t->state == ARMED  ? 0 :
				t->state == PAUSED ? -JIF_EINVAL :
						     -JIF_ENOENT),
		       "jif_service_pause()");
	else
		expect(jif_job_pause(&t->job) == (t->state == ARMED),
		       "jif_job_pause()");
	if (t->state == ARMED)
		pause_one(t);
}

static void resume_thing(struct thing *t, bool key)
{
	if (key)
		expect(jif_service_resume(&service, key_of(t)) ==
			       (t->state == PAUSED ? 0 :
				t->state == ARMED  ? -JIF_EINVAL :
						     -JIF_ENOENT),
		       "jif_service_resume()");
	else
		expect(jif_job_resume(&t->job) ==
			       (t->state == PAUSED ? 0 : -JIF_EINVAL),
		       "jif_job_resume()");
	if (t->state == PAUSED)
		resume_one(t);
}

static void delete_thing(struct thing *t, bool key)
{
	if (key)
		expect(jif_service_remove(&service, key_of(t)) ==
			       (t->state == IDLE ? -JIF_ENOENT : 0),
		       "jif_service_remove()");
	else
		expect(jif_job_del(&t->job) == (t->state == ARMED),
		       "jif_job_del()");
	t->state = IDLE;
}

static void act_on_service(void)
{
	struct thing *t = &things[any(THINGS)];
	bool key = t >= things + HALF;

	operations++;
	switch (any(8)) {
	case 0:
	case 1:
		pause_thing(t, key);
		break;
	case 2:
	case 3:
		resume_thing(t, key);
		break;
	case 4:
		expect(is_left(t, key ? jif_service_left(&service, key_of(t)) :
					jif_job_left(&t->job)),
		       "what is left");
		break;
	case 5:
		delete_thing(t, key);
		break;
	default:
		if (key)
			arm_key(t);
		else
			arm_job(t);
	}
}

static sem_t go, gone;
static bool done;

static void *act_there(void *unused)
{
	for (await(&go); !done; await(&go)) {
		act_on_service();
		sem_post(&gone);
	}
	return unused;
}

static uint64_t count_looks(void)
{
	return __atomic_load_n(&looks, __ATOMIC_ACQUIRE);
}

/* Until its thread has looked at the clock, has run all, and sleeps. */
static void await_sleep(uint64_t before)
{
	bool asleep = false;

	while (!asleep) {
		sched_yield();
		if (count_looks() == before)
			continue;
		pthread_mutex_lock(&service.lock);
		asleep = service.loop.until_ns &&
			 service.loop.ran == now / tick;
		pthread_mutex_unlock(&service.lock);
	}
}

static void run_service(void)
{
	uint64_t before = count_looks();

	begin = now;
	jif_service_wake(&service);
	await_sleep(before);
}

static void begin_service(void)
{
	service = (struct jif_service){
		.loop = { .clock = fake_clock, .tick_ns = tick },
		.table = { .entries = entries,
			   .capacity = HALF,
			   .hash = jif_key_hash },
		.key_fn = fire_key,
		.key_catchup = (enum jif_catchup)any(3),
	};
	expect(!jif_service_init(&service) && !jif_service_start(&service),
	       "jif_service_start()");
	begin = now;
	await_sleep(count_looks() - 1);
	for (unsigned i = 0; i < THINGS; i++) {
		things[i] =
			(struct thing){ .policy = (enum jif_catchup)any(3) };
		if (i < HALF)
			jif_job_init(&service, &things[i].job, fire_job);
		else
			things[i].policy = service.key_catchup;
	}
}

static void run_services(uint64_t until)
{
	pthread_t other;

	act = act_on_service;
	begin_service();
	done = false;
	pthread_create(&other, NULL, act_there, NULL);
	while (operations < until && !wrong) {
		for (uint64_t n = any(16); n; n--) {
			pass(7);
			if (any(3)) {
				act_on_service();
				continue;
			}
			sem_post(&go);
			await(&gone);
		}
		pass(7);
		run_service();
		expect_all_called();
	}
	done = true;
	sem_post(&go);
	pthread_join(other, NULL);
	jif_service_stop(&service, NULL);
}

int main(int argc, char **argv)
{
	static const uint64_t lengths[] = {
		10000,
		1000000,
		999999,
	};
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000;

	if (argc > 2)
		seed = strtoull(argv[2], NULL, 0);
	sem_init(&go, 0, 0);
	sem_init(&gone, 0, 0);
	while (operations < count && !wrong) {
		tick = lengths[any(3)];
		__atomic_store_n(&now,
				 (any(2) * UINT64_C(4294967293) + 2) * tick +
					 any(tick),
				 __ATOMIC_RELEASE);
		if (any(2))
			run_loop(operations + 1000);
		else
			run_services(operations + 1000);
	}
	ok(!wrong, "nothing is early, or late by more than a tick");
	printf("# %llu operations, %llu calls\n",
	       (unsigned long long)operations, (unsigned long long)fired);
	if (wrong)
		printf("# %s, at operation %llu\n", wrong,
		       (unsigned long long)wrong_at);
	return tap_end();
}
