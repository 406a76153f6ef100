#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/check.sh ARCH [plain|port|unit|some|demo|hour|compare]...
#
# Builds the images for ARCH and runs them on the emulated machine: the port
# tests, plain or also without tickless idle, and with a tick handler that runs
# the wheel; the unit tests, or some, without the image that takes longer than
# all others together; the demonstration, with its wake-ups, its flash and its
# RAM against test/target/budget, for a day or an hour.
set -u
. test/lib.sh

arch=$1
shift
[ $# != 0 ] || set -- port unit demo
unset MAKEFLAGS MFLAGS MAKELEVEL
gcc=$(sed -n 's/^CROSS_COMPILE ?= //p' "tools/kbuild/arch/$arch.mk")gcc
log=$(mktemp)
trap 'rm -f "$log" "$check_log"' EXIT

# build FOLDER OPTIONS [IMAGE]: one or all; the other options are the defaults.
build() {
	mkdir -p "$1"
	printf '%s\n' "$2" >"$log"
	cmp -s "$log" "$1/.config" || cp "$log" "$1/.config"
	check "$1 builds without a warning" \
		make -s ARCH="$arch" O="$1" W=1 CFLAGS=-Werror \
		"${3:+$1/test/target/}${3:-tests}"
}

run() {
	test/target/run.sh "$arch" "$1"
}

# The port tests count one by one where the port is configured as by default.
plain() {
	each "the port tests pass" \
		run "build/$arch-target/test/target/port-test"
}

port() {
	plain
	build "build/$arch-periodic" CONFIG_JIF_TICKLESS=n port-test
	suite "port, not tickless" \
		run "build/$arch-periodic/test/target/port-test"
	build "build/$arch-vector" CONFIG_JIF_PORT_VECTOR=n port-test
	suite "port, with a handler that runs the wheel" \
		run "build/$arch-vector/test/target/port-test"
	[ "$arch" != arm-cortex-m3 ] || basepri
}

basepri() {
	options='CONFIG_JIF_CORTEX_M_BASEPRI=0x40
CONFIG_JIF_DEBUG=y
CONFIG_JIF_PORT_VECTOR=n'
	build "build/$arch-basepri" "$options" port-test
	suite "port, with BASEPRI" \
		run "build/$arch-basepri/test/target/port-test"
	build "build/$arch-compare" "$options
CONFIG_JIF_COMPARE=y
CONFIG_JIF_COMPARE_TIMER=\"../../../test/target/dual.h\"" port-test
	suite "port, with BASEPRI and a compare register" \
		run "build/$arch-compare/test/target/port-test"
}

# On the micro:bit: a counter of 16 bits, and a tick of 31.25 counts.
compare() {
	timer='CONFIG_JIF_COMPARE=y
CONFIG_JIF_COMPARE_TIMER="nrf_timer.h"
CONFIG_JIF_CLOCK_HZ=31250'
	build "build/$arch-compare" "$timer"
	suite "port, with a compare register" \
		run "build/$arch-compare/test/target/port-test"
	elf=build/$arch-compare/test/target/hour
	check "the demonstration with a compare register" run "$elf"
	cp "$check_log" "$log"
	sed 's/^/# /' "$log"
	check "and its wake-ups are within the budget" at_most \
		compare-wake-ups-hour "$(figure 'wake-ups of the processor')"
	build "build/$arch-compare-periodic" \
		"$timer
CONFIG_JIF_TICKLESS=n" port-test
	suite "port, with a compare register, not tickless" \
		run "build/$arch-compare-periodic/test/target/port-test"
}

# unit [IMAGE]: all images but that one.
unit() {
	without=${1-}
	simulated='PORT_SIM TRACE'
	# On AVR, what a debug build says takes the memory that tests need.
	[ "$arch" = avr ] || simulated="$simulated DEBUG"
	# shellcheck disable=SC2086	# options
	build "build/$arch-unit" "$(printf 'CONFIG_JIF_%s=y\n' $simulated)"
	# shellcheck disable=SC2046	# a list of names
	set -- $(find "build/$arch-unit/test/target" \
		-name 'unit*' ! -name '*.*' ! -name "$without" | sort)
	check "there are images with unit tests" test $# -gt 0
	for image; do
		suite "${image##*/}" run "$image"
	done
}

some() {
	unit unit-wheel_postpone
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

demo() {
	elf=build/$arch-target/test/target/${1:-demo}
	check "the demonstration does all its jobs, without drift" run "$elf"
	cp "$check_log" "$log"
	sed 's/^/# /' "$log"
	check_same "jiffies are those of the other clock" \
		"$(figure 'ticks by the other clock')" "$(figure ticks)"
	check "wake-ups, flash and RAM are within the budget" within_budget "$@"
	check_same "no C library is linked" "" \
		"$(grep -o 'lib[cm][-_a-z]*[.]a' "$elf.map" | sort -u)"
}

hour() {
	demo hour
}

build "build/$arch-target" ''
for part; do
	$part
done
finish
