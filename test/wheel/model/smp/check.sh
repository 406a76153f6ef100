#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/wheel/model/smp/check.sh [OPERATIONS]
#
# CONFIG_JIF_SMP: two threads are the cores, under ThreadSanitizer, with each
# kind of lock; the library compiles for machines that have two. Without
# OPERATIONS, a few: `make smp` does ten million.
set -u
. test/lib.sh

operations=${1-50000}

for spinlock in 0 1; do
	lock=$([ $spinlock = 0 ] && echo tickets || echo "a spinlock")
	check "$lock: each arming ends once" \
		test/wheel/model/smp/run.sh $spinlock "$operations"
	sed 's/^/# /' "$check_log"
done

# library NAME PORT CC...: it compiles, with the port for that machine.
library() {
	name=$1
	port=$2
	shift 2
	check "$name: the library" "$@" -std=c11 -Os -ffreestanding -Wall \
		-Wextra -Wconversion -Werror -DCONFIG_JIF_SMP=1 -Iinclude -r \
		-nostdlib -o "$folder/library.o" lib/*.c lib/firmware/*.c \
		lib/port/smp/*.c \
		"lib/port/$port"/*.c
}
arm='arm-none-eabi-gcc -mthumb'
# shellcheck disable=SC2086 # two words
library "RP2040" cortex-m $arm -mcpu=cortex-m0plus \
	-DCONFIG_JIF_SMP_SPINLOCK=0xd000017c
# shellcheck disable=SC2086 # two words
library "RP2350" cortex-m $arm -mcpu=cortex-m33
library "RV32" riscv riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32
# shellcheck disable=SC2086 # two words
check_fails 1 "without atomic instructions, tickets do not compile" \
	$arm -mcpu=cortex-m0plus -std=c11 -ffreestanding -Iinclude \
	-DCONFIG_JIF_SMP=1 -c -o "$folder/smp.o" lib/port/smp/smp.c
check_same "and the message says what to do" "set CONFIG_JIF_SMP_SPINLOCK" \
	"$(grep -o 'set CONFIG_JIF_SMP_SPINLOCK' "$check_log" | uniq)"

finish
