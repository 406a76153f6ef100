#!/bin/sh
# SPDX-License-Identifier: MIT
#
# jif/coroutine.hpp: waits that end and are canceled, under ThreadSanitizer and
# AddressSanitizer; planted mistakes are found; and the example with asio.
set -u
. test/lib.sh

TSAN_OPTIONS=halt_on_error=1
export TSAN_OPTIONS
# gcc 12 takes what the standard library does in a lambda for that.
flags='-g -O1 -pthread -Wall -Wextra -Werror -Wno-maybe-uninitialized
	-DCONFIG_JIF_DEBUG=1'
address=-fsanitize=address,undefined

# engine FLAG...: its objects, for that sanitizer. The wheel is one unit, which
# takes half of the time.
engine() {
	rm -rf "$folder/objects"
	mkdir "$folder/objects"
	printf '#include "%s"\n' lib/wheel*.c lib/firmware/table.c \
		lib/jiffies.c \
		lib/debug.c lib/panic.c lib/periodic*.c \
		lib/firmware/snapshot.c \
		lib/timer_delay.c >"$folder/wheel.c"
	for file in "$folder/wheel.c" lib/host/*.c; do
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

# planted NUMBER NAME: the tests of a wait find this mistake.
planted() {
	if PLANTED=$1 timeout 10 "$folder/program" 200 >"$check_log" 2>&1; then
		fail "$2: it is found"
	else
		pass "$2: it is found"
	fi
}

# With all mistakes, of which the environment chooses one, or none.
mistakes() {
	mkdir -p "$folder/planted/jif"
	sed -e 's/early = \(.*\);/early = PLANTED != 1 \&\& (\1);/
		/wait->result = /s/^/if (PLANTED != 2)/
		s/if (waits)/if (waits \&\& PLANTED != 3)/
		s/if (pending || /if ((pending \&\& PLANTED != 4) || /
		s/return suspend;/return suspend \&\& PLANTED != 5;/
		s/(this, expires)/(this, PLANTED != 6 ? expires : 0)/' \
		include/jif/coroutine.hpp >"$folder/planted/jif/coroutine.hpp"
	[ "$(grep -c 'PLANTED != ' "$folder/planted/jif/coroutine.hpp")" = 6 ]
}
chosen='(std::getenv("PLANTED")[0]-48)'

check "for threads" engine -fsanitize=thread
check "and the coroutines" program test/host/coroutine.cc -fsanitize=thread
each "waits of coroutines" run 1500
check "for addresses" engine $address
check "each mistake can be planted" mistakes
check "with them" program test/host/coroutine.cc $address \
	-O0 -g0 "-I$folder/planted" "-DPLANTED=$chosen"
check "the same" env PLANTED=0 setarch -R timeout 600 "$folder/program" 1500
planted 1 "what is canceled before it is awaited waits"
planted 2 "a stop ends no waits"
planted 3 "a coroutine is gone, its wait is not"
planted 4 "what is canceled ends as if it was not"
planted 5 "it ends where it is armed"
planted 6 "it is early"

check "docs/examples/asio.cc" program docs/examples/asio.cc $address \
	-O0 -g0 -Wno-pedantic -Wno-shadow -Wno-conversion
check_same "does what it says" "fast 1 fast 2 fast 3 number 1 was first slow 1\
 slow 2 slow 3" "$(timeout 60 "$folder/program" | LC_ALL=C sort | xargs)"

finish
