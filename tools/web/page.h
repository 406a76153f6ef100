/* SPDX-License-Identifier: MIT */
/*
 * page.h - what the simulator calls of the page that it is in
 */
#ifndef WEB_PAGE_H
#define WEB_PAGE_H

#include <stddef.h>
#include <stdint.h>

#define PAGE_CALL(name)                                                        \
	__attribute__((import_module("page"), import_name(#name)))
#define PAGE_EXPORT(name) __attribute__((export_name(#name)))

struct entry;

/* Standard output is file 1, standard error file 2. */
void page_write(int file, const char *text, size_t length) PAGE_CALL(write);

void page_exit(int status) __attribute__((noreturn)) PAGE_CALL(exit);

/* The text of a file, with a NUL behind it; NULL if there is none. */
char *page_file(const char *path, size_t *size) PAGE_CALL(file);

/*
 * An entry was armed, or was @moved to another slot; it is not armed any more;
 * it has fired. Ticks count from the midnight of day 0.
 */
void page_placed(const struct entry *entry, int moved, unsigned level,
		 unsigned slot, double expires) PAGE_CALL(placed);
void page_ended(const struct entry *entry) PAGE_CALL(ended);
void page_fired(const struct entry *entry, double tick, double late)
	PAGE_CALL(fired);

/* An entry that page_walk() came to. */
void page_seen(const struct entry *entry, unsigned level, unsigned slot,
	       double remaining, double expires) PAGE_CALL(seen);

#endif
