/* SPDX-License-Identifier: MIT */
/*
 * test/tools/trace/page.c - what docs/tests.md shows, with what it takes for
 * granted
 */
#include <jif/trace.h>
#include <jif/wheel.h>
#include <stddef.h>

void uart_putc(char c);
void debug_begin(void);
void debug_print(void);

static struct jif_wheel wheel;
static struct {
	struct jif_timer timer;
} lease;

static struct jif_trace_record records[512];

static const char *name_of(const struct jif_timer *timer)
{
	return timer == &lease.timer ? "lease" : "";
}

void debug_begin(void)
{
	jif_trace_start(&wheel, records, 512);
}

void debug_print(void)
{
	jif_trace_print_name(uart_putc, &lease.timer, "lease");
	jif_trace_print(uart_putc);
	jif_wheel_print(&wheel, uart_putc, name_of);
}
