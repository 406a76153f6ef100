#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/check.sh ARCH [port|unit|demo]...
#
# Builds the images for ARCH and runs them on the emulated machine: the port
# tests, with and without tickless idle, and with a tick handler that runs the
# wheel; the unit tests; the demonstration, with its wake-ups, its flash and its
# RAM against test/target/budget.
set -u
. test/lib.sh

arch=$1
shift
[ $# != 0 ] || set -- port unit demo
unset MAKEFLAGS MFLAGS MAKELEVEL
count='\([0-9]*\)'
defconfig=tools/kbuild/configs/${arch}_defconfig
log=$(mktemp)
trap 'rm -f "$log" "$check_log"' EXIT

# build FOLDER SED-COMMAND: all images, with a changed configuration.
build() {
	mkdir -p "$1"
	sed -e "$2" "$defconfig" >"$log"
	cmp -s "$log" "$1/.config" || cp "$log" "$1/.config"
	check "$1 builds without a warning" \
		make -s ARCH="$arch" O="$1" W=1 CFLAGS=-Werror tests
}

# images FOLDER PATTERN: those that have been built.
images() {
	find "$1/test/target" -name "$2" ! -name '*.*' | sort
}

# run_tests IMAGE: adds up what its last line says.
run_tests() {
	test/target/run.sh "$arch" "$1" >"$log" 2>&1
	status=$?
	# shellcheck disable=SC2046	# two words are wanted
	set -- "$1" $(sed -n "s/^$count passed, $count failed\$/\1 \2/p" "$log")
	echo "$1: ${2:-no} passed, ${3:-none} failed"
	if [ $# = 3 ] && [ $(($3 > 0)) = $((status != 0)) ]; then
		passed=$((passed + $2))
		failed=$((failed + $3))
	else
		fail "$1 (exit status $status)"
	fi
	[ "$status" = 0 ] || tail -n 30 "$log"
}

# simavr has no way to end with a status, nor to skip idle time.
emulator() {
	check "the emulator builds" \
		make -s ARCH=host O=build/host \
		build/host/test/target/avr/atmega328p
}

port() {
	[ "$arch" != avr ] || emulator
	build "build/$arch-target" ''
	run_tests "build/$arch-target/test/target/port-test"
	build "build/$arch-periodic" \
		's/^\(CONFIG_JIF_TICKLESS\)=y/# \1 is not set/'
	run_tests "build/$arch-periodic/test/target/port-test"
	build "build/$arch-vector" \
		's/^\(CONFIG_JIF_PORT_VECTOR\)=y/# \1 is not set/'
	run_tests "build/$arch-vector/test/target/port-test"
}

unit() {
	[ "$arch" != avr ] || emulator
	simulated='PORT_SIM\|DEBUG\|TRACE'
	build "build/$arch-unit" \
		"s/^# \(CONFIG_JIF_\($simulated\)\) is not set/\1=y/"
	for image in $(images "build/$arch-unit" 'unit*'); do
		run_tests "$image"
	done
}

# The value after "WHAT: " in the log.
figure() {
	sed -n "s/^$1: //p" "$log"
}

# Is this the compiler that the budget is for?
same_compiler() {
	case $arch in
	arm*) prefix=arm-none-eabi- ;;
	rv32) prefix=riscv64-unknown-elf- ;;
	avr) prefix=avr- ;;
	esac
	grep -q "${prefix}gcc $("${prefix}gcc" -dumpfullversion -dumpversion)" \
		test/budget/small.table
}

# at_most WHAT LIMIT FIGURE
at_most() {
	same_compiler || set -- "$1" "$(($2 * 11 / 10))" "$3"
	printf '  %-28s %8s of %8s\n' "$1" "$3" "$2"
	check "$1 is at most $2" test "$3" -le "$2"
}

budget() {
	awk -v arch="$arch" -v what="$1" \
		'$1 == arch && $2 == what { print $3 }' test/target/budget
}

# The sizes of the sections with the flag A, without the space for debugging.
section() {
	size -A "$1" | awk -v want="^[.]($2)\$" '$1 ~ want { sum += $2 }
		END { print sum + 0 }'
}

demo() {
	build "build/$arch-target" ''
	[ "$arch" != avr ] || emulator
	elf=build/$arch-target/test/target/demo
	test/target/run.sh "$arch" "$elf" >"$log" 2>&1
	status=$?
	cat "$log"
	check "$elf does all its jobs, without drift" test "$status" = 0
	check_same "jiffies are those of the other clock" \
		"$(figure 'ticks by the other clock')" "$(figure ticks)"
	at_most wake-ups "$(budget wake-ups)" \
		"$(figure 'wake-ups of the processor')"
	at_most flash "$(budget flash)" "$(section "$elf" 'text|data')"
	at_most RAM "$(budget ram)" "$(section "$elf" 'data|bss')"
	check_same "no C library is linked" "" \
		"$(grep -o 'lib[cm][-_a-z]*[.]a' "$elf.map" | sort -u)"
}

for part; do
	$part
done
finish
