#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/docs/readme.sh [TOOL...]
#
# The program in the README has no warning, is built in each way that is there,
# as typed there, and prints what it says there. With TOOLs, that is done in the
# ways that take one of them; else in those that take none.
set -u
. test/lib.sh

unset MAKEFLAGS MFLAGS MAKELEVEL
tools=$*
ways=$#
[ -n "$tools" ] || ways=3

# block LANGUAGE [N]: the Nth of the README.
block() {
	awk -v open="\`\`\`$1" -v n="${2-1}" '/^```/ {
		if (on)
			exit
		within = !within
		on = within && $0 == open && !--n
		next
	} on' README.md
}

# What the program prints is the first unnamed block.
output() {
	block ''
}

block c >"$folder/example.c"

# What is the same in all ways.
program() {
	check "the program has at most 25 lines" \
		test "$(wc -l <"$folder/example.c")" -le 25
	check "it has no warning" gcc -std=c11 -Wall -Wextra -Wpedantic \
		-Werror -Iinclude -fsyntax-only "$folder/example.c"
}

[ -n "$tools" ] || program
block cmake >"$folder/CMakeLists.txt"
ln -s "$PWD" "$folder/jif"

# way TEXT: of which the first line is a remark, its name.
way() {
	what=$(echo "$1" | sed -n '1s/^# //p')
	taken=
	for tool in cmake pkg-config; do
		case $1 in
		*$tool\ *) taken=$tool ;;
		esac
	done
	case " $tools " in
	*" $taken "*) ;;
	*) return 0 ;;
	esac
	tried=$((tried + 1))
	rm -f "$folder/example"
	check "$what: it is built" sh -ec "cd '$folder' || exit; $1"
	check_same "$what: it prints what it should" "$(output)" \
		"$("$folder/example")"
}

tried=0
for n in $(seq "$(block sh | grep -c '^# ')"); do
	way "$(block sh | awk -v RS= -v n="$n" 'NR == n')"
done
check "there are ways" test "$tried" -ge "$ways"
finish
