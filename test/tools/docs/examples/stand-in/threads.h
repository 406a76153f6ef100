/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/examples/stand-in/threads.h - threads for the stand-ins of
 * kernels
 *
 * One runs at a time: the ready one of the highest priority, until it waits or
 * makes a higher one ready. Time passes when all of them wait, tick by tick,
 * and at each tick an interrupt comes. So each run is the same.
 */
#ifndef THREADS_H
#define THREADS_H

#include <stdbool.h>
#include <stdint.h>

#define FOREVER UINT32_MAX

struct thread;

/* A higher number is a higher priority. */
struct thread *thread_create(void (*fn)(void *), void *arg, int priority);

struct thread *thread_self(void);

/*
 * Gives a thread something, of which it takes all; the one that runs waits.
 * True if a thread is ready by that which is higher than the one that runs.
 */
bool thread_give(struct thread *thread);
unsigned thread_take(uint32_t ticks);

/* The same of other kinds, below 2; the calls above are of kind 0. */
bool thread_give_kind(struct thread *thread, unsigned kind);
unsigned thread_take_kind(unsigned kind, uint32_t ticks);

/* What it is given meanwhile is kept. */
void thread_sleep(uint32_t ticks);

/* It waits, and nothing was given to it since. */
bool thread_waits(const struct thread *thread);

/* While it is locked, thread_give() does not switch; thread_switch() does. */
void thread_lock(bool locked);
void thread_switch(void);

/* The counter of ticks, which wraps a second after the start. */
uint32_t thread_ticks(void);

/* The interrupt of each tick, in which thread_give() does not switch. */
extern void (*thread_irq)(uint32_t since_start);

/* An interrupt of the thread that runs; thread_give() does not switch in it. */
void thread_interrupt(void (*handler)(void));

/* A tick passes while a thread runs. */
void thread_tick(void);

/* Runs the threads for so many ticks. */
void thread_run(uint32_t ticks);

#endif
