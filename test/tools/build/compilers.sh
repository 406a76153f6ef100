#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/build/compilers.sh
#
# The unit and model tests with the library of other compilers than gcc, of
# which one has no atomic operations, and on a machine that stores the most
# significant byte first; and the headers with a compiler for small processors.
set -u
. test/lib.sh

unset MAKEFLAGS MFLAGS MAKELEVEL
LOCKSTEP_OPERATIONS=20000
export LOCKSTEP_OPERATIONS

# compiler NAME RUN MAKE-ARGUMENT...: as many tests pass as with gcc. Left out
# are the long ones, which do at length what others do, and one that has the
# file of its program read, which is the emulator's there.
left_out='all_hand_positions_times_boundary_delays
	all_delays_up_to_a_day_from_awkward_positions
	a_millisecond_at_32768_hz_does_not_drift_in_an_hour
	ten_thousand_connections_idle_for_30_s_that_beat_each_5_s
	last_access_is_named_by_its_line'
last() (
	program=$1/test/wheel/$suite/quick
	shift
	# shellcheck disable=SC2086	# names of tests
	"$@" "$program" 100 '' $left_out 2>&1 | tail -n 1
)
compiler() {
	name=$1
	run=$2
	shift 2
	out=build/$name
	check "$name: the tests are built" make -s -j2 "O=$out" "$@" \
		"$out/test/wheel/unit/quick" "$out/test/wheel/model/quick"
	for suite in unit model; do
		# shellcheck disable=SC2086	# no word or one
		check_same "$name: $suite tests" "$(cat "$folder/$suite")" \
			"$(last "$out" $run)"
	done
}

check "gcc: the tests are built" make -s -j2 build/host/test/wheel/unit/quick \
	build/host/test/wheel/model/quick
for suite in unit model; do
	last build/host >"$folder/$suite"
done
check "gcc: unit tests" grep -x '[1-9][0-9]* tests' "$folder/unit"
compiler clang '' CC=clang CFLAGS=-g0
compiler tcc '' CC=test/tools/build/tcc
compiler s390x qemu-s390x CC=s390x-linux-gnu-gcc AR=s390x-linux-gnu-ar \
	CFLAGS=-g0 \
	CPPFLAGS='-idirafter /usr/include' LDFLAGS=-static
check "s390x: the other end is first" sh -c \
	'readelf -h build/s390x/test/wheel/unit/quick | grep "big endian"'

# What else a compiler is asked for that is not C11.
panics "a debug build of tcc" "tcc -Iinclude" lib/*.c lib/firmware/*.c
check "tcc: a program that spreads" tcc -Iinclude -DCONFIG_JIF_SPREAD=8 -c \
	-o "$folder/spread.o" test/tools/build/panic.c
check_fails 1 "tcc: it does not link with a library that does not" \
	tcc -Iinclude -o "$folder/spread" "$folder/spread.o" lib/*.c \
	lib/firmware/*.c
check_same "tcc: and the linker says why" CONFIG_JIF_SPREAD_8 \
	"$(grep -o CONFIG_JIF_SPREAD_8 "$check_log" | sort -u)"
check_fails 1 "tcc: no service without atomic operations" \
	tcc -Iinclude -c -o "$folder/loop.o" lib/host/loop.c
check_same "tcc: and the error says so" "needs atomic instructions" \
	"$(grep -o 'needs atomic instructions' "$check_log")"

for header in include/jif/*.h include/jif/linux/*.h; do
	name=${header#include/}
	printf '#include <%s>\nint one_thing;\n' "$name" >"$folder/alone.c"
	check "$name (sdcc)" sdcc -mz80 --std-c11 -Iinclude -c \
		-o "$folder/" "$folder/alone.c"
	echo "#include <$name>" >>"$folder/all.c"
done
for machine in mcs51 stm8; do
	check "all headers (sdcc, $machine)" sdcc -m$machine --std-c11 \
		-Iinclude -c -o "$folder/" "$folder/all.c"
done

# accesses TARGET OPTION...: where clang has no atomic instructions, it is to
# call nothing for them, and no assembler of it has to know a register's name.
{
	printf '#include "%s"\n' lib/*.c lib/firmware/*.c
	echo 'bool (*stopped)(const struct jif_table *) = jif_table_stopped;'
} >"$folder/unit.c"
accesses() {
	check "clang, $1: lib/ compiles" clang -target "$@" -std=c11 -Os \
		-ffreestanding -Iinclude -I. -S -o "$folder/unit.s" \
		"$folder/unit.c"
	check_same "clang, $1: and calls nothing for an access" "" \
		"$(grep -o -e '__atomic_[a-z0-9_]*' -e '__sync_[a-z0-9_]*' \
			-e __SREG__ "$folder/unit.s" | sort -u)"
}
accesses thumbv6m-none-eabi
accesses riscv32-none-elf -march=rv32i
accesses avr -mmcu=atmega328p
accesses msp430-elf '-DJIF_PORT="none/jif_port.h"'

# The table of docs/porting.md: each row's compiler, and what it says it is.
table() {
	sed -n '/^| compiler |/,/^$/s/^| \([a-z0-9-]* [0-9.]*\) |/\1/p' \
		docs/porting.md | while read -r cc version target _; do
		case $target in s390x*) cc=s390x-linux-gnu-$cc ;; esac
		echo "$cc $version"
	done
}
versions() {
	table | while read -r cc version; do
		command -v "$cc" >/dev/null || continue # of a package
		{ "$cc" --version || "$cc" -v; } 2>&1 |
			grep -q "[ :]$version[. ]" || echo "$cc is not $version"
	done
}
check_same "the versions are those of docs/porting.md" "" "$(versions)"
check_same "each compiler of the lists of packages has a row there" \
	"$(awk '/^(gcc|clang|tcc|sdcc)/ && $2 !~ /^clang-/ { print $2 }' \
		$(find test -name packages) | sort -u)" \
	"$(table | cut -d ' ' -f 1 | sort -u)"

finish
