/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/step/cpu.h - runs a function instruction by instruction, on
 * x86-64
 *
 * All of its registers are in a struct cpu between two instructions, so it can
 * be gone on with from there again and again, if the caller puts the memory
 * back, the stack included. Only general registers are kept: what runs here is
 * compiled with -mgeneral-regs-only.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/**
 * enum cpu_stop - why it stopped
 * @CPU_STEPPED:	an instruction is over
 * @CPU_ENDED:		cpu_leave() was called
 * @CPU_CRASHED:	it made a signal
 * @CPU_HUNG:		it did not come to an end
 */
enum cpu_stop { CPU_STEPPED, CPU_ENDED, CPU_CRASHED, CPU_HUNG };

struct cpu {
	gregset_t regs;
};

/* Catches signals: call it first. */
void cpu_init(void);

/* To run @fn, which never returns, on a stack that ends at @top. */
void cpu_start(struct cpu *cpu, void (*fn)(void), void *top);

/* Goes on: one instruction, or to the end. */
enum cpu_stop cpu_run(struct cpu *cpu, bool step);

/* The end. */
void cpu_leave(void);

static inline uintptr_t cpu_pc(const struct cpu *cpu)
{
	return (uintptr_t)cpu->regs[REG_RIP];
}

static inline char *cpu_sp(const struct cpu *cpu)
{
	return (char *)(uintptr_t)cpu->regs[REG_RSP];
}
