#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `make run`, from a copy of the tree as a user gets it, with nothing in PATH
# but a C compiler, make, gzip and what POSIX puts there; and its figures.
set -u
. test/lib.sh

copy=$folder
{ git ls-files -co --exclude-standard 2>/dev/null ||
	find . -path ./build -prune -o -path './docs/examples/*/build' \
		-prune -o -type f -print; } |
	tar cf - -T - | tar xf - -C "$copy"
mkdir "$copy/bin"
for tool in cc make gzip as ld ar sh awk basename cat chmod cmp cp cut dirname \
	echo env expr false find grep head ls mkdir mv printf pwd rm rmdir sed \
	sleep sort tail test touch tr true uname wc; do
	ln -s "$(command -v $tool)" "$copy/bin/$tool"
done
unset MAKEFLAGS MFLAGS MAKELEVEL

check "make run works with cc, make, a shell and gzip" \
	env -i PATH="$copy/bin" make -C "$copy" run
cp "$check_log" "$copy/log"

# The figures of the replay: they are facts about the recording, worked out
# once by hand from its rules and once by another program.
figure() {
	sed -n "s/^$1 *//p" "$copy/log"
}
check_same "rows of the recording" "270,892, from jiffy 0 to 7,354" \
	"$(figure rows)"
check_same "each expiry on its exact tick" \
	"102,218, 0 off their exact tick" "$(figure fires)"
check_same "cancellations" \
	"11,088 hit, 329 late, 4 of timers not armed" "$(figure cancels)"
check_same "the recorder is one jiffy late" 1 \
	"$(grep -c '^ *1 *92,175  91.4 %' "$copy/log")"
check_same "its p99" 1 "$(grep -c '^ *p99  *6  *0$' "$copy/log")"
check_same "its worst" 1 "$(grep -c '^ *most  *71  *1$' "$copy/log")"
check_same "the pool's expectations" 2 \
	"$(grep -c '^expectations  [0-9]* met, 0 failed$' "$copy/log")"
check_same "it cascades from hours and from minutes" \
	"0 from day, 1 from hour, 660 from min" \
	"$(figure cascaded | head -n 1)"

finish
