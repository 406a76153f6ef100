/* SPDX-License-Identifier: MIT */
/* Several firmwares in one program */
#include <criterion/criterion.h>
#include <jif/firmware/sched.h>
#include <jif/jiffies.h>
#include <jif/kit/node.h>
#include <jif/port.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define NODES	3
#define NOTES	2000
#define MINUTES 60000u

/* What the firmware has for itself: each node has another copy. */
static struct {
	struct jif_wheel wheel;
	struct jif_sched sched;
	struct jif_timer timer;
	struct jif_work work;
	uint32_t period;
	unsigned turns;
} firmware;

static const unsigned char power_on[sizeof(firmware)];
static unsigned char memory[NODES][sizeof(firmware)];
static struct jif_message messages[5];
static struct jif_net net;
static struct jif_node nodes[NODES];
static const struct jif_link wire = { 10, 0, 0 };

/* What has happened: when, by which clocks, where, and what. */
static struct {
	uint32_t when;
	uint32_t jiffies;
	int node;
	int what;
} notes[NOTES];
static unsigned nnotes;

enum { TIMER = 1, WORK, MESSAGE };

static int number_of(const struct jif_node *node)
{
	return node ? (int)(node - nodes) : -1;
}

static void note(int what)
{
	cr_assert_lt(nnotes, NOTES);
	notes[nnotes].when = jif_net_clock(&net);
	notes[nnotes].jiffies = jif_now();
	notes[nnotes].node = number_of(jif_node_running());
	notes[nnotes++].what = what;
}

static void expect(unsigned i, uint32_t when, int node, int what)
{
	cr_assert_lt(i, nnotes);
	cr_assert_eq(notes[i].when, when, "%u: at %u", i, notes[i].when);
	cr_assert_eq(notes[i].node, node, "%u: node %d", i, notes[i].node);
	cr_assert_eq(notes[i].what, what, "%u: what %d", i, notes[i].what);
}

static void on_timer(struct jif_timer *timer)
{
	note(TIMER);
	jif_timer_mod(&firmware.wheel, timer, jif_now() + firmware.period);
}

static void on_work(struct jif_work *work)
{
	note(WORK);
}

static void turn(void)
{
	firmware.turns++;
	jif_sched_run(&firmware.sched);
}

static void receive(struct jif_node *from, const void *bytes, size_t size)
{
	cr_assert_eq(number_of(from), 0);
	cr_assert_eq(size, 3);
	cr_assert_eq(memcmp(bytes, "ok", 3), 0);
	cr_assert(jif_sim.in_irq);
	note(MESSAGE);
	jif_work_queue(&firmware.sched.work, &firmware.work);
}

static void boot(void)
{
	cr_assert_eq(firmware.turns, 0, "these are the values at power-on");
	jif_wheel_init(&firmware.wheel, jif_now());
	jif_sched_init(&firmware.sched, &firmware.wheel, jif_port_idle, NULL);
	jif_work_init(&firmware.work, on_work, 0);
	jif_timer_init(&firmware.timer, on_timer);
}

static void init(void)
{
	memset(&jif_sim, 0, sizeof(jif_sim));
	memset(memory, 0, sizeof(memory));
	memset(&firmware, 0, sizeof(firmware));
	nnotes = 0;
	net = (struct jif_net){ .statics = &firmware,
				.size = sizeof(firmware),
				.messages = messages,
				.capacity = 5,
				.seed = 1 };
	jif_net_init(&net);
	for (int i = 0; i < NODES; i++) {
		nodes[i] = (struct jif_node){ .turn = turn,
					      .receive = receive,
					      .memory = memory[i] };
		jif_node_start(&net, &nodes[i], 1000000u * (unsigned)i - 100,
			       boot);
	}
}

TestSuite(node, .init = init);

/* Node 1, with power again, and what it had in its memory gone. */
static void start_anew(uint32_t now, void (*with)(void))
{
	jif_node_stop(&nodes[1]);
	memcpy(memory[1], power_on, sizeof(firmware));
	jif_node_start(&net, &nodes[1], now, with);
}

static void start_50(void)
{
	firmware.period = 50;
	jif_timer_mod(&firmware.wheel, &firmware.timer, jif_now() + 50);
}

