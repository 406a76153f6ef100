/* SPDX-License-Identifier: MIT */
/*
 * test/host/interleave/machine.h - threads of which one runs at a time
 *
 * A thread gives way only where others see what it does: at a lock, a condition
 * variable, a descriptor, an atomic access. There, what goes on is a choice,
 * and every schedule is run, one after the other. It has at most so many
 * preemptions: a thread that could go on does not, the time moves while threads
 * run, a store is seen late, or a wait or a weak exchange ends for nothing. If
 * all threads wait, the time moves to the first time that one waits for.
 *
 * A state is static memory, and what each thread has done and seen so far, in
 * order. What is known is not run again.
 *
 * M. Musuvathi, S. Qadeer: Iterative Context Bounding for Systematic Testing of
 * Multithreaded Programs, PLDI 2007.
 */
#ifndef TEST_HOST_INTERLEAVE_MACHINE_H
#define TEST_HOST_INTERLEAVE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MS UINT64_C(1000000)

/*
 * Runs plan() as thread 0, with every schedule of at most @most preemptions, or
 * only with @schedule, which is told. After each, static memory is as it was at
 * the call. Ends with a schedule that fails; false if there is one.
 */
bool machine_explore(const char *name, void (*plan)(void), unsigned most,
		     const char *schedule);

/* Says why the schedule has failed, and ends it, unless @cond. */
void expect(bool cond, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
uint64_t now_ns(void);

_Noreturn void machine_fail(void);
/* When it moved last while threads ran: what is due then may be late. */
extern uint64_t machine_moved;
/* Waits until that time, or until the descriptor is readable, if it is one. */
void machine_wait(int fd, uint64_t until);

/* Atomic accesses; one that is @late is seen by others after another one. */
const void *machine_load(const volatile void *from);
void machine_begin_store(volatile void *to, size_t size, bool late);
void machine_end_store(volatile void *to);
/* Does what may fail for nothing? If so, that is a preemption. */
bool machine_fails(void);
/* Until another thread has written it. */
void machine_spin(const volatile void *at);
#define SPIN_WAIT() machine_spin(&spin_serving)

/* Included first, the rest puts a file of lib/ on the machine. */
#include "jif/compiler.h"

/* Of what is there, the machine has a copy for each thread. */
#define _Thread_local __attribute__((section("thread_local")))

/* As on a processor with store buffers: only stores may be seen late. */
enum {
	MACHINE_RELAXED = true,
	MACHINE_RELEASE = true,
	MACHINE_SEQ_CST = false
};

#undef JIF_LOAD
#undef JIF_STORE
#undef JIF_EXCHANGE
#undef JIF_FETCH_ADD
#undef JIF_COMPARE_EXCHANGE
#define JIF_LOAD(from, order) (*(__typeof__(&*(from)))machine_load(from))
#define MACHINE_CHANGE(to, late, result, change)                               \
	__extension__({                                                        \
		__typeof__(to) to_ = (to);                                     \
		machine_begin_store(to_, sizeof(*to_), late);                  \
		__typeof__(result) result_ = (result);                         \
		change;                                                        \
		machine_end_store(to_);                                        \
		result_;                                                       \
	})
#define JIF_STORE(to, what, order)                                             \
	((void)MACHINE_CHANGE(to, MACHINE_##order, (what), *to_ = result_))
#define JIF_EXCHANGE(to, what, order)                                          \
	MACHINE_CHANGE(to, false, *to_, *to_ = (what))
#define JIF_FETCH_ADD(to, what, order)                                         \
	MACHINE_CHANGE(to, false, *to_, *to_ += (what))
#define JIF_COMPARE_EXCHANGE(to, old, what, order)                             \
	MACHINE_CHANGE(to, false, *to_ == *(old) && !machine_fails(),          \
		       *(result_ ? to_ : (old)) = result_ ? (what) : *to_)

#endif
