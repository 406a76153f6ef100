/* SPDX-License-Identifier: MIT */
/*
 * lib/bug.h - what a debug build stops at, or tells
 */
#ifndef JIF_LIB_BUG_H
#define JIF_LIB_BUG_H

#include <jif/compiler.h>
#include <jif/config.h>
#include <jif/port.h>
#include <jif/types.h>

#define JIF_BUG_ON(cond) JIF_BUG(cond, #cond)

/* For a condition that does not say by itself what is wrong, such as W2. */
#define JIF_BUG(cond, why)                                                     \
	do {                                                                   \
		if (CONFIG_JIF_DEBUG && (cond))                                \
			jif_panic(__FILE__ ": " why);                          \
	} while (0)

/* A text may lie in flash. Who is told gets a copy, until the next one. */
#ifdef JIF_IN_FLASH
#define TEXT(text)                                                             \
	(__extension__({                                                       \
		static const char kept[] JIF_IN_FLASH = text;                  \
		&kept[0];                                                      \
	}))

static inline const char *text_of(const char *kept)
{
	static char copy[64];
	char *to = copy;

	do
		__asm__ volatile("lpm %0, Z+" : "=r"(*to), "+z"(kept));
	while (*to && ++to != &copy[sizeof(copy) - 1]);
	return copy;
}
#else
#define TEXT(text)    (text)
#define text_of(kept) (kept)
#endif

/*
 * Tells jif_warn of a misuse. Without that, the first one panics, the second
 * one does nothing. The third one is for what has damaged a list, and panics in
 * any case.
 */
#define jif_misused(what, object, fn) jif_tell_misused(TEXT(what), object, fn)
#define jif_refused(what, object, fn) jif_tell_refused(TEXT(what), object, fn)
#define jif_damaged(what, object, fn) jif_tell_damaged(TEXT(what), object, fn)
void jif_tell_misused(const char *what, const void *object, void (*fn)(void));
void jif_tell_refused(const char *what, const void *object, void (*fn)(void));
void jif_tell_damaged(const char *what, const void *object, void (*fn)(void));

/* Returns an error, and a debug build tells why. */
#define jif_invalid(what, object)     jif_reject(-JIF_EINVAL, what, object)
#define jif_reject(err, what, object) jif_tell_invalid(err, TEXT(what), object)

static inline int jif_tell_invalid(int err, const char *what,
				   const void *object)
{
	if (CONFIG_JIF_DEBUG)
		jif_tell_refused(what, object, NULL);
	return err;
}

#endif
