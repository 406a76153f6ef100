/* SPDX-License-Identifier: MIT */
/*
 * test/port/compare/world.c - time, interrupts and sleep of the simulated
 * machine
 */
#include "world.h"

#include <jif/jiffies.h>
#include <jif/port.h>
#include <stdio.h>
#include <stdlib.h>

#include "reg.h"

/* More than any call needs: it waits for what never comes. */
#define MOST_ACCESSES 20000

/* More than any counter takes for a turn. */
#define MOST_STEPS (UINT64_C(64) << model->bits)

struct world world;
void (*world_where)(void);
void (*world_other)(void);

static struct {
	bool present;
	bool enabled;
	bool pending;
	bool line;
} nvic;

static uint32_t mie;

void world_fail(const char *why)
{
	printf("# %s: time %llu, counter %llx\n", why,
	       (unsigned long long)world.time,
	       (unsigned long long)world.counts);
	if (world_where)
		world_where();
	printf("not ok 1 - %s\n", why);
	exit(1);
}

void world_forbid(const char *why)
{
	if (!world.board)
		world_fail(why);
}

void jif_panic(const char *why)
{
	world_fail(why);
}

/* Counts that do nothing else pass all at once. */
static void pass_to(uint64_t end)
{
	uint64_t edges, quiet;

	while (world.edge <= end) {
		edges = (end - world.edge) / world.count + 1;
		quiet = model_quiet();
		if (edges > 1 && quiet > 1) {
			edges = edges < quiet ? edges : quiet;
			world.counts += edges;
			world.edge += edges * world.count;
		} else {
			world.edge += world.count;
			model_edge();
		}
		world.edge_seen = true;
	}
	world.time = end;
	if (world.other <= end) {
		world.other = NO_TIME;
		world.other_pending = true;
	}
}

void world_reset(uint64_t start, unsigned phase)
{
	world = (struct world){
		.edge = phase + 1,
		.counts = start,
		.other = NO_TIME,
		.deadline = NO_TIME,
		.access = world.access,
		.count = world.count,
		.variant = world.variant,
		.board = world.board,
	};
	nvic.present = nvic.enabled = nvic.pending = nvic.line = false;
	mie = 0;
	model_reset();
}

static void access(void)
{
	if (++world.accesses > MOST_ACCESSES)
		world_fail("it waits for ever");
	if (world.stall && !--world.stall) {
		pass_to(world.time + world.stalls * world.count);
		world.stall = world.again;
		world.again = 0;
	}
	world.edge_seen = false;
	pass_to(world.time + world.access);
}

uint32_t jif_reg_read(uintptr_t at)
{
	access();
	return model_read(at);
}

void jif_reg_write(uintptr_t at, uint32_t value)
{
	access();
	model_write(at, value);
}

uint8_t jif_reg_read8(uintptr_t at)
{
	return (uint8_t)jif_reg_read(at);
}

void jif_reg_write8(uintptr_t at, uint8_t value)
{
	jif_reg_write(at, value);
}

void jif_mie_set(uint32_t bits)
{
	mie |= bits;
}

void jif_mie_clear(uint32_t bits)
{
	mie &= ~bits;
}

bool nvic_write(uintptr_t at, uint32_t value, unsigned irq)
{
	uintptr_t word = irq / 32 * 4;
	uint32_t bit = UINT32_C(1) << irq % 32;

	nvic.present = true;
	if (at < 0xe000e100)
		return false;
	if (value != bit)
		world_forbid("another interrupt's bit in the NVIC");
	else if (at == 0xe000e100 + word)
		nvic.enabled = true;
	else if (at == 0xe000e180 + word)
		nvic.enabled = false;
	else if (at == 0xe000e200 + word)
		nvic.pending = true;
	else if (at == 0xe000e280 + word)
		nvic.pending = nvic.line;
	else
		world_fail("no register of the NVIC");
	return true;
}

/* An interrupt becomes pending when its line does, and after its handler. */
void nvic_line(bool line)
{
	nvic.present = true;
	if (line && !nvic.line)
		nvic.pending = true;
	nvic.line = line;
}

static bool requested(void)
{
	if (nvic.present)
		return nvic.enabled && nvic.pending;
	return model_requests() && (model->bits != 32 || mie == 1u << 7);
}

static void handle(void)
{
	world.in_irq = true;
	if (world.other_pending) {
		world.other_pending = false;
		world.others++;
		world_other();
	} else {
		nvic.pending = false;
		world.handled++;
		jif_port_tick();
		world.handled_at = world.counts;
		nvic.pending |= nvic.line;
	}
	world.in_irq = false;
}

void world_deliver(void)
{
	unsigned handled = world.handled;

	if (world.in_irq)
		return;
	while (!world.off && (world.other_pending || requested())) {
		handle();
		if (world.handled - handled > 8)
			world_fail("the handler runs again and again");
	}
}

void world_spend(uint64_t steps)
{
	uint64_t end = world.time + steps;
	uint64_t next;

	while (world.time < end) {
		next = end;
		if (!world.off) {
			next = world.edge + model_quiet() * world.count;
			next = next < world.other ? next : world.other;
			next = next > world.time ? next : world.time + 1;
			next = next < end ? next : end;
		}
		pass_to(next);
		world_deliver();
	}
}

void world_check_read(uint64_t before, uint32_t count)
{
	uint64_t at = before +
		      ((count - before) & (UINT32_MAX >> (32 - model->bits)));

	if (at > world.counts)
		world_forbid("the counter is read as what it was not");
	if (!world.started)
		world.origin = at;
	world.started = true;
	world.accesses = 0;
}

void jif_port_sleep(void)
{
	uint64_t next, begin = world.time;

	if (!world.off)
		world_fail("a sleep with interrupts on");
	world.sleeps++;
	world.waited = requested() && !world.armed;
	world.asleep = true;
	while (!world.other_pending && !requested()) {
		next = world.edge + model_quiet() * world.count;
		pass_to(next < world.other ? next : world.other);
		if (world.counts > world.deadline)
			world_fail("the request is lost");
		if (world.time - begin > MOST_STEPS)
			world_fail("the counter stands still");
	}
	world.asleep = false;
}
