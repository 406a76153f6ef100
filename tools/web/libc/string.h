/* SPDX-License-Identifier: MIT */
/*
 * string.h - what tools/sim needs of it
 */
#ifndef WEB_STRING_H
#define WEB_STRING_H

#include <stddef.h>

void *memset(void *to, int byte, size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *data, int byte, size_t n);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strcpy(char *to, const char *from);
char *strchr(const char *text, int byte);
char *strrchr(const char *text, int byte);
size_t strspn(const char *text, const char *bytes);
size_t strcspn(const char *text, const char *bytes);

#endif
