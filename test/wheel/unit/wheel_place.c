/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/wheel_place.c - in which slot a timer waits, with what
 * remaining
 *
 * The expected places are worked out by hand from the table of the design.
 */
#include "unit.h"

TestSuite(wheel_place, .init = unit_init, .fini = unit_fini);

struct row {
	const char *name;
	uint32_t delay;
	unsigned level;
	unsigned slot;
	uint32_t remaining;
};

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &rows[i];
		struct jif_place place;

		arm(0, now() + row->delay);
		place = place_of(0);
		cr_expect_eq(place.level, row->level, "%s: level %u", row->name,
			     place.level);
		cr_expect_eq(place.slot, row->slot, "%s: slot %u", row->name,
			     place.slot);
		cr_expect_eq(place.remaining, row->remaining,
			     "%s: remaining %u", row->name, place.remaining);
		cr_expect_eq(jif_timer_expires(&wheel, &timers[0]),
			     at(now() + row->delay), "%s: expires", row->name);
		jif_timer_del(&wheel, &timers[0]);
	}
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof((rows)[0]))

/* W3 */
Test(wheel_place, level_edges_with_all_hands_at_zero,
     .disabled = CONFIG_JIF_SPREAD)
{
	static const struct row rows[] = {
		{ "next tick", 1, 0, 1, 0 },
		{ "last second slot", 59, 0, 59, 0 },
		{ "a minute", 60, 1, 1, 0 },
		{ "a minute and a second", 61, 1, 1, 1 },
		{ "last minute slot", 3599, 1, 59, 59 },
		{ "an hour", 3600, 2, 1, 0 },
		{ "an hour and a second", 3601, 2, 1, 1 },
		{ "last hour slot", 86399, 2, 23, 3599 },
		{ "a day", 86400, 3, 1, 0 },
		{ "a day and a second", 86401, 3, 1, 1 },
		{ "last day slot", 604799, 3, 6, 86399 },
		{ "a week", 604800, 3, 0, 0 },
		{ "a week and a second", 604801, 3, 0, 1 },
		{ "end of the slot under the hand", 691199, 3, 0, 86399 },
		{ "eight days: a turn too many", 691200, 3, 1, 604800 },
		{ "two weeks", 1209600, 3, 0, 604800 },
		{ "three weeks and a day", 1900800, 3, 1, 1814400 },
		{ "the longest delay", LONGEST, 3, 5, 2147051647 },
	};

	CHECK_ROWS(rows);
}

/* W1 */
Test(wheel_place, hands_beyond_their_rings_are_carried)
{
	jif_wheel_init_at(&wheel, START, 6, 23, 59, 61);
	arm(0, 1);
	expect_place(0, 0, 2, 0);
	arm(1, 2 * DAY);
	cr_assert_eq(place_of(1).slot, 2, "the hands point at monday");
	for (unsigned i = 0; i < 3; i++) {
		unit_init();
		jif_wheel_init_at(&wheel, START, 32766 + i, 0, 0, 0);
		arm(1, 2 * DAY);
		cr_assert_eq(place_of(1).slot, 1 + i);
	}
	/* 2^31 ticks are 24,855 days, 3:14:08: too far to run to. */
	unit_init();
	jif_wheel_init_at(&wheel, START, 24855, 3, 14, 8);
	arm(1, 2 * DAY);
	cr_assert_eq(place_of(1).slot, 0);
	/* 5,902,147,635 ticks are 9,758 weeks, 5 days, 21:27:15. */
	unit_init();
	jif_wheel_init_at(&wheel, START, 65535, 65535, 65535, 65535);
	cr_assert_eq(now(), 0);
	arm(0, 45);
	arm(1, 33 * MINUTE);
	arm(2, 3 * HOUR);
	arm(3, 2 * DAY);
	for (unsigned i = 0; i < 4; i++)
		expect_place(i, i, 0, ANY_TIME);
}
