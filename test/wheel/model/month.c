/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/month.c - the month of docs/examples/month, with power cut
 * at any access to interrupts or the RTC, and half written slots
 */
#include <criterion/criterion.h>
#include <jif/kit/sim.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "../../../docs/examples/month/month.c"
#include "random.h"

#define CUTS 120

struct month_slot board_slots[2];

static jmp_buf boot;
static uint64_t rtc, end, random_state;
static struct month_counts done;
static unsigned boots, cuts, patience;
static bool is_over;

static uint32_t choose(uint32_t below)
{
	return random_next(&random_state, below);
}

/* What was being written is anything. After the month, power is back soon. */
static void cut(void)
{
	if (!patience || --patience)
		return;
	cuts++;
	board_slots[latest() == 0].snapshot[choose(100)] ^=
		(uint8_t)choose(256);
	rtc += choose(choose(3) || rtc >= BEGIN + MONTH ? 3 : 4 * HOUR);
	longjmp(boot, 1);
}

uint64_t board_rtc(void)
{
	cut();
	rtc += !choose(50);
	return rtc;
}

void board_rtc_set(uint64_t local)
{
	rtc = local;
}

void board_off_until(uint64_t local)
{
	cr_assert_eq(memcmp(&board_slots[current].counts, &counts,
			    sizeof(counts)),
		     0, "what was done is kept");
	if (local > rtc)
		rtc = local;
	longjmp(boot, 1);
}

void board_finish(const struct month_counts *counted)
{
	done = *counted;
	end = rtc;
	is_over = true;
	longjmp(boot, 1);
}

static void lose_memory(void)
{
	memset(&jif_sim, 0, sizeof(jif_sim));
	memset(&wheel, 0xa5, sizeof(wheel));
	memset(&beat, 0xa5, sizeof(beat));
	memset(&report, 0xa5, sizeof(report));
	memset(&valve, 0xa5, sizeof(valve));
	memset(&visits, 0xa5, sizeof(visits));
	memset(entries, 0xa5, sizeof(entries));
	memset(&calendar, 0xa5, sizeof(calendar));
	memset(&morning, 0xa5, sizeof(morning));
	memset(&counts, 0xa5, sizeof(counts));
	jif_sim.irq = cut;
}

static void live(uint64_t seed)
{
	random_state = random_begin(seed);
	memset(board_slots, 0xff, sizeof(board_slots));
	boots = cuts = 0;
	is_over = false;
	setjmp(boot);
	if (is_over)
		return;
	boots++;
	lose_memory();
	patience = choose(2) ? 1 + choose(CUTS) : 0;
	month_boot();
}

Test(month, nothing_is_lost_or_early_or_done_twice)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		live(seed);
		printf("month: %u boots, %u of them cut off\n", boots, cuts);
		cr_assert_eq(done.faults, 0);
		cr_assert_eq(done.beats, MONTH / 1200);
		cr_assert_eq(done.hours, (end - BEGIN) / 3600);
		cr_assert_eq(done.opened, MONTH / 6000);
		cr_assert_eq(done.closed, MONTH / 6000);
		cr_assert_eq(done.visits, MONTH / 1200);
		cr_assert_eq(done.gone, MONTH / 1200);
		cr_assert_eq(done.mornings, 30);
		cr_assert_gt(cuts, 500);
	}
}
