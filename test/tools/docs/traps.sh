#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/docs/traps.sh
#
# First guesses that compile and do something else, in programs that are built
# as README says: a debug build tells of them, with object and function, a
# release build says nothing; test/wheel/unit/misuse.sh has all of misuse. And
# whose results the compiler wants looked at.
set -u
. test/lib.sh

build() {
	cc -std=gnu11 -Wall -Wextra -Werror -pthread -Iinclude "$@" \
		lib/*.c lib/firmware/*.c lib/host/*.c
}

# The first thing that is said, and whether the program goes on.
first_of() {
	if "$@" >"$folder/want" 2>"$folder/said"; then
		echo "goes on"
	else
		echo "stops"
	fi
	head -n 1 "$folder/said"
}

check "they compile for debug" build -DCONFIG_JIF_DEBUG=1 \
	-o "$folder/debug" test/tools/docs/traps.c
check "they compile for release" build -o "$folder/release" \
	test/tools/docs/traps.c
for trap in $("$folder/debug"); do
	got=$(first_of "$folder/debug" "$trap")
	check_same "$trap is told" "goes on
$(head -n 1 "$folder/want")" "$got"
	first_of "$folder/release" "$trap" >"$check_log"
	check_fails 1 "$trap is not told in a release build" \
		grep jif: "$folder/said"
done

# What runs too late is told even without jif_warn.
got=$(first_of "$folder/debug" started_after_a_sleep bare)
check_same "started_after_a_sleep stops without jif_warn" "stops
$(sed -n '1s/jif: \(.*\): object .*/jif: panic: \1/p' "$folder/want")" "$got"
got=$(first_of "$folder/debug" added_while_pending bare)
check_same "added_while_pending goes on without jif_warn" "goes on" "$got"

# Each power of two, with the count.
"$folder/debug" poll_without_source >"$check_log" 2>"$folder/said"
check_same "what is done a thousand times is told eleven times" \
	"11 reports, 1 without a count, (1024 times)" \
	"$(grep -c jif: "$folder/said") reports, $(
		grep -vc 'times)$' "$folder/said"
	) without a count, $(sed -n '$s/.* (/(/p' "$folder/said")"

# A program that sets jif_warn, and a library of a release build.
check "make builds the library" make -s
check "setting jif_warn links in a release build" cc -std=gnu11 -pthread \
	-Iinclude -o "$folder/linked" test/tools/docs/traps.c \
	build/host-release/libjif.a
check "who does not has none of it" sh -c \
	'! nm "$1" | grep jif_warn' - build/host-release/idled

# unseen LANGUAGE COMPILER...: how many results it wants looked at.
unseen() {
	language=$1
	shift
	printf '%s%s' "$language: " "$("$@" -Wall -Wextra -Wpedantic -Iinclude \
		-DUNSEEN -S -o "$folder/unseen.s" \
		test/tools/docs/must_check.c 2>&1 |
		grep -c 'unused-result')"
}

while read -r language wanted compiler; do
	for debug in 0 1; do
		check_same "$language wants results looked at, DEBUG=$debug" \
			"$language: $wanted" "$(unseen "$language" $compiler \
				-DCONFIG_JIF_DEBUG=$debug)"
	done
	check "not what is looked at or loses no timer, $language" \
		$compiler -Wall -Wextra -Wpedantic -Werror -Iinclude \
		-DCONFIG_JIF_DEBUG=1 -S -o "$folder/seen.s" \
		test/tools/docs/must_check.c
done <<'END'
C11 20 gcc -std=c11
C11-clang 20 clang -std=c11
C++11 26 g++ -std=c++11 -x c++
C++17 26 g++ -std=c++17 -x c++
C++17-clang 26 clang++ -std=c++17 -x c++
END
finish
