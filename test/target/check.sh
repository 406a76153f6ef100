#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/check.sh ARCH PART...
#
# PART: plain, port, unit, demo, hour, clang, compare, month or week.
#
# Builds the images for ARCH and runs them on the emulated machine: the port
# tests, plain or also without tickless idle, and with a tick handler that runs
# the wheel; the unit tests; the demonstration, with its wake-ups, its flash and
# its RAM against test/target/budget, for a day or an hour, or for an hour by
# clang; or a month or a week of resets.
set -u
. test/lib.sh

arch=$1
shift
[ $# != 0 ] || set -- port unit demo
unset MAKEFLAGS MFLAGS MAKELEVEL
gcc=$(sed -n 's/^CROSS_COMPILE ?= //p' "tools/build/arch/$arch.mk")gcc
log=$folder/log

# build FOLDER OPTIONS [IMAGE MAKE-ARGUMENT...]: one or all; the other options
# are the defaults.
build() {
	tools/build/own --keep "$1"
	printf '%s\n' "$2" >"$log"
	cmp -s "$log" "$1/.config" || cp "$log" "$1/.config"
	out=$1
	image=${3:+$1/test/target/}${3:-tests}
	shift $(($# < 3 ? $# : 3))
	check "$out builds without a warning" make -s ARCH="$arch" O="$out" \
		W=1 CFLAGS=-Werror "$@" "$image"
}

run() {
	test/target/run.sh "$arch" "$1"
}

# The port tests count one by one where the port is configured as by default.
plain() {
	each "the port tests pass" \
		run "build/$arch-target/test/target/port-test"
}

# variant NAME WHAT OPTIONS: the port tests with these.
variant() {
	build "build/$arch-$1" "$3" port-test
	suite "port, $2" run "build/$arch-$1/test/target/port-test"
}

port() {
	plain
	variant periodic "not tickless, and jiffies of 32 bits" \
		'CONFIG_JIF_TICKLESS=n
CONFIG_JIF_NOW64=n'
	variant vector "with a handler that runs the wheel" \
		CONFIG_JIF_PORT_VECTOR=n
	case $arch in
	arm-cortex-m3)
		basepri='CONFIG_JIF_CORTEX_M_BASEPRI=0x40
CONFIG_JIF_DEBUG=y
CONFIG_JIF_PORT_VECTOR=n'
		variant basepri "with BASEPRI" "$basepri"
		variant compare "with BASEPRI and a compare register" \
			"$basepri
$(timer ../../../test/target/dual.h)"
		;;
	rv32) variant compare "with a compare register" \
		"$(timer riscv_mtime.h)" ;;
	avr)
		variant by-8 "TIMER1 divided by 8" CONFIG_JIF_AVR_PRESCALER=8
		variant by-1024 "TIMER1 divided by 1024" \
			'CONFIG_JIF_AVR_PRESCALER=1024
CONFIG_JIF_HZ=625'
		variant compare "with a compare register" \
			"$(timer ../../../test/target/timer1.h)
CONFIG_JIF_CLOCK_HZ=250000"
		;;
	esac
}

timer() {
	printf 'CONFIG_JIF_COMPARE=y\nCONFIG_JIF_COMPARE_TIMER="%s"\n' "$1"
}

# On the micro:bit: a counter of 16 bits, and a tick of 31.25 counts.
compare() {
	options="$(timer nrf_timer.h)
CONFIG_JIF_CLOCK_HZ=31250"
	build "build/$arch-compare" "$options"
	suite "port, with a compare register" \
		run "build/$arch-compare/test/target/port-test"
	elf=build/$arch-compare/test/target/hour
	check "the demonstration with a compare register" run "$elf"
	cp "$check_log" "$log"
	sed 's/^/# /' "$log"
	check "and its wake-ups are within the budget" at_most \
		compare-wake-ups-hour "$(figure 'wake-ups of the processor')"
	variant compare-periodic "with a compare register, not tickless" \
		"$options
CONFIG_JIF_TICKLESS=n"
}

unit() {
	build "build/$arch-unit" \
		"$(printf 'CONFIG_JIF_%s=y\n' PORT_SIM TRACE DEBUG)"
	# shellcheck disable=SC2046	# a list of names
	set -- $(find "build/$arch-unit/test/target" \
		-name 'unit*' ! -name '*.*' | sort)
	check "there are images with unit tests" test $# -gt 0
	for image; do
		suite "${image##*/}" run "$image"
	done
}

