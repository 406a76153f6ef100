#!/bin/sh
# SPDX-License-Identifier: MIT
#
# jif/coroutine.hpp: waits that end and are canceled, under ThreadSanitizer and
# AddressSanitizer; planted mistakes are found; and the example with asio.
set -u
. test/lib.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT
TSAN_OPTIONS=halt_on_error=1
export TSAN_OPTIONS
# gcc 12 takes what the standard library does in a lambda for that.
flags='-g -O1 -pthread -Wall -Wextra -Werror -Wno-maybe-uninitialized
	-DCONFIG_JIF_DEBUG=1'
address=-fsanitize=address,undefined

# engine FLAG...: its objects, for that sanitizer.
engine() {
	rm -rf "$folder/objects"
	mkdir "$folder/objects"
	for file in lib/wheel*.c lib/table.c lib/jiffies.c lib/debug.c \
		lib/panic.c lib/host/*.c; do
		# shellcheck disable=SC2086	# a list of flags
		gcc -std=gnu11 $flags "$@" -I. -Iinclude -c \
			-o "$folder/objects/$(basename "$file").o" "$file" ||
			return
	done
}

# program SOURCE FLAG...
program() {
	# shellcheck disable=SC2086	# a list of flags
	g++ -std=c++20 $flags -Wpedantic -Wconversion -Wshadow "$@" -Iinclude \
		-o "$folder/program" "$folder"/objects/*.o
}

# ThreadSanitizer does not start where addresses are more random than it knows.
run() {
	timeout 600 setarch -R "$folder/program" "$@"
}

# planted NAME SED: the tests of a wait find this mistake.
planted() {
	mkdir -p "$folder/planted/jif"
	sed "$2" include/jif/coroutine.hpp >"$folder/planted/jif/coroutine.hpp"
	if cmp -s include/jif/coroutine.hpp \
		"$folder/planted/jif/coroutine.hpp" || ! program \
		test/host/coroutine.cc $address "-I$folder/planted" \
		>"$check_log" 2>&1; then
		fail "$1: it can be planted"
	elif timeout 20 "$folder/program" 200 >"$check_log" 2>&1; then
		fail "$1: it is found"
	else
		pass "$1: it is found"
	fi
}

check "for threads" engine -fsanitize=thread
check "and the coroutines" program test/host/coroutine.cc -fsanitize=thread
each "waits of coroutines" run 1500
check "for addresses" engine $address
check "with them" program test/host/coroutine.cc $address
check "the same" run 1500
planted "what is canceled before it is awaited waits" \
	's/early = .*;/early = false;/'
planted "a stop ends no waits" '/wait->result = /d'
planted "a coroutine is gone, its wait is not" 's/if (waits)/if (0)/'
planted "what is canceled ends as if it was not" \
	's/if (pending || early)/if (early)/'
planted "it ends where it is armed" 's/return suspend;/return false;/'
planted "it is early" 's/jif_job_add(this, expires)/jif_job_add(this, 0)/'

check "docs/examples/asio.cc" program docs/examples/asio.cc $address \
	-Wno-pedantic -Wno-shadow -Wno-conversion
check_same "does what it says" "fast 1 fast 2 fast 3 number 1 was first slow 1\
 slow 2 slow 3" "$(timeout 60 "$folder/program" | LC_ALL=C sort | xargs)"

finish
