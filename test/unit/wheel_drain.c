/* SPDX-License-Identifier: MIT */
/* Taking all timers off */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "panic.h"
#include "unit.h"

TestSuite(wheel_drain, .init = unit_init, .fini = unit_fini);

static unsigned drained[UNIT_TIMERS];
static unsigned ndrained;

static void note(struct jif_timer *timer)
{
	cr_expect_not(jif_timer_pending(timer));
	drained[ndrained++] = (unsigned)(timer - timers);
}

Test(wheel_drain, takes_all_in_order_of_expiry)
{
	static const uint32_t when[] = { 700000, 5,  90000, 61,	  4000, 60,
					 59,	 10, 86400, 3600, 1 };
	static const unsigned order[] = { 10, 1, 7, 6, 5, 3, 9, 4, 8, 2, 0 };

	ndrained = 0;
	for (unsigned i = 0; i < 11; i++)
		arm(i, when[i]);
	cr_assert_eq(jif_wheel_drain(&wheel, note), 11);
	cr_assert_arr_eq(drained, order, sizeof(order));
	cr_assert(jif_wheel_empty(&wheel));
}

static unsigned long windows_of(unsigned n)
{
	unsigned long before = jif_sim.windows;

	ndrained = 0;
	arm_all(n, 64);
	cr_assert_eq(jif_wheel_drain(&wheel, note), n);
	return jif_sim.windows - before;
}

/* It is gathered, sorted by seven bits and one more, and delivered. */
Test(wheel_drain, interrupts_are_let_in_after_each_entry)
{
	unsigned long few = windows_of(2);

	cr_assert_geq(windows_of(12) - few, 10 * (1 + 8 + 1));
}

static int was_in[12];
static unsigned most_moved;

static void count_moved(void)
{
	unsigned moved = 0;

	for (unsigned i = 0; i < 12; i++) {
		moved += timers[i].where != was_in[i];
		was_in[i] = timers[i].where;
	}
	if (moved > most_moved)
		most_moved = moved;
}

/* W8 */
Test(wheel_drain, moves_one_entry_at_a_time)
{
	for (unsigned i = 0; i < 12; i++) {
		arm(i, 64);
		was_in[i] = timers[i].where;
	}
	most_moved = 0;
	unit_window = count_moved;
	cr_assert_eq(jif_wheel_drain(&wheel, NULL), 12);
	unit_window = NULL;
	cr_assert_eq(most_moved, 1);
}

Test(wheel_drain, leaves_clock_and_hands_as_they_were)
{
	unit_init_at(4, 11, 22, 33);
	ndrained = 0;
	arm(0, WEEK);
	run_to(1000);
	jif_wheel_drain(&wheel, note);
	cr_assert_eq(now(), 1000);
	arm(1, now() + 1);
	cr_assert_eq(place_of(1).slot, 14, "11:22:33 + 1000 s is 11:39:13");
}

static void note_and_zero_the_last(struct jif_timer *timer)
{
	note(timer);
	memset(&timers[1], 0, sizeof(timers[1]));
}

Test(wheel_drain, what_is_zeroed_meanwhile_is_told,
     .disabled = !CONFIG_JIF_DEBUG, .signal = SIGABRT)
{
	panic_with("W2: a pending timer was zeroed");
	arm(0, 100);
	arm(1, 160);
	jif_wheel_drain(&wheel, note_and_zero_the_last);
}
