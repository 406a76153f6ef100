/* SPDX-License-Identifier: MIT */
/*
 * test/host/shard.c - threads post to shards, whose owners sleep in between
 *
 * What a thread has posted expires once, and not early; what it has posted and
 * deleted does not. A wake-up that is lost ends in a test that does not.
 *
 * usage: shard OPERATIONS: how often each thread posts
 */
#include <jif/shard.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"
#include "test/wheel/model/random.h"

#define US	UINT64_C(1000)
#define HOUR	(3600 * 1000 * (1000 * US))
#define SHARDS	2
#define POSTERS 3
#define ITEMS	16

/**
 * struct item - a timer of one poster, on one shard
 * @timer:	the timer
 * @due_ns:	not sooner than that
 * @waits:	posted, and not expired
 */
struct item {
	struct jif_timer timer;
	uint64_t due_ns;
	bool waits;
};

static struct jif_shard shards[SHARDS];
static struct jif_post posts[SHARDS][8];
static struct item items[POSTERS][SHARDS][ITEMS];
static struct jif_timer far_away[POSTERS][SHARDS];
static struct jif_timer last[SHARDS];
static unsigned turns[SHARDS];
static bool over[SHARDS];
static unsigned posted, refused, wrong;
static unsigned long operations;

static void count(unsigned *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* All shards have the same clock. */
static void fire(struct jif_timer *timer)
{
	struct item *item = jif_container_of(timer, struct item, timer);

	if (jif_loop_now(&shards[0].loop) < item->due_ns || !item->waits)
		count(&wrong);
	__atomic_store_n(&item->waits, false, __ATOMIC_RELEASE);
}

static void fire_wrong(struct jif_timer *timer)
{
	count(&wrong);
}

static void finish(struct jif_timer *timer)
{
	over[timer - last] = true;
}

static void *own(void *arg)
{
	struct jif_shard *shard = arg;
	struct pollfd fd = { .fd = shard->loop.fd, .events = POLLIN };

	while (!over[shard - shards]) {
		poll(&fd, 1, -1);
		jif_shard_run(shard);
		turns[shard - shards]++;
	}
	return NULL;
}

static bool is_waiting(struct item *item)
{
	return __atomic_load_n(&item->waits, __ATOMIC_ACQUIRE);
}

static void post_item(struct jif_shard *shard, struct item *item,
		      uint64_t *random)
{
	if (is_waiting(item))
		return;
	item->due_ns =
		jif_loop_now(&shard->loop) + random_next(random, 500) * US;
	item->waits = true;
	if (!jif_shard_mod(shard, &item->timer, item->due_ns)) {
		count(&posted);
	} else {
		item->waits = false;
		count(&refused);
	}
}

static void wait_a_bit(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 50000 }, NULL);
}

/* Armed and deleted. */
static void post_far(struct jif_shard *shard, struct jif_timer *timer)
{
	uint64_t hour = 3600000000 * US;

	if (jif_shard_mod(shard, timer, jif_loop_now(&shard->loop) + hour)) {
		count(&refused);
		return;
	}
	while (jif_shard_del(shard, timer)) {
		count(&refused);
		wait_a_bit();
	}
}

static void *run_poster(void *arg)
{
	unsigned id = (unsigned)(uintptr_t)arg;
	uint64_t random = random_begin(id + 1);
	unsigned to;

	for (unsigned long n = 0; n < operations; n++) {
		to = random_next(&random, SHARDS);
		post_item(&shards[to],
			  &items[id][to][random_next(&random, ITEMS)], &random);
		if (!random_next(&random, 16))
			post_far(&shards[to], &far_away[id][to]);
		if (!random_next(&random, 64))
			wait_a_bit();
	}
	for (unsigned i = 0; i < SHARDS * ITEMS; i++)
		while (is_waiting(&items[id][i / ITEMS][i % ITEMS]))
			wait_a_bit();
	return NULL;
}

