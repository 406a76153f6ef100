#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/trace/check.sh
#
# Without CONFIG_JIF_TRACE, hooks cost nothing: the same objects, byte by byte,
# as from sources that have none.
set -u
. test/lib.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT

# objects NAME COMPILER...
objects() {
	name=$1
	shift
	for source in wheel.c wheel_sleep.c sched.c; do
		(cd lib && "$@" -c $source -o "$folder/with.o") &&
			(cd "$folder/lib" && "$@" -c $source -o ../without.o)
		check "no trace of hooks that are off: $source, $name" \
			cmp "$folder/with.o" "$folder/without.o"
		rm -f "$folder"/*.o
	done
}

cp -r lib "$folder"
sed -i '/^	*trace\(_[a-z]*\)*(.*);$/d' "$folder"/lib/*.c
check "hooks are lines of their own" \
	test "$(diff lib "$folder/lib" | grep -c '^<')" -gt 10
objects gcc gcc -std=c11 -O2 -I"$PWD/include" -DJIF_PORT='"sim/jif_port.h"'
objects clang clang -std=c11 -O2 -I"$PWD/include" -DJIF_PORT='"sim/jif_port.h"'
objects cortex-m3 arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -std=c11 -Os \
	-ffreestanding -I"$PWD/include"
objects avr avr-gcc -mmcu=atmega328p -std=c11 -Os -ffreestanding \
	-I"$PWD/include"
finish