static void start_70(void)
{
	firmware.period = 70;
	jif_timer_mod(&firmware.wheel, &firmware.timer, jif_now() + 70);
}

/* After so many ticks more, there are so many notes. */
static void expect_notes(uint32_t ticks, unsigned n)
{
	jif_net_run(&net, ticks);
	cr_assert_eq(nnotes, n, "%u", nnotes);
}

Test(node, has_jiffies_and_timers_of_its_own)
{
	jif_node_raise(&nodes[0], start_50);
	jif_node_raise(&nodes[2], start_70);
	expect_notes(149, 4);
	expect(0, 50, 0, TIMER);
	expect(1, 70, 2, TIMER);
	expect(2, 100, 0, TIMER);
	expect(3, 140, 2, TIMER);
	cr_assert_eq(notes[2].jiffies, 0, "its counter has wrapped");
	cr_assert_eq(notes[3].jiffies, 2000000 - 100 + 140);
}

Test(node, that_sleeps_is_woken_once_for_each_expiry)
{
	jif_node_raise(&nodes[0], start_50);
	expect_notes(50 * 1000, 1000);
	jif_node_stop(&nodes[0]);
	memcpy(&firmware, memory[0], sizeof(firmware));
	cr_assert_eq(firmware.turns, 1 + 1 + 1000);
}

static struct jif_node *to;
static const struct jif_link *by;
static int sent;

static void send(void)
{
	sent = jif_node_send(to, by, "ok", 3);
}

static int send_to(unsigned i, const struct jif_link *link)
{
	to = &nodes[i];
	by = link;
	jif_node_raise(&nodes[0], send);
	return sent;
}

Test(node, gets_a_message_after_its_delay_and_works_on_it)
{
	cr_assert_eq(send_to(1, &wire), 0);
	jif_net_run(&net, 5);
	cr_assert_eq(send_to(0, &wire), 0);
	expect_notes(1000, 4);
	expect(0, 10, 1, MESSAGE);
	expect(1, 10, 1, WORK);
	expect(2, 15, 0, MESSAGE);
	expect(3, 15, 0, WORK);
	cr_assert_eq(notes[0].jiffies, 1000000 - 100 + 10);
}

Test(node, messages_of_one_tick_come_in_the_order_in_which_they_were_sent)
{
	send_to(2, &wire);
	send_to(1, &wire);
	expect_notes(10, 4);
	expect(0, 10, 2, MESSAGE);
	expect(2, 10, 1, MESSAGE);
}

Test(node, message_is_never_there_within_its_tick)
{
	static const struct jif_link at_once = { 0, 0, 0 };

	jif_net_run(&net, 7);
	send_to(1, &at_once);
	cr_assert_eq(nnotes, 0);
	jif_net_run(&net, 1);
	expect(0, 8, 1, MESSAGE);
}

Test(node, too_many_or_too_long_messages_are_refused)
{
	for (unsigned i = 0; i < 5; i++)
		cr_assert_eq(send_to(1, &wire), 0);
	cr_assert_eq(send_to(1, &wire), -JIF_ENOSPC);
	expect_notes(10, 10);
	cr_assert_eq(send_to(1, &wire), 0);
	cr_assert_eq(jif_node_send(&nodes[1], &wire, memory[0],
				   JIF_MESSAGE_MAX + 1),
		     -JIF_EINVAL);
}

static unsigned char told[6];

/* A message says one number throughout, and has 60 times as many bytes. */
static void receive_long(struct jif_node *from, const void *bytes, size_t size)
{
	const unsigned char *text = bytes;

	cr_assert_eq(size, 60u * text[0]);
	for (size_t i = 0; i < size; i++)
		cr_assert_eq(text[i], text[0]);
	told[text[0]]++;
}

