/* SPDX-License-Identifier: MIT */
/* lib/wheel_print.c - a wheel as text */
#include "print.h"
#include "rings.h"

/* A printing under way. */
struct page {
	const struct jif_wheel *wheel;
	jif_put_fn *put; /* prints a character */
	/* What a timer is called; or NULL. */
	const char *(*name)(const struct jif_timer *timer);
	uint32_t printed; /* how many timers have been */
};

static const char *const level_names[] = { "seconds", "minutes", "hours",
					   "days" };

/* A time to come, and how far away it is. */
static void print_time(const struct page *page, const char *before,
		       uint32_t when)
{
	uint32_t clock = jif_wheel_clock(page->wheel);

	print_number(page->put, before, when);
	print_number(page->put, " (in ", when - clock);
	print_text(page->put, ")\n");
}

static int print_timer(void *arg, const struct jif_timer *timer, unsigned level,
		       unsigned slot, uint32_t remaining)
{
	struct page *page = arg;

	print_number(page->put, " #", page->printed++);
	print_text(page->put, ": <");
	print_hex(page->put, sizeof(uintptr_t), (uintptr_t)timer);
	print_text(page->put, ">, <");
	print_hex(page->put, sizeof(timer->fn), (uintptr_t)timer->fn);
	print_text(page->put, page->name ? ">, " : ">");
	print_text(page->put, page->name ? page->name(timer) : "");
	print_text(page->put, "\n # ");
	print_text(page->put, level_names[level]);
	print_number(page->put, " ", slot);
	print_number(page->put, " + ", remaining);
	print_time(page, ", expires at ",
		   jif_timer_expires(page->wheel, timer));
	return 0;
}

void jif_wheel_print(struct jif_wheel *wheel, jif_put_fn *put,
		     const char *(*name)(const struct jif_timer *timer))
{
	struct page page = { wheel, put, name, 0 };
	uint32_t when;

	print_number(put, "clock: ", jif_wheel_clock(wheel));
	for (unsigned level = SEC; level <= DAY; level++) {
		print_text(put, level ? ", " : "\nhands: ");
		print_text(put, level_names[level]);
		print_number(put, " ",
			     in_turn(&jif_rings[level], wheel->hand[level]));
	}
	print_text(put, "\n");
	if (jif_wheel_next_expiry(wheel, &when))
		print_time(&page, "next expiry: ", when);
	print_text(put, "active timers:\n");
	jif_wheel_walk(wheel, print_timer, &page);
}
