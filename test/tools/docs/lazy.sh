#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The wake-ups that slack saves, of the demonstration's timers and of the
# recorded trace, are those of the table in docs/timers.md.
set -u
. test/lib.sh

wakeups() {
	gzip -dc test/tools/sim/traces/linux-tcp.csv.gz | "$folder/wakeups"
}

check "make builds the library" make -s
check "it compiles" gcc -O2 -std=c11 -Wall -Wextra -Wpedantic -Wconversion \
	-Werror -Iinclude -o "$folder/wakeups" test/tools/docs/lazy.c \
	build/host-release/libjif.a
check "no expiry is early, or too late" wakeups
check_same "wake-ups are those of docs/timers.md" \
	"$(sed -n '/^| wake-ups/,/^<!--/{/^|/p}' docs/timers.md)" \
	"$(cat "$check_log")"

finish
