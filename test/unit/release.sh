#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/unit/release.sh
#
# The rows of test/unit/misuse.c that a build without CONFIG_JIF_DEBUG refuses,
# and delayed work, whose debug build looks at lists before it cancels.
set -eu

program=$(mktemp)
trap 'rm -f "$program"' EXIT
gcc -std=c11 -O1 -Wall -Wextra -Werror -Iinclude -DCONFIG_JIF_PORT_SIM=1 \
	-o "$program" test/unit/misuse.c test/unit/work.c test/unit/unit.c \
	test/unit/panic.c lib/*.c lib/port/sim/sim.c -lcriterion
"$program" -j1 --tap --filter '@(misuse|delayed_work)/*'
