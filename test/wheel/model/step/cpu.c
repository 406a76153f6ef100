/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/step/cpu.c - runs a function instruction by instruction, on
 * x86-64
 *
 * It is entered and left without a system call, which makes many runs from one
 * and the same instruction cheap. Only a step is a signal, by the trap flag.
 */
#include "cpu.h"

#include <string.h>
#include <sys/time.h>

#define TRAP_FLAG 0x100

/* So many in one run, and it hangs: a busy host may make one or two. */
#define BEATS	  6
#define BEAT_USEC 4000

void cpu_enter(const greg_t *regs);

extern void *cpu_outside;
void *cpu_outside;

/*
 * Below the red zone, the registers' own stack takes the flags and the
 * instruction to go on at. The offsets are those of gregset_t.
 */
__asm__(".text\n"
	".globl cpu_enter\n"
	"cpu_enter:\n\t"
	"push %rbx\n\tpush %rbp\n\tpush %r12\n\tpush %r13\n\t"
	"push %r14\n\tpush %r15\n\t"
	"mov %rsp, cpu_outside(%rip)\n\t"
	"mov 15*8(%rdi), %rsp\n\tlea -128(%rsp), %rsp\n\t"
	"push 16*8(%rdi)\n\tpush 17*8(%rdi)\n\t"
	"mov 0*8(%rdi), %r8\n\tmov 1*8(%rdi), %r9\n\t"
	"mov 2*8(%rdi), %r10\n\tmov 3*8(%rdi), %r11\n\t"
	"mov 4*8(%rdi), %r12\n\tmov 5*8(%rdi), %r13\n\t"
	"mov 6*8(%rdi), %r14\n\tmov 7*8(%rdi), %r15\n\t"
	"mov 9*8(%rdi), %rsi\n\tmov 10*8(%rdi), %rbp\n\t"
	"mov 11*8(%rdi), %rbx\n\tmov 12*8(%rdi), %rdx\n\t"
	"mov 13*8(%rdi), %rax\n\tmov 14*8(%rdi), %rcx\n\t"
	"mov 8*8(%rdi), %rdi\n\t"
	"popfq\n\tret $128\n"
	".globl cpu_leave\n"
	"cpu_leave:\n\t"
	"mov cpu_outside(%rip), %rsp\n\t"
	"pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\t"
	"pop %rbp\n\tpop %rbx\n\tret\n");

/**
 * struct run - the run under way
 * @cpu:	of which, or NULL
 * @stop:	why it stopped
 * @traps:	that are still to come before a step is over
 * @number:	counts runs
 * @beaten:	the number of the one at the last beat of the timer
 * @beats:	how many there have been in that one, but for the first
 */
static struct {
	struct cpu *volatile cpu;
	volatile enum cpu_stop stop;
	unsigned traps;
	unsigned long number;
	unsigned long beaten;
	unsigned beats;
} run;

static void on_signal(int number, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (number == SIGVTALRM) {
		run.beats = run.beaten == run.number ? run.beats + 1 : 0;
		run.beaten = run.number;
		if (run.beats < BEATS)
			return;
	}
	if (!run.cpu) {
		if (number != SIGVTALRM)
			signal(number, SIG_DFL);
		return;
	}
	if (number == SIGTRAP && --run.traps)
		return;
	run.stop = number == SIGTRAP   ? CPU_STEPPED :
		   number == SIGVTALRM ? CPU_HUNG :
					 CPU_CRASHED;
	memcpy(run.cpu->regs, regs, sizeof(run.cpu->regs));
	regs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	regs[REG_RIP] = (greg_t)cpu_leave;
}

void cpu_init(void)
{
	static char stack[1 << 16];
	static const int signals[] = { SIGTRAP, SIGSEGV,   SIGBUS, SIGILL,
				       SIGFPE,	SIGVTALRM, SIGABRT };
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct itimerval beat = { { 0, BEAT_USEC }, { 0, BEAT_USEC } };

	sigaltstack(&alternate, NULL);
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
	setitimer(ITIMER_VIRTUAL, &beat, NULL);
}

void cpu_start(struct cpu *cpu, void (*fn)(void), void *top)
{
	memset(cpu, 0, sizeof(*cpu));
	cpu->regs[REG_RIP] = (greg_t)fn;
	cpu->regs[REG_RSP] = (greg_t)top - (greg_t)sizeof(void *);
	cpu->regs[REG_EFL] = 2;
}

enum cpu_stop cpu_run(struct cpu *cpu, bool step)
{
	cpu->regs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	if (step)
		cpu->regs[REG_EFL] |= TRAP_FLAG;
	run.number++;
	run.traps = 2;
	run.stop = CPU_ENDED;
	run.cpu = cpu;
	cpu_enter(cpu->regs);
	run.cpu = NULL;
	return run.stop;
}
