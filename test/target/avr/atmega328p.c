/* SPDX-License-Identifier: MIT */
/*
 * usage: atmega328p [PLACES] IMAGE
 *
 * Runs an image on simavr's ATmega328P at 16 MHz. Time spent asleep is skipped.
 * What the image sends through USART 0 goes to the standard output; what it
 * writes to GPIOR0 is the exit status. Writing a number from 0 to 3 to GPIOR1
 * puts a byte of a microsecond counter into GPIOR2, the highest first; 0
 * latches the counter. After $TARGET_LIMIT cycles awake the exit status is 3.
 * A sleep that cannot be right ends it, too. PLACES is a file that says what is
 * counted, by ../trace.h; the time is the cycle. With TARGET_BOARD in the
 * environment, it does what it does on the processor.
 */
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_interrupts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../trace.h"

#define MHZ    16
#define GPIOR0 0x3e
#define GPIOR1 0x4a
#define GPIOR2 0x4b
#define SMCR   0x53

/* Sleep is enabled, and idle: in the other modes TIMER1 stands. */
#define IDLE  1

#define SEI   0x9478
#define RETI  0x9518
#define SLEEP 0x9588

static int status = -1;
static avr_cycle_count_t limit;
static avr_cycle_count_t asleep;
static bool board;

/* simavr says what it loads, too. */
__attribute__((format(printf, 3, 0))) static void
be_quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
	if (level <= LOG_ERROR)
		vfprintf(stderr, format, arguments);
}

static void skip_sleep(avr_t *avr, avr_cycle_count_t howlong)
{
	asleep += howlong;
}

static avr_cycle_count_t look_at_limit(avr_t *avr, avr_cycle_count_t when,
				       void *arg)
{
	avr_cycle_count_t awake = avr->cycle - asleep;

	if (awake < limit)
		return when + (limit - awake);
	puts("over the limit of cycles");
	status = 3;
	return 0;
}

static void put_byte(struct avr_irq_t *irq, uint32_t value, void *arg)
{
	putchar((int)value);
}

static void end(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *arg)
{
	status = value;
}

static void latch(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *arg)
{
	static uint32_t clock;

	if (!value)
		clock = (uint32_t)(avr->cycle / MHZ);
	avr->data[GPIOR2] = (uint8_t)(clock >> (24 - 8 * (value & 3)));
}

static void end_by_fault(const char *why)
{
	printf("fault: %s\n", why);
	status = 1;
}

/* A sleep that is not enabled is none. */
static void sleep_on_a_board(avr_t *avr, unsigned before)
{
	if (!avr->data[SMCR]) {
		avr->pc += 2;
	} else if (before != SEI && before != RETI &&
		   avr_has_pending_interrupts(avr)) {
		avr->interrupt_state = 1;
		avr_service_interrupts(avr);
	}
}

/*
 * simavr takes every sleep for idle, and interrupts only after the second
 * instruction behind SEI. The processor takes them after the first one, which
 * has to be the sleep: what comes before it would not end it.
 */
static void look_at_sleep(avr_t *avr)
{
	static unsigned before;
	unsigned code = avr->flash[avr->pc] + 256u * avr->flash[avr->pc + 1];

	if (code == SLEEP && board && avr->data[SMCR] <= IDLE)
		sleep_on_a_board(avr, before);
	else if (code == SLEEP && avr->data[SMCR] != IDLE)
		end_by_fault("it sleeps where TIMER1 stands, or not at all");
	else if (code == SLEEP && before != SEI)
		end_by_fault("an interrupt can come right before the sleep");
	before = code;
}

static avr_t *start(const char *image)
{
	elf_firmware_t firmware = { 0 };
	avr_t *avr;
	uint32_t flags = 0;

	avr_global_logger_set(be_quiet);
	avr = avr_make_mcu_by_name("atmega328p");
	if (!avr || elf_read_firmware(image, &firmware))
		return NULL;
	firmware.frequency = MHZ * 1000000;
	avr_init(avr);
	avr_load_firmware(avr, &firmware);
	avr->sleep = skip_sleep;
	board = getenv("TARGET_BOARD");
	avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
	avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'),
					      UART_IRQ_OUTPUT),
				put_byte, NULL);
	avr_register_io_write(avr, GPIOR0, end, NULL);
	avr_register_io_write(avr, GPIOR1, latch, NULL);
	if (getenv("TARGET_LIMIT")) {
		limit = strtoull(getenv("TARGET_LIMIT"), NULL, 10);
		avr_cycle_timer_register(avr, limit, look_at_limit, NULL);
	}
	return avr;
}

int main(int argc, char **argv)
{
	bool traced = argc == 3;
	avr_t *avr = argc == 2 + traced ? start(argv[argc - 1]) : NULL;
	int state = cpu_Running;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!avr || (traced && !trace_begin(argv[1]))) {
		fprintf(stderr, "usage: atmega328p [PLACES] IMAGE\n");
		return 2;
	}
	while (status < 0 && state != cpu_Done && state != cpu_Crashed) {
		if (traced)
			trace_step(avr->pc, avr->cycle);
		if (state == cpu_Running)
			look_at_sleep(avr);
		state = avr_run(avr);
	}
	fflush(NULL);
	if (status < 0)
		fprintf(stderr, "atmega328p: the processor has stopped\n");
	return status < 0 ? 1 : status;
}
