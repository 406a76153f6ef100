/* SPDX-License-Identifier: MIT */
/*
 * jif/config.h - the options and their defaults
 *
 * A build with Kconfig writes jif/autoconf.h, which holds; `make install` puts
 * it beside this file as jif_installed.h, where no other build finds it. Else,
 * or for an option that it leaves out, there is -DCONFIG_JIF_...= or, without
 * that, the default that is here. A value is a plain number, neither (1000) nor
 * 1000u, since some become a part of names: see JIF_AGREE_ON. A value out of
 * form or range, also y in the place of 1, does not compile.
 */
#ifndef JIF_CONFIG_H
#define JIF_CONFIG_H

#include <jif/compiler.h>
#include <limits.h>

#if defined(__has_include)
#if __has_include("jif_installed.h")
#include "jif_installed.h"
#elif __has_include(<jif/autoconf.h>)
#include <jif/autoconf.h>
#endif
#endif

/* Ticks per second, 1 to 1000000, for the ports and for milliseconds. */
#ifndef CONFIG_JIF_HZ
#define CONFIG_JIF_HZ 1000
#endif

/* Jiffies at boot: shortly before 2^32, the wrap comes on every test run. */
#ifndef CONFIG_JIF_INITIAL_JIFFIES
#define CONFIG_JIF_INITIAL_JIFFIES 0
#endif

/* 1: jif_now64(), which is there in any case where a long has 64 bits. */
#ifndef CONFIG_JIF_NOW64
#define CONFIG_JIF_NOW64 1
#endif

#if CONFIG_JIF_NOW64 || ULONG_MAX > 0xffffffff
#define JIF_HAS_NOW64 1
#else
#define JIF_HAS_NOW64 0
#endif

/* 1: the port lets the tick stay away while the machine sleeps. */
#ifndef CONFIG_JIF_TICKLESS
#define CONFIG_JIF_TICKLESS 1
#endif

/* How many entries each tick moves down a level ahead of time, 0 to 255. */
#ifndef CONFIG_JIF_SPREAD
#define CONFIG_JIF_SPREAD 0
#endif

/* 1: misuse is looked for, and reported, or panics; see jif/debug.h. */
#ifndef CONFIG_JIF_DEBUG
#define CONFIG_JIF_DEBUG 0
#endif

/* 1: the engine records what timers do; see jif/trace.h. */
#ifndef CONFIG_JIF_TRACE
#define CONFIG_JIF_TRACE CONFIG_JIF_PORT_SIM
#endif

/* How many priorities deferred work and tasks have, 1 to 8. */
#ifndef CONFIG_JIF_WORK_PRIORITIES
#define CONFIG_JIF_WORK_PRIORITIES 4
#endif

/* 1: this core finds the lowest bit that is set in an instruction or two. */
#ifndef CONFIG_JIF_CTZ
#if JIF_HAS_CTZ && (defined(__x86_64__) || defined(__aarch64__) ||             \
		    defined(__ARM_FEATURE_CLZ))
#define CONFIG_JIF_CTZ 1
#else
#define CONFIG_JIF_CTZ 0
#endif
#endif

#if CONFIG_JIF_CTZ && !JIF_HAS_CTZ
#error "CONFIG_JIF_CTZ: this compiler has no word for it"
#endif

/* 1: the simulated machine of jif/kit/sim.h, for tests on a host. */
#ifndef CONFIG_JIF_PORT_SIM
#define CONFIG_JIF_PORT_SIM 0
#endif

/* Under a simulated kernel, the port of other programs would do nothing. */
#if !defined(JIF_PORT) && JIF_ON_SYSTEM && defined(__has_include)
#if !CONFIG_JIF_PORT_SIM
#if __has_include(<FreeRTOS.h>) || __has_include(<tx_api.h>) ||                \
	__has_include(<zephyr/kernel.h>)
#error "a kernel that preempts: name its port by JIF_PORT, see docs/kernels.md"
#endif
#endif
#endif

/* Counts per second of the clock that makes the tick; see docs/board.md. */
#ifndef CONFIG_JIF_CLOCK_HZ
#define CONFIG_JIF_CLOCK_HZ 16000000
#endif

/* 1: the port defines the handler of the tick's interrupt. */
#ifndef CONFIG_JIF_PORT_VECTOR
#define CONFIG_JIF_PORT_VECTOR 1
#endif

/* 1: CONFIG_JIF_COMPARE_TIMER, as "nrf_rtc.h", is the timer: docs/board.md. */
#ifndef CONFIG_JIF_COMPARE
#define CONFIG_JIF_COMPARE 0
#endif

/* 1: timers are armed from several cores; see jif/port/smp.h. */
#ifndef CONFIG_JIF_SMP
#define CONFIG_JIF_SMP 0
#endif

/* The address of a spinlock of the RP2040's kind; 0: atomic instructions. */
#ifndef CONFIG_JIF_SMP_SPINLOCK
#define CONFIG_JIF_SMP_SPINLOCK 0
#endif

