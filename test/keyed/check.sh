#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program in docs/keyed.md compiles, without a warning, with the library
# that make builds, and prints what the page says.
set -u
. test/lib.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder" "${check_log:?}"' EXIT
page=docs/keyed.md

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' $page \
	>"$folder/example.c"
awk '/^```c$/ { c = 1; next } /^```$/ { if (c) { c = 0; next } on = !on; next }
	on' $page >"$folder/want"

check "make builds the library" make -s
check "it compiles and links the library" gcc -std=c11 -Wall -Wextra \
	-Wpedantic -Werror -Ibuild/host-release/include -Iinclude \
	-o "$folder/example" "$folder/example.c" build/host-release/libjif.a
check_same "it prints what the page says" "$(cat "$folder/want")" \
	"$("$folder/example")"
check_same "that is four lines" 4 "$(wc -l <"$folder/want" | tr -d ' ')"

finish
