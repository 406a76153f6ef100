/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/unit.h - the fixture of all suites
 *
 * A wheel whose clock starts shortly before the 32-bit wrap, in memory that was
 * poisoned before, and timers that write down when they run.
 */
#pragma once

#include <criterion/criterion.h>
#include <jif/debug.h>
#include <jif/jiffies.h>
#include <jif/kit/sim.h>
#include <jif/trace.h>
#include <jif/wheel.h>
#include <string.h>

/* Clocks start here, so that every test goes through the wrap. */
#define START	UINT32_C(0xffffff00)

#define MINUTE	UINT32_C(60)
#define HOUR	UINT32_C(3600)
#define DAY	UINT32_C(86400)
#define WEEK	UINT32_C(604800)
#define LONGEST UINT32_C(0x7fffffff)

/* Less where there is little memory. */
#ifndef UNIT_TIMERS
#define UNIT_TIMERS 64
#endif
#ifndef UNIT_LOG
#define UNIT_LOG 4096
#endif

/**
 * struct unit_fired - one expiry
 * @timer:	which one
 * @after:	the tick it ran in, counted from START
 */
struct unit_fired {
	unsigned timer;
	uint32_t after;
};

extern struct jif_wheel wheel;
extern struct jif_timer timers[UNIT_TIMERS];

extern struct unit_fired fired[UNIT_LOG];
extern unsigned nfired;

/* Where timer 0 was put, in order. */
extern struct jif_place places[UNIT_LOG];
extern unsigned nplaces;

/* Run in the callback of each timer, and in each window, if set. */
extern void (*unit_callback)(unsigned timer);
extern void (*unit_window)(void);

/* The function of each timer: it writes down which one, and when. */
void unit_fire(struct jif_timer *timer);

/* For jif_warn, which unit_init() takes away. */
void unit_no_warning(const char *what, const void *object, void (*fn)(void));

void unit_init(void);
void unit_fini(void);

/* What comes in one window of what follows, the first one being 1. */
void unit_in_window(unsigned number, void (*what)(void));

/* The clock moves on, and jiffies by more. */
void unit_fall_behind(void);

/*
 * The wheel gets a source of time, which says so many ticks after START: a
 * counter of the product's, which jiffies know nothing of.
 */
extern uint32_t unit_time;
uint32_t unit_tell_time(const struct jif_wheel *of);
void unit_set_time(uint32_t after);

/* Another wheel, in memory that was poisoned before. */
void unit_wheel(struct jif_wheel *other, uint32_t at_boot);

/* Start over with the hands at a time of day. */
void unit_init_at(unsigned day, unsigned hour, unsigned minute,
		  unsigned second);

/* Jiffies, so many ticks after START. */
static inline uint32_t at(uint32_t after)
{
	return START + after;
}

/* The wheel's clock, in ticks after START. */
uint32_t now(void);

/* Jiffies become that, which the wheel need not follow. */
static inline void set_jiffies(uint32_t after)
{
	jif_ticks(at(after) - jif_now());
}

/* Arm timer @i for @after START. */
void arm(unsigned i, uint32_t after);

/* Arm as many timers, from 0 on, for @after START. */
void arm_all(unsigned n, uint32_t after);

/* Run all up to @after START; with @window in each window. */
unsigned run_to(uint32_t after);
unsigned run_under(void (*window)(void), uint32_t after);

/* The same, tick by tick. */
void tick_to(uint32_t after);

/* Up to the tick before @after START none runs, and on that tick @n do. */
void expect_exact(uint32_t after, unsigned n);

/* All that has run; that, as timers 0 to @n - 1. */
void expect_log(unsigned n, const struct unit_fired *want);
void expect_order(unsigned n);
#define expect_fired(n, ...)                                                   \
	expect_log(n, (struct unit_fired[n]){ __VA_ARGS__ })

/* Where timer @i waits. */
#define ANY_TIME UINT32_MAX
void expect_place(unsigned i, unsigned level, unsigned slot,
		  uint32_t remaining);

/* The next stop, and the next expiry, after START. */
uint32_t next(void);
uint32_t next_expiry(void);

/* How often timer @i has run. */
unsigned count(unsigned i);
unsigned unit_pending(void);

/* Where timer @i waits; level 4 if it does not. */
struct jif_place place_of(unsigned i);
