/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/placement.c - every position of the hands, every kind of
 * delay
 *
 * Where a timer waits is compared with a closed form that knows no hands: the
 * week is a number line, a slot is a stretch of it. The wheel's clock goes
 * through all 604,800 positions tick by tick, across the 32-bit wrap.
 */
#include <criterion/criterion.h>
#include <jif/trace.h>
#include <jif/wheel.h>
#include <stdio.h>

#define WEEK 604800

static const uint32_t unit[] = { 1, 60, 3600, 86400, 604800 };
static const uint32_t slots[] = { 60, 60, 24, 7 };

static const uint32_t delays[] = {
	1,	    2,		29,	58,	 59,	  60,	   61,
	119,	    120,	1800,	3598,	 3599,	  3600,	   3601,
	7199,	    7200,	43210,	86398,	 86399,	  86400,   86401,
	172799,	    172800,	345678, 604798,	 604799,  604800,  604801,
	691199,	    691200,	691201, 1209599, 1209600, 1209601, 123456789,
	0x7ffffffe, 0x7fffffff,
};

#define NDELAYS (sizeof(delays) / sizeof(delays[0]))

static struct jif_place got;

static void note(unsigned what, const struct jif_wheel *wheel,
		 const struct jif_timer *timer, uint32_t value)
{
	if (JIF_TRACE_EVENT(what) == JIF_TRACE_START ||
	    JIF_TRACE_EVENT(what) == JIF_TRACE_CASCADE)
		got = jif_timer_find(wheel, timer);
}

/* Spreading keeps the slots of two turns, the days', too. */
static const unsigned turns = CONFIG_JIF_SPREAD ? 2 : 1;

/* Does a level whose ring takes @turn ticks span the delay? */
static bool is_spanned(uint32_t position, uint32_t delay, uint32_t turn)
{
	if (CONFIG_JIF_SPREAD)
		delay += position % turn;
	return delay < turns * turn;
}

/* The place of what is due @delay after @position on the week's number line. */
static struct jif_place closed_form(uint32_t position, uint32_t delay)
{
	uint64_t due = (uint64_t)position + delay;
	struct jif_place place = { 0, 0, 0 };
	uint64_t ahead;

	while (place.level < 3 &&
	       !is_spanned(position, delay, unit[place.level + 1]))
		place.level++;
	place.slot = (unsigned)(due / unit[place.level] % slots[place.level]);
	ahead = due / unit[place.level] - position / unit[place.level];
	place.remaining = (uint32_t)(due % unit[place.level]);
	if (place.level == 3 && !is_spanned(position, delay, WEEK))
		place.remaining += (uint32_t)((ahead - 1) / 7 * WEEK);
	return place;
}

static void nothing(struct jif_timer *timer)
{
}

Test(placement, closed_form_gives_the_worked_examples,
     .disabled = CONFIG_JIF_SPREAD)
{
	struct jif_place place = closed_form(0, 7100);

	cr_assert_eq(place.level, 2);
	cr_assert_eq(place.slot, 1);
	cr_assert_eq(place.remaining, 3500);
	place = closed_form(21 * 3600 + 30 * 60 + 2, 3600 + 2 * 60 + 3);
	cr_assert_eq(place.level, 2);
	cr_assert_eq(place.slot, 22);
	cr_assert_eq(place.remaining, 32 * 60 + 5);
}

static unsigned long compare(struct jif_wheel *wheel, struct jif_timer *timer,
			     uint32_t clock, uint32_t position)
{
	struct jif_place want;

	for (size_t i = 0; i < NDELAYS; i++) {
		want = closed_form(position, delays[i]);
		(void)!jif_timer_add(wheel, timer, clock + delays[i]);
		cr_assert(got.level == want.level && got.slot == want.slot &&
				  got.remaining == want.remaining,
			  "position %u, delay %u: %u[%u] left %u, not "
			  "%u[%u] left %u",
			  position, delays[i], got.level, got.slot,
			  got.remaining, want.level, want.slot, want.remaining);
		cr_assert_eq(jif_timer_expires(wheel, timer),
			     clock + delays[i]);
		jif_timer_del(wheel, timer);
	}
	return NDELAYS;
}

/* W1, W3 */
Test(placement, all_hand_positions_times_boundary_delays)
{
	struct jif_wheel wheel;
	struct jif_timer timer = JIF_TIMER_INIT(nothing);
	uint32_t clock = UINT32_C(0) - WEEK / 2;
	unsigned long compared = 0;

	jif_trace = note;
	jif_wheel_init(&wheel, clock);
	for (uint32_t position = 0; position < WEEK; position++) {
		compared += compare(&wheel, &timer, clock, position);
		jif_wheel_run(&wheel, ++clock);
	}
	cr_assert_eq(compared, WEEK * NDELAYS);
	cr_assert_eq(jif_wheel_check(&wheel), 0);
	printf("placement: %lu places compared\n", compared);
}

/* W3 */
Test(placement, all_delays_up_to_a_day_from_awkward_positions)
{
	static const uint32_t positions[] = { 0, 1, 59, 3599, 86399, 604799 };
	struct jif_wheel wheel;
	struct jif_timer timer = JIF_TIMER_INIT(nothing);
	struct jif_place want;

	jif_trace = note;
	for (unsigned i = 0; i < 6; i++) {
		uint32_t p = positions[i];

		jif_wheel_init_at(&wheel, 0xffffff00, p / 86400, p / 3600 % 24,
				  p / 60 % 60, p % 60);
		for (uint32_t delay = 1; delay <= 90000; delay++) {
			want = closed_form(p, delay);
			cr_assert_not(jif_timer_add(&wheel, &timer,
						    0xffffff00 + delay));
			cr_assert(got.level == want.level &&
				  got.slot == want.slot &&
				  got.remaining == want.remaining);
			jif_timer_del(&wheel, &timer);
		}
	}
}
