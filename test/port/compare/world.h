/* SPDX-License-Identifier: MIT */
/*
 * test/port/compare/world.h - a simulated machine around a simulated timer
 *
 * Time goes by in steps. An access to a register takes some, and so does a
 * count. Nothing else takes time, but what a test spends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NO_TIME UINT64_MAX

struct world {
	uint64_t time;
	uint64_t edge;	   /* when the counter's clock comes next */
	uint64_t counts;   /* the counter, in 64 bits */
	uint64_t origin;   /* what it was when it was first read */
	uint64_t other;	   /* when another interrupt comes */
	uint64_t deadline; /* a sleep that is longer has lost its request */
	unsigned access;   /* steps that an access takes */
	unsigned count;	   /* steps from one count to the next */
	unsigned variant;  /* which of the ways that the manual leaves open */
	unsigned off;
	unsigned handled; /* how often the timer's handler has run */
	unsigned others;  /* how often the other one has */
	unsigned sleeps;
	uint64_t handled_at; /* the counter, when it last has */
	unsigned accesses;
	unsigned stall;	 /* in so many accesses, */
	unsigned again;	 /* and in so many more, */
	unsigned stalls; /* one takes so many counts */
	bool board;	 /* what is forbidden goes unsaid */
	bool asleep;
	bool started;
	bool in_irq;
	bool other_pending;
	bool edge_seen; /* during the last access */
	bool armed;	/* since this was last made false */
	bool waited;	/* an older request was there before the last sleep */
	bool stale;	/* the timer has requested what was asked for before */
};

extern struct world world;

/* What the handler of the other interrupt does. */
extern void (*world_other)(void);

/* What a test says when something is wrong: where it is. */
extern void (*world_where)(void);

void world_fail(const char *why) __attribute__((noreturn));

/*
 * The same, for what a manual forbids. A board does not tell: there, a write
 * that comes too soon is lost, and such a match does not come.
 */
void world_forbid(const char *why);

/* Starts over: the counter is at @start, its clock comes in @phase steps. */
void world_reset(uint64_t start, unsigned phase);

/* Steps that the program spends; handlers run if interrupts are on. */
void world_spend(uint64_t steps);

void world_deliver(void);

/* A read of the counter that began when it was @before has returned @count. */
void world_check_read(uint64_t before, uint32_t count);

/* The timer. */
struct model {
	const char *name;
	unsigned variants;
	unsigned bits;
	unsigned late; /* the most counts that a request may be too late */
	bool wakes_at_the_end; /* too soon, once per turn of the counter */
};

extern const struct model *const model;
void model_reset(void);
uint32_t model_read(uintptr_t at);
void model_write(uintptr_t at, uint32_t value);
/* The clock of the counter. */
void model_edge(void);
/* How many of these will do nothing but count. */
uint64_t model_quiet(void);
bool model_requests(void);

/* The interrupt controller that the Arm models share. */
bool nvic_write(uintptr_t at, uint32_t value, unsigned irq);
void nvic_line(bool line);
