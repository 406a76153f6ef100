/* SPDX-License-Identifier: MIT */
/*
 * test.c - a fake board, and the tests of the firmware
 *
 * usage: test [WORD]: those whose names mention the word, or all
 */
#include <assert.h>
#include <jif/kit/test.h>
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "firmware.h"

static struct {
	bool button;
	bool lid;
	bool pump;
	bool sent;
	bool answers;
} board;

bool board_button(void)
{
	return board.button;
}

bool board_lid_is_open(void)
{
	return board.lid;
}

void board_send(void)
{
	board.sent = true;
	jif_test_note("send", board.lid);
}

void board_pump(bool on)
{
	board.pump = on;
	jif_test_note("pump", on);
}

void board_kick(void)
{
	jif_test_note("kick", 0);
}

void board_alarm(void)
{
	jif_test_note("alarm", 0);
}

void board_irq_off(void)
{
	jif_sim.off++;
}

void board_irq_on(void)
{
	jif_sim.off--;
	jif_sim_irq();
}

/* A server that answers does so at the end of the turn. */
static void turn(void)
{
	firmware_turn();
	if (board.answers && board.sent)
		jif_test_raise(request_isr);
	board.sent = false;
}

/* Power on, 50 ticks before the counter wraps. */
static void power_on(void)
{
	memset(&board, 0, sizeof(board));
	jif_test_begin(-50u, turn);
	firmware_init();
	jif_test_watch(&wheel, &button_settles, "settles");
	jif_test_watch(&wheel, &button_is_held, "held");
	jif_test_watch(&wheel, &request_timeout, "timeout");
	jif_test_watch(&wheel, &lease_renewal, "renewal");
	jif_test_watch(&wheel, &lease_end, "end");
}

/* For tests that are not about the watchdog. */
static void begin(void)
{
	power_on();
	jif_test_ignore("kick");
	jif_test_ignore("alarm");
}

static void press(bool down)
{
	board.button = down;
	jif_test_raise(button_isr);
}

/* --- the button: a delay is what is left of a tick, and so many more --- */

static void button_counts_when_it_has_settled(void)
{
	begin();
	press(true);
	jif_test_run(8);
	press(false);
	jif_test_run(4);
	press(true);
	jif_test_run(50);
	jif_test_expect(33, "settles", 0);
	jif_test_expect(33, "send", 0);
	jif_test_expect_no_more();
}

static void button_that_is_held_gives_the_lease_back(void)
{
	begin();
	board.answers = true;
	press(true);
	jif_test_run(1100);
	jif_test_expect(21, "settles", 0);
	jif_test_expect(21, "send", 0);
	jif_test_expect(22, "pump", 1);
	jif_test_expect(1022, "held", 0);
	jif_test_expect(1022, "pump", 0);
	jif_test_expect_no_more();
}

static void button_that_is_released_leaves_the_lease_alone(void)
{
	begin();
	board.answers = true;
	press(true);
	jif_test_run(500);
	press(false);
	jif_test_run(1100);
	jif_test_check(board.pump);
	assert(jif_test_count("held") == 0);
}

/* --- the request --- */

static void request_is_sent_again_with_a_pause_that_doubles(void)
{
	static const uint32_t at[] = {
		0, 101, 302, 703, 1504, 3105, 4706, 6307
	};

	begin();
	request_start();
	jif_test_run(20000);
	for (unsigned i = 0; i < TRIES; i++) {
		if (i)
			jif_test_expect(at[i], "timeout", 0);
		jif_test_expect(at[i], "send", 0);
	}
	jif_test_expect(7908, "timeout", 0);
	jif_test_expect_no_more();
}

static void request_ends_with_the_answer(void)
{
	begin();
	request_start();
	jif_test_run(150);
	jif_test_raise(request_isr);
	jif_test_run(10000);
	jif_test_expect(0, "send", 0);
	jif_test_expect(101, "timeout", 0);
	jif_test_expect(101, "send", 0);
	jif_test_expect(150, "pump", 1);
	jif_test_expect_no_more();
}

/* --- the lease --- */

static void lease_is_renewed_half_way_through(void)
{
	begin();
	board.answers = true;
	lease_start(100);
	jif_test_run(60);
	jif_test_check(lease_is_valid());
	jif_test_expect(0, "pump", 1);
	jif_test_expect(50, "renewal", 0);
	jif_test_expect(50, "send", 0);
	jif_test_expect(51, "pump", 1);
	while (jif_test_count("renewal") < 2)
		jif_test_run_next(&wheel);
	jif_test_check(lease_is_valid());
	jif_test_expect(51 + LEASE / 2, "renewal", 0);
}

static void lease_is_valid_to_its_end_across_the_wrap(void)
{
	begin();
	lease_start(100);
	jif_test_check(lease_is_valid());
	jif_test_run(99);
	jif_test_check(lease_is_valid());
	jif_test_run(1);
	jif_test_check(!lease_is_valid());
	jif_test_check(!board.pump);
}