/* What is written to BASEPRI to turn interrupts off; 0: all, by PRIMASK. */
#ifndef CONFIG_JIF_CORTEX_M_BASEPRI
#define CONFIG_JIF_CORTEX_M_BASEPRI 0
#endif

/* RISC-V: where the timer is; these are the usual places of a CLINT. */
#ifndef CONFIG_JIF_RISCV_MTIME
#define CONFIG_JIF_RISCV_MTIME 0x0200bff8
#endif
#ifndef CONFIG_JIF_RISCV_MTIMECMP
#define CONFIG_JIF_RISCV_MTIMECMP 0x02004000
#endif

/* AVR: what TIMER1 divides the processor's clock by: 1, 8, 64, 256, 1024. */
#ifndef CONFIG_JIF_AVR_PRESCALER
#define CONFIG_JIF_AVR_PRESCALER 64
#endif

/*
 * Stands behind the declaration of a function where program and library have to
 * agree on an option, most often since the layout of a structure depends on it.
 * The function's name in an object file then ends with the value of the option,
 * and with CONFIG_JIF_SMP: with another value, the program does not link, and
 * the linker's message names the option.
 */
#define JIF_AGREE_ON(option, function)                                         \
	JIF_LINK_NAME(#function "_with_" #option "_" JIF_TEXT(option)          \
			      JIF_AGREE_ON_SMP)
#if CONFIG_JIF_SMP
#define JIF_AGREE_ON_SMP "_and_CONFIG_JIF_SMP"
#else
#define JIF_AGREE_ON_SMP ""
#endif

/*
 * A value that is out of form or range does not compile. In an #if, any word is
 * 0, also y, and 010 is octal: a plain number with a 1 behind it is 10 or 16
 * times as much, and 1. Within parentheses, it would be no part of a name.
 */
#define JIF_REFUSE(option, range)                                              \
	JIF_STATIC_ASSERT(0, #option "=" JIF_TEXT(option) ": to be " range)
#define JIF_IS(option, least, most)                                            \
	((JIF_JOIN(option, 1) == 10 * (option) + 1 ||                          \
	  JIF_JOIN(option, 1) == 16 * (option) + 1) &&                         \
	 (option) >= (least) && (option) <= (most))
#define JIF_IS_SWITCH(option)                                                  \
	JIF_STATIC_ASSERT(JIF_SECOND_OF(JIF_JOIN(JIF_IS_, option), 0, 0),      \
			  #option "=" JIF_TEXT(option) ": to be 0 or 1")
#define JIF_IS_0		       0, 1
#define JIF_IS_1		       0, 1
#define JIF_SECOND_OF(...)	       JIF_SECOND(__VA_ARGS__)
#define JIF_SECOND(first, second, ...) second
#define JIF_JOIN(first, second)	       JIF_JOIN_THESE(first, second)
#define JIF_JOIN_THESE(first, second)  first##second

JIF_IS_SWITCH(CONFIG_JIF_COMPARE);
JIF_IS_SWITCH(CONFIG_JIF_CTZ);
JIF_IS_SWITCH(CONFIG_JIF_DEBUG);
JIF_IS_SWITCH(CONFIG_JIF_NOW64);
JIF_IS_SWITCH(CONFIG_JIF_PORT_SIM);
JIF_IS_SWITCH(CONFIG_JIF_PORT_VECTOR);
JIF_IS_SWITCH(CONFIG_JIF_SMP);
JIF_IS_SWITCH(CONFIG_JIF_TICKLESS);
JIF_IS_SWITCH(CONFIG_JIF_TRACE);
#if !JIF_IS(CONFIG_JIF_HZ, 1, 1000000)
JIF_REFUSE(CONFIG_JIF_HZ, "a plain number, 1 to 1000000");
#elif !JIF_IS(CONFIG_JIF_SPREAD, 0, 255)
JIF_REFUSE(CONFIG_JIF_SPREAD, "a plain number, 0 to 255");
#elif !JIF_IS(CONFIG_JIF_WORK_PRIORITIES, 1, 8)
JIF_REFUSE(CONFIG_JIF_WORK_PRIORITIES, "a plain number, 1 to 8");
#elif !JIF_IS(CONFIG_JIF_CORTEX_M_BASEPRI, 0, 0xff)
JIF_REFUSE(CONFIG_JIF_CORTEX_M_BASEPRI, "a plain number, 0 to 0xff");
#elif !JIF_IS(CONFIG_JIF_SMP_SPINLOCK, 0, ULONG_MAX)
JIF_REFUSE(CONFIG_JIF_SMP_SPINLOCK, "an address as a plain number");
#elif CONFIG_JIF_CLOCK_HZ < 1 || CONFIG_JIF_CLOCK_HZ > 0xffffffff
JIF_REFUSE(CONFIG_JIF_CLOCK_HZ, "a number, 1 to 0xffffffff");
#endif

#endif
