/* SPDX-License-Identifier: MIT */
/*
 * jif/port.h - what the engine needs from the machine
 *
 * A port is a header, lib/port/<name>/jif_port.h, that defines jif_irq_t and
 * the functions below as static inline ones; jif_panic() may live in a source
 * beside it. lib/port/jif_port.h picks the port that the compiler's target
 * calls for, or the one that the build names.
 *
 * typedef jif_irq_t
 *	Whether interrupts were on; the type is the port's own.
 *
 * jif_irq_t jif_irq_save(void)
 *	Turns interrupts off. Calls nest. A compiler barrier.
 *	Return: what the matching jif_irq_restore() is given.
 *
 * void jif_irq_restore(jif_irq_t flags)
 *	Turns them on again if they were on before the matching jif_irq_save().
 *	A compiler barrier.
 *
 * bool jif_in_irq(void)
 *	Return: true in an interrupt handler.
 */
#ifndef JIF_PORT_H
#define JIF_PORT_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * jif_panic - stop for good
 * @why:	the condition that can never be true, but was
 *
 * Called by a build with CONFIG_JIF_DEBUG; the port or the product defines it.
 *
 * Context: any.
 */
void jif_panic(const char *why) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
