/* SPDX-License-Identifier: MIT */
/*
 * lib/host/shard.c - a wheel per thread, which other threads post to
 *
 * THE QUEUE
 *
 * It is D. Vyukov's bounded queue, with one reader: places in a ring, of which
 * each has a turn. Number n may be written when its place has turn n, and read
 * when it has turn n + 1; reading gives the place the turn of the number that
 * is next there. Writers compete for numbers, and fill in their places without
 * regard to each other.
 *
 * THE SLEEP
 *
 * The owner says that it sleeps, and then looks at the queue once more; a
 * writer posts, and then looks whether the owner sleeps. These four accesses
 * are sequentially consistent, so one of the two sees the other. The writer
 * that does is the one to wake the owner up.
 */
#include <jif/shard.h>

#include "loop.h"

#define DELETE UINT64_MAX

static struct jif_post *place_of(const struct jif_shard *shard, uint32_t number)
{
	return &shard->posts[number & (shard->capacity - 1)];
}

int jif_shard_init(struct jif_shard *shard)
{
	int err;

	if (!shard->posts || shard->capacity < 2 ||
	    shard->capacity & (shard->capacity - 1) ||
	    shard->capacity > UINT32_C(1) << 30)
		return jif_invalid("a shard has no such capacity", shard);
	for (uint32_t i = 0; i < shard->capacity; i++)
		shard->posts[i].turn = i;
	shard->head = shard->tail = shard->refused = 0;
	shard->asleep = true;
	err = jif_loop_init(&shard->loop);
	shard->reach = shard->loop.ran + JIF_DELAY_MAX;
	return err;
}

/* A place to write to, which is this thread's; NULL if there is none. */
static struct jif_post *claim(struct jif_shard *shard, uint32_t *number)
{
	uint32_t head = JIF_LOAD(&shard->head, RELAXED);
	struct jif_post *place;
	int32_t ahead;

	for (;;) {
		place = place_of(shard, head);
		ahead = (int32_t)(JIF_LOAD(&place->turn, ACQUIRE) - head);
		if (ahead < 0)
			return NULL;
		if (ahead > 0)
			head = JIF_LOAD(&shard->head, RELAXED);
		else if (JIF_COMPARE_EXCHANGE(&shard->head, &head, head + 1,
					      RELAXED))
			break;
	}
	*number = head;
	return place;
}

static int post(struct jif_shard *shard, struct jif_timer *timer,
		uint64_t expires_ns)
{
	uint32_t number;
	struct jif_post *place = claim(shard, &number);

	if (!place) {
		JIF_FETCH_ADD(&shard->refused, 1, RELAXED);
		return -JIF_ENOSPC;
	}
	place->timer = timer;
	place->expires_ns = expires_ns;
	JIF_STORE(&place->turn, number + 1, SEQ_CST);
	if (JIF_LOAD(&shard->asleep, SEQ_CST) &&
	    JIF_EXCHANGE(&shard->asleep, false, SEQ_CST))
		jif_loop_kick(&shard->loop);
	return 0;
}

/* The owner's clock only goes on, so what is in reach now is so then, too. */
static bool is_in_reach(const struct jif_shard *shard, uint64_t last_ns)
{
	uint64_t tick = last_ns / shard->loop.tick_ns;
	uint64_t now;

	if (tick < JIF_LOAD(&shard->reach, RELAXED))
		return true;
	now = jif_loop_now(&shard->loop) / shard->loop.tick_ns;
	return tick < now + JIF_DELAY_MAX;
}

int jif_shard_mod(struct jif_shard *shard, struct jif_timer *timer,
		  uint64_t expires_ns)
{
	uint64_t last_ns = expires_ns - (expires_ns != 0);
	int err = jif_loop_reject(&shard->loop);

	if (!timer->fn)
		return jif_invalid("a timer is posted without function", timer);
	if (err)
		return err;
	if (expires_ns == DELETE || !is_in_reach(shard, last_ns))
		return -JIF_ERANGE;
	return post(shard, timer, expires_ns);
}

int jif_shard_del(struct jif_shard *shard, struct jif_timer *timer)
{
	int err = jif_loop_reject(&shard->loop);

	return err ? err : post(shard, timer, DELETE);
}

uint32_t jif_shard_refused(const struct jif_shard *shard)
{
	return JIF_LOAD(&shard->refused, RELAXED);
}

static bool has_posts(const struct jif_shard *shard)
{
	return JIF_LOAD(&place_of(shard, shard->tail)->turn, SEQ_CST) ==
	       shard->tail + 1;
}

static void do_post(struct jif_shard *shard)
{
	struct jif_post *place = place_of(shard, shard->tail);
	struct jif_timer *timer = place->timer;
	uint64_t expires_ns = place->expires_ns;

	JIF_STORE(&place->turn, shard->tail + shard->capacity, RELEASE);
	shard->tail++;
	if (expires_ns == DELETE)
		jif_timer_del(&shard->loop.wheel, timer);
	else
		jif_loop_mod(&shard->loop, timer, expires_ns);
}

int jif_shard_run(struct jif_shard *shard)
{
	uint32_t n = shard->loop.wheel.nesting ? 0 : shard->capacity;
	int err = jif_loop_reject(&shard->loop);

	if (err)
		return err;
	JIF_STORE(&shard->asleep, false, SEQ_CST);
	for (; n && has_posts(shard); n--)
		do_post(shard);
	err = jif_loop_run(&shard->loop);
	JIF_STORE(&shard->reach, shard->loop.ran + JIF_DELAY_MAX, RELAXED);
	JIF_STORE(&shard->asleep, true, SEQ_CST);
	if (!err && has_posts(shard))
		jif_loop_kick(&shard->loop);
	return err;
}
