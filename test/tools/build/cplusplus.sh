#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The C++ classes of jif/jif.hpp: what they do on the host, by both compilers
# and each standard; that they compile for targets without a library, need
# nothing but jif there, and no more flash than C; and that what cannot work
# does not compile.
set -u
. test/lib.sh

flags='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fno-exceptions
	-fno-rtti -Iinclude'
m3='-mthumb -mcpu=cortex-m3'
rv32='-march=rv32imac_zicsr -mabi=ilp32 -ffreestanding'

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
	for standard in c++11 c++14 c++17 c++20 c++2b; do
		# shellcheck disable=SC2086	# a list of flags
		check "$cxx -std=$standard" $cxx -std=$standard $flags -O2 \
			-o "$folder/program" test/tools/build/jif.cc \
			"$folder/main.o" "$folder/libjif.a"
		check "$cxx -std=$standard: all is right" \
			is_right "$folder/program"
	done
done
# shellcheck disable=SC2086	# a list of flags
check "with sanitizers" g++ -std=c++11 $flags -O1 \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	-o "$folder/sanitized" test/tools/build/jif.cc "$folder/main.o" \
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
	(void)!timer.add(5);
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
uint32_t first, last;
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

cat >"$folder/chrono.cc" <<'END'
#include <chrono>
#include <jif/jif.hpp>

using namespace std::chrono;
static_assert(jif::Ticks(milliseconds(5)) == 5, "");
static_assert(jif::Ticks(microseconds(5001)) == 6, "");
static_assert(jif::Ticks(hours(1)) == 3600000, "");
static_assert(jif::Ticks(duration<double>(0.0101)) == 11, "");
static_assert(jif::Ticks(hours::max()) == JIF_FOREVER - 1, "");
static_assert(jif::Ticks(hours::min()) == 0, "");
END
check "durations of the standard library" g++ -std=c++11 -Iinclude \
	-fsyntax-only "$folder/chrono.cc"

# Right before constructors run, as the compiler has to say and a program sees.
cat >"$folder/constant.cc" <<'END'
#include <jif/jif.hpp>

extern jif_wheel wheel;
extern jif_workqueue queue;
struct Lamp {
	void off() { on = false; }

	bool on;
};
static Lamp lamp;
static unsigned calls;
static void fn()
{
	calls++;
}
JIF_CONSTINIT jif::StaticTimer a(wheel, fn);
JIF_CONSTINIT jif::StaticTimer b(wheel, jif::member<Lamp, &Lamp::off>(&lamp));
JIF_CONSTINIT jif::Static<jif::TimerBase, 0> c(wheel, [] { fn(); });
JIF_CONSTINIT jif::StaticWork d(queue, [](jif::WorkBase &w) { w.queue(); }, 1);
END
for cxx in g++ clang++ "arm-none-eabi-g++ $m3" \
	"riscv64-unknown-elf-g++ $rv32"; do
	# shellcheck disable=SC2086	# lists of flags
	check "constinit: ${cxx%% *}" $cxx -std=c++20 $flags -Os -c \
		-o "$folder/constant.o" "$folder/constant.cc"
	check_same "no code to start: ${cxx%% *}" "" \
		"$(nm "$folder/constant.o" | grep -i 'global\|atexit\|dso')"
done
cat >"$folder/early.cc" <<'END'
#include "constant.cc"

jif_wheel wheel;
jif_workqueue queue;
static int early()
{
	jif_wheel_init(&wheel, 0);
	jif_workqueue_init(&queue, &wheel);
	lamp.on = true;
	return a.add(5) + b.add(5) + c.add(5) + !d.queue() +
	       (jif_wheel_run(&wheel, 5) != 3) + lamp.on + (calls != 2) +
	       (jif_workqueue_run(&queue, 9) != 1) + !d.pending();
}
struct Early {
	int wrong = early();
};
__attribute__((init_priority(101))) Early first;
int main()
{
	return first.wrong;
}
END
check "a program that uses them before" g++ -std=c++20 -Iinclude \
	-o "$folder/early" "$folder/early.cc" "$folder/libjif.a"
