#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/port/compare/check.sh [STRIDE]
#
# The port for counters with a compare register: each timer's header compiles
# for its core, and runs on a model of its registers. Of the places at which the
# counter starts, one in STRIDE is tried, 8 if that is not given.
#
# shellcheck disable=SC2086	# compilers and rows are lists of words
set -u
. test/lib.sh

stride=${1:-8}
case $stride in
0* | *[!0-9]*)
	echo "$0: error: STRIDE=$stride is no number from 1 on" >&2
	exit 2
	;;
esac

# compile TIMER CC...: for its core; both compilers see the same text.
compile() {
	timer=$1
	shift
	check "$timer compiles ($*)" compile_all "$@"
}

compile_all() {
	for source in lib/jiffies.c lib/port/compare/*.c; do
		"$@" -std=c11 -Wall -Wextra -Werror -Wconversion -Iinclude \
			-ffreestanding -Os -DCONFIG_JIF_COMPARE=1 \
			-DCONFIG_JIF_COMPARE_TIMER="\"$timer.h\"" \
			-DCONFIG_JIF_CLOCK_HZ="$clock" -c \
			-o "$folder/object.o" "$source" || return
	done
}

# simulate TIMER CLOCK_HZ HZ TICKLESS TICKS
simulate() {
	what="$1 at $2 Hz, $3 ticks a second"
	[ "$4" = 1 ] || what="$what, not tickless"
	check "$what" test/port/compare/run.sh "$@" "$stride"
	sed -n '/^#/p' "$check_log"
}

clock=32768
for cc in 'arm-none-eabi-gcc -mthumb' 'clang --target=armv7m-none-eabi'; do
	compile nrf_rtc $cc -mcpu=cortex-m4
	compile stm32_lptim $cc -mcpu=cortex-m4
	clock=1000000
	compile nrf_timer $cc -mcpu=cortex-m0
	compile stm32_tim $cc -mcpu=cortex-m3
	compile rp2040 $cc -mcpu=cortex-m0plus
	clock=32768
done
compile riscv_mtime riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32
compile riscv_mtime clang --target=riscv32 -march=rv32imac

for row in "nrf_rtc 32768" "nrf_timer 31250" "stm32_lptim 32768" \
	"stm32_tim 32768" "stm32_tim 16000000" "rp2040 1000000" \
	"riscv_mtime 32768" "riscv_mtime 10000000"; do
	simulate $row 1000 1 10000000
done
for row in "nrf_rtc 32768" "stm32_lptim 32768"; do
	simulate $row 1000 0 100000
done
for hz in 100 100000; do
	simulate nrf_rtc 32768 $hz 1 100000
done
check_fails 2 "a name is no stride" test/port/compare/run.sh nrf_rtc 32768 \
	1000 1 100000 nrf_rtc
check_same "which is told" "STRIDE=nrf_rtc is no number from 1 on" \
	"$(sed 's/.*error: //' "$check_log")"

finish
