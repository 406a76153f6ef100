/* SPDX-License-Identifier: MIT */
/* Rows of misuse, which docs/misuse.md lists */
#pragma once

/**
 * enum misuse_kind - what becomes of it
 * @REFUSED:	the checks of the row hold in both builds
 * @UNDEFINED:	they need not hold in a release build
 * @GONE:	the same; a release build may fault on freed memory
 * @DAMAGED:	a list is damaged: a debug build stops
 * @FATAL:	the same; a release build may fault on NULL or freed memory
 * @FAULTS:	both builds fault on NULL
 */
enum misuse_kind { REFUSED, UNDEFINED, GONE, DAMAGED, FATAL, FAULTS };

/**
 * struct misuse - a row
 * @name:	of the row
 * @happen:	does it, and checks what it comes to
 * @what:	what a debug build says; NULL: nothing
 * @object:	of what it says that
 * @fn:		where the function is that it names; NULL: it names none
 * @kind:	what becomes of it
 */
struct misuse {
	const char *name;
	void (*happen)(void);
	const char *what;
	const void *object;
	const void *fn;
	enum misuse_kind kind;
};

/* All of a row that is refused, and of which nothing is told. */
#define ROW(fn) .name = #fn, .happen = fn

/* The function of a row, in one to three steps. */
#define REFUSES(name, call, result) DOES(name, cr_assert_eq(call, result))
#define DOES(name, misuse)	    HAPPENS(name, (void)0, misuse, (void)0)
#define AFTER(name, begin, misuse)  HAPPENS(name, begin, misuse, (void)0)
#define HAPPENS(name, begin, misuse, end)                                      \
	static void name(void)                                                 \
	{                                                                      \
		begin;                                                         \
		misuse;                                                        \
		end;                                                           \
	}

/* Timers and wheels; what runs on them; what only an operating system has. */
extern const struct misuse misuse_rows[], misuse_above[], misuse_host[];
extern const unsigned misuse_count, misuse_above_count, misuse_host_count;

/* Before a row happens; and after it, or in its panic. */
void misuse_begin(void);
void misuse_end(const struct misuse *row);

/* All of it, in this process, and how many; a panic is left by a jump. */
unsigned misuse_try(const struct misuse *rows, unsigned rows_count);