Test(node, messages_are_as_long_as_there_is_memory_for)
{
	static unsigned char around[15][300];
	unsigned char text[301];

	net.bytes = around[5];
	net.longest = sizeof(around[0]);
	nodes[1].receive = receive_long;
	for (unsigned char i = 1; i <= 5; i++) {
		memset(text, i, sizeof(text));
		cr_assert_eq(jif_node_send(&nodes[1], &wire, text, 60u * i), 0);
	}
	jif_net_run(&net, 10);
	cr_assert_eq(memcmp(told, "\0\1\1\1\1\1", 6), 0);
	for (unsigned i = 0; i < 5; i++)
		cr_assert(!around[i][0] && !around[10 + i][0]);
	cr_assert_eq(jif_node_send(&nodes[1], &wire, text, 301), -JIF_EINVAL);
}

/* How many of 400 messages come, and the delays that are seen. */
static unsigned send_400(const struct jif_link *link, uint32_t *least,
			 uint32_t *most)
{
	unsigned come = 0;
	uint32_t took;

	for (unsigned i = 0; i < 400; i++) {
		uint32_t begin = jif_net_clock(&net);

		nnotes = 0;
		cr_assert_eq(send_to(1, link), 0);
		jif_net_run(&net, 100);
		if (!nnotes)
			continue;
		come++;
		took = notes[0].when - begin;
		*least = took < *least ? took : *least;
		*most = took > *most ? took : *most;
	}
	return come;
}

Test(node, messages_are_lost_and_late_as_the_link_says)
{
	static const struct jif_link all = { 20, 10, 1000000 };
	static const struct jif_link half = { 20, 10, 500000 };
	uint32_t least = UINT32_MAX, most = 0;
	unsigned come;

	cr_assert_eq(send_400(&all, &least, &most), 0);
	come = send_400(&half, &least, &most);
	cr_assert(come > 150 && come < 250, "%u", come);
	cr_assert_eq(least, 20);
	cr_assert_eq(most, 30);
}

static void start_all(uint64_t seed)
{
	net.seed = seed;
	jif_net_init(&net);
	for (int i = 0; i < NODES; i++) {
		memset(memory[i], 0, sizeof(memory[i]));
		jif_node_start(&net, &nodes[i], 0, boot);
	}
}

/* As reckoned apart, from Knuth's MMIX generator: a seed holds for good. */
static void expect_run_of(uint64_t seed, unsigned n, const uint32_t *when)
{
	static const struct jif_link link = { 1, 90, 500000 };

	start_all(seed);
	nnotes = 0;
	for (unsigned i = 0; i < 10; i++) {
		send_to(1, &link);
		jif_net_run(&net, 100);
	}
	cr_assert_eq(nnotes, 2 * n);
	for (unsigned i = 0; i < n; i++)
		expect(2 * i, when[i], 1, MESSAGE);
}

Test(node, seed_of_another_day_gives_the_run_of_that_day)
{
	expect_run_of(7, 5, (uint32_t[]){ 83, 439, 518, 621, 988 });
	expect_run_of(UINT64_C(5) << 32 | 7, 4,
		      (uint32_t[]){ 58, 467, 501, 778 });
}

Test(node, without_power_does_nothing_and_loses_its_messages)
{
	jif_node_raise(&nodes[1], start_50);
	send_to(1, &wire);
	jif_node_stop(&nodes[1]);
	send_to(1, &wire);
	jif_node_raise(&nodes[1], start_50);
	expect_notes(MINUTES, 0);
	start_anew(5, boot);
	send_to(1, &wire);
	expect_notes(10, 2);
	expect(0, MINUTES + 10, 1, MESSAGE);
	cr_assert_eq(notes[0].jiffies, 15);
}

Test(node, starts_without_the_messages_to_it_before)
{
	send_to(1, &wire);
	send_to(2, &wire);
	start_anew(0, boot);
	for (unsigned i = 0; i < 4; i++)
		cr_assert_eq(send_to(1, &(struct jif_link){ 20, 0, 0 }), 0);
	cr_assert_eq(send_to(1, &wire), -JIF_ENOSPC);
	expect_notes(10, 2);
	expect(0, 10, 2, MESSAGE);
	jif_net_run(&net, 10);
	cr_assert_eq(nnotes, 2 + 4 * 2);
	expect(8, 20, 1, MESSAGE);
}

static void fill(unsigned node)
{
	for (unsigned i = 0; i < 5; i++)
		cr_assert_eq(send_to(node, &wire), 0);
	cr_assert_eq(send_to(node, &wire), -JIF_ENOSPC);
}

