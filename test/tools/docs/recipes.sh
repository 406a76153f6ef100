#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every recipe of README.md and docs is compiled and run: recipes.py. The tests
# are there that test/wheel/unit/README.md names, and the commands of README.md
# that test/tools/build/bare/check.sh types.
set -u
. test/lib.sh

each "what pages show is compiled and run" \
	python3 test/tools/docs/recipes.py "$folder"

# A row of the page ends with its tests.
sed -n 's/^| .* | \(`[^|]*`\) |$/\1/p' test/wheel/unit/README.md \
	>"$folder/items"
tr -d '`,' <"$folder/items" | tr ' ' '\n' >"$folder/named"
{
	grep -rhoE '^Test\([a-z_]+, *[a-z0-9_]+' test/*/unit test/*/model |
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

check_same "README.md has the commands that check-bare types" \
	"make run
make check-host
make check" "$(test/tools/build/bare/commands | grep '^make')"

finish
