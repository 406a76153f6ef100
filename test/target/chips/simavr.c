/* SPDX-License-Identifier: MIT */
/*
 * usage: simavr MCU HZ IMAGE SEED
 *
 * Runs an image on one of simavr's AVRs, as ./avr8js.js does.
 */
#include <math.h>
#include <simavr/avr_extint.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "chips.h"

#define GPIOR0 0x3e
#define SMCR   0x53
#define IDLE   1
#define SLEEP  0x9588
#define AWAKE  64000

static uint32_t chance = 2463534242u;
static bool ended;

static double draw(void)
{
	chance ^= chance << 13;
	chance ^= chance >> 17;
	chance ^= chance << 5;
	return chance / 4294967296.0;
}

/* simavr says what it loads, too. */
__attribute__((format(printf, 3, 0))) static void
be_quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
	if (level <= LOG_ERROR)
		vfprintf(stderr, format, arguments);
}

static void skip_sleep(avr_t *avr, avr_cycle_count_t howlong)
{
}

static avr_cycle_count_t soon(avr_t *avr)
{
	return (avr_cycle_count_t)(draw() * AWAKE) + 1;
}

static avr_cycle_count_t interrupt(avr_t *avr, avr_cycle_count_t when,
				   void *pin)
{
	avr_raise_irq(pin, !((avr_irq_t *)pin)->value);
	return when + soon(avr);
}

static void say(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *arg)
{
	static struct record record;
	static uint64_t bytes;
	static unsigned n;

	bytes |= (uint64_t)value << 8 * n;
	if (++n < 6)
		return;
	record.what = bytes & 0xffff;
	record.value = (uint32_t)(bytes >> 16);
	record.at = (double)avr->cycle;
	ended = (record.what & 0xff) == END;
	fwrite(&record, sizeof(record), 1, stdout);
	bytes = 0;
	n = 0;
}

static avr_irq_t *start(avr_t *avr, const char *image, uint32_t hz)
{
	elf_firmware_t firmware = { 0 };

	if (elf_read_firmware(image, &firmware))
		return NULL;
	firmware.frequency = hz;
	avr_init(avr);
	avr_load_firmware(avr, &firmware);
	avr->sleep = skip_sleep;
	avr_register_io_write(avr, GPIOR0, say, NULL);
	return avr_io_getirq(avr, AVR_IOCTL_EXTINT_GETIRQ(),
			     EXTINT_IRQ_OUT_INT0);
}

/* The next interrupt, as a sleep begins or ends. */
static void run(avr_t *avr, avr_irq_t *pin)
{
	bool asleep = false;
	int state = cpu_Running;

	avr_cycle_timer_register(avr, AWAKE, interrupt, pin);
	while (!ended && state != cpu_Done && state != cpu_Crashed) {
		if (asleep != (state == cpu_Sleeping)) {
			asleep = !asleep;
			avr_cycle_timer_register(
				avr,
				asleep ? (avr_cycle_count_t)exp2(draw() * 30) :
					 soon(avr),
				interrupt, pin);
		}
		state = avr_run(avr);
	}
}

int main(int argc, char **argv)
{
	avr_t *avr = argc == 5 ? avr_make_mcu_by_name(argv[1]) : NULL;
	avr_irq_t *pin;

	avr_global_logger_set(be_quiet);
	pin = avr ? start(avr, argv[3], (uint32_t)strtoul(argv[2], NULL, 10)) :
		    NULL;
	if (!pin) {
		fprintf(stderr, "usage: simavr MCU HZ IMAGE SEED\n");
		return 2;
	}
	chance += (uint32_t)strtoul(argv[4], NULL, 10);
	run(avr, pin);
	return !ended;
}
