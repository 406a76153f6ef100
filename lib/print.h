/* SPDX-License-Identifier: MIT */
/* lib/print.h - text by a function that prints a character */
#ifndef JIF_LIB_PRINT_H
#define JIF_LIB_PRINT_H

#include <jif/trace.h>

static inline void print_text(jif_put_fn *put, const char *text)
{
	while (*text)
		put(*text++);
}

/* In decimal, by subtraction: some processors cannot divide. */
static inline void print_number(jif_put_fn *put, const char *before,
				uint32_t number)
{
	static const uint32_t powers[] = {
		1000000000, 100000000, 10000000, 1000000, 100000,
		10000,	    1000,      100,	 10,	  1,
	};
	unsigned i = 0;
	char digit;

	print_text(put, before);
	while (powers[i] > 1 && powers[i] > number)
		i++;
	for (; i < sizeof(powers) / sizeof(*powers); i++) {
		for (digit = '0'; number >= powers[i]; digit++)
			number -= powers[i];
		put(digit);
	}
}

/* In hexadecimal, with all digits of @bytes. */
static inline void print_hex(jif_put_fn *put, unsigned bytes,
			     jif_trace_word_t number)
{
	for (unsigned shift = bytes * 8; shift; shift -= 4)
		put("0123456789abcdef"[number >> (shift - 4) & 0xf]);
}

#endif
