#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/docs/traps.sh
#
# First guesses that compile and do something else, in programs that are built
# as README says: a debug build tells of each, with object and function, a
# release build says nothing. And whose results a debug build wants looked at.
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

# What is lost, runs at once or too late is told even without jif_warn.
for trap in started_after_a_sleep started_late run_by_millis in_30_days \
	every_30_days wheel_init_after_sched_init without_wheel_init \
	wheel_init_twice run_back run_ahead without_source \
	sleep_without_function; do
	got=$(first_of "$folder/debug" "$trap" bare)
	check_same "$trap stops without jif_warn" "stops
$(sed -n '1s/jif: \(.*\): object .*/jif: panic: \1/p' "$folder/want")" "$got"
done
for trap in added_while_pending without_count in_40_days wait_in_a_callback; do
	got=$(first_of "$folder/debug" "$trap" bare)
	check_same "$trap goes on without jif_warn" "goes on" "$got"
done

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
	check_same "a debug build wants results looked at, $language" \
		"$language: $wanted" \
		"$(unseen "$language" $compiler -DCONFIG_JIF_DEBUG=1)"
	check_same "a release build does not, $language" "$language: 0" \
		"$(unseen "$language" $compiler)"
	check "nor of what is looked at or loses no timer, $language" \
		$compiler -Wall -Wextra -Wpedantic -Werror -Iinclude \
		-DCONFIG_JIF_DEBUG=1 -S -o "$folder/seen.s" \
		test/tools/docs/must_check.c
done <<'END'
C11 16 gcc -std=c11
C++17 20 g++ -std=c++17 -x c++
END
finish
