/* SPDX-License-Identifier: MIT */
/*
 * test/target/include/criterion/criterion.h - as much of Criterion as fits a
 * microcontroller, so that the very sources of the host's tests run there
 *
 * A failed assertion says where it is, and ends the test. The texts that
 * explain one are not kept.
 */
#ifndef TARGET_CRITERION_H
#define TARGET_CRITERION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../target.h"

struct target_data {
	void (*init)(void);
	void (*fini)(void);
	uint8_t signal;
	bool disabled;
};

/* One for each Test(); the linker script gathers them. */
struct target_test {
	const char *suite;
	const char *name;
	void (*fn)(void);
	const struct target_data *data;
	const struct target_data *suite_data;
};

#define TEXT_OF_(what) what##_text
#if defined(__AVR__)
#define TARGET_FLASH_ __attribute__((section(".progmem.text")))
#else
#define TARGET_FLASH_
#endif

#define TestSuite(suite, ...)                                                  \
	const struct target_data suite##_suite_data = { __VA_ARGS__ }

#define Test(suite_, name_, ...)                                               \
	extern const struct target_data suite_##_suite_data                    \
		__attribute__((weak));                                         \
	static void suite_##_##name_##_fn(void);                               \
	static const char suite_##_##name_##_suite_text[] TARGET_FLASH_ =      \
		#suite_;                                                       \
	static const char suite_##_##name_##_name_text[] TARGET_FLASH_ =       \
		#name_;                                                        \
	static const struct target_data suite_##_##name_##_data = {            \
		__VA_ARGS__                                                    \
	};                                                                     \
	const struct target_test suite_##_##name_##_test __attribute__((       \
		section("target_tests"), used)) = {                            \
		suite_##_##name_##_suite_text, suite_##_##name_##_name_text,   \
		suite_##_##name_##_fn,	       &suite_##_##name_##_data,       \
		&suite_##_suite_data,                                          \
	};                                                                     \
	static void suite_##_##name_##_fn(void)

/* Notes a failure; a fatal one does not return. */
void target_failed(const char *what, const char *file, unsigned line,
		   bool fatal);

#define TARGET_CHECK_(cond, text, fatal)                                       \
	do {                                                                   \
		if (!(cond))                                                   \
			target_failed(TARGET_TEXT(text),                       \
				      TARGET_TEXT(__FILE__), __LINE__, fatal); \
	} while (0)

#define cr_assert(a, ...)	  TARGET_CHECK_(a, #a, true)
#define cr_assert_not(a, ...)	  TARGET_CHECK_(!(a), "!" #a, true)
#define cr_assert_eq(a, b, ...)	  TARGET_CHECK_((a) == (b), #a " == " #b, true)
#define cr_assert_neq(a, b, ...)  TARGET_CHECK_((a) != (b), #a " != " #b, true)
#define cr_assert_lt(a, b, ...)	  TARGET_CHECK_((a) < (b), #a " < " #b, true)
#define cr_assert_leq(a, b, ...)  TARGET_CHECK_((a) <= (b), #a " <= " #b, true)
#define cr_assert_gt(a, b, ...)	  TARGET_CHECK_((a) > (b), #a " > " #b, true)
#define cr_assert_geq(a, b, ...)  TARGET_CHECK_((a) >= (b), #a " >= " #b, true)
#define cr_assert_arr_eq(a, b, n) TARGET_CHECK_(!memcmp(a, b, n), #a, true)

#define cr_expect(a, ...)	  TARGET_CHECK_(a, #a, false)
#define cr_expect_not(a, ...)	  TARGET_CHECK_(!(a), "!" #a, false)
#define cr_expect_eq(a, b, ...)	  TARGET_CHECK_((a) == (b), #a " == " #b, false)
#define cr_expect_neq(a, b, ...)  TARGET_CHECK_((a) != (b), #a " != " #b, false)
#define cr_expect_leq(a, b, ...)  TARGET_CHECK_((a) <= (b), #a " <= " #b, false)
#define cr_expect_geq(a, b, ...)  TARGET_CHECK_((a) >= (b), #a " >= " #b, false)
#define cr_expect_arr_eq(a, b, n) TARGET_CHECK_(!memcmp(a, b, n), #a, false)

#endif
