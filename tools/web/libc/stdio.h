/* SPDX-License-Identifier: MIT */
/*
 * stdio.h - what tools/sim needs of it
 */
#ifndef WEB_STDIO_H
#define WEB_STDIO_H

#include <stdarg.h>
#include <stddef.h>

typedef struct file FILE;

extern FILE *const stdout;
extern FILE *const stderr;

int putc(int byte, FILE *file);
int putchar(int byte);
int puts(const char *text);
int fputs(const char *text, FILE *file);
int fflush(FILE *file);
size_t fwrite(const void *data, size_t size, size_t count, FILE *file);
int vfprintf(FILE *file, const char *format, va_list args);
int vsnprintf(char *text, size_t size, const char *format, va_list args);
int fprintf(FILE *file, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sprintf(char *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int snprintf(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
