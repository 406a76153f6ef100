/* SPDX-License-Identifier: MIT */
/*
 * test/target/month.c - the month of docs/examples/month, on QEMU's RISC-V
 * machine virt: each boot is a reset of that machine, by the alarm of its real
 * time clock, when something is due or at any instruction
 *
 * QEMU forgets what the clock was set to when it resets the machine; so that is
 * kept as what is to be added.
 */
#include "../../docs/examples/month/board.h"
#include "target.h"

#define RTC_TIME_LOW   (*(volatile uint32_t *)0x00101000)
#define RTC_TIME_HIGH  (*(volatile uint32_t *)0x00101004)
#define RTC_ALARM_LOW  (*(volatile uint32_t *)0x00101008)
#define RTC_ALARM_HIGH (*(volatile uint32_t *)0x0010100c)
#define FINISHER       (*(volatile uint32_t *)0x00100000)
#define FINISH_RESET   0x7777u

#define SECOND	       UINT64_C(1000000000)
#define MAGIC	       UINT32_C(0x600df00d)
#define AWAKE_NS       4000000

#define RETAINED       __attribute__((section(".retained")))

RETAINED struct month_slot board_slots[2];

/* What else survives. */
RETAINED static struct {
	uint32_t magic;
	uint32_t random;
	uint64_t local; /* what is to be added to the clock */
	uint32_t boots;
	uint32_t cuts;
	bool is_awake;
} kept;

static uint32_t choose(uint32_t end)
{
	kept.random = kept.random * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(kept.random >> 8) * end >> 24);
}

static uint64_t nanoseconds(void)
{
	uint32_t low = RTC_TIME_LOW; /* which latches the other half */

	return (uint64_t)RTC_TIME_HIGH << 32 | low;
}

static void set_alarm(uint64_t ns)
{
	RTC_ALARM_HIGH = (uint32_t)(ns >> 32);
	RTC_ALARM_LOW = (uint32_t)ns;
}

static void reset(void)
{
	kept.cuts += kept.is_awake;
	FINISHER = FINISH_RESET;
	for (;;)
		;
}

static void sleep(void)
{
	for (;;)
		__asm__ volatile("wfi");
}

/* Divided 16 bits at a time, as there is no library. */
static uint64_t seconds(void)
{
	uint64_t value = nanoseconds();
	uint64_t quotient = 0;
	uint32_t rest;

	for (unsigned i = 0; i < 3; i++, value = quotient) {
		rest = 0;
		quotient = 0;
		for (unsigned digit = 0; digit < 4; digit++, value <<= 16) {
			rest = rest << 16 | (uint16_t)(value >> 48);
			quotient = quotient << 16 | rest / 1000;
			rest %= 1000;
		}
	}
	return quotient;
}

uint64_t board_rtc(void)
{
	return seconds() + kept.local;
}

void board_rtc_set(uint64_t local)
{
	kept.local = local - seconds();
}

void board_off_until(uint64_t local)
{
	uint64_t now = nanoseconds();
	uint64_t alarm = (local - kept.local) * SECOND;

	kept.is_awake = false;
	set_alarm(alarm > now + 1000 ? alarm : now + 1000);
	sleep();
	__builtin_unreachable();
}

static void put_figure(const char *what, uint32_t number)
{
	target_put_text(what);
	target_put_number(number);
	target_puts("\n");
}

void board_finish(const struct month_counts *done)
{
	uint32_t hours = (uint32_t)(board_rtc() - BEGIN) / 3600;

	put_figure(TARGET_TEXT("boots: "), kept.boots);
	put_figure(TARGET_TEXT("of them cut off: "), kept.cuts);
	put_figure(TARGET_TEXT("beats: "), done->beats);
	put_figure(TARGET_TEXT("hours: "), done->hours);
	put_figure(TARGET_TEXT("valve opened: "), done->opened);
	put_figure(TARGET_TEXT("and closed: "), done->closed);
	put_figure(TARGET_TEXT("visits: "), done->visits);
	put_figure(TARGET_TEXT("that ended: "), done->gone);
	put_figure(TARGET_TEXT("mornings: "), done->mornings);
	put_figure(TARGET_TEXT("faults: "), done->faults);
	target_exit(done->faults || done->beats != MONTH / 1200 ||
		    done->hours != hours || done->opened != MONTH / 6000 ||
		    done->closed != done->opened ||
		    done->visits != MONTH / 1200 ||
		    done->gone != done->visits || done->mornings != DAYS ||
		    kept.cuts < MONTH / 5184);
}

/* In one of three boots power goes after some instructions; now and then, it
 * is gone for hours. */
int main(void)
{
	target_irq = reset;
	if (kept.magic != MAGIC) {
		kept.magic = MAGIC;
		kept.random = 1;
		kept.boots = kept.cuts = 0;
		kept.local = 0;
	}
	kept.boots++;
	kept.is_awake = false;
	if (!choose(30)) {
		set_alarm(nanoseconds() + choose(4 * 3600) * SECOND);
		sleep();
	}
	kept.is_awake = true;
	if (!choose(3))
		set_alarm(nanoseconds() + 1000 + choose(AWAKE_NS));
	month_boot();
}
