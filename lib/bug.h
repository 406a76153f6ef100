/* SPDX-License-Identifier: MIT */
/* lib/bug.h - what a debug build stops at, or reports */
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

/* A text may lie in flash. The reporter gets a copy, until the next one. */
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
 * one does nothing. The third, for a damaged list, panics in any case.
 */
#define jif_misused(what, object, fn) jif_tell_misused(TEXT(what), object, fn)
#define jif_refused(what, object, fn) jif_tell_refused(TEXT(what), object, fn)
#define jif_damaged(what, object, fn) jif_tell_damaged(TEXT(what), object, fn)
void jif_tell_misused(const char *what, const void *object, void (*fn)(void));
void jif_tell_refused(const char *what, const void *object, void (*fn)(void));
void jif_tell_damaged(const char *what, const void *object, void (*fn)(void));

/* Do both neighbours of an entry point back? */
#define IS_LINKED(entry)                                                       \
	((entry)->next && (entry)->prev && (entry)->next->prev == (entry) &&   \
	 (entry)->prev->next == (entry))

/* How often the misuse that jif_warn gets has come up. */
extern uint32_t jif_times_told;

/* For what debug.c counts: threads that count at once may lose a count. */
#if JIF_ON_SYSTEM
#define LOOK(at)       JIF_LOAD(&(at), RELAXED)
#define NOTE(at, what) JIF_STORE(&(at), what, RELAXED)
#else
#define LOOK(at)       (at)
#define NOTE(at, what) ((void)((at) = (what)))
#endif

/* In the test kit: the contents of memory are as good as garbage. */
extern bool jif_powers_on;
void jif_power_on(bool on);

#define JIF_POWER_ON(on)                                                       \
	do {                                                                   \
		if (CONFIG_JIF_DEBUG)                                          \
			jif_power_on(on);                                      \
	} while (0)

/*
 * Do relative times count from now? Those of a wheel without a time source,
 * whose clock is @clk. Those of a wheel whose source is @ahead of its clock.
 * And delays from jif_now() on, where a wheel without source is @behind. Is a
 * wheel run with @now, and not with a time that is over?
 */
void jif_clock_check(const void *wheel, uint32_t clk);
void jif_source_check(const void *wheel, uint32_t ahead);
void jif_delay_check(const void *wheel, uint32_t behind);
void jif_run_check(const void *wheel, uint32_t now, uint32_t clk,
		   const uint32_t *source);

/* Returns an error; a debug build reports why, and maybe a function. */
#define jif_invalid(what, object)     jif_reject(-JIF_EINVAL, what, object)
#define jif_reject(err, what, object) jif_reject_fn(err, what, object, NULL)
#define jif_reject_fn(err, what, object, fn)                                   \
	jif_tell_invalid(err, TEXT(what), object, (void (*)(void))(fn))
#define jif_too_far(object, fn)                                                \
	jif_reject_fn(-JIF_ERANGE, "a delay is too long", object, fn)

static inline int jif_tell_invalid(int err, const char *what,
				   const void *object, void (*fn)(void))
{
	if (CONFIG_JIF_DEBUG)
		jif_tell_refused(what, object, fn);
	return err;
}

#endif
