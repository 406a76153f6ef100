/* SPDX-License-Identifier: MIT */
/*
 * libc.c - the few calls of the C library that tools/sim needs
 *
 * There is no free(): a run has a memory of its own, which goes as a whole.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

#define PAGE_SIZE 65536u
#define ALIGNMENT 16u /* also the room for the size of a block */

extern unsigned char __heap_base;

static uintptr_t heap_used;

static bool grow(uintptr_t end)
{
	size_t pages = __builtin_wasm_memory_size(0);

	return end <= pages * PAGE_SIZE ||
	       __builtin_wasm_memory_grow(0, end / PAGE_SIZE + 1 - pages) !=
		       SIZE_MAX;
}

/* Memory that is new is zero. */
void *calloc(size_t count, size_t size)
{
	char *block;
	size_t most = SIZE_MAX / 4;

	if (size && count > most / size)
		return NULL;
	if (!heap_used)
		heap_used = ((uintptr_t)&__heap_base + ALIGNMENT - 1) &
			    ~(uintptr_t)(ALIGNMENT - 1);
	size = (count * size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if (heap_used + size > 3 * most || !grow(heap_used + ALIGNMENT + size))
		return NULL;
	block = (char *)heap_used + ALIGNMENT;
	*(size_t *)(block - ALIGNMENT) = size;
	heap_used += ALIGNMENT + size;
	return block;
}

void *realloc(void *block, size_t size)
{
	void *to = calloc(1, size);
	size_t had;

	if (!block || !to)
		return to;
	had = *(size_t *)((char *)block - ALIGNMENT);
	return memcpy(to, block, had < size ? had : size);
}

void free(void *block)
{
	(void)block;
}

void exit(int status)
{
	fflush(stdout);
	fflush(stderr);
	page_exit(status);
}

void *memset(void *to, int byte, size_t n)
{
	unsigned char *at = to;

	while (n--)
		*at++ = (unsigned char)byte;
	return to;
}

void *memcpy(void *to, const void *from, size_t n)
{
	return memmove(to, from, n);
}

void *memmove(void *to, const void *from, size_t n)
{
	unsigned char *at = to;
	const unsigned char *source = from;

	if (at < source)
		while (n--)
			*at++ = *source++;
	else
		while (n--)
			at[n] = source[n];
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a;
	const unsigned char *y = b;

	for (; n--; x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

void *memchr(const void *data, int byte, size_t n)
{
	const unsigned char *at = data;

	for (; n--; at++)
		if (*at == (unsigned char)byte)
			return (void *)at;
	return NULL;
}

size_t strlen(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n--; a++, b++)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, SIZE_MAX);
}

char *strcpy(char *to, const char *from)
{
	return memcpy(to, from, strlen(from) + 1);
}

char *strchr(const char *text, int byte)
{
	return memchr(text, byte, strlen(text) + 1);
}

char *strrchr(const char *text, int byte)
{
	size_t n = strlen(text) + 1;

	while (n--)
		if (text[n] == (char)byte)
			return (char *)text + n;
	return NULL;
}

static size_t span(const char *text, const char *bytes, bool in)
{
	size_t n = 0;

	while (text[n] && !!strchr(bytes, text[n]) == in)
		n++;
	return n;
}

size_t strspn(const char *text, const char *bytes)
{
	return span(text, bytes, true);
}

size_t strcspn(const char *text, const char *bytes)
{
	return span(text, bytes, false);
}

/* Where bytes go: a file, with a number, or as much of a text as has room. */
struct file {
	int number;
	char *text;
	size_t size;
	size_t used;
	size_t total; /* all that ever went there, whether there was room */
};

static char buffers[2][1024];

static FILE files[2] = {
	{ .number = 1, .text = buffers[0], .size = sizeof(buffers[0]) },
	{ .number = 2, .text = buffers[1], .size = sizeof(buffers[1]) },
};

FILE *const stdout = &files[0];
FILE *const stderr = &files[1];

int fflush(FILE *file)
{
	page_write(file->number, file->text, file->used);
	file->used = 0;
	return 0;
}

int putc(int byte, FILE *file)
{
	if (file->used == file->size && file->number)
		fflush(file);
	if (file->used < file->size)
		file->text[file->used++] = (char)byte;
	file->total++;
	return byte;
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file)
{
	const char *at = data;

	for (size_t n = size * count; n--;)
		putc(*at++, file);
	return count;
}

int putchar(int byte)
{
	return putc(byte, stdout);
}

int fputs(const char *text, FILE *file)
{
	fwrite(text, 1, strlen(text), file);
	return 0;
}

int puts(const char *text)
{
	fputs(text, stdout);
	return putchar('\n');
}

/* How an argument is to be printed. */
struct form {
	bool zeros;
	int width;
	int precision; /* -1: none is given */
	int longs;     /* how many times l */
	char kind;
};

static void put_field(FILE *file, const struct form *form, const char *text,
		      size_t length)
{
	char fill = form->zeros ? '0' : ' ';

	for (size_t n = length; n < (size_t)form->width; n++)
		putc(fill, file);
	fwrite(text, 1, length, file);
}

/* Writes a number before @end; returns where it begins. */
static char *digits(char *end, uint64_t number, unsigned base)
{
	do {
		*--end = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	return end;
}

static void put_number(FILE *file, const struct form *form, uint64_t number,
		       bool negative)
{
	char text[24];
	char *begin = digits(text + sizeof(text), number,
			     form->kind == 'x' ? 16 : 10);

	if (negative)
		*--begin = '-';
	put_field(file, form, begin, (size_t)(text + sizeof(text) - begin));
}

/* Not negative, and far from the limit of 64 bits. */
static void put_fraction(FILE *file, const struct form *form, double number)
{
	uint64_t scale = 1, scaled;
	char text[48];
	char *end = text + sizeof(text), *begin = end;

	for (int i = 0; i < form->precision; i++)
		scale *= 10;
	scaled = (uint64_t)__builtin_rint(number * (double)scale);
	for (int i = 0; i < form->precision; i++, scaled /= 10)
		*--begin = (char)('0' + scaled % 10);
	*--begin = '.';
	begin = digits(begin, scaled, 10);
	put_field(file, form, begin, (size_t)(end - begin));
}

static int read_width(const char **format, va_list *args)
{
	int number = 0;

	if (**format == '*') {
		++*format;
		return va_arg(*args, int);
	}
	while (**format >= '0' && **format <= '9')
		number = number * 10 + *(*format)++ - '0';
	return number;
}

static struct form read_form(const char **format, va_list *args)
{
	struct form form = { .precision = -1 };

	form.zeros = **format == '0';
	*format += form.zeros;
	form.width = read_width(format, args);
	if (form.width < 0)
		form.width = 0;
	if (**format == '.') {
		++*format;
		form.precision = read_width(format, args);
	}
	for (; **format == 'l' || **format == 'z'; ++*format)
		form.longs += **format == 'l';
	form.kind = *(*format)++;
	return form;
}

static void put_argument(FILE *file, const struct form *form, va_list *args)
{
	const char *text;
	size_t length;
	int64_t number;

	switch (form->kind) {
	case 's':
		text = va_arg(*args, const char *);
		for (length = 0;
		     length != (size_t)form->precision && text[length];)
			length++;
		put_field(file, form, text, length);
		break;
	case 'c':
		putc(va_arg(*args, int), file);
		break;
	case 'd':
		number = form->longs > 1 ? va_arg(*args, int64_t) :
					   va_arg(*args, int);
		put_number(file, form,
			   number < 0 ? -(uint64_t)number : (uint64_t)number,
			   number < 0);
		break;
	case 'f':
		put_fraction(file, form, va_arg(*args, double));
		break;
	case '%':
		putc('%', file);
		break;
	default:
		put_number(file, form,
			   form->longs > 1 ? va_arg(*args, uint64_t) :
					     va_arg(*args, unsigned),
			   false);
	}
}

int vfprintf(FILE *file, const char *format, va_list args)
{
	size_t before = file->total;
	struct form form;
	va_list rest;

	va_copy(rest, args);
	while (*format) {
		if (*format != '%') {
			putc(*format++, file);
			continue;
		}
		format++;
		form = read_form(&format, &rest);
		put_argument(file, &form, &rest);
	}
	va_end(rest);
	return (int)(file->total - before);
}

int vsnprintf(char *text, size_t size, const char *format, va_list args)
{
	struct file file = { .text = text, .size = size ? size - 1 : 0 };
	int length = vfprintf(&file, format, args);

	if (size)
		text[file.used] = '\0';
	return length;
}

int fprintf(FILE *file, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vfprintf(file, format, args);
	va_end(args);
	return length;
}

int printf(const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vfprintf(stdout, format, args);
	va_end(args);
	return length;
}

int sprintf(char *text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, SIZE_MAX / 2, format, args);
	va_end(args);
	return length;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, size, format, args);
	va_end(args);
	return length;
}
