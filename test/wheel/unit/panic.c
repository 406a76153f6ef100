/* SPDX-License-Identifier: MIT */
/* Which panic is the one that a test waits for */
#define _POSIX_C_SOURCE 200112L
#include "panic.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *wanted;
static FILE *said;
static int console;
static void (*handler)(int);

static void on_abort(int signal_number)
{
	char text[4096];
	size_t n;

	if (handler != SIG_DFL)
		handler(signal_number);
	rewind(said);
	n = fread(text, 1, sizeof(text) - 1, said);
	text[n] = '\0';
	dup2(console, STDERR_FILENO);
	if (!strstr(text, wanted)) {
		fprintf(stderr, "no panic with \"%s\":\n%s\n", wanted, text);
		_exit(EXIT_FAILURE);
	}
	signal(signal_number, SIG_DFL);
}

void panic_with(const char *why)
{
	wanted = why;
	said = tmpfile();
	console = dup(STDERR_FILENO);
	if (!said || console < 0 || dup2(fileno(said), STDERR_FILENO) < 0)
		exit(EXIT_FAILURE);
	handler = signal(SIGABRT, on_abort);
	if (handler == SIG_ERR)
		exit(EXIT_FAILURE);
}
