/* SPDX-License-Identifier: MIT */
/*
 * jif/port.h - what the engine needs from the machine, and what a product gets
 *
 * A port is a header, lib/port/<name>/jif_port.h, that defines jif_irq_t and
 * the first few functions below as static inline ones. The others live in a
 * source beside it, which only programs for that machine link.
 * lib/port/jif_port.h picks the one of the target, or that the build names.
 *
 * jif_irq_t jif_irq_save(void)
 *	Turns interrupts off. Calls nest. A compiler barrier.
 *	Return: what the matching jif_irq_restore() is given.
 *
 * void jif_irq_restore(jif_irq_t flags)
 *	Turns them on again, if they were on at the save. A compiler barrier.
 *
 * jif_irq_t jif_irq_window(jif_irq_t flags)
 *	The two in one, in the middle of a long piece of work: each handler that
 *	waits has run before interrupts are off again. lib/port/jif_port.h has
 *	one for the port whose jif_irq_restore() lets them in at once; another
 *	port defines its own, and a macro of that name.
 *	Return: what the next jif_irq_window() or jif_irq_restore() is given.
 *
 * bool jif_in_irq(void)
 *	Return: true in an interrupt handler.
 */
#ifndef JIF_PORT_H
#define JIF_PORT_H

#include <jif/compiler.h>
#include <jif/config.h>
#include <stdint.h>

JIF_BEGIN_DECLS

/**
 * jif_irq_enter - what each handler of the product begins with
 *
 * On RISC-V and AVR only. They do not tell whether a handler is running; and on
 * AVR this counts the ticks of the sleep that the handler ends.
 * Context: an interrupt handler, before it calls anything else of jif.
 */
void jif_irq_enter(void);

/**
 * jif_irq_exit - what each handler ends with that began with jif_irq_enter()
 * Context: an interrupt handler.
 */
void jif_irq_exit(void);

/**
 * jif_panic - stop for good
 * @why:	the condition that can never be true, but was
 *
 * Called by a build with CONFIG_JIF_DEBUG; the product defines it. If it does
 * not, but runs on an operating system, the library prints @why and aborts. One
 * in a static library: see jif_port_sleep().
 * Context: any.
 */
void jif_panic(const char *why) JIF_NORETURN;

/**
 * jif_port_tick - what the handler of the tick's interrupt does
 *
 * Counts the tick, or all of those that have passed where the machine can tell.
 * With CONFIG_JIF_PORT_VECTOR, the handler is the port's and does just that.
 * Without it, and on a machine with one vector for all, it is the product's: it
 * calls this, and then jif_wheel_run() if it runs the wheel.
 * Context: the handler of the tick's interrupt.
 */
void jif_port_tick(void);

/**
 * jif_port_count - bring jiffies up to date
 *
 * With CONFIG_JIF_COMPARE, and in ports that are kernels, where jif_now() calls
 * it: time is what a counter shows, whether interrupts come or not.
 * Context: any, with interrupts off.
 */
void jif_port_count(void);

/**
 * jif_port_start - start the tick
 *
 * From now on the tick ISR calls jif_tick() CONFIG_JIF_HZ times a second, as
 * soon as interrupts are on; or jif_now() counts, see jif_port_count().
 * Context: the main loop, once, before anything waits for time to pass.
 */
void jif_port_start(void) JIF_AGREE_ON(CONFIG_JIF_HZ, jif_port_start);

/**
 * jif_port_idle - sleep until an interrupt comes, or time is up
 * @ticks:	nothing is to be done for so many jiffies; at least 1,
 *		UINT32_MAX if nothing ever is
 *
 * With CONFIG_JIF_TICKLESS the tick stays away until time is up, or for as long
 * as the hardware can; without it, the next tick ends the sleep. When the
 * processor is awake again, jiffies are what they would have been without it,
 * for every interrupt handler too.
 *
 * Called with interrupts off, so that no wake-up is lost between the last look
 * and the sleep: what has come by then, or comes then, ends the sleep. The
 * handlers run within this call, or when interrupts are turned on again.
 * Context: the main loop, with interrupts off; they are off at the end.
 */
void jif_port_idle(uint32_t ticks);

/**
 * jif_port_sleep - the sleep itself
 *
 * Waits for an interrupt. On Cortex-M and RISC-V, a product that has to do
 * more, such as to choose how deeply, defines its own, and the library's gives
 * way. The timer that makes the tick has to go on counting. In a static library
 * yours has to be in a source of which the product calls something else, too: a
 * linker that has a function looks for it in no library, and says nothing.
 * Context: jif_port_idle(), with all interrupts off; what is pending ends it.
 */
void jif_port_sleep(void);

JIF_END_DECLS

#endif