/* --- the watchdog --- */

static void watchdog_is_kicked_while_the_sensor_measures(void)
{
	power_on();
	for (unsigned i = 0; i < 3; i++) {
		jif_test_run(50);
		jif_test_raise(sensor_isr);
		jif_test_run(50);
	}
	jif_test_run(600);
	jif_test_expect(100, "kick", 0);
	jif_test_expect(200, "kick", 0);
	jif_test_expect(300, "kick", 0);
	jif_test_expect(600, "alarm", 0);
	jif_test_expect_no_more();
}

static void watchdog_takes_a_stall_for_one_period(void)
{
	power_on();
	jif_test_run(50);
	jif_test_stall(500);
	jif_test_run(0);
	jif_test_raise(sensor_isr);
	jif_test_run(50);
	jif_test_expect(600, "kick", 0);
	jif_test_expect_no_more();
}

/* --- races: a handler comes in, once at each window --- */

static void open_lid(void)
{
	board.lid = true;
	lid_isr();
}

static void lease_and_lid(void)
{
	begin();
	jif_test_irq(open_lid);
	lease_start(20);
	jif_test_run(12);
	jif_test_check(board.pump == !board.lid);
}

static void pump_stops_whenever_the_lid_is_opened(void)
{
	jif_test_each_window(lease_and_lid);
}

/* The value of a note that something was sent says that the lid was open. */
static void renewal_and_lid(void)
{
	begin();
	jif_test_ignore("pump");
	lease_start(20);
	jif_test_run(9);
	jif_test_irq(open_lid);
	jif_test_run(1);
	jif_test_irq(NULL);
	if (jif_test_count("send")) {
		jif_test_expect(10, "renewal", 0);
		jif_test_expect(10, "send", 0);
	}
}

static void nothing_is_sent_whenever_the_lid_is_open(void)
{
	jif_test_each_window(renewal_and_lid);
}

static bool answer_came;

static void answer(void)
{
	answer_came = true;
	request_isr();
}

static void request_and_answer(void)
{
	begin();
	answer_came = false;
	request_start();
	jif_test_run(98);
	jif_test_irq(answer);
	jif_test_run(4);
	jif_test_irq(NULL);
	jif_test_run(3);
	jif_test_check(board.pump == answer_came);
	jif_test_check(jif_timer_pending(&request_timeout) != answer_came);
}

static void answer_counts_whenever_it_comes(void)
{
	jif_test_each_window(request_and_answer);
}

static void measure(void)
{
	jif_test_note("measure", 0);
	sensor_isr();
}

static void watchdog_and_sensor(void)
{
	power_on();
	jif_test_run(98);
	jif_test_irq(measure);
	jif_test_run(4);
	jif_test_irq(NULL);
	jif_test_run(100);
	jif_test_check(jif_test_count("kick") == jif_test_count("measure"));
}

static void measurement_counts_whenever_it_comes(void)
{
	jif_test_each_window(watchdog_and_sensor);
}

/* Everything at once: the pump never runs with the lid open. */
static void anything_and_lid(void)
{
	begin();
	board.answers = true;
	jif_test_irq(open_lid);
	press(true);
	jif_test_run(300);
	jif_test_check(!board.lid || !board.pump);
}

static void lid_may_be_opened_again_and_again(void)
{
	jif_test_random(anything_and_lid, 100);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
#define TEST(test)                                                             \
	{                                                                      \
		.name = #test, .run = test                                     \
	}
	TEST(button_counts_when_it_has_settled),
	TEST(button_that_is_held_gives_the_lease_back),
	TEST(button_that_is_released_leaves_the_lease_alone),
	TEST(request_is_sent_again_with_a_pause_that_doubles),
	TEST(request_ends_with_the_answer),
	TEST(lease_is_renewed_half_way_through),
	TEST(lease_is_valid_to_its_end_across_the_wrap),
	TEST(watchdog_is_kicked_while_the_sensor_measures),
	TEST(watchdog_takes_a_stall_for_one_period),
	TEST(pump_stops_whenever_the_lid_is_opened),
	TEST(nothing_is_sent_whenever_the_lid_is_open),
	TEST(answer_counts_whenever_it_comes),
	TEST(measurement_counts_whenever_it_comes),
	TEST(lid_may_be_opened_again_and_again),
};

int main(int argc, char *argv[])
{
	unsigned count = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (unsigned i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (argc > 1 && !strstr(tests[i].name, argv[1]))
			continue;
		printf("# %s\n", tests[i].name);
		tests[i].run();
		printf("ok %u - %s\n", ++count, tests[i].name);
	}
	printf("1..%u\n", count);
	return count == 0;
}
