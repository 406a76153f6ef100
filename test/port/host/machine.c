/* SPDX-License-Identifier: MIT */
/* See machine.h */
#define _GNU_SOURCE
#include "machine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../../../lib/port/jif_port.h"

#define PAGE 4096u

uint64_t now;
unsigned access_counts = 1;
unsigned wake_counts;
uint64_t other_at = UINT64_MAX;
bool other_pending;
unsigned sleeps;

static bool masked;
static bool in_irq;

/* What has been written, and its model has not been told. */
static uintptr_t written;

void fail(const char *what, ...)
{
	va_list arguments;

	va_start(arguments, what);
	fputs("# ", stdout);
	vprintf(what, arguments);
	printf("\n# at %" PRIu64 ", %u counts per access\n", now,
	       access_counts);
	puts("not ok - from each count\n1..1");
	exit(1);
}

static void settle(void)
{
	uintptr_t address = written;

	written = 0;
	if (address)
		timer_write(address, *(uint32_t *)address);
}

void advance(uint64_t counts)
{
	uint64_t part;

	settle();
	while (counts) {
		part = counts;
		if (!other_pending && other_at - now < part)
			part = other_at - now;
		timer_advance(part);
		now += part;
		counts -= part;
		if (now >= other_at) {
			other_at = UINT64_MAX;
			other_pending = true;
		}
	}
}

void let_in(void)
{
	settle();
	while (!masked && !in_irq && (timer_pending() || other_pending)) {
		in_irq = true;
		advance(access_counts);
		if (timer_pending()) {
			timer_handle();
		} else {
			other_pending = false;
			other_handler();
		}
		settle();
		in_irq = false;
	}
}

jif_irq_t jif_irq_save(void)
{
	jif_irq_t was = masked;

	masked = true;
	return was;
}

void jif_irq_restore(jif_irq_t flags)
{
	masked = flags;
	let_in();
}

bool jif_in_irq(void)
{
	return in_irq;
}

void jif_panic(const char *why)
{
	fail("%s", why);
}

void jif_port_sleep(void)
{
	uint64_t counts;

	settle();
	sleeps++;
	if (!masked)
		fail("it sleeps with interrupts on");
	counts = timer_ahead();
	if (other_at - now < counts)
		counts = other_at - now;
	if (!timer_pending() && !other_pending)
		advance(counts);
	advance(wake_counts);
}

/* Code between accesses to registers takes time, too. */
static void pass(void)
{
	static unsigned long left = 50000000;

	if (!--left)
		fail("it does not end");
	settle();
	advance(access_counts);
}

static bool is_register(uintptr_t address)
{
	return (address & -PAGE) == timer_pages[0] ||
	       (address & -PAGE) == timer_pages[1];
}

static void look(void *where)
{
	uintptr_t address = (uintptr_t)where;

	pass();
	if (is_register(address))
		*(uint32_t *)address = timer_read(address);
}

static void note(void *where)
{
	uintptr_t address = (uintptr_t)where;

	pass();
	if (is_register(address))
		written = address;
}

/* The names that the compiler calls. */
#define CALLED(name, does)                                                     \
	void __tsan_##name(void *where);                                       \
	void __tsan_##name(void *where)                                        \
	{                                                                      \
		(void)where;                                                   \
		does;                                                          \
	}

CALLED(init, (void)0)
CALLED(func_entry, pass())
CALLED(func_exit, pass())
CALLED(volatile_read4, look(where))
CALLED(volatile_write4, note(where))
CALLED(volatile_read1, pass())
CALLED(volatile_write1, pass())
CALLED(read4, pass())
CALLED(read8, pass())
CALLED(write4, pass())
CALLED(write8, pass())

__attribute__((constructor)) static void map(void)
{
	for (unsigned i = 0; i < 2; i++) {
		void *page = (void *)timer_pages[i];

		if (page &&
		    mmap(page, PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			 0) != page)
			fail("there is no room for the registers");
	}
}
