/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/posix.c - FreeRTOS' POSIX simulator as a board
 *
 * An interrupt is a signal, as the tick is there: whatever disables interrupts
 * blocks all signals. It begins with a critical section, or one that ends in it
 * would let in the next.
 */
#define _GNU_SOURCE 1
#include <FreeRTOS.h>
#include <jif/port.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <task.h>
#include <time.h>
#include <unistd.h>

#include "board.h"

static timer_t timer;
static uint32_t seed;

/* Signals nest: with AVX-512, they overrun the 16 KB that it asks for. */
int __real_pthread_attr_setstacksize(pthread_attr_t *of, size_t bytes);
int __wrap_pthread_attr_setstacksize(pthread_attr_t *of, size_t bytes)
{
	return __real_pthread_attr_setstacksize(of, bytes + 1000000);
}

void board_log(const char *text)
{
	taskENTER_CRITICAL();
	printf("%5u: %s\n",
	       (unsigned)(xTaskGetTickCount() - configINITIAL_TICK_COUNT),
	       text);
	fflush(stdout);
	taskEXIT_CRITICAL();
}

void board_say(const char *text, uint32_t number)
{
	taskENTER_CRITICAL();
	printf("%s: %u\n", text, (unsigned)number);
	fflush(stdout);
	taskEXIT_CRITICAL();
}

void board_exit(int status)
{
	taskENTER_CRITICAL();
	_exit(status);
}

void board_assert(const char *file, int line)
{
	fprintf(stderr, "%s:%d: assertion\n", file, line);
	_exit(1);
}

void jif_panic(const char *why)
{
	board_assert(why, 0);
	abort();
}

void board_sleep(void)
{
}

uint32_t board_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint32_t)(now.tv_sec * 1000000000 + now.tv_nsec);
}

static void next_interrupt(void)
{
	struct itimerspec when = { .it_value.tv_nsec = 20000 };

	seed = seed * 1664525 + 1013904223;
	when.it_value.tv_nsec += (seed >> 16) * 3;
	timer_settime(timer, 0, &when, NULL);
}

static void on_signal(int signal)
{
	taskENTER_CRITICAL();
	board_interrupt();
	next_interrupt();
	taskEXIT_CRITICAL();
}

void board_pend(void)
{
	raise(SIGUSR2);
}

static struct sigaction port_tick;
static volatile sig_atomic_t asked_for;

/* The simulator goes on to send its signal. */
static void on_tick(int signal)
{
	if (!asked_for)
		return;
	asked_for = 0;
	port_tick.sa_handler(signal);
}

void board_hold_ticks(void)
{
	struct itimerval none = { 0 };
	struct sigaction action;

	setitimer(ITIMER_REAL, &none, NULL);
	sigaction(SIGALRM, NULL, &port_tick);
	action = port_tick;
	action.sa_handler = on_tick;
	sigaction(SIGALRM, &action, NULL);
}

void board_tick(void)
{
	asked_for = 1;
	raise(SIGALRM);
}

void board_start(uint32_t start)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGUSR2 };

	seed = start;
	sigfillset(&action.sa_mask);
	sigaction(SIGUSR2, &action, NULL);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	next_interrupt();
}
