#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/tcc-if-int.sh - in TinyCC 0.9.27, an #if counts with 32 bits unless a
# number in it needs more
#
# In C99, each number there is an intmax_t or a uintmax_t: 64 bits. A header
# that checks that a delay fits its ticks, or how wide they are, is right with
# GCC, and here lets 50 days at 1 kHz pass, without a warning.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian tcc=0.9.27

cat >"$folder/if.c" <<'END'
#define TICK_HZ  1000
#define DAYS     50
#define TICK_MAX 0xffffffff
#if DAYS * 86400 * TICK_HZ > TICK_MAX
50 days do not fit
#else
50 days fit
#endif
#if TICK_MAX + 1
no wrap
#else
wrap
#endif
#if -1 < TICK_MAX
before
#else
after
#endif
#if 50ll * 86400 * TICK_HZ > TICK_MAX
50ll days do not fit
#endif
END
for compiler in gcc tcc; do
	echo "$compiler:" "$("$compiler" -E -P "$folder/if.c" | paste -sd,)"
done | saw "gcc: 50 days do not fit,no wrap,before,50ll days do not fit
tcc: 50 days fit,wrap,after,50ll days do not fit" || exit 1
