#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program in docs/scheduler.md compiles for the host and for each target,
# without a warning, and says on the simulated machine what the page says.
set -u
. test/lib.sh

page=docs/scheduler.md
board=test/tools/docs/scheduler
warnings="-std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -I$board"

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' $page \
	>"$folder/firmware.c"
awk '/^```c$/ { c = 1; next } /^```$/ { if (c) { c = 0; next } on = !on; next }
	on' $page >"$folder/want"

check "it compiles and links the library" gcc $warnings \
	-o "$folder/firmware" "$folder/firmware.c" $board/board.c \
	build/host/libjif.a
for cc in arm-none-eabi-gcc riscv64-unknown-elf-gcc avr-gcc; do
	check "it compiles with $cc" $cc $warnings -ffreestanding -c \
		-o "$folder/firmware.o" "$folder/firmware.c"
done
check_same "it says what the page says" "$(cat "$folder/want")" \
	"$("$folder/firmware")"

finish
