#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/wheel/unit/misuse.sh
#
# Each row of misuse in a process of its own, in a debug and in a release build,
# and whether misuse.out has how many came to what.
set -u
. test/lib.sh

here=test/wheel/unit

compile() {
	gcc -std=gnu11 -O1 -Wall -Wextra -Wno-unused-parameter -Werror \
		-pthread -Iinclude -DCONFIG_JIF_PORT_SIM=1 "$@"
}

check "the runner compiles" compile -Dmain=quick_main -c \
	-o "$folder/quick.o" test/wheel/unit/quick.c
for debug in 1 0; do
	check "the rows compile, debug $debug" compile \
		-DCONFIG_JIF_DEBUG=$debug -o "$folder/misuse" \
		test/*/unit/misuse*.c test/wheel/unit/forked.c \
		test/wheel/unit/unit.c \
		test/wheel/unit/panic.c "$folder/quick.o" lib/*.c \
		lib/firmware/*.c lib/host/*.c \
		lib/port/sim/sim.c
	each "all of them, debug $debug" "$folder/misuse"
	counts=$(sed -n 's/^# //p' "$check_log" | grep hangs)
	panics=$(sed -n 's/^# panics: //p' "$check_log" | LC_ALL=C sort -u)
	check_same "misuse.out counts them, debug $debug" \
		"$(sed -n "$((3 - debug))p" "$here/misuse.out")" "$counts"
	[ $debug = 0 ] || check_same "misuse.out has what panics" \
		"$(sed 1,3d "$here/misuse.out")" "$panics"
done
finish