check "is right" "$folder/early"

# Objects in C and, with the same calls, in C++: code, and what is copied to
# memory.
bytes() {
	arm-none-eabi-size "$folder/flash.o" | awk 'NR == 2 { print $1 + $2 }'
}
for object in $(sed -n 's/^#ifdef //p' test/tools/build/flash.c); do
	# shellcheck disable=SC2086	# a list of flags
	arm-none-eabi-gcc -std=c11 $m3 -Os -Iinclude "-D$object" -c \
		-o "$folder/flash.o" test/tools/build/flash.c
	c=$(bytes)
	# shellcheck disable=SC2086	# a list of flags
	check "$object in C++" arm-none-eabi-g++ -std=c++20 $m3 -Os $flags \
		"-D$object" -fno-use-cxa-atexit -c -o "$folder/flash.o" \
		test/tools/build/flash.cc
	check "$object: $c bytes of flash in C, $(bytes) in C++" \
		[ "$(bytes)" -le "$c" ]
done

# target NAME STANDARDS CXX...: what it needs is jif's, or what any compiler
# calls.
target() {
	name=$1
	standards=$2
	shift 2
	for standard in $standards; do
		# shellcheck disable=SC2086	# a list of flags
		check "$name -std=$standard" "$@" -std=$standard $flags -Os \
			-fno-threadsafe-statics -c -o "$folder/$name.o" \
			test/tools/build/jif.cc
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

target avr 'c++11 c++14' avr-g++ -mmcu=atmega328p
target cortex-m0 'c++11 c++23' arm-none-eabi-g++ -mthumb -mcpu=cortex-m0 \
	-ffreestanding
# shellcheck disable=SC2086	# a list of flags
target rv32 'c++11 c++23' riscv64-unknown-elf-g++ $rv32

# NAME; WHY, and a STATEMENT: it does not compile, and the message says why.
while IFS=';' read -r name why && read -r statement; do
	cat >"$folder/refused.cc" <<-END
		#include <jif/jif.hpp>
		extern jif::Wheel wheel;
		extern jif::Timer timer;
		extern jif_workqueue queue;
		extern jif::Work work;
		struct S { ~S() {} void f() const {} };
		template <typename T> T &&moved(T &t)
		{
			return static_cast<T &&>(t);
		}
		void f(S s, int *a, int *b, int *c)
		{
			$statement;
		}
	END
	# shellcheck disable=SC2086	# a list of flags
	g++ -std=c++20 $flags -Wno-unused -fsyntax-only "$folder/refused.cc" \
		2>"$folder/message"
	check "$name does not compile, and the message tells why" \
		grep -q "error: .*${why# }" "$folder/message"
done <<'END'
three captures; no room for so large captures
jif::Timer t(wheel, [a, b, c] { *a = *b = *c; });
a capture where there is no room; no room for captures
jif::Static<jif::TimerBase, 0> t(wheel, [a] { ++*a; });
a capture with a destructor; captures are copied byte by byte
jif::Timer t(wheel, [s] { (void)s; });
a callback that takes what it does not get; no matching function
jif::Timer t(wheel, [](int) {});
a member function that is const; no matching function
jif::Timer t(wheel, jif::member<S, &S::f>(&s));
a timer on a queue; no matching function
jif::Timer t(queue, [] {});
work on a wheel; no matching function
jif::Work t(wheel, [] {});
a copy of a timer; deleted function
jif::Timer t(timer);
a timer that is moved; deleted function
jif::Timer t(moved(timer));
a timer that is assigned; deleted function
timer = moved(timer);
a timer that takes from work; cannot convert
timer.take(work);
a wheel that is copied; deleted function
jif::Wheel w(wheel);
half a millisecond; invalid operands
timer.add_in(JIF_MS(0.5));
a static wheel that is constinit; does not have a constant initializer
JIF_CONSTINIT static jif::Wheel w;
captures that are constinit; does not have a constant initializer
JIF_CONSTINIT static jif::StaticTimer t(wheel, [a] { ++*a; });
a delay that is an address; cannot convert
timer.add_in(a);
END

finish
