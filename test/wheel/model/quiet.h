/* SPDX-License-Identifier: MIT */
/* A program whose misuse is part of what it tries: nothing is printed of it */
#pragma once

#include <jif/debug.h>

static void ignore_warning(const char *what, const void *object,
			   void (*fn)(void))
{
	(void)what;
	(void)object;
	(void)fn;
}

__attribute__((constructor)) static void be_quiet(void)
{
	jif_warn = ignore_warning;
}
