#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/smp/check.sh [OPERATIONS]
#
# CONFIG_JIF_SMP: two threads are the cores, under ThreadSanitizer, with each
# kind of lock. Planted mistakes are found, also those in what the compilers
# make for a Cortex-M. Without OPERATIONS, a few: `make smp` does ten million.
set -u
. test/lib.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT
operations=${1-50000}
TSAN_OPTIONS=halt_on_error=1
export TSAN_OPTIONS

compile() {
	gcc -std=gnu11 -g -O1 -fsanitize=thread -pthread -Wall -Wextra \
		-Werror -DCONFIG_JIF_SMP=1 -DCONFIG_JIF_DEBUG=1 -I. -Iinclude \
		-include test/smp/host.h "$@"
}

compile_engine() {
	for file in lib/wheel*.c lib/jiffies.c lib/table.c lib/debug.c \
		test/smp/smp.c; do
		compile -c -o "$folder/objects/$(basename "$file").o" \
			"$file" || return
	done
}

# build SPINLOCK SOURCE FLAG...: a program with the lock of SOURCE: 0, tickets.
build() {
	spinlock=$1
	shift
	compile -DCONFIG_JIF_SMP_SPINLOCK="$spinlock" \
		-o "$folder/program" "$@" "$folder"/objects/*.o
}

# ThreadSanitizer does not start where addresses are more random than it knows.
launch=
threads() {
	$launch "$folder/program" "$@"
}

# planted SPINLOCK NAME FILE SED: this mistake is found, also by a loop without
# an end: that takes a minute of processor time, where others take a second.
planted() {
	rm -rf "${folder:?}/lib"
	cp -r lib "$folder"
	file=$folder/lib/port/smp/$3
	sed -i "$4" "$file"
	if cmp -s "lib/port/smp/$3" "$file" ||
		! build "$1" "$folder/lib/port/smp/smp.c" -Wno-unused
	then
		fail "$2: it can be planted"
	elif (ulimit -t 60; threads 100000) >"$check_log" 2>&1; then
		fail "$2: it is found"
	else
		pass "$2: it is found"
		sed 's/^/# /' "$check_log" | tail -n 1
	fi
}

mkdir "$folder/objects"
check "the engine compiles" compile_engine
for spinlock in 0 1; do
	lock=$([ $spinlock = 0 ] && echo tickets || echo "a spinlock")
	check "$lock: it compiles" build $spinlock lib/port/smp/smp.c
	! threads 0 2>&1 | grep -q 'unexpected memory mapping' ||
		launch='setarch -R'
	check "$lock: each arming ends once" threads "$operations"
	sed 's/^/# /' "$check_log"
done

planted 0 "the lock is not taken" smp.c '/spin_lock();/d; /spin_unlock();/d'
planted 0 "a nested call drops the lock" smp.c \
	'/if (--depth)/,+1s/.*/--depth;/'
planted 0 "who had the lock is not forgotten" smp.c '/set_owner(0);/d'
planted 0 "the lock is kept in a sleep" smp.c '/depth = 1;/,/drop();/d'
planted 0 "after a sleep, calls nest otherwise" smp.c '/depth = before;/d'
planted 0 "the lock is taken without order" spin.h s/ACQUIRE/RELAXED/
planted 0 "the lock is freed without order" spin.h s/RELEASE/RELAXED/
planted 1 "a spinlock that is taken is taken again" spin.h \
	's/while (!SPINLOCK_READ())/if (!SPINLOCK_READ())/'

# sequence FUNCTION: in which order a Cortex-M does what.
sequence() {
	echo "jif_irq_t f(jif_irq_t x) { (void)x; $1; return x; }" |
		arm-none-eabi-gcc -mthumb -mcpu=cortex-m33 -std=c11 -Os -I. \
			-Iinclude -DCONFIG_JIF_SMP=1 -S -o - -x c \
			-include lib/port/jif_port.h - |
		grep -o 'msr primask\|isb\|cpsid i\|jif_smp_[a-z]*$' | xargs
}
check_same "interrupts are off before the lock is taken" \
	"cpsid i jif_smp_take" "$(sequence 'x = jif_irq_save()')"
check_same "and on after it is dropped" \
	"jif_smp_drop msr primask" "$(sequence 'jif_irq_restore(x)')"
check_same "a window lets handlers and other cores in" \
	"jif_smp_drop msr primask isb cpsid i jif_smp_take" \
	"$(sequence 'x = jif_irq_window(x)')"

# library NAME PORT CC...: it compiles, with the port for that machine.
library() {
	name=$1
	port=$2
	shift 2
	check "$name: the library" "$@" -std=c11 -Os -ffreestanding -Wall \
		-Wextra -Wconversion -Werror -DCONFIG_JIF_SMP=1 -Iinclude -r \
		-nostdlib -o "$folder/library.o" lib/*.c lib/port/smp/*.c \
		"lib/port/$port"/*.c
}
arm='arm-none-eabi-gcc -mthumb'
# shellcheck disable=SC2086 # two words
library "RP2040" cortex-m $arm -mcpu=cortex-m0plus \
	-DCONFIG_JIF_SMP_SPINLOCK=0xd000017c
check_same "RP2040: a barrier after the lock is taken, and before it is freed" \
	"2" "$(arm-none-eabi-objdump -d "$folder/library.o" | grep -c 'dmb')"
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
