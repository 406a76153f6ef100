#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/docs/examples/blink.sh
#
# docs/board.md: each board's firmware compiles as the page says, without the
# project's build; on the emulated one the LED changes each half second, by a
# clock of the machine that jif does not use.
set -u
. test/lib.sh
guard=$PWD/test/tools/docs/examples/guard.c

# build BOARD [ARGUMENT...]: with and without a look for misuse are beside each
# other, in any folder.
build() {
	board=$1
	shift
	make -s -C docs/examples/blink BUILD="$folder" BOARD="$board" "$@"
}

for name in nrf52 stm32f4 uno qemu; do
	check "a firmware for $name" build $name
	check "a firmware for $name that looks for misuse" build $name DEBUG=1
	for out in $name $name-debug; do
		check_same "the image is whole: $out" 00000001FF "$(tail -n 1 \
			"$folder/$out/blink.hex" | tr -d ':\r')"
	done
	check_fails 1 "they differ: $name" cmp "$folder/$name/blink.hex" \
		"$folder/$name-debug/blink.hex"
done
check_fails 2 "a board that is not there" build stm32f5
check_same "make says so, and which there are" \
	"no board stm32f5: BOARD is one of nrf52 qemu stm32f4 uno" \
	"$(sed -n 's/.*\(no board .*uno\).*/\1/p' "$check_log")"

# blinks [DEBUG]: what it does in three seconds.
blinks() {
	check "a firmware with a guard$1" build qemu BUILD="$folder/guard" \
		LDFLAGS="$guard -Wl,--wrap=jif_port_sleep" ${1:+DEBUG=1}
	check_same "it blinks$1" "00.50 s on
01.00 s off
01.50 s on
02.00 s off
02.50 s on" "$(TARGET_LIMIT=100000 test/target/run.sh arm-cortex-m3 \
		"$folder/guard/qemu${1:+-debug}/blink.elf" 2>&1 | head -n 5)"
}
blinks ''
blinks ', and looks for misuse'

finish
