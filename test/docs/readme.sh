#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program in the README has no warning, is built in each way that is there,
# as typed there, and prints what it says there.
set -u
. test/lib.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL

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

each "every block of C is a program, or part of a file that is compiled" \
	python3 test/docs/blocks.py
check "the part of a firmware in docs/trace.md compiles" gcc -std=c11 -Wall \
	-Wextra -Wpedantic -Werror -Iinclude -fsyntax-only \
	test/tools/trace/page.c
block c >"$folder/example.c"
check "the program has at most 25 lines" \
	test "$(wc -l <"$folder/example.c")" -le 25
check "it has no warning" gcc -std=c11 -Wall -Wextra -Wpedantic -Werror \
	-Iinclude -fsyntax-only "$folder/example.c"
block cmake >"$folder/CMakeLists.txt"
ln -s "$PWD" "$folder/jif"

# way TEXT: of which the first line is a remark, its name.
way() {
	what=$(echo "$1" | sed -n '1s/^# //p')
	for tool in cmake pkg-config; do
		case $1 in
		*$tool\ *) command -v "$tool" >/dev/null || return 0 ;;
		esac
	done
	rm -f "$folder/example"
	check "$what: it is built" sh -ec "cd '$folder'; $1"
	check_same "$what: it prints what it should" "$(output)" \
		"$("$folder/example")"
}

ways=$(block sh | grep -c '^# ')
for n in $(seq "$ways"); do
	way "$(block sh | awk -v RS= -v n="$n" 'NR == n')"
done
check "there are ways" test "$ways" -ge 5
finish
