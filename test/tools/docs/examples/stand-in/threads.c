/* SPDX-License-Identifier: MIT */
/* Threads for the stand-ins of kernels */
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "board.h"

#define THREADS 8
#define STACK	65536
#define KINDS	2
#define START	(UINT32_MAX - 999)

struct thread {
	ucontext_t context;
	void (*fn)(void *);
	void *arg;
	int priority;
	unsigned given[KINDS];
	unsigned kind; /* for which it waits */
	bool waits;
	bool sleeps;
	bool forever;
	uint32_t until;
	char stack[STACK];
};

static struct thread threads[THREADS];
static unsigned count;
static struct thread *running;
static ucontext_t scheduler;
static uint32_t tick = START;
static bool locked;
static bool interrupted;

void (*thread_irq)(uint32_t since_start);

static void begin(void)
{
	running->fn(running->arg);
	for (;;)
		thread_take(FOREVER);
}

struct thread *thread_create(void (*fn)(void *), void *arg, int priority)
{
	struct thread *thread = &threads[count++];

	if (count > THREADS)
		abort();
	thread->fn = fn;
	thread->arg = arg;
	thread->priority = priority;
	getcontext(&thread->context);
	thread->context.uc_stack.ss_sp = thread->stack;
	thread->context.uc_stack.ss_size = STACK;
	makecontext(&thread->context, begin, 0);
	return thread;
}

struct thread *thread_self(void)
{
	return running;
}

uint32_t thread_ticks(void)
{
	return tick;
}

static void leave(void)
{
	swapcontext(&running->context, &scheduler);
}

bool thread_give_kind(struct thread *thread, unsigned kind)
{
	bool higher = thread->waits && !thread->sleeps &&
		      thread->kind == kind && !thread->given[kind] &&
		      (!running || thread->priority > running->priority);

	thread->given[kind]++;
	if (running && higher && !interrupted && !locked)
		leave();
	return higher;
}

bool thread_give(struct thread *thread)
{
	return thread_give_kind(thread, 0);
}

static void wait(uint32_t ticks, bool sleeps)
{
	running->waits = true;
	running->sleeps = sleeps;
	running->forever = ticks == FOREVER;
	running->until = tick + ticks;
	leave();
}

void thread_sleep(uint32_t ticks)
{
	if (ticks)
		wait(ticks, true);
}

unsigned thread_take_kind(unsigned kind, uint32_t ticks)
{
	unsigned given;

	running->kind = kind;
	if (!running->given[kind] && ticks)
		wait(ticks, false);
	given = running->given[kind];
	running->given[kind] = 0;
	return given;
}

unsigned thread_take(uint32_t ticks)
{
	return thread_take_kind(0, ticks);
}

static bool is_ready(const struct thread *thread)
{
	return !thread->waits ||
	       (thread->given[thread->kind] && !thread->sleeps) ||
	       (!thread->forever && (int32_t)(tick - thread->until) >= 0);
}

bool thread_waits(const struct thread *thread)
{
	return !is_ready(thread);
}

static struct thread *highest(void)
{
	struct thread *best = NULL;

	for (unsigned i = 0; i < count; i++)
		if (is_ready(&threads[i]) &&
		    (!best || threads[i].priority > best->priority))
			best = &threads[i];
	return best;
}

void thread_interrupt(void (*handler)(void))
{
	interrupted = true;
	handler();
	interrupted = false;
	if (highest() != running)
		leave();
}

void thread_tick(void)
{
	interrupted = true;
	tick++;
	thread_irq(tick - START);
	interrupted = false;
	if (highest() != running)
		leave();
}

void thread_lock(bool lock)
{
	locked = lock;
}

void thread_switch(void)
{
	if (!locked && highest()->priority > running->priority)
		leave();
}

void thread_run(uint32_t ticks)
{
	for (; tick - START < ticks; tick++) {
		if (thread_irq)
			thread_irq(tick - START);
		while ((running = highest())) {
			running->waits = false;
			swapcontext(&scheduler, &running->context);
		}
	}
}

__attribute__((weak)) void board_log(const char *text)
{
	printf("%5u: %s\n", (unsigned)(tick - START), text);
}
