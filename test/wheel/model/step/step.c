/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/step/step.c - an interrupt before every instruction of every
 * call
 *
 * A call is run instruction by instruction. Before each one, everything is
 * noted: memory, stack and registers. Then the interrupt comes, the call goes
 * on to its end, all that is armed runs, and the model says whether that could
 * be; and all is put back, for another interrupt, and for the next instruction.
 *
 * Or all that only to calls of one name; or, without an argument, a sixteenth
 * of the interrupts before each instruction, another one before the next.
 *
 * --unmasked: with interrupts that cannot be turned off, which has to go wrong
 * in many places. It is the test of this test.
 */
#include <jif/jiffies.h>
#include <jif/port.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../quiet.h"
#include "cpu.h"
#include "model.h"
#include "plan.h"
#include "port.h"

#define STACK	     16384
#define RED_ZONE     128
#define IRQS_MAX     200
#define TOLD_MAX     20
#define OFTEN	     16
#define RARE	     32
#define WRONG_MIN    100
#define WRONG_VERBS  8
#define WRONG_ENOUGH 4

struct step_port step_port;

/* Where the program begins, and where the engine is over; see Kbuild. */
extern const char __executable_start[], cpu_enter[];

/**
 * struct point - a moment in a call
 */
struct point {
	struct cpu cpu;
	struct world world;
	struct step_port port;
	uint64_t now;
	char stack[STACK];
};

static struct {
	unsigned long triples;
	unsigned long deferred;
	unsigned long wrong;
	unsigned long places;
	unsigned irqs;
	uint64_t wrong_verbs;
	unsigned told;
	const struct call *told_call;
	unsigned often;
	unsigned rare;
	const char *program;
} total = { .often = 1, .rare = RARE };

static const struct call *call;
static struct op irq;
static struct point point;
static struct cpu cpu;
static _Alignas(16) char stack[STACK];
static _Alignas(16) char irq_stack[STACK];

void jif_panic(const char *why)
{
	abort();
}

void step_irq(void)
{
	step_port.pending = false;
	step_port.in_irq = true;
	world_irq(&irq);
	step_port.in_irq = false;
}

static void on_irq_stack(void)
{
	step_irq();
	cpu_leave();
}

static void on_stack(void)
{
	world_call(&call->op);
	if (step_port.off) /* W8 */
		world.broken = 101;
	world_settle();
	cpu_leave();
}

static void keep(void)
{
	size_t used = (size_t)(stack + STACK - cpu_sp(&cpu)) + RED_ZONE;

	point.cpu = cpu;
	point.world = world;
	point.port = step_port;
	point.now = jif_now64();
	memcpy(point.stack + STACK - used, stack + STACK - used, used);
}

static void put_back(void)
{
	size_t used = (size_t)(stack + STACK - cpu_sp(&point.cpu)) + RED_ZONE;

	cpu = point.cpu;
	world = point.world;
	step_port = point.port;
	step_set_jiffies(point.now);
	memcpy(stack + STACK - used, point.stack + STACK - used, used);
}

static enum cpu_stop interrupt(void)
{
	struct cpu other;

	if (step_port.off) {
		total.deferred++;
		step_port.pending = true;
		return CPU_ENDED;
	}
	cpu_start(&other, on_irq_stack, irq_stack + STACK);
	return cpu_run(&other, false);
}

static const char *judge(enum cpu_stop stop, int *position)
{
	if (stop != CPU_ENDED)
		return stop == CPU_HUNG ? "it hangs" : "it crashes";
	if (world.irqs != 1)
		return "the interrupt is lost, or comes twice";
	if (world.broken)
		return "an invariant";
	return model_accepts(&call->op, &irq, position) ? NULL : model_why;
}

static void tell(const char *what, unsigned instruction)
{
	char command[300];

	total.wrong++;
	if (total.told_call == call || total.told++ >= TOLD_MAX)
		return;
	total.told_call = call;
	printf("state %u: %s(%u, %d), instruction %u: %s(%u, %d): wrong is %s",
	       call->state, plan_name(call->op.verb), call->op.object,
	       (int)call->op.ticks, instruction, plan_name(irq.verb),
	       irq.object, (int)irq.ticks, what);
	printf(" (%d; results %d, %d; armed %x, at the end %x; ran %u)\n    ",
	       world.broken, (int)world.got.result, (int)world.got.irq_result,
	       world.got.pending, world.got.rest, world.got.count);
	fflush(stdout);
	snprintf(command, sizeof(command), "addr2line -psfie '%s' 0x%lx",
		 total.program,
		 (unsigned long)(cpu_pc(&point.cpu) -
				 (uintptr_t)__executable_start));
	if (system(command))
		printf("%s\n", command);
}

