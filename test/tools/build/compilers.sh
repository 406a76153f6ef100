#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/build/compilers.sh [far]
#
# The unit and model tests with the library of other compilers than gcc, of
# which one has no atomic operations, and on other machines, as programs of
# Linux. far: on all those machines, and with 10^6 operations beside the oracle.
set -u
. test/lib.sh

unset MAKEFLAGS MFLAGS MAKELEVEL
far=${1-}
LOCKSTEP_OPERATIONS=${far:+250000} # of each of four loads
export LOCKSTEP_OPERATIONS="${LOCKSTEP_OPERATIONS:-20000}"

# compiler NAME RUN MAKE-ARGUMENT...: as many tests pass as with gcc; two less
# of test/firmware/unit/table.c where pointers have 32 bits. Left out is what
# reads the file of its program, which is the emulator's there, and, but for
# far, are the long ones, which do at length what others do.
left_out=last_access_is_named_by_its_line
[ -n "$far" ] || left_out="$left_out
	all_hand_positions_times_boundary_delays
	all_delays_up_to_a_day_from_awkward_positions
	ten_thousand_connections_idle_for_30_s_that_beat_each_5_s"
last() (
	program=$1/test/wheel/$suite/quick
	shift
	# shellcheck disable=SC2086	# names of tests
	"$@" "$program" 100 '' $left_out >"$folder/last" 2>&1
	tail -n 1 "$folder/last"
)
compiler() {
	name=$1
	run=$2
	shift 2
	out=build/$name
	check "$name: the tests are built" make -s -j2 "O=$out" "$@" \
		"$out/test/wheel/unit/quick" "$out/test/wheel/model/quick"
	for suite in unit model; do
		want=$(cat "$folder/$suite")
		case "$suite, ${target-}" in
		unit*' 32 bits'*) want="$((${want% *} - 2)) tests" ;;
		esac
		# shellcheck disable=SC2086	# no word or one
		check_same "$name: $suite tests" "$want" \
			"$(last "$out" $run)"
	done
}

check "gcc: the tests are built" make -s -j2 build/host/test/wheel/unit/quick \
	build/host/test/wheel/model/quick
for suite in unit model; do
	last build/host >"$folder/$suite"
done
check "gcc: unit tests" grep -x '[1-9][0-9]* tests' "$folder/unit"
[ -n "$far" ] || {
	compiler clang '' CC=clang CFLAGS=-g0
	compiler tcc '' CC=test/tools/build/tcc
}

# The table of docs/porting.md: compiler, version, target.
table() {
	sed '1,/^| compiler |/d; /^$/,$d' docs/porting.md |
		sed -n 's/^| \([a-z0-9-]* [0-9.]*\) | \([^|]*\) |.*/\1 \2/p'
}

# machine COMPILER EMULATOR: a machine on which programs of Linux run.
cat >"$folder/machine.c" <<'END'
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
	const uint16_t one = 1;

	printf("%s-endian, %d bits at %d, %s char",
	       *(const char *)&one ? "little" : "big", (int)sizeof(void *) * 8,
	       (int)_Alignof(uintptr_t), CHAR_MIN ? "signed" : "unsigned");
}
END
# Where a time_t has 32 bits, it may have 64, too.
times='-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64'
machine() {
	name=${1%%-*}
	check "$name: a program compiles" "$1" -static -o "$folder/machine" \
		"$folder/machine.c"
	target=$(table | sed -n "s/^$1 [0-9.]* //p")
	check_same "$name: it is as docs/porting.md says" "$target" \
		"$("$2" "$folder/machine")"
	begin=$(date +%s)
	compiler "$name" "$2" "CROSS_COMPILE=${1%gcc}" CFLAGS=-g0 \
		LDFLAGS=-static "CPPFLAGS=-idirafter /usr/include $times"
	awk -v of="$name" -v s=$(($(date +%s) - begin)) '
		/^lockstep: / { sub(/.*: /, ""); n += $1; fired += $(NF - 2) }
		END { printf "# %s: %d operations beside the oracle, %d " \
			"expiries compared, %d s\n", of, n, fired, s }' \
		"$folder/last"
}
machine m68k-linux-gnu-gcc qemu-m68k
machine s390x-linux-gnu-gcc qemu-s390x
[ -z "$far" ] || {
	machine aarch64-linux-gnu-gcc qemu-aarch64
	machine arm-linux-gnueabihf-gcc qemu-arm
	machine hppa-linux-gnu-gcc qemu-hppa
	machine mips-linux-gnu-gcc qemu-mips
	machine powerpc-linux-gnu-gcc qemu-ppc
	machine riscv64-linux-gnu-gcc qemu-riscv64
	machine sparc64-linux-gnu-gcc qemu-sparc64
	finish
	exit
}

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

versions() {
	table | while read -r cc version _; do
		command -v "$cc" >/dev/null || continue # of a package
		{ "$cc" --version || "$cc" -v; } 2>&1 |
			grep -q "[ :]$version[. ]" || echo "$cc is not $version"
	done
}
check_same "the versions are those of docs/porting.md" "" "$(versions)"
check_same "each compiler of the lists of packages has a row there" \
	"$(awk '/^(gcc|clang|tcc)/ && $2 !~ /^clang-/ { print $2 }' \
		$(find test -name packages) | sort -u)" \
	"$(table | cut -d ' ' -f 1 | sort -u)"

finish
