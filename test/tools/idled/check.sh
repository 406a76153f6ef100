#!/bin/sh
# SPDX-License-Identifier: MIT
#
# idled under check.py, with times of a few hundred milliseconds. Of the tests,
# the right one finds each planted mistake.
set -u
. test/lib.sh

# planted NAME FILE SED TEST: the tests with this word in their names fail.
planted() {
	rm -rf "$folder/idled"
	cp -r tools/show/idled "$folder"
	sed -i "$3" "$folder/idled/$2"
	if cmp -s "tools/show/idled/$2" "$folder/idled/$2" ||
		! gcc -std=c11 -D_GNU_SOURCE -Ibuild/host/include -Iinclude \
			-o "$folder/program" "$folder"/idled/*.c \
			build/host/libjif.a; then
		fail "$1: it can be planted"
	else
		check_fails 1 "$1: it is found" \
			test/tools/idled/check.py "$folder/program" "$4"
	fi
}

check "make builds it" make -s all
each "test/tools/idled/check.py" test/tools/idled/check.py build/host/idled
check_same "options of the man page are those of --help" \
	"$(build/host/idled --help | grep '^  --' | grep -o -e '--[a-z-]*' |
		sort)" \
	"$(sed -n 's/^\.It Fl -\([a-z-]*\).*/--\1/p' tools/show/idled/idled.1 |
		sort)"
mistakes test/tools/idled/mistakes
finish
