/* SPDX-License-Identifier: MIT */
/*
 * test/port/compare/match.c - the timers whose registers have the counter's
 * clock: a match is that the counter becomes equal, or for mtime, is as much
 * or more
 *
 * MODEL is one of them. Variant 1 is what a manual leaves open: a match also
 * when the compare register is made equal to the counter; for the RTC, of which
 * a new CC of N + 2 is seen while COUNTER is N, that one of N + 1 is not, and
 * then the old one up to N + 2 is.
 */
#include <jif/config.h>

#include "world.h"

enum { NRF_RTC, NRF_TIMER, RP2040, STM32_TIM, RISCV_MTIME };

/* What a register is. */
enum role {
	NONE,
	COUNT,
	COUNT_HIGH,
	COMPARE,
	COMPARE_HIGH,
	START,
	STOP,
	RUNS,
	LATCHES, /* for the other core */
	CAPTURE,
	CAPTURED,
	FLAG,	    /* is what is written */
	FLAG_AND,   /* a 0 clears */
	FLAG_CLEAR, /* a 1 clears */
	ENABLE,
	ENABLE_SET,
	ENABLE_CLEAR,
	DISARM,
	UPDATE,
	MODE,
	PRESCALER
};

#define SOON (CONFIG_JIF_CLOCK_HZ / 100000 + 4)

static const struct timer {
	struct model model;
	uint32_t base, irq;
	uint32_t bit;	 /* of a match, in the flags and what they enable */
	uint32_t others; /* what is enabled of others */
	bool slow, once, level, runs;
	struct {
		uint32_t offset;
		enum role role;
	} registers[12];
} timers[] = {
	[NRF_RTC] = { .model = { "nrf_rtc", 2, 24, 6, false },
		      .base = 0x40011000,
		      .irq = 17,
		      .bit = 1 << 16,
		      .slow = true,
		      .registers = { { 0x000, START },
				     { 0x004, STOP },
				     { 0x140, FLAG },
				     { 0x304, ENABLE_SET },
				     { 0x308, ENABLE_CLEAR },
				     { 0x504, COUNT },
				     { 0x540, COMPARE } } },
	[NRF_TIMER] = { .model = { "nrf_timer", 2, 16, SOON, false },
			.base = 0x4000a000,
			.irq = 10,
			.bit = 1 << 16,
			.registers = { { 0x000, START },
				       { 0x004, STOP },
				       { 0x044, CAPTURE },
				       { 0x140, FLAG },
				       { 0x304, ENABLE_SET },
				       { 0x308, ENABLE_CLEAR },
				       { 0x508, MODE },
				       { 0x510, PRESCALER },
				       { 0x540, COMPARE },
				       { 0x544, CAPTURED } } },
	[RP2040] = { .model = { "rp2040", 2, 32, 14, false },
		     .base = 0x40054000,
		     .irq = 0,
		     .bit = 1,
		     .others = 8,
		     .once = true,
		     .runs = true,
		     .registers = { { 0x0c, LATCHES },
				    { 0x10, COMPARE },
				    { 0x20, DISARM },
				    { 0x28, COUNT },
				    { 0x34, FLAG_CLEAR },
				    { 0x38, ENABLE },
				    { 0x2038, ENABLE_SET },
				    { 0x3038, ENABLE_CLEAR } } },
	[STM32_TIM] = { .model = { "stm32_tim", 2, 32, SOON, false },
			.base = 0x40000000,
			.irq = 28,
			.bit = 2,
			.registers = { { 0x00, RUNS },
				       { 0x0c, ENABLE },
				       { 0x10, FLAG_AND },
				       { 0x14, UPDATE },
				       { 0x24, COUNT },
				       { 0x34, COMPARE } } },
	[RISCV_MTIME] = { .model = { "riscv_mtime", 1, 32, SOON, false },
			  .level = true,
			  .runs = true,
			  .registers = { { CONFIG_JIF_RISCV_MTIME, COUNT },
					 { CONFIG_JIF_RISCV_MTIME + 4,
					   COUNT_HIGH },
					 { CONFIG_JIF_RISCV_MTIMECMP, COMPARE },
					 { CONFIG_JIF_RISCV_MTIMECMP + 4,
					   COMPARE_HIGH } } },
};

static const struct timer *const timer = &timers[MODEL];
const struct model *const model = &timers[MODEL].model;

static struct {
	uint64_t compare, old;
	uint32_t flags, enabled, captured, mode, prescaler;
	unsigned age, bits;
	bool running, armed, updated;
} now;

static uint32_t mask(void)
{
	return UINT32_MAX >> (32 - now.bits);
}

static uint32_t counter(void)
{
	return (uint32_t)world.counts & mask();
}

