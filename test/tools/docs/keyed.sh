#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program in docs/timers.md, of timers by key, compiles, without a warning,
# with the library that make builds, and prints what the page says. The tests
# are there that test/wheel/unit/README.md names.
set -u
. test/lib.sh

page=$folder/page
sed -n '/^## Timers by key/,/^## Timers that may/p' docs/timers.md >"$page"

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$page" \
	>"$folder/example.c"
awk '/^```c$/ { c = 1; next } /^```$/ { if (c) { c = 0; next } on = !on; next }
	on' "$page" >"$folder/want"

check "make builds the library" make -s
check "it compiles and links the library" gcc -std=c11 -Wall -Wextra \
	-Wpedantic -Werror -Ibuild/host-release/include -Iinclude \
	-o "$folder/example" "$folder/example.c" build/host-release/libjif.a
check_same "it prints what the page says" "$(cat "$folder/want")" \
	"$("$folder/example")"
check_same "that is four lines" 4 "$(wc -l <"$folder/want" | tr -d ' ')"

# A row of the page ends with its tests.
sed -n 's/^| .* | \(`[^|]*`\) |$/\1/p' test/wheel/unit/README.md \
	>"$folder/items"
tr -d '`,' <"$folder/items" | tr ' ' '\n' >"$folder/named"
{
	grep -rhoE '^Test\([a-z_]+, *[a-z0-9_]+' test/*/unit |
		sed 's/Test(//; s/, */\//'
	sed -n 's/^static void \([a-z_]*\)(.*/service\/\1/p' \
		test/host/logic*.c
	sed -n 's/^def \([a-z_]*\)():/\1/p' test/tools/idled/check.py
	sed -n 's/^check "\([a-z ]*\)".*/headers\/\1/p' \
		test/tools/build/headers.sh | tr ' ' _
} | sort >"$folder/tests"
check_same "test/wheel/unit/README.md names tests that there are" "" \
	"$(sort -u "$folder/named" | comm -23 - "$folder/tests")"
check_same "and all of its rows have one" \
	"$(grep '^| ' test/wheel/unit/README.md | grep -vc '| tests |$')" \
	"$(wc -l <"$folder/items" | tr -d ' ')"

finish