static void begin(void)
{
	bool right = true;

	for (unsigned i = 0; i < SHARDS; i++) {
		shards[i].loop.tick_ns = 50 * US;
		shards[i].posts = posts[i];
		shards[i].capacity = 8;
		right = !jif_shard_init(&shards[i]) && right;
		jif_timer_init(&last[i], finish);
		for (unsigned j = 0; j < POSTERS; j++) {
			jif_timer_init(&far_away[j][i], fire_wrong);
			for (unsigned k = 0; k < ITEMS; k++)
				jif_timer_init(&items[j][i][k].timer, fire);
		}
	}
	ok(right, "shards");
}

static void tells_misuse(void)
{
	struct jif_shard bad = { .posts = posts[0], .capacity = 6 };
	struct jif_timer none = JIF_TIMER_INIT(NULL);
	uint64_t far =
		jif_loop_now(&shards[0].loop) + UINT64_C(0x80000001) * 50 * US;

	is(jif_shard_init(&bad), -JIF_EINVAL, "no power of 2");
	bad.capacity = 1;
	is(jif_shard_init(&bad), -JIF_EINVAL, "no room");
	bad.capacity = UINT32_C(1) << 31;
	is(jif_shard_init(&bad), -JIF_EINVAL, "too much of it");
	bad = (struct jif_shard){ .capacity = 8 };
	is(jif_shard_init(&bad), -JIF_EINVAL, "no memory for it");
	ok(jif_shard_run(&bad) == -JIF_EINVAL &&
		   jif_shard_mod(&bad, &last[0], 0) == -JIF_EINVAL &&
		   jif_shard_del(&bad, &last[0]) == -JIF_EINVAL &&
		   !jif_shard_refused(&bad),
	   "what is no shard takes nothing");
	is(jif_shard_mod(&shards[0], &last[0], far + HOUR), -JIF_ERANGE,
	   "too far");
	is(jif_shard_mod(&shards[0], &none, 0), -JIF_EINVAL, "no function");
}

static void fills_up(void)
{
	struct jif_shard *shard = &shards[0];
	struct jif_timer *timer = &far_away[0][0];
	int err = 0;

	for (unsigned i = 0; i < 8; i++)
		err |= jif_shard_del(shard, timer);
	is(err, 0, "a queue takes what it is for");
	is(jif_shard_mod(shard, timer, 0), -JIF_ENOSPC, "and no more");
	is(jif_shard_refused(shard), 1, "which is counted");
	jif_shard_run(shard);
	is(jif_shard_del(shard, timer), 0, "a turn makes room");
	jif_shard_run(shard);
	refused = 1;
}

#define DEEP 0x20000u

static unsigned expired;

static void count_expiry(struct jif_timer *timer)
{
	expired++;
}

static uint64_t fake_ns = UINT64_C(1000000000000000000);

static uint64_t fake_clock(const struct jif_loop *loop)
{
	return fake_ns;
}

static struct jif_shard deep;
static struct jif_timer timers[DEEP];

/* More posts than have numbers of 16 bits. */
static void takes_many(void)
{
	static struct jif_post places[DEEP + 1];
	uint64_t tick = JIF_TICK_NS_DEFAULT;
	int err = 0;

	memset(&deep, 0xa5, sizeof(deep));
	deep.loop = (struct jif_loop){ .clock = fake_clock };
	deep.posts = places;
	deep.capacity = DEEP;
	places[DEEP].turn = 7;
	is(jif_shard_init(&deep), 0, "a long queue");
	is(places[DEEP].turn, 7, "in its own memory");
	is(jif_shard_refused(&deep), 0, "nothing was refused");
	for (unsigned turn = 0; turn < 2; turn++) {
		for (unsigned i = 0; i < DEEP; i++) {
			jif_timer_init(&timers[i], count_expiry);
			err |= jif_shard_mod(&deep, &timers[i],
					     fake_ns + (i + 1) * tick);
		}
		is(err, 0, "takes all that it has room for");
		is(jif_shard_del(&deep, &timers[0]), -JIF_ENOSPC, "no more");
		jif_shard_run(&deep);
		expired = 0;
		fake_ns += DEEP / 2 * tick;
		jif_shard_run(&deep);
		is(expired, DEEP / 2, "half of them is due");
		fake_ns += DEEP / 2 * tick;
		jif_shard_run(&deep);
		is(expired, DEEP, "then the rest");
	}
	is(jif_shard_refused(&deep), 2, "refused, and counted");
}