/* What a boot loader may have left behind. */
void model_reset(void)
{
	now.compare = now.old = 0;
	now.flags = timer->bit | 1;
	now.enabled = timer->bit | timer->others | 1;
	now.mode = now.prescaler = 4;
	now.age = 3;
	now.bits = model->bits;
	now.running = now.armed = true;
	now.updated = false;
}

static void update(void)
{
	if (!timer->level)
		nvic_line(now.flags & now.enabled);
}

static void match(void)
{
	now.flags |= timer->bit;
	now.armed = !timer->once;
}

void model_edge(void)
{
	bool late = timer->slow && world.variant;

	if (!now.running && !timer->runs)
		return;
	world.counts++;
	if (now.age < 3)
		now.age++;
	if (now.armed && counter() == now.compare && (!late || now.age >= 2))
		match();
	if (late && now.age <= 2 && counter() == now.old) {
		match();
		world.stale = true;
	}
	update();
}

uint64_t model_quiet(void)
{
	if (timer->level)
		return model_requests() ? UINT32_MAX :
					  now.compare - world.counts - 1;
	if ((!now.running && !timer->runs) || (timer->slow && now.age < 3))
		return 0;
	return now.armed ? (now.compare - counter() - 1) & mask() : 1000;
}

bool model_requests(void)
{
	return timer->level && world.counts >= now.compare;
}

static enum role role_of(uintptr_t at)
{
	for (unsigned i = 0; timer->registers[i].role; i++)
		if (at == timer->base + timer->registers[i].offset)
			return timer->registers[i].role;
	world_fail("there is no such register");
}

uint32_t model_read(uintptr_t at)
{
	switch (role_of(at)) {
	case LATCHES:
		world_forbid("a latch that belongs to the other core");
		return counter();
	case COUNT:
		return counter();
	case COUNT_HIGH:
		return (uint32_t)(world.counts >> 32);
	case CAPTURED:
		return now.captured;
	case FLAG:
	case FLAG_AND:
	case FLAG_CLEAR:
		return now.flags;
	default:
		world_fail("a read of another register");
	}
}

static void set_compare(uint32_t value)
{
	if (value & ~mask())
		world_forbid("more bits than the counter has");
	now.old = now.compare;
	now.compare = now.compare >> 32 << 32 | (value & mask());
	now.age = 0;
	now.armed = true;
	if (!timer->slow && world.variant && value == counter())
		match();
}

static void configure(uint32_t *what, uint32_t value)
{
	if (now.running)
		world_forbid("BITMODE or PRESCALER while it runs");
	else
		*what = value;
}

static void start(void)
{
	unsigned hz = 16000000 >> now.prescaler;

	if (!timer->slow && (now.mode != 0 || hz != CONFIG_JIF_CLOCK_HZ)) {
		world_forbid("another rate or width");
		world.count = world.count * CONFIG_JIF_CLOCK_HZ / hz;
		now.bits = now.mode == 1 ? 8 : model->bits;
	}
	now.running = true;
}

static void write_more(enum role role, uint32_t value)
{
	switch (role) {
	case START:
		start();
		break;
	case STOP:
		now.running = false;
		break;
	case RUNS:
		now.running = value & 1;
		if (now.running && !now.updated) {
			world_forbid("PSC has not taken effect");
			world.count /= 2;
		}
		break;
	case CAPTURE:
		now.captured = counter();
		break;
	case DISARM:
		now.armed &= !(value & 1);
		break;
	case UPDATE:
		if (now.running)
			world_forbid("an update while it runs");
		now.flags |= value & 1;
		now.updated = true;
		break;
	case MODE:
		configure(&now.mode, value);
		break;
	case PRESCALER:
		configure(&now.prescaler, value);
		break;
	default:
		world_fail("a write to another register");
	}
}

static void write(enum role role, uint32_t value)
{
	switch (role) {
	case COMPARE:
		set_compare(value);
		break;
	case COMPARE_HIGH:
		now.compare = (uint32_t)now.compare | (uint64_t)value << 32;
		break;
	case FLAG:
		now.flags = value ? timer->bit : 0;
		break;
	case FLAG_AND:
		now.flags &= value;
		break;
	case FLAG_CLEAR:
		now.flags &= ~value;
		break;
	case ENABLE:
		now.enabled = value;
		break;
	case ENABLE_SET:
		now.enabled |= value;
		break;
	case ENABLE_CLEAR:
		now.enabled &= ~value;
		break;
	default:
		write_more(role, value);
	}
}

void model_write(uintptr_t at, uint32_t value)
{
	if (!timer->level && nvic_write(at, value, timer->irq))
		return;
	write(role_of(at), value);
	if (timer->others & ~now.enabled)
		world_forbid("the interrupt of another alarm is off");
	update();
}