/* One interrupt after the other, before one and the same instruction. */
static void interrupt_with_all(unsigned instruction, int *positions)
{
	enum cpu_stop stop;
	const char *wrong;

	keep();
	for (unsigned i = 0; plan_irq(call, i, &irq); i++) {
		if ((instruction + i) %
		    (step_port.off ? total.rare : total.often))
			continue;
		stop = interrupt();
		if (stop == CPU_ENDED)
			stop = cpu_run(&cpu, false);
		wrong = judge(stop, &positions[i]);
		if (wrong)
			tell(wrong, instruction);
		total.triples++;
		put_back();
		if (i >= total.irqs)
			total.irqs = i + 1;
	}
}

/* Only the engine is interrupted, not what calls it or is called by it. */
static bool in_engine(uintptr_t at)
{
	return at >= (uintptr_t)step_engine && at < (uintptr_t)cpu_enter;
}

static void note_place(void)
{
	static bool seen[1 << 16];
	size_t at = cpu_pc(&cpu) - (uintptr_t)step_engine;

	if (at < sizeof(seen) && !seen[at]) {
		seen[at] = true;
		total.places++;
	}
}

static void begin(void)
{
	world_build(&plan_states[call->state]);
	model_build(&plan_states[call->state]);
	cpu_start(&cpu, on_stack, stack + STACK);
	world.calling = true;
}

/* Without the interrupt: what the model and the engine agree on. */
static void try_without(void)
{
	int position = MODEL_NEVER;

	irq = (struct op){ .verb = NOTHING };
	begin();
	world.irqs = 1;
	point.cpu = cpu;
	if (cpu_run(&cpu, false) != CPU_ENDED || world.broken ||
	    !model_accepts(&call->op, &irq, &position))
		tell(model_why ? model_why : "an invariant", 0);
}

static void sweep(unsigned long enough)
{
	static int positions[IRQS_MAX];
	unsigned long wrong = total.wrong;
	unsigned instruction = 0;

	try_without();
	memset(positions, 0, sizeof(positions));
	begin();
	while (world.calling && total.wrong - wrong < enough) {
		if (in_engine(cpu_pc(&cpu))) {
			note_place();
			interrupt_with_all(instruction++, positions);
		}
		if (cpu_run(&cpu, true) != CPU_STEPPED) {
			tell("the step", instruction);
			break;
		}
	}
	if (wrong != total.wrong)
		total.wrong_verbs |= UINT64_C(1) << call->op.verb;
}

static unsigned count_bits(uint64_t map)
{
	unsigned bits = 0;

	for (; map; map &= map - 1)
		bits++;
	return bits;
}

static int report(bool unmasked)
{
	unsigned verbs = count_bits(total.wrong_verbs);

	printf("step: %lu triples of %u calls and %u actions, %lu wrong\n",
	       total.triples, plan_calls_count, total.irqs, total.wrong);
	printf("step: %lu instructions, %lu triples with interrupts off\n",
	       total.places, total.deferred);
	if (!unmasked)
		return total.wrong ? EXIT_FAILURE : EXIT_SUCCESS;
	printf("step: wrong are %u of the engine's functions\n", verbs);
	return total.wrong > WRONG_MIN && verbs >= WRONG_VERBS ? EXIT_SUCCESS :
								 EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	bool unmasked = argc == 2 && !strcmp(argv[1], "--unmasked");
	bool all = argc == 2 && !strcmp(argv[1], "--all");
	const char *only = argc == 2 && *argv[1] != '-' ? argv[1] : NULL;

	if (argc > 1 + unmasked + all + !!only) {
		fprintf(stderr, "usage: step [--all | --unmasked | CALL]\n");
		return EXIT_FAILURE;
	}
	total.program = argv[0];
	total.often = argc == 1 ? OFTEN : 1;
	total.rare = all ? 1 : RARE;
	step_port.mask = !unmasked;
	if (!in_engine((uintptr_t)jif_sched_run) ||
	    !in_engine((uintptr_t)jif_timer_del) ||
	    in_engine((uintptr_t)world_do)) {
		fprintf(stderr, "step: the engine is not where it should be\n");
		return EXIT_FAILURE;
	}
	cpu_init();
	for (unsigned i = 0; i < plan_calls_count; i++) {
		call = &plan_calls[i];
		if (only && strcmp(only, plan_name(call->op.verb)))
			continue;
		sweep(unmasked ? WRONG_ENOUGH : ULONG_MAX);
	}
	return report(unmasked);
}
