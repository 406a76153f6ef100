/* SPDX-License-Identifier: MIT */
/*
 * jif/debug.h - what a build with CONFIG_JIF_DEBUG tells of misuse
 */
#ifndef JIF_DEBUG_H
#define JIF_DEBUG_H

#include <jif/compiler.h>

JIF_BEGIN_DECLS

/**
 * typedef jif_warn_fn - is told of a misuse
 * @what:	which one, in words; on AVR, a copy, right until the next call
 * @object:	the timer, task or other one: its address only, as its memory
 *		may be something else by now
 * @fn:		its function, to be cast back to its type; NULL: it has none
 *
 * Interrupts may be off; it must not call jif. What was asked for is not done,
 * and the wheel goes on; but a misuse that has damaged a list, whose text
 * begins with W2, ends in jif_panic().
 */
typedef void jif_warn_fn(const char *what, const void *object,
			 void (*fn)(void));

/*
 * Set by the product. While it is NULL, misuse ends in jif_panic() if it is
 * listed for that in docs/debug.md, and else is left at the result of the call.
 */
extern jif_warn_fn *jif_warn;

JIF_END_DECLS

#endif
