/* SPDX-License-Identifier: MIT */
/* Arming, moving and disarming one timer */
#include "damage.h"
#include "unit.h"

TestSuite(timer, .init = unit_init, .fini = unit_fini);

static void nothing(struct jif_timer *timer)
{
}

/* W2 */
Test(timer, is_pending_from_add_until_its_callback)
{
	arm(0, 10);
	cr_assert(jif_timer_pending(&timers[0]));
	run_to(9);
	cr_assert(jif_timer_pending(&timers[0]));
	run_to(10);
	cr_assert_not(jif_timer_pending(&timers[0]));
}

static struct jif_timer statically[] = {
	JIF_TIMER_INIT(nothing),
	JIF_TIMER_INIT(nothing),
	JIF_TIMER_INIT(nothing),
	JIF_TIMER_INIT(nothing),
};

Test(timer, static_initialiser_is_enough_for_each_call_that_arms)
{
	static const uint32_t when[] = { 5, 500, 50000, 5000000 };

	for (unsigned k = 0; k < 4; k++) {
		unit_init();
		for (unsigned i = 0; i < 4; i++)
			statically[i] =
				(struct jif_timer)JIF_TIMER_INIT(nothing);
		cr_expect_eq(jif_timer_add(&wheel, &statically[0], at(when[k])),
			     0);
		cr_expect_not(
			jif_timer_mod(&wheel, &statically[1], at(when[k])));
		cr_expect_not(jif_timer_postpone(&wheel, &statically[2],
						 at(when[k])));
		cr_expect_not(
			jif_timer_reduce(&wheel, &statically[3], at(when[k])));
		for (unsigned i = 0; i < 4; i++)
			cr_expect_eq(jif_timer_expires(&wheel, &statically[i]),
				     at(when[k]));
		expect_exact(when[k], 4);
	}
}

static void expect_never_armed(struct jif_timer *timer)
{
	static const uint32_t when[] = { (uint32_t)-5, 5, 500, 50000, 5000000 };

	for (unsigned k = 0; k < 5; k++) {
		cr_expect_eq(jif_timer_add(&wheel, timer, at(when[k])),
			     -JIF_EINVAL);
		cr_expect_eq(jif_timer_mod(&wheel, timer, at(when[k])),
			     -JIF_EINVAL);
		cr_expect_eq(jif_timer_reduce(&wheel, timer, at(when[k])),
			     -JIF_EINVAL);
		cr_expect_eq(jif_timer_postpone(&wheel, timer, at(when[k])),
			     -JIF_EINVAL);
		cr_expect_eq(jif_timer_add_in(&wheel, timer, k), -JIF_EINVAL);
		cr_expect_eq(jif_timer_mod_in(&wheel, timer, k), -JIF_EINVAL);
		cr_expect_not(jif_timer_del(&wheel, timer));
		cr_expect_not(jif_timer_pending(timer));
		cr_expect(jif_wheel_empty(&wheel));
	}
}

Test(timer, without_a_function_is_not_armed)
{
	struct jif_timer timer = JIF_TIMER_INIT(NULL);

	expect_never_armed(&timer);
	jif_timer_init(&timer, NULL);
	expect_never_armed(&timer);
	jif_timer_init(&timer, nothing);
	cr_assert_eq(jif_timer_add(&wheel, &timer, at(5)), 0);
	jif_timer_del(&wheel, &timer);
}

static char told[80];

static void note_text(const char *what, const void *object, void (*fn)(void))
{
	size_t i = 0;

	do
		told[i] = what[i];
	while (what[i] && ++i < sizeof(told) - 1);
}

/* Wherever constants are: where the texts are in flash, it is a copy. */
Test(timer, what_a_debug_build_says_is_a_text)
{
	static const char want[] = "a timer is added that is pending";

	if (!CONFIG_JIF_DEBUG)
		return;
	jif_warn = note_text;
	arm(0, 5);
	cr_assert_eq(jif_timer_add(&wheel, &timers[0], at(6)), -JIF_EBUSY);
	jif_warn = NULL;
	cr_assert_eq(memcmp(told, want, sizeof(want)), 0);
}

Test(timer, never_initialised_is_told_by_its_memory)
{
	static const int patterns[] = { 0x00, 0xa5, 0x5a, 0xcc, 0xcd,
					0xdd, 0xff, 0x6b, 0xaa, 0x55 };
	struct jif_timer timer, before;
	bool same;

	for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		memset(&timer, patterns[i], sizeof(timer));
		before = timer;
		expect_never_armed(&timer);
		/* What has no link gets one, as deleting it ends a pause. */
		same = patterns[i] ? !memcmp(&timer, &before, sizeof(timer)) :
				     is_same_but_next(&timer, &before);
		cr_expect(same, "memory of 0x%02x", patterns[i]);
	}
}

Test(timer, del_says_whether_it_was_pending)
{
	cr_assert_not(jif_timer_del(&wheel, &timers[0]));
	arm(0, 10);
	cr_assert(jif_timer_del(&wheel, &timers[0]));
	cr_assert_not(jif_timer_del(&wheel, &timers[0]));
	cr_assert_eq(run_to(100), 0);
}

Test(timer, shutdown_disarms_for_good)
{
	arm(0, 10);
	cr_assert(jif_timer_shutdown(&wheel, &timers[0]));
	expect_never_armed(&timers[0]);
	cr_assert_not(jif_timer_shutdown(&wheel, &timers[0]));
	cr_assert_eq(run_to(100), 0);
}

Test(timer, is_as_small_as_promised)
{
	/*
	 * By the bytes of a pointer, and those at which 32 bits are aligned:
	 * the wheel as it is, and with CONFIG_JIF_SPREAD.
	 */
	static const struct {
		size_t timer, wheel[2];
	} promised[] = { [2 + 1] = { 12, { 365, 690 } },
			 [4 + 2] = { 20, { 674, 1308 } },
			 [4 + 4] = { 20, { 676, 1308 } },
			 [8 + 4] = { 32, { 1296, 2536 } } };
	const size_t here = sizeof(void *) + _Alignof(uint32_t);

	cr_assert_eq(sizeof(struct jif_timer), promised[here].timer);
	cr_assert_eq(sizeof(struct jif_wheel),
		     promised[here].wheel[CONFIG_JIF_SPREAD > 0]);
}
