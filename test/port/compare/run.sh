#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/port/compare/run.sh TIMER CLOCK_HZ HZ TICKLESS [TICKS [STRIDE]]
#        test/port/compare/run.sh TIMER CLOCK_HZ HZ TICKLESS selftest
#
# Compiles lib/port/compare, as it is, with a timer's header beside a model of
# its registers, and runs it through every phase: see phases.c. The exit status
# is 1 if something is wrong, and 2 if it does not compile.
set -u
. tools/build/scratch.sh
timer=$1

model=test/port/compare/$timer.c
[ -e "$model" ] || model=test/port/compare/match.c
gcc -std=c11 -Wall -Wextra -Wno-unused-parameter -Werror -O1 -Iinclude \
	-Itest/port/compare -Ilib/port/compare -DCONFIG_JIF_COMPARE=1 \
	-DTIMER="\"$timer.h\"" \
	-DMODEL="$(echo "$timer" | tr '[:lower:]' '[:upper:]')" \
	-DCONFIG_JIF_COMPARE_TIMER='"../../../test/port/compare/timer.h"' \
	-DJIF_REG='"../../../test/port/compare/reg.h"' \
	-DJIF_PORT='"../../test/port/compare/port.h"' \
	-DCONFIG_JIF_CLOCK_HZ="$2" -DCONFIG_JIF_HZ="$3" \
	-DCONFIG_JIF_TICKLESS="$4" -DCONFIG_JIF_INITIAL_JIFFIES=0xfff00000 \
	-o "$folder/phases" lib/jiffies.c lib/port/compare/compare.c \
	lib/kit/selftest.c lib/timer_delay.c lib/wheel*.c \
	test/port/compare/world.c test/port/compare/phases.c "$model" || exit 2
"$folder/phases" "${5-100000}" "${6-8}"