# The value after "WHAT: " in the log.
figure() {
	sed -n "s/^$1: //p" "$log"
}

budget() {
	awk -v arch="$arch" -v what="$1" \
		'$1 == arch && $2 == what { print $3 }' test/target/budget
}

# With another compiler than the budget's, a tenth more is let pass.
at_most() {
	limit=$(budget "$1")
	[ "$("$gcc" -dumpfullversion -dumpversion)" = "$(budget gcc)" ] ||
		limit=$((limit * 11 / 10))
	printf '# %-10s %8s of %8s\n' "$1" "$2" "$limit"
	test "$2" -le "$limit"
}

# The sizes of the sections with the flag A, without the space for debugging.
section() {
	size -A "$1" | awk -v want="^[.]($2)\$" '$1 ~ want { sum += $2 }
		END { print sum + 0 }'
}

# within_budget [hour]
within_budget() {
	at_most "wake-ups${1:+-$1}" \
		"$(figure 'wake-ups of the processor')" &&
		at_most flash "$(section "$elf" 'text|data')" &&
		at_most ram "$(section "$elf" 'data|bss')"
}

# In a day; or in an hour, of which the first minutes are the same.
happens() {
	case $1 in
	day) cat test/target/demo.out ;;
	hour) head -n 14 test/target/demo.out && cat test/target/hour.out ;;
	esac
}

# Of all objects, without what a debug build has besides: lib/debug.c.
ram_of_lib() {
	for source in lib/*.c lib/firmware/*.c; do
		[ "$1$source" != 0lib/debug.c ] || continue
		"$gcc" -mmcu=atmega328p -std=c11 -Os -Iinclude \
			-DCONFIG_JIF_DEBUG="$1" -c -o "$log" "$source" || return
		avr-size -A "$log"
	done | awk '/^[.](data|bss|rodata)/ { sum += $2 } END { print sum }'
}

# Its texts lie in flash.
debug_ram() {
	more=$(($(ram_of_lib 1) - $(ram_of_lib 0)))
	echo "# bytes of RAM for debugging: $more"
	test "$more" -gt 0 && test "$more" -le 200
}

demo() {
	elf=build/$arch-target/test/target/${1:-demo}
	check "the demonstration does all its jobs, without drift" run "$elf"
	cp "$check_log" "$log"
	sed 's/^/# /' "$log"
	check_same "what is to happen does" "$(happens "${1:-day}")" \
		"$(grep '^[0-9]* h' "$log" | sed 's/, [0-9]* wake-ups$//')"
	check_same "jiffies are those of the other clock" \
		"$(figure 'ticks by the other clock')" "$(figure ticks)"
	check "wake-ups, flash and RAM are within the budget" within_budget "$@"
	check_same "no C library is linked" "" \
		"$(grep -o 'lib[cm][-_a-z]*[.]a' "$elf.map" | sort -u)"
	[ "$arch" != avr ] ||
		check "debugging takes at most 200 bytes of RAM" debug_ram
}

hour() {
	demo hour
}

# By clang, for the processor of that kind that has no atomic instructions.
clang() {
	case $arch in
	arm-cortex-m0) set -- thumbv6m-none-eabi -mcpu=cortex-m0 ;;
	rv32) set -- riscv32-none-elf -march=rv32i -mabi=ilp32 ;;
	esac
	out=build/$arch-clang
	target=$1
	shift
	libgcc=$("$gcc" "$@" -print-libgcc-file-name)
	build "$out" '' hour CC=clang CFLAGS="-Werror --target=$target $*" \
		LDFLAGS="-fuse-ld=lld -L${libgcc%/*}"
	check "clang: the demonstration does all its jobs" \
		run "$out/test/target/hour"
	check_same "clang: what is to happen does" "$(happens hour)" \
		"$(sed -n '/^[0-9]* h/{s/, [0-9]* wake-ups$//;p}' "$check_log")"
}

# Of docs/examples; each boot is a reset.
month() {
	check "a ${1-month} with power cut at random loses nothing" \
		run "build/$arch-target/test/target/${1-month}"
	sed 's/^/# /' "$check_log"
}

week() {
	month week
}

build "build/$arch-target" ''
for part; do
	$part
done
finish
