/* SPDX-License-Identifier: MIT */
/* The kernel's timers, case by case as in kernel 6.12 */
#include <jif/face/linux/timer.h>
#include <signal.h>

#include "../../wheel/unit/panic.h"
#include "../../wheel/unit/unit.h"

#define CLIENTS 4
#define LOG	16

/**
 * struct client - an object as clients of the kernel's timers have them
 * @name:	a letter
 * @period:	its callback arms it again after so many jiffies; 0: it does not
 * @timer:	its timer
 */
struct client {
	char name;
	unsigned long period;
	struct timer_list timer;
};

static struct client clients[CLIENTS];
static struct timer_list *const a = &clients[0].timer;
static struct timer_list *const b = &clients[1].timer;
static struct timer_list *const c = &clients[2].timer;
static struct jif_wheel lazy;

/* Jiffies at the start of the test; who ran when, counted from there. */
static unsigned long base;
static char ran[LOG];
static unsigned long ran_at[LOG];
static unsigned nran;

static void note(struct timer_list *timer)
{
	struct client *client = from_timer(client, timer, timer);

	if (nran < LOG - 1) {
		ran[nran] = client->name;
		ran_at[nran] = jiffies - base;
	}
	nran++;
	if (client->period) {
		timer->expires += client->period;
		add_timer(timer);
	}
}

static void init(void)
{
	unit_init();
	set_jiffies(0);
	unit_wheel(&lazy, START);
	jif_linux_init(&wheel, &lazy);
	base = jiffies;
	memset(clients, 0xa5, sizeof(clients));
	memset(ran, 0, sizeof(ran));
	nran = 0;
	for (unsigned i = 0; i < CLIENTS; i++) {
		clients[i].name = (char)('a' + i);
		clients[i].period = 0;
		timer_setup(&clients[i].timer, note, 0);
	}
}

TestSuite(linux_timer, .init = init, .fini = unit_fini);

/* Ticks one by one, up to @after the start. */
static void pass_to(unsigned long after)
{
	while (jiffies - base < after) {
		jif_tick();
		jif_wheel_run(&wheel, jif_now());
	}
}

/* By then, so many have run. */
static void expect_ran(unsigned long after, unsigned n)
{
	pass_to(after);
	cr_assert_eq(nran, n, "%u at %lu", nran, after);
}

Test(linux_timer, runs_once_and_exactly_when_it_expires)
{
	a->expires = base + 10;
	add_timer(a);
	cr_assert(timer_pending(a));
	expect_ran(9, 0);
	expect_ran(100, 1);
	cr_assert_eq(ran_at[0], 10);
	cr_assert_not(timer_pending(a));
	cr_assert(a->expires == base + 10, "clients read the field afterwards");
}

Test(linux_timer, defined_statically_is_idle_and_can_be_armed)
{
	static DEFINE_TIMER(defined, NULL);

	cr_assert_not(timer_pending(&defined));
	cr_assert_eq(defined.flags, 0);
	cr_assert_eq(mod_timer(&defined, base + 1), 0);
	cr_assert_not(timer_pending(&defined), "it has no function");
	defined.function = note;
	cr_assert_eq(mod_timer(&defined, base + 1), 0);
	cr_assert_eq(timer_delete(&defined), 1);
}

Test(linux_timer, zeroed_memory_with_a_function_is_a_timer)
{
	memset(a, 0, sizeof(*a));
	cr_assert_not(timer_pending(a));
	cr_assert_eq(timer_delete(a), 0);
	a->function = note;
	cr_assert_eq(mod_timer(a, base + 3), 0);
	expect_ran(3, 1);
}

Test(linux_timer, container_is_found_by_both_names)
{
	struct client *client = NULL;

	cr_assert_eq(from_timer(client, b, timer), &clients[1]);
	cr_assert_eq(timer_container_of(client, c, timer), &clients[2]);
}

Test(linux_timer, mod_says_whether_it_was_pending)
{
	cr_assert_eq(mod_timer(a, base + 10), 0);
	cr_assert_eq(mod_timer(a, base + 20), 1);
	cr_assert(a->expires == base + 20);
	expect_ran(19, 0);
	expect_ran(20, 1);
	cr_assert_eq(mod_timer(a, base + 30), 0);
}

Test(linux_timer, mod_to_the_same_expiry_keeps_its_place)
{
	mod_timer(a, base + 10);
	mod_timer(b, base + 10);
	cr_assert_eq(mod_timer(a, base + 10), 1);
	pass_to(10);
	cr_assert_eq(memcmp(ran, "ab", 3), 0);
}

Test(linux_timer, mod_away_and_back_goes_behind_the_others)
{
	mod_timer(a, base + 10);
	mod_timer(b, base + 10);
	cr_assert_eq(mod_timer(a, base + 11), 1);
	cr_assert_eq(mod_timer(a, base + 10), 1);
	pass_to(10);
	cr_assert_eq(memcmp(ran, "ba", 3), 0);
}