static void goes_on(void)
{
	uint64_t tick = JIF_TICK_NS_DEFAULT;

	is(jif_shard_mod(&deep, &timers[0],
			 fake_ns + UINT64_C(2147483647) * tick),
	   0, "it reaches as far as before");
	fake_ns += tick;
	jif_shard_mod(&deep, &timers[0], fake_ns + tick);
	fake_ns += tick;
	expired = 0;
	jif_shard_run(&deep);
	is(expired, 1, "what is posted is armed before the same run");
	fake_ns += HOUR;
	is(jif_shard_mod(&deep, &timers[0],
			 fake_ns + UINT64_C(2147483647) * tick - HOUR / 2),
	   0, "after an hour without a run, it reaches from now on");
	jif_shard_run(&deep);
	for (unsigned i = 0; i < DEEP; i++)
		jif_shard_del(&deep, &timers[0]);
	for (unsigned i = 0; i < 70000; i++)
		jif_shard_del(&deep, &timers[0]);
	is(jif_shard_refused(&deep), 70002, "refused, and counted");
	jif_loop_shutdown(&deep.loop);
}

static struct jif_timer inner = JIF_TIMER_INIT(count_expiry);

static void run_again(struct jif_timer *timer)
{
	jif_shard_mod(&shards[0], &inner, 0);
	expired += jif_shard_run(&shards[0]) == -JIF_EINVAL &&
		   !jif_timer_pending(&inner);
}

static void runs_in_no_run(void)
{
	struct jif_timer timer = JIF_TIMER_INIT(run_again);
	struct jif_timer other = JIF_TIMER_INIT(count_expiry);

	expired = 0;
	jif_shard_mod(&shards[0], &timer, 0);
	jif_shard_mod(&shards[0], &other, 0);
	for (unsigned i = 0; i < 2 || jif_timer_pending(&inner); i++) {
		wait_a_bit();
		jif_shard_run(&shards[0]);
	}
	is(expired, 3, "a run in a run is none");
}

