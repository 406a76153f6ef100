#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/build/amalgamation.sh [OUT]
#
# The library as two files: they compile alone, without a warning, for each
# target, and pass the unit tests of the build in OUT, build/host by default. A
# third one is for C++: test/face/kernels/arduino.sh runs a sketch with it.
set -u
. test/lib.sh

out=${1-build/host}

rv32='riscv64-unknown-elf-gcc -ffreestanding -march=rv32imac_zicsr'
rv32="$rv32 -mabi=ilp32"

strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'

level=-Os
compile() {
	# shellcheck disable=SC2086 # words
	"$@" $level $strict -c "$folder/jif.c" -o "$folder/jif.o"
}

check "jif.c and jif.h are made" tools/package/amalgamate "$folder"
for cc in gcc clang "avr-gcc -mmcu=atmega328p" \
	"arm-none-eabi-gcc -mthumb -mcpu=cortex-m0 -ffreestanding" \
	"arm-none-eabi-gcc -mthumb -mcpu=cortex-m33 -ffreestanding" \
	"$rv32"; do
	# shellcheck disable=SC2086 # words
	check "jif.c: $cc" compile $cc -std=c11
done
for cc in gcc "avr-gcc -mmcu=atmega328p"; do
	# shellcheck disable=SC2086
	check "jif.c, all options: $cc" compile $cc -std=c11 \
		-DCONFIG_JIF_DEBUG=1 -DCONFIG_JIF_TRACE=1 \
		-DCONFIG_JIF_SPREAD=8
done

# Other AVRs have no such timer, and their own tick. Of the port's code, which
# alone is another one, no warning needs optimisation.
level=-O0
ticks() {
	avr-nm "$folder/jif.o" | grep -c ' T jif_port_tick$'
}
for mcu in atmega8 atmega128 attiny84 attiny85 atxmega128a1; do
	check "jif.c: avr-gcc -mmcu=$mcu" compile avr-gcc -mmcu=$mcu -std=c11
	check_same "jif.c: no tick in $mcu" 0 "$(ticks)"
done
for mcu in atmega2560 atmega32u4; do
	check "jif.c: avr-gcc -mmcu=$mcu" compile avr-gcc -mmcu=$mcu -std=c11
	check_same "jif.c: the tick of $mcu" 1 "$(ticks)"
done

# A machine without a port, and what docs/porting.md says to do.
check_fails 1 "jif.c: not without a port" compile gcc -std=c11 -ffreestanding
cp -r lib/port/none "$folder"
check "jif.c: with the port none beside it" compile gcc -std=c11 \
	-ffreestanding '-DJIF_PORT="none/jif_port.h"'

check "jif_service.c is made" tools/package/amalgamate --service \
	"$folder/service"
for header in jif.h jif.hpp service/jif_service.h; do
	printf '#include "%s"\n' $header $header
done >"$folder/use.cc"
for cxx in g++ clang++; do
	check "the headers as C++17: $cxx" $cxx -std=c++17 $strict \
		-I"$folder" -fsyntax-only "$folder/use.cc"
done

for cc in gcc clang; do
	check "jif_service.c: $cc" $cc -std=c11 $strict \
		-c "$folder/service/jif_service.c" -o "$folder/service.o"
done
check "jif_service.c: -D_GNU_SOURCE" gcc -std=c11 -D_GNU_SOURCE -Wall -Werror \
	-c "$folder/service/jif_service.c" -o "$folder/service.o"

check "jif.c, under a kernel" gcc -std=c11 -Wall -Wextra -Werror -c \
	-Itest/face/kernels/freertos/stand-in -Itest/face/kernels/freertos \
	-Ilib/port \
	'-DJIF_PORT="freertos/jif_port.h"' "$folder/jif.c" -o "$folder/jif.o"
check_same "it has what runs a wheel there" 1 \
	"$(nm --defined-only "$folder/jif.o" | grep -c ' T jif_kernel_run$')"

panics "jif.c, as a debug build" "gcc -DTWO_FILES -I$folder" "$folder/jif.c"

# With the options of that build and its machine, which is simulated.
check "jif.c, as the unit tests want it" gcc -std=c11 -O1 -Wall -Wextra \
	-Werror -I"$out/include" -Iinclude -Ilib/port -c "$folder/jif.c" \
	-DJIF_PORT='"sim/jif_port.h"' -o "$folder/jif.o"
# shellcheck disable=SC2046 # each file is a word
check "it has the place of the library in the unit tests" \
	gcc -o "$folder/unit" $(find "$out"/test/*/unit "$out/lib/face/linux" \
		"$out/lib/kit" -name '*.o') "$out/lib/port/sim/sim.o" \
	"$folder/jif.o"
check "unit, with jif.c" env LOCKSTEP_OPERATIONS=100000 "$folder/unit" 60 ""
sed -n "s/^/# /p" "$check_log"
finish