Test(linux_timer, armed_for_the_past_runs_on_the_next_tick)
{
	static const unsigned long ago[] = {
		0, 1, 1000, LONG_MAX / 2, LONG_MAX - 1000, LONG_MAX
	};

	for (unsigned i = 0; i < sizeof(ago) / sizeof(*ago); i++) {
		unsigned long now = jiffies;

		nran = 0;
		cr_assert_eq(mod_timer(a, now - ago[i]), 0);
		cr_assert_eq(nran, 0, "not inside the call");
		cr_assert(timer_pending(a));
		jif_wheel_run(&wheel, jif_now());
		cr_assert_eq(nran, 0, "not on this tick");
		pass_to(now + 1 - base);
		cr_assert_eq(nran, 1);
	}
}

Test(linux_timer, between_a_late_wheel_and_now_runs_on_its_own_tick)
{
	jif_ticks(10);
	mod_timer(b, base + 8);
	mod_timer(a, base + 7);
	mod_timer(c, base - 1);
	cr_assert_eq(jif_timer_expires(&wheel, &a->entry), at(7));
	jif_wheel_run(&wheel, jif_now());
	cr_assert_eq(memcmp(ran, "cab", 4), 0);
}

Test(linux_timer, beyond_the_range_is_clipped_and_not_run_at_once)
{
	static const unsigned long ahead[] = { LONGEST, LONG_MAX - 3,
					       LONG_MAX };

	jif_ticks(5);
	for (unsigned i = 0; i < sizeof(ahead) / sizeof(*ahead); i++) {
		mod_timer(a, jiffies + ahead[i]);
		cr_assert(a->expires == base + 5 + ahead[i],
			  "the field is not");
		cr_assert_eq(jif_timer_expires(&wheel, &a->entry), at(LONGEST));
	}
	jif_wheel_run(&wheel, at(LONGEST - 1));
	cr_assert_eq(nran, 0);
	jif_wheel_run(&wheel, at(LONGEST));
	cr_assert_eq(nran, 1);
}

Test(linux_timer, longest_timeout_of_the_kernel_waits)
{
	mod_timer(a, jiffies + MAX_JIFFY_OFFSET);
	jif_wheel_run(&wheel, at(LONGEST / 2 - 2));
	cr_assert_eq(nran, 0);
	cr_assert(timer_pending(a));
}

Test(linux_timer, set_up_without_a_function_cannot_be_armed)
{
	timer_setup(a, NULL, 0);
	a->expires = base + 3;
	add_timer(a);
	cr_assert_not(timer_pending(a));
	cr_assert_eq(mod_timer(a, base + 4), 0);
	cr_assert_eq(timer_reduce(a, base + 4), 0);
	cr_assert_not(timer_pending(a));
	cr_assert(a->expires == base + 3, "what is refused changes nothing");
}

static void note_twice(struct timer_list *timer)
{
	note(timer);
	note(timer);
}

Test(linux_timer, function_assigned_while_pending_is_the_one_that_runs)
{
	mod_timer(a, base + 3);
	a->function = note_twice;
	expect_ran(3, 2);
}

Test(linux_timer, function_taken_away_while_pending_does_not_run)
{
	mod_timer(a, base + 3);
	mod_timer(b, base + 4);
	a->function = NULL;
	cr_assert_eq(mod_timer(a, base + 4), 0, "left alone");
	cr_assert_eq(mod_timer(a, base + 3), 1, "it is for then");
	pass_to(4);
	cr_assert_eq(memcmp(ran, "b", 2), 0);
	cr_assert_not(timer_pending(a));
}

#if CONFIG_JIF_DEBUG

Test(linux_timer, armed_without_a_wheel_panics, .signal = SIGABRT)
{
	panic_with("jif_linux_init() has not been called");
	jif_linux_init(NULL, NULL);
	mod_timer(a, base + 3);
}

#endif

/* What a callback sees of its own timer. */
static int pending_inside, deleted_inside, tried_inside, pending_after;
static int tried_other;

static void look(struct timer_list *timer)
{
	pending_inside = timer_pending(timer);
	deleted_inside = timer_delete_sync(timer);
	tried_inside = try_to_del_timer_sync(timer);
	tried_other = try_to_del_timer_sync(b);
	mod_timer(timer, jiffies + 5);
	pending_after = timer_pending(timer);
}

Test(linux_timer, is_neither_pending_nor_to_be_deleted_in_its_own_callback)
{
	timer_setup(a, look, 0);
	mod_timer(a, base + 2);
	mod_timer(b, base + 9);
	pass_to(2);
	cr_assert_eq(pending_inside, 0);
	cr_assert_eq(deleted_inside, 0);
	cr_assert_eq(tried_inside, -1);
	cr_assert_eq(tried_other, 1);
	cr_assert_eq(pending_after, 1, "it is armed there");
	cr_assert(a->expires == base + 7);
	cr_assert_eq(try_to_del_timer_sync(a), 1);
	cr_assert_eq(try_to_del_timer_sync(a), 0);
}

