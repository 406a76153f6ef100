#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The C++ classes of jif/jif.hpp: what they do on the host, by both compilers
# and each standard; that they compile for targets without a library, and need
# nothing but jif there; and that what cannot work does not compile.
set -u
. test/lib.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT
flags='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fno-exceptions
	-fno-rtti -Iinclude'

cat >"$folder/main.c" <<'END'
#include <stdbool.h>
#include <stdio.h>

void test_all(void);

void check(const char *name, bool right)
{
	static unsigned count;

	printf("%sok %u - %s\n", right ? "" : "not ", ++count, name);
}

int main(void)
{
	test_all();
	return 0;
}
END
cp build/host/libjif.a "$folder"
gcc -c -o "$folder/main.o" "$folder/main.c"

is_right() {
	"$1" >"$folder/said" && ! grep '^not ' "$folder/said"
}

for cxx in g++ clang++; do
	for standard in c++11 c++14 c++17 c++20; do
		# shellcheck disable=SC2086	# a list of flags
		check "$cxx -std=$standard" $cxx -std=$standard $flags -O2 \
			-o "$folder/program" test/build/jif.cc \
			"$folder/main.o" "$folder/libjif.a"
		check "$cxx -std=$standard: all is right" \
			is_right "$folder/program"
	done
done
# shellcheck disable=SC2086	# a list of flags
check "with sanitizers" g++ -std=c++11 $flags -O1 \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	-o "$folder/sanitized" test/build/jif.cc "$folder/main.o" \
	"$folder/libjif.a"
each "they run with sanitizers" "$folder/sanitized"

cat >"$folder/throws.cc" <<'END'
#include <cstdlib>
#include <exception>
#include <jif/jif.hpp>

int main()
{
	jif::Wheel wheel(0);
	jif::Timer timer(wheel, [] { throw 1; });

	std::set_terminate([] { std::_Exit(7); });
	timer.add(5);
	try {
		wheel.run(9);
	} catch (int) {
	}
}
END
check "a callback that throws" g++ -std=c++11 -Iinclude -o "$folder/throws" \
	"$folder/throws.cc" "$folder/libjif.a"
check_fails 7 "ends the program" "$folder/throws"

cat >"$folder/static.cc" <<'END'
#include <jif/jif.hpp>

static jif::Wheel wheel;
static jif_workqueue queue;
jif_catchup policy = JIF_CATCHUP_SKIP;
unsigned priority = 1;
bool (*fn)();
static jif::Timer timer(wheel, [] {});
static jif::Periodic periodic(wheel, [] {}, policy);
static jif::Work work(queue, [] {}, priority);

bool any()
{
	return timer.pending() || periodic.pending() || work.pending();
}
END
for cxx in g++ clang++; do
	# shellcheck disable=SC2086	# a list of flags
	check "names as in the header: $cxx" $cxx -std=c++11 $flags \
		-fsyntax-only "$folder/static.cc"
done

# target NAME CXX...: what it needs is jif's, or what any compiler calls.
target() {
	name=$1
	shift
	for standard in c++11 c++14; do
		# shellcheck disable=SC2086	# a list of flags
		check "$name -std=$standard" "$@" -std=$standard $flags -Os \
			-c -o "$folder/$name.o" test/build/jif.cc
		check_same "$name -std=$standard needs jif only" "" \
			"$(nm -u "$folder/$name.o" |
				grep -v ' jif_\| check$\| mem[a-z]*$\| __do_')"
	done
	check "$name: static objects" "$@" -std=c++11 -Iinclude -Os \
		-fno-exceptions -fno-use-cxa-atexit -c \
		-o "$folder/static.o" "$folder/static.cc"
	check_same "$name: static objects need jif only" "" \
		"$(nm -u "$folder/static.o" |
			grep -v ' jif_\| mem[a-z]*$\| __do_')"
}

target avr avr-g++ -mmcu=atmega328p
target cortex-m0 arm-none-eabi-g++ -mthumb -mcpu=cortex-m0 -ffreestanding

# refused NAME WHY STATEMENT: it does not compile, and the message says why.
refused() {
	printf '#include <jif/jif.hpp>\nvoid f(jif::Wheel &wheel)\n{\n%s\n}\n' \
		"$3" >"$folder/refused.cc"
	# shellcheck disable=SC2086	# a list of flags
	g++ -std=c++11 $flags -fsyntax-only "$folder/refused.cc" \
		2>"$folder/message"
	check "$1 does not compile, and the message tells why" \
		grep -q "error: .*$2" "$folder/message"
}

refused "three captures" 'captures are two pointers at most' \
	'int a, b, c; jif::Timer t(wheel, [&a, &b, &c] { a = b = c = 0; });'
refused "a capture that is not to be copied byte by byte" \
	'captures are copied byte by byte' \
	'struct S { ~S() {} } s; jif::Timer t(wheel, [s] { (void)s; });'
refused "a copy of a timer" 'deleted function' \
	'jif::Timer t(wheel, [] {}); jif::Timer u(t);'

finish
