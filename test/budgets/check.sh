#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The budgets of sizes and cycles: --write with the name of one target measures
# that one, and leaves what the budget says of the others. Works on a copy.
set -u
. test/lib.sh

copy=$(mktemp -d)
trap 'rm -rf "$copy" "$check_log"' EXIT
{ git ls-files -co --exclude-standard 2>/dev/null ||
	find . -name build -prune -o -type f -print; } |
	tar cf - -T - | tar xf - -C "$copy"
cd "$copy" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL

# rows NAME FILE: those of a target, and others NAME FILE: those of no target
# or of another one.
rows() {
	grep "^$1[[:space:]]" "$2"
}

others() {
	grep -v "^$1[[:space:]]" "$2"
}

# written TOOL NAME BUDGET: before, the budget has figures that nothing costs.
written() {
	sed '/^#/!s/[0-9]*$/-1/' "$3" >before
	cp before "$3"
	others "$2" before >stays
	check "$1 --write $2 succeeds" "$1" --write "$2"
	others "$2" "$3" >stayed
	check "$1: the others are as they were" cmp stays stayed
	check_same "$1: $2 has as many figures as before" \
		"$(rows "$2" before | wc -l)" "$(rows "$2" "$3" | wc -l)"
	check_same "$1: all of them are new" 0 \
		"$(rows "$2" "$3" | grep -c -e '-1$')"
}

written tools/size avr test/size/budget
written tools/cycles m3 test/target/cycles.budget

finish