static bool is_readable(const struct jif_shard *shard)
{
	struct pollfd fd = { .fd = shard->loop.fd, .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

/* What a child posts is not for the parent, whose descriptor is the same. */
static void leaves_the_parent_alone(void)
{
	struct jif_shard *shard = &shards[0];
	int status = -1;
	pid_t child;

	jif_shard_run(shard);
	fflush(stdout);
	child = fork();
	if (!child)
		_exit(jif_shard_mod(shard, &inner, 0) != -JIF_ECANCELED ||
		      jif_shard_del(shard, &inner) != -JIF_ECANCELED ||
		      jif_shard_run(shard) != -JIF_ECANCELED);
	waitpid(child, &status, 0);
	is(status, 0, "in the child of a fork, calls are errors");
	ok(!is_readable(shard), "and do not wake the parent up");
}

static void post_again(struct jif_timer *timer)
{
	expired++;
	if (expired < 3)
		jif_shard_mod(&shards[0], timer, 0);
}

/* The owner posts to itself, in a callback. */
static void wakes_itself(void)
{
	struct jif_timer timer = JIF_TIMER_INIT(post_again);

	expired = 0;
	jif_shard_mod(&shards[0], &timer, 0);
	while (expired < 3) {
		struct pollfd fd = { .fd = shards[0].loop.fd,
				     .events = POLLIN };

		poll(&fd, 1, -1);
		jif_shard_run(&shards[0]);
	}
	is(expired, 3, "what a callback posts wakes its own shard up");
}

static void stays_readable(void)
{
	struct jif_shard *shard = &shards[0];
	struct jif_timer *timer = &far_away[0][0];
	uint64_t hour = jif_loop_now(&shard->loop) + 3600000000 * US;

	ok(!is_readable(shard), "nothing is posted: not readable");
	jif_shard_del(shard, timer);
	ok(is_readable(shard), "a post makes it readable");
	jif_loop_add(&shard->loop, timer, hour);
	ok(is_readable(shard), "what the owner arms leaves it so");
	jif_shard_run(shard);
	ok(!is_readable(shard) && !jif_timer_pending(timer), "until a run");
}

/* What a loop takes, a shard does; a time that means another thing is none. */
static void reaches_as_far(void)
{
	static struct jif_post few[2];
	struct jif_shard shard = { .loop.tick_ns = JIF_TICK_NS_MAX,
				   .posts = few,
				   .capacity = 2 };
	struct jif_timer timer = JIF_TIMER_INIT(fire_wrong);
	uint64_t last_ns;

	is(jif_shard_init(&shard), 0, "ticks of an hour");
	is(jif_shard_mod(&shard, &timer, UINT64_MAX), -JIF_ERANGE,
	   "the last nanosecond is too far");
	is(jif_shard_mod(&shard, &timer, UINT64_MAX - 1), 0,
	   "the one before is not");
	jif_shard_del(&shard, &timer);
	is(jif_shard_del(&shard, &timer), -JIF_ENOSPC, "two are all it takes");
	jif_shard_run(&shard);
	is(jif_shard_mod(&shard, &timer, UINT64_MAX - 1), 0, "posted again");
	jif_shard_run(&shard);
	ok(jif_timer_pending(&timer), "and is armed");
	jif_loop_shutdown(&shard.loop);
	shard.loop.tick_ns = JIF_TICK_NS_MIN;
	jif_shard_init(&shard);
	jif_shard_run(&shard);
	jif_loop_shutdown(&shard.loop);
	shard.loop.tick_ns = JIF_TICK_NS_DEFAULT;
	jif_shard_init(&shard);
	last_ns = (shard.loop.ran + JIF_DELAY_MAX) * JIF_TICK_NS_DEFAULT;
	is(jif_shard_mod(&shard, &timer, last_ns + HOUR), -JIF_ERANGE,
	   "too far, also when this test was kept waiting");
	is(jif_shard_mod(&shard, &timer, last_ns), 0, "as far as a loop can");
	jif_loop_shutdown(&shard.loop);
}

int main(int argc, char *argv[])
{
	pthread_t owners[SHARDS], posters[POSTERS];
	unsigned told = 0;

	operations = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	begin();
	tells_misuse();
	fills_up();
	wakes_itself();
	stays_readable();
	reaches_as_far();
	takes_many();
	goes_on();
	runs_in_no_run();
	leaves_the_parent_alone();
	for (unsigned i = 0; i < SHARDS; i++)
		pthread_create(&owners[i], NULL, own, &shards[i]);
	for (uintptr_t i = 0; i < POSTERS; i++)
		pthread_create(&posters[i], NULL, run_poster, (void *)i);
	for (unsigned i = 0; i < POSTERS; i++)
		pthread_join(posters[i], NULL);
	for (unsigned i = 0; i < SHARDS; i++) {
		while (jif_shard_mod(&shards[i], &last[i], 0)) {
			count(&refused);
			wait_a_bit();
		}
		pthread_join(owners[i], NULL);
		told += jif_shard_refused(&shards[i]);
		wrong += !jif_wheel_empty(&shards[i].loop.wheel);
		jif_loop_shutdown(&shards[i].loop);
	}
	printf("# %u posted, %u refused, %u turns\n", posted, refused,
	       turns[0] + turns[1]);
	ok(!wrong && posted, "what is posted runs once, what is deleted never");
	is(told, refused, "what is refused is counted");
	return tap_end();
}
