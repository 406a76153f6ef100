/* SPDX-License-Identifier: MIT */
/*
 * test/unit/wheel_walk_release.c - a drain within a walk, in a release build
 *
 * lib/wheel_walk.c once more, without CONFIG_JIF_DEBUG.
 */
#define jif_wheel_walk	      wheel_walk_release
#define jif_wheel_drain	      wheel_drain_release
#define jif_wheel_next_expiry wheel_next_expiry_release

#include <jif/config.h>
#undef CONFIG_JIF_DEBUG
#define CONFIG_JIF_DEBUG 0

#include "../../lib/wheel_walk.c"

#include <criterion/criterion.h>

#define START UINT32_C(0xffffff00)

static struct jif_wheel board;
static struct jif_timer bells[2];
static unsigned fired, seen;

static void fire(struct jif_timer *timer)
{
	(void)timer;
	fired++;
}

static int drain_all(void *arg, const struct jif_timer *timer, unsigned level,
		     unsigned slot, uint32_t remaining)
{
	(void)arg;
	(void)timer;
	(void)level;
	(void)slot;
	(void)remaining;
	seen++;
	cr_assert_eq(jif_wheel_drain(&board, NULL), 0);
	return 0;
}

Test(wheel_walk_release, drain_within_a_walk_does_nothing)
{
	uint32_t when = 0;

	jif_wheel_init(&board, START);
	for (unsigned i = 0; i < 2; i++) {
		jif_timer_init(&bells[i], fire);
		jif_timer_add(&board, &bells[i], START + 50 + 500 * i);
	}
	cr_assert_eq(jif_wheel_walk(&board, drain_all, NULL), 0);
	cr_assert_eq(seen, 2);
	cr_assert_eq(fired, 0);
	cr_assert(jif_wheel_next_expiry(&board, &when));
	cr_assert_eq(when, START + 50);
	cr_assert_eq(jif_wheel_drain(&board, NULL), 2);
	cr_assert_eq(fired, 2);
	cr_assert(jif_wheel_empty(&board));
}