Test(node, that_stops_gives_back_all_messages_to_it_and_no_other)
{
	send_to(1, &wire);
	send_to(2, &wire);
	jif_net_run(&net, 10);
	jif_node_stop(&nodes[1]);
	fill(2);
	jif_node_stop(&nodes[2]);
	fill(0);
	start_all(2);
	fill(1);
	jif_net_run(&net, 10);
	cr_assert_eq(nnotes, 2 * 2 + 2 * 5);
	start_all(3);
	fill(1);
}

Test(node, of_an_old_net_is_not_written_to)
{
	memset(memory, 0, sizeof(memory));
	jif_net_init(&net);
	jif_node_start(&net, &nodes[0], 0, boot);
	cr_assert_eq(memcmp(memory[2], power_on, sizeof(firmware)), 0);
}

Test(node, message_that_will_be_lost_takes_room_too)
{
	static const struct jif_link nowhere = { 10, 0, 1000000 };

	fill(1);
	cr_assert_eq(send_to(1, &nowhere), -JIF_ENOSPC);
}

Test(node, message_takes_as_long_as_the_link_says)
{
	static const struct jif_link slow = { 70000, 0, 0 };

	send_to(1, &slow);
	jif_net_run(&net, 70000);
	expect(0, 70000, 1, MESSAGE);
}

/* What it sends meanwhile does not take the place of what it receives. */
static void receive_and_send(struct jif_node *from, const void *bytes,
			     size_t size)
{
	cr_assert_eq(size, JIF_MESSAGE_MAX);
	cr_assert_eq(jif_node_send(&nodes[2], &wire, "ok", 3), 0);
	cr_assert_eq(memcmp(bytes, memory[0], size), 0);
	note(MESSAGE);
}

Test(node, message_of_the_longest_stays_while_it_is_received)
{
	memset(memory[0], 'x', JIF_MESSAGE_MAX);
	nodes[1].receive = receive_and_send;
	cr_assert_eq(
		jif_node_send(&nodes[1], &wire, memory[0], JIF_MESSAGE_MAX), 0);
	jif_net_run(&net, 10);
	expect(0, 10, 1, MESSAGE);
}

static void look_at_machine(void)
{
	cr_assert(jif_sim.in_irq);
	note((int)jif_sim.sleeps);
}

Test(node, handler_is_an_interrupt_of_its_machine)
{
	for (unsigned i = 0; i < 2; i++)
		jif_node_raise(&nodes[1], look_at_machine);
	expect(0, 0, 1, 1);
	expect(1, 0, 1, 2);
	cr_assert(!jif_sim.sleep && !jif_sim.sleeps, "between turns");
}

static uint32_t sleep_for;

static void turn_and_sleep(void)
{
	note(TIMER);
	jif_sim.off++;
	jif_port_idle(sleep_for);
	jif_sim.off--;
}

static void turn_and_stop_for_ever(void)
{
	sleep_for = UINT32_MAX;
	turn_and_sleep();
}

static unsigned long counter;

static void read_counter(void)
{
	counter = jif_jiffies;
}

/* Also where the counter has 64 bits. */
Test(node, counter_is_its_own)
{
	jif_node_raise(&nodes[1], start_50);
	jif_node_raise(&nodes[2], start_70);
	jif_net_run(&net, 1000);
	jif_node_raise(&nodes[2], read_counter);
	cr_assert_eq(counter, 2000000 - 100 + 1000);
	jif_node_raise(&nodes[1], read_counter);
	cr_assert_eq(counter, 1000000 - 100 + 1000);
}

Test(node, counter_goes_on_across_the_wrap_and_begins_anew_with_power)
{
	nodes[1].turn = turn_and_stop_for_ever;
	jif_node_raise(&nodes[1], read_counter);
	for (unsigned i = 0; i < 3; i++) {
		jif_net_run(&net, JIF_DELAY_MAX);
		jif_node_raise(&nodes[1], read_counter);
	}
	cr_assert_eq(counter,
		     (unsigned long)(UINT64_C(3) * JIF_DELAY_MAX + 999900));
	start_anew(7, read_counter);
	cr_assert_eq(counter, 7);
}

