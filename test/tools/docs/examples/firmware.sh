#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/docs/examples/firmware.sh
#
# The example of the test kit in docs/tests.md compiles with two compilers, its
# tests pass, and every window is tried; what fails says so as the page shows.
set -u
. test/lib.sh

page=$folder/page
sed -n '/^## The test kit/,/^## Several/p' docs/tests.md >"$page"
export JIF_TEST_SEED=1

# How many tests have tried all of their windows, ten or more, and say so.
trials() {
	awk '/^# [a-z_]+: tried/ && $4 == $6 && $4 > 9 && $8 == 0 { n++ }
		END { print n + 0 }' "$1"
}

each "the tests of the firmware" make -s -C docs/examples/firmware check \
	BUILD="$folder/gcc"
grep tried "$check_log"
check_same "four tests try all windows" 4 "$(trials "$check_log")"
suite "the tests of the firmware, with clang" make -s CC=clang \
	-C docs/examples/firmware check BUILD="$folder/clang"
check_same "four tests try all windows, with clang" 4 "$(trials "$check_log")"

# Products use atomic operations and fences, as jif does.
sed 's/^\$(product): CFLAGS/$(product) $(jif): CFLAGS/; s/ -O1 / /' \
	docs/examples/firmware/Makefile >"$folder/all.mk"
sed -i '/access/!s/\$(jif): CFLAGS/$(filter-out %access.o,$(jif)): CFLAGS/' \
	"$folder/all.mk"
check "jif may have such windows, too" make -s -C docs/examples/firmware \
	-f "$folder/all.mk" program BUILD="$folder/all"

# What the page says to do, and to see.
cp -Rp docs/examples/firmware "$folder/copy"
awk '/^```/ { on = !on; c = /c$/; next } on && !c' "$page" | sed '/^\$/d' \
	>"$folder/want"
sed -i '/if (held)$/d' "$folder/copy/lease.c"
check_fails 2 "a race fails" make -s -C "$folder/copy" check JIF="$PWD" \
	BUILD="$folder/gcc"
grep -v '^make\|^ok\|^# .*_[a-z]*$' "$check_log" |
	sed -n '/^test.c/,$p' >"$folder/got"
check_same "and says so as the page does" "$(cat "$folder/want")" \
	"$(cat "$folder/got")"
window=$(sed -n 's/^with JIF_TEST_WINDOW=\([0-9]*\):$/\1/p' "$page")
check "the given window fails" grep -q 'tried 1 of .* 1 failed' <<-END
	$(JIF_TEST_WINDOW=$window "$folder/gcc/test" nothing 2>&1)
END
check "the window before does not" grep -q 'tried 1 of .* 0 failed' <<-END
	$(JIF_TEST_WINDOW=$((window - 1)) "$folder/gcc/test" nothing 2>&1)
END
check "the page has at most 500 words" test "$(wc -w <"$page")" -le 500

finish