Test(linux_timer, mod_pending_leaves_an_idle_one_alone)
{
	cr_assert_eq(mod_timer_pending(a, base + 3), 0);
	cr_assert_not(timer_pending(a));
	mod_timer(a, base + 3);
	cr_assert_eq(mod_timer_pending(a, base + 6), 1);
	expect_ran(5, 0);
	expect_ran(6, 1);
}

Test(linux_timer, reduce_only_makes_it_expire_sooner)
{
	cr_assert_eq(timer_reduce(a, base + 20), 0, "an idle one is armed");
	mod_timer(b, base + 20);
	cr_assert_eq(timer_reduce(a, base + 25), 1);
	cr_assert_eq(timer_reduce(a, base + 20), 1);
	cr_assert(a->expires == base + 20);
	mod_timer(c, base + 15);
	cr_assert_eq(timer_reduce(c, base + 10), 1);
	pass_to(20);
	cr_assert_eq(memcmp(ran, "cab", 4), 0);
	cr_assert_eq(ran_at[0], 10);
}

Test(linux_timer, add_of_a_pending_one_is_refused)
{
	mod_timer(a, base + 5);
	a->expires = base + 2;
	add_timer(a);
	expect_ran(4, 0);
	expect_ran(5, 1);
}

Test(linux_timer, field_written_while_pending_moves_nothing)
{
	mod_timer(a, base + 5);
	a->expires = base + 9;
	cr_assert_eq(mod_timer(a, base + 9), 1, "it looks the same");
	expect_ran(5, 1);
}

Test(linux_timer, shut_down_cannot_be_armed)
{
	mod_timer(a, base + 5);
	cr_assert_eq(timer_shutdown(a), 1);
	cr_assert(!a->function);
	cr_assert_eq(timer_shutdown_sync(a), 0);
	cr_assert_eq(mod_timer(a, base + 5), 0);
	a->expires = base + 5;
	add_timer(a);
	cr_assert_eq(timer_reduce(a, base + 5), 0);
	expect_ran(10, 0);
}

Test(linux_timer, shut_down_is_revived_by_a_function)
{
	mod_timer(a, base + 5);
	cr_assert_eq(timer_shutdown_sync(a), 1);
	a->function = note;
	cr_assert_eq(mod_timer(a, base + 6), 0);
	expect_ran(6, 1);
}

static void shut_down_and_rearm(struct timer_list *timer)
{
	nran++;
	timer_shutdown(timer);
	mod_timer(timer, jiffies + 1);
}

Test(linux_timer, shut_down_in_its_callback_stays_idle)
{
	timer_setup(a, shut_down_and_rearm, 0);
	mod_timer(a, base + 1);
	expect_ran(5, 1);
	cr_assert_not(timer_pending(a));
}

static int delete (struct timer_list *timer)
{
	return timer_delete(timer);
}

Test(linux_timer, is_deleted_by_all_names)
{
	static int (*const names[])(struct timer_list *) = {
		delete,	   timer_delete_sync, try_to_del_timer_sync,
		del_timer, del_timer_sync,
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		cr_assert_eq(mod_timer(a, base + 3), 0);
		cr_assert_eq(names[i](a), 1);
		cr_assert_eq(names[i](a), 0);
	}
	expect_ran(5, 0);
}

Test(linux_timer, is_added_by_all_names)
{
	a->expires = b->expires = c->expires = base + 2;
	add_timer_on(a, 0);
	add_timer_local(b);
	add_timer_global(c);
	pass_to(2);
	cr_assert_eq(memcmp(ran, "abc", 4), 0);
}

Test(linux_timer, deferrable_one_waits_for_the_other_wheel)
{
	timer_setup(a, note, TIMER_DEFERRABLE);
	mod_timer(a, base + 3);
	mod_timer(b, base + 5);
	cr_assert_eq(jif_wheel_empty(&lazy), false);
	pass_to(5);
	cr_assert_eq(memcmp(ran, "b", 2), 0);
	jif_wheel_run(&lazy, jif_now());
	cr_assert_eq(memcmp(ran, "ba", 3), 0);
	mod_timer(a, base + 9);
	cr_assert_eq(timer_delete(a), 1);
	cr_assert(jif_wheel_empty(&lazy));
}

Test(linux_timer, other_flags_change_nothing)
{
	timer_setup(a, note, ~TIMER_DEFERRABLE);
	mod_timer(a, base + 3);
	cr_assert(jif_wheel_empty(&lazy));
	expect_ran(3, 1);
}

Test(linux_timer, deferrable_one_is_on_the_only_wheel_if_there_is_one)
{
	jif_linux_init(&wheel, NULL);
	timer_setup(a, note, TIMER_DEFERRABLE);
	mod_timer(a, base + 3);
	expect_ran(3, 1);
}

Test(linux_timer, passes_the_wrap_of_32_bits)
{
	mod_timer(a, base + 0x100);
	mod_timer(b, base + 0x1ff);
	pass_to(0x1ff);
	cr_assert_eq(memcmp(ran, "ab", 3), 0);
	cr_assert_eq(ran_at[0], 0x100);
	cr_assert_eq(ran_at[1], 0x1ff);
	cr_assert_lt(jif_now(), START);
}
