/* SPDX-License-Identifier: MIT */
/*
 * test/target/step.c - an interrupt at every instruction of the calls of
 * test/wheel/model/step, on the MPS2 boards
 *
 * A timer is set to expire one count later each time, until the call is over
 * first. A count is less than an instruction, so there is one for each. Of a
 * call that goes wrong, a few places are enough.
 */
#include <jif/jiffies.h>
#include <jif/port.h>

#include "../wheel/model/step/model.h"
#include "../wheel/model/step/plan.h"
#include "cortex-m.h"
#include "target.h"

#define COUNT_NS     40
#define INSTRUCTIONS 16384
#define STRIDE	     499
#define WRONG_ENOUGH 20
#define WRONG_A_CALL 4
#define CALL_S	     1u /* takes far less */

/* What lr is in a handler, and where the registers are that it has saved. */
#define EXC_RETURN 0xfffffff9u
#define FRAME_PC   6

/**
 * enum arrival - when the interrupt came
 */
enum arrival { TOO_LATE, TOO_EARLY, WITHIN };

static struct world start;
static const struct call *call = plan_calls;
static uint32_t wrong_before;
static struct op irq;
static volatile enum arrival arrival;
static volatile bool called;
static uint32_t place;
static bool seen[INSTRUCTIONS];
static uint32_t places;
static uint32_t triples;
static uint32_t wrong;

void jif_panic(const char *why)
{
	target_put_text(why);
	target_puts(": wrong\n");
	target_exit(1);
}

/* A handler has saved its lr right below what the processor has saved. */
__attribute__((noinline)) static volatile uint32_t *interrupted_at(void)
{
	volatile uint32_t *word = __builtin_frame_address(0);

	while (*word++ != EXC_RETURN)
		;
	return &word[FRAME_PC];
}

static void on_irq(void)
{
	place = *interrupted_at() - (uint32_t)step_engine;
	if (!world.calling) {
		arrival = called ? TOO_LATE : TOO_EARLY;
		return;
	}
	/* Not in what calls the engine or is called by it. */
	arrival = place < 2 * INSTRUCTIONS ? WITHIN : TOO_EARLY;
	if (arrival == WITHIN)
		world_irq(&irq);
}

static void put_number(const char *name, uint32_t number)
{
	target_put_text(name);
	target_put_number(number);
}

static void tell(const char *what)
{
	wrong++;
	put_number("call ", (uint32_t)(call - plan_calls));
	target_puts(", ");
	target_put_text(plan_name(call->op.verb));
	put_number(", at byte ", place);
	target_puts(" of the engine: ");
	target_put_text(plan_name(irq.verb));
	put_number(" ", irq.object);
	target_puts(": wrong is ");
	target_put_text(what);
	target_puts("\n");
	if (wrong == WRONG_ENOUGH)
		target_exit(1);
}

static void note_place(void)
{
	if (!seen[place / 2]) {
		seen[place / 2] = true;
		places++;
	}
	triples++;
}

static void put_back(void)
{
	const uint32_t *from = (const uint32_t *)&start;
	uint32_t *to = (uint32_t *)&world;

	for (unsigned i = 0; i < sizeof(world) / sizeof(*to); i++)
		to[i] = from[i];
	world_set_now(WORLD_BASE + plan_states[call->state].passed);
}

/* Counts that end at the same instruction, or wait for it, are tried once. */
static enum arrival try_at(uint32_t count, int *position, uint32_t *last)
{
	put_back();
	target_limit(CALL_S);
	called = false;
	arrival = TOO_LATE;
	target_pend_after(count * COUNT_NS);
	world_call(&call->op);
	called = true;
	other_irq_ack();
	if (arrival != WITHIN || place == *last)
		return arrival;
	*last = place;
	note_place();
	world_settle();
	if (world.irqs != 1)
		tell("that it came twice");
	else if (world.broken)
		tell("an invariant");
	else if (!model_accepts(&call->op, &irq, position))
		tell(model_why);
	return WITHIN;
}

static void sweep(void)
{
	int position = 0;
	uint32_t last = UINT32_MAX;
	uint32_t count = 1;

	while (try_at(count, &position, &last) != TOO_LATE &&
	       wrong - wrong_before < WRONG_A_CALL)
		count++;
}

__attribute__((noreturn)) static void sweep_calls(void)
{
	for (; call < plan_calls + plan_calls_count; call++) {
		wrong_before = wrong;
		world_build(&plan_states[call->state]);
		model_build(&plan_states[call->state]);
		start = world;
		for (unsigned i = 0; plan_irq(call, i, &irq) &&
				     wrong - wrong_before < WRONG_A_CALL;
		     i++)
			if (i % STRIDE ==
			    (unsigned)(call - plan_calls) % STRIDE)
				sweep();
	}
	put_number("step: ", triples);
	put_number(" triples at ", places);
	put_number(" instructions, ", wrong);
	target_puts(" wrong\n");
	target_exit(wrong != 0);
}

static void go_on(void)
{
	call++;
	sweep_calls();
}

/* A call that hangs is left for the one after it. */
void target_late(void)
{
	place = *interrupted_at() - (uint32_t)step_engine;
	tell("that it hangs");
	target_limit(CALL_S);
	*interrupted_at() = (uint32_t)go_on & ~1u;
}

int main(void)
{
	target_irq = on_irq;
	sweep_calls();
}
