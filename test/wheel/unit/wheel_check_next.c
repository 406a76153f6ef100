/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/wheel_check_next.c - a next stop that is wrong is found
 *
 * lib/wheel_check.c once more, beside an engine that answers what a test says.
 */
#define jif_ticks_to_stop wheel_answer
#define jif_wheel_check	  wheel_check_answer

#include "../../../lib/wheel_check.c"

#include <criterion/criterion.h>

#define START UINT32_C(0xffffff00)

static struct jif_wheel board;
static struct jif_timer bell, second;
static uint32_t answer;

uint32_t wheel_answer(const struct jif_wheel *wheel)
{
	return answer;
}

static void fire(struct jif_timer *timer)
{
}

static void init(void)
{
	jif_wheel_init(&board, START);
	jif_timer_init(&bell, fire);
	jif_timer_init(&second, fire);
}

TestSuite(wheel_check_next, .init = init);

static int check(bool is_any, uint32_t after)
{
	answer = is_any ? after : NEVER;
	return wheel_check_answer(&board);
}

/* W7 */
Test(wheel_check_next, later_than_the_first_expiry)
{
	cr_assert_eq(jif_timer_add(&board, &bell, START + 5), 0);
	cr_assert_eq(check(true, 4), 0);
	cr_assert_eq(check(true, 5), 0);
	cr_assert_eq(check(true, 6), 7);
}

/* W7, of two that wait in one minute. */
Test(wheel_check_next, later_than_the_first_of_a_slot)
{
	cr_assert_eq(jif_timer_add(&board, &second, START + 175), 0);
	cr_assert_eq(jif_timer_add(&board, &bell, START + 165), 0);
	cr_assert_eq(check(true, 165), 0);
	cr_assert_eq(check(true, 166), 7);
}

/* W7 */
Test(wheel_check_next, none_though_a_timer_is_pending)
{
	cr_assert_eq(jif_timer_add(&board, &bell, START + 5), 0);
	cr_assert_eq(check(false, 0), 7);
}

/* W7 */
Test(wheel_check_next, some_though_no_timer_is_pending)
{
	cr_assert_eq(check(false, 0), 0);
	cr_assert_eq(check(true, 5), 7);
}
