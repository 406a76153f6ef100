#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program in docs/scheduler.md compiles for each target without a warning.
set -u
. test/lib.sh

page=docs/scheduler.md
board=test/tools/docs/scheduler
warnings="-std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -I$board"

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' $page \
	>"$folder/firmware.c"

for cc in arm-none-eabi-gcc riscv64-unknown-elf-gcc avr-gcc; do
	check "it compiles with $cc" $cc $warnings -ffreestanding -c \
		-o "$folder/firmware.o" "$folder/firmware.c"
done

finish
