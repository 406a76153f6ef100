/* SPDX-License-Identifier: MIT */
/* jif/debug.h - how a build with CONFIG_JIF_DEBUG reports misuse */
#ifndef JIF_DEBUG_H
#define JIF_DEBUG_H

#include <jif/compiler.h>

JIF_BEGIN_DECLS

/**
 * typedef jif_warn_fn - gets a report of misuse
 * @what:	which one, in words; on AVR, a copy, right until the next call
 * @object:	its address only, as its memory may be something else by now
 * @fn:		its function, to be cast back to its type; NULL: it has none
 *
 * It gets the first one of a kind and object, the second, the fourth, the
 * eighth and so on; of many objects, some are counted as one. Interrupts may be
 * off; it must not call jif. When it returns, the program goes on; but a misuse
 * that has damaged a list then ends in jif_panic().
 */
typedef void jif_warn_fn(const char *what, const void *object,
			 void (*fn)(void));

/*
 * The product may set it. A debug build on an operating system begins with one
 * that prints to standard error; any other build, with NULL. While it is NULL,
 * misuse ends in jif_panic() if docs/misuse.md lists it for that, and else is
 * left at the result of the call. A release build never calls it.
 */
extern jif_warn_fn *jif_warn;

JIF_END_DECLS

#endif
