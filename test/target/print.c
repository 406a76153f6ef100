/* SPDX-License-Identifier: MIT */
/* Text and numbers on the console */
#include "target.h"

void target_put_text(const char *text)
{
	char c;

	while ((c = target_text_at(text++)))
		target_putc(c);
}

void target_put_number(uint32_t number)
{
	char digit[10];
	unsigned n = 0;

	do {
		digit[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (n--)
		target_putc(digit[n]);
}