Test(node, that_was_never_started_gets_nothing)
{
	static struct jif_node other;

	cr_assert_eq(jif_node_send(&other, &wire, "ok", 3), 0);
	cr_assert_eq(jif_node_send(&other, &wire, "ok", 65), -JIF_EINVAL);
}

static void turn_without_sleep(void)
{
	note(TIMER);
}

Test(node, that_does_not_sleep_turns_each_tick)
{
	nodes[1].turn = turn_without_sleep;
	start_anew(0, boot);
	expect_notes(5, 6);
	for (unsigned i = 0; i < 6; i++)
		expect(i, i, 1, TIMER);
}

Test(node, that_has_nothing_to_wake_up_for_sleeps_until_an_interrupt)
{
	nodes[1].turn = turn_and_stop_for_ever;
	start_anew(0, boot);
	expect_notes(MINUTES, 1);
	jif_node_raise(&nodes[1], start_50);
	cr_assert_eq(nnotes, 2);
}

static void sleep_longer(void)
{
	sleep_for++;
}

Test(node, sleeps_for_as_long_as_a_delay_at_most)
{
	nodes[1].turn = turn_and_sleep;
	sleep_for = JIF_DELAY_MAX - 1;
	jif_node_raise(&nodes[1], sleep_longer);
	jif_net_run(&net, JIF_DELAY_MAX);
	expect(1, JIF_DELAY_MAX, 1, TIMER);
	jif_node_raise(&nodes[1], sleep_longer);
	jif_net_run(&net, JIF_DELAY_MAX);
	cr_assert_eq(nnotes, 4, "too soon, and not never");
}

Test(node, without_a_receiver_loses_its_messages)
{
	nodes[1].receive = NULL;
	for (unsigned i = 0; i < 10; i++) {
		cr_assert_eq(send_to(1, &wire), 0);
		jif_net_run(&net, 10);
	}
	cr_assert_eq(nnotes, 0);
}

Test(node, of_a_net_without_statics_may_be_the_only_one)
{
	for (int i = 0; i < NODES; i++)
		jif_node_stop(&nodes[i]);
	memset(&firmware, 0, sizeof(firmware));
	net.size = 0;
	jif_net_init(&net);
	jif_node_start(&net, &nodes[0], 0, boot);
	jif_node_raise(&nodes[0], start_50);
	expect_notes(100, 2);
	expect(1, 100, 0, TIMER);
	cr_assert_eq(firmware.turns, 4);
}

static void raise_within(void)
{
	jif_node_raise(&nodes[1], start_50);
}

Test(node, within_another_one_panics, .signal = SIGABRT)
{
	jif_node_raise(&nodes[0], raise_within);
}

static unsigned windows;

static void count_window(void)
{
	windows++;
}

static void send_with_windows(void)
{
	jif_sim.irq = count_window;
	jif_sim.in_irq = false;
	send();
	jif_sim.in_irq = true;
	jif_sim.irq = NULL;
}

Test(node, net_opens_no_window_of_a_node)
{
	to = &nodes[1];
	by = &wire;
	jif_node_raise(&nodes[0], send_with_windows);
	cr_assert_eq(sent, 0);
	cr_assert_eq(windows, 0);
}

static uint32_t node_now, node_left;

static void look_at_time(void)
{
	node_now = jif_wheel_now(&firmware.wheel);
	node_left = jif_timer_left(&firmware.wheel, &firmware.timer);
}

/* In the middle of its sleep, and after another one has run. */
Test(node, wheel_has_the_time_of_its_node)
{
	jif_node_raise(&nodes[1], start_50);
	jif_net_run(&net, 20);
	jif_node_raise(&nodes[2], start_70);
	jif_node_raise(&nodes[1], look_at_time);
	cr_assert_eq(node_now, 1000000 - 100 + 20);
	cr_assert_eq(node_left, 30);
	jif_net_run(&net, 5);
	jif_node_raise(&nodes[2], look_at_time);
	cr_assert_eq(node_now, 2000000 - 100 + 25);
	cr_assert_eq(node_left, 65);
	jif_node_raise(&nodes[0], look_at_time);
	cr_assert_eq(node_now, (uint32_t)-100 + 25);
}
