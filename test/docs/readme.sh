#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program in the README compiles, without a warning, with the library that
# make builds and with its sources, and prints what the README says.
set -u
. test/lib.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT
warnings='-std=c11 -Wall -Wextra -Wpedantic -Werror'

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' README.md \
	>"$folder/example.c"
awk '/^```c$/ { seen = 1; next } /^```$/ { n += seen; next } n == 2' \
	README.md | sed '/^$/q' | sed '/^$/d' >"$folder/want"

each "every block of C is a program, or part of a file that is compiled" \
	python3 test/docs/blocks.py
check "the part of a firmware in docs/trace.md compiles" gcc $warnings \
	-Iinclude -fsyntax-only test/tools/trace/page.c
check "the program has at most 25 lines" \
	test "$(wc -l <"$folder/example.c")" -le 25
check "make builds the library" make -s
check "it compiles and links the library" gcc $warnings \
	-Ibuild/host-release/include -Iinclude \
	-o "$folder/linked" "$folder/example.c" build/host-release/libjif.a
check "it compiles with the sources" gcc $warnings -Iinclude \
	-o "$folder/dropped" "$folder/example.c" lib/*.c
check_same "it prints what it should (linked)" "$(cat "$folder/want")" \
	"$("$folder/linked")"
check_same "it prints what it should (dropped)" "$(cat "$folder/want")" \
	"$("$folder/dropped")"
check_same "that is four lines" 4 "$(wc -l <"$folder/want" | tr -d ' ')"

finish
