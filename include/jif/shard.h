/* SPDX-License-Identifier: MIT */
/*
 * jif/shard.h - a wheel per thread, which other threads post to, on Linux
 *
 * The thread that owns a shard arms, moves and deletes by jif/loop.h, without a
 * lock. Other threads post what it is to do to a queue of a fixed size, without
 * a lock either, and its descriptor becomes readable.
 */
#ifndef JIF_SHARD_H
#define JIF_SHARD_H

#include <jif/loop.h>

JIF_BEGIN_DECLS

/** struct jif_post - what a shard is to do */
struct jif_post {
	/* private: */
	struct jif_timer *timer;
	uint64_t expires_ns; /* UINT64_MAX: it is to be deleted */
	uint32_t turn;	     /* of a writer, or of the owner */
};

/**
 * struct jif_shard - a shard
 * @loop:	its wheel; see struct jif_loop for what to fill in
 * @posts:	memory for the queue
 * @capacity:	how many posts fit into it: a power of 2, from 2 to 2^30
 *
 * The caller fills in what is not private, and then calls jif_shard_init().
 */
struct jif_shard {
	struct jif_loop loop;
	struct jif_post *posts;
	uint32_t capacity;
	/* private: */
	uint32_t head;	  /* how many were posted */
	uint32_t tail;	  /* how many of these have been done */
	uint64_t reach;	  /* the last tick that can be armed */
	uint32_t refused; /* how many posts there was no room for */
	bool asleep;	  /* the owner waits for the descriptor */
};

/**
 * jif_shard_init - make an empty shard, and its descriptor
 * @shard:	a shard of which the caller has filled in what is not private
 * Context: before the shard is used.
 * Return: as jif_loop_init(); -JIF_EINVAL also if @posts is missing, or
 * @capacity is none of these powers.
 */
int jif_shard_init(struct jif_shard *shard)
	JIF_AGREE_ON(CONFIG_JIF_SPREAD, jif_shard_init);

/**
 * jif_shard_mod - have a timer armed, pending or not
 * @shard:	the shard that the timer is (to be) on
 * @timer:	a timer that has been initialised
 * @expires_ns:	as for jif_loop_mod()
 *
 * What one thread posts to a shard is done in that order.
 *
 * Context: any thread.
 * Return: 0 if it is posted, and never 1, since only the owner can tell whether
 * it is pending; -JIF_ENOSPC if there is no room, which is counted; an error as
 * jif_loop_mod(), for UINT64_MAX -JIF_ERANGE; -JIF_EINVAL if the timer has no
 * function. In case of an error, nothing has changed.
 */
int jif_shard_mod(struct jif_shard *shard, struct jif_timer *timer,
		  uint64_t expires_ns);

/**
 * jif_shard_del - have a timer disarmed
 * @shard:	the shard that the timer is on
 * @timer:	a timer that has been initialised
 *
 * Until the shard has run, the timer may still expire. To free it, arm it for
 * the past instead, and have its callback do that.
 *
 * Context: any thread.
 * Return: 0, -JIF_ENOSPC or -JIF_ECANCELED, as jif_shard_mod().
 */
int jif_shard_del(struct jif_shard *shard, struct jif_timer *timer);

/**
 * jif_shard_refused - how many posts there was no room for
 * @shard:	the shard
 * Context: any thread.
 * Return: the count, since jif_shard_init().
 */
uint32_t jif_shard_refused(const struct jif_shard *shard);

/**
 * jif_shard_run - do what was posted, run what is due
 * @shard:	the shard
 *
 * In the place of jif_loop_run(), which would take the wake-up of a post. One
 * turn does @capacity posts at most, and what comes in meanwhile makes the
 * descriptor readable again.
 *
 * Context: the thread that owns the shard. Not re-entrant.
 * Return: as jif_loop_run().
 */
int jif_shard_run(struct jif_shard *shard);

JIF_END_DECLS

#endif
