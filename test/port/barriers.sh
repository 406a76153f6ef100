#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/port/barriers.sh [ARCH|basepri|smp]...
#
# The barriers of the Cortex-M port, in what the compiler has made of it, and in
# which order it masks and locks: no emulator shows that one is missing. The
# sections are those of Arm's v7-M manual, DDI 0403E.
set -u
. test/lib.sh

unset MAKEFLAGS MFLAGS MAKELEVEL

# list ARCH FOLDER BASEPRI: builds the library; its instructions, on one line.
list() {
	O=$2
	tools/build/own --keep "$O"
	echo "CONFIG_JIF_CORTEX_M_BASEPRI=$3" >"$O/.config"
	make -s ARCH="$1" O="$O" "$O/libjif.a" >&2 &&
		arm-none-eabi-objdump -d --no-show-raw-insn "$O/libjif.a" |
		awk -F '\t' 'NF > 1 { printf "%s %s;", $2, $3 }'
}

has() {
	check "$1" grep -q "$2" "$code"
}

has_not() {
	check_fails 1 "$1" grep -q "$2" "$code"
}

code=$folder/code
reg='[a-z0-9]*'

primask() {
	has "$1: a window lets in what is pending (B5.2.3)" \
		"msr PRIMASK, $reg;isb sy;cpsid i;"
	has_not "$1: there is no window without" "msr PRIMASK, $reg;cpsid i;"
}

basepri() {
	raise="\([^;]*;\)\{0,1\}msr BASEPRI_MAX"
	has "BASEPRI: a window lets in what is pending (B5.2.3)" \
		"msr BASEPRI, $reg;isb sy;$raise, $reg;"
	has_not "BASEPRI: there is no window without" \
		"msr BASEPRI, $reg;msr BASEPRI_MAX, $reg;"
	has "BASEPRI: a sleep begins with it at 0 (B1.5.19)" \
		"cpsid i;msr BASEPRI, $reg;"
	has "BASEPRI: an urgent handler runs right after a sleep" \
		"jif_port_sleep>;\([^;]*;\)\{0,2\}$on"
}

# sequence FUNCTION: in which order a Cortex-M does what.
sequence() {
	echo "jif_irq_t f(jif_irq_t x) { (void)x; $1; return x; }" |
		arm-none-eabi-gcc -mthumb -mcpu=cortex-m33 -std=c11 -Os -I. \
			-Iinclude -DCONFIG_JIF_SMP=1 -S -o - -x c \
			-include lib/port/jif_port.h - |
		grep -o 'msr primask\|isb\|cpsid i\|jif_smp_[a-z]*$' | xargs
}

smp() {
	check_same "SMP: interrupts are off before the lock is taken" \
		"cpsid i jif_smp_take" "$(sequence 'x = jif_irq_save()')"
	check_same "SMP: and on after it is dropped" \
		"jif_smp_drop msr primask" "$(sequence 'jif_irq_restore(x)')"
	check_same "SMP: a window lets handlers and other cores in" \
		"jif_smp_drop msr primask isb cpsid i jif_smp_take" \
		"$(sequence 'x = jif_irq_window(x)')"
	for cc in "arm-none-eabi-gcc -mthumb" \
		"clang --target=thumbv6m-none-eabi"; do
		$cc -mcpu=cortex-m0plus -std=c11 -Os -Iinclude -ffreestanding \
			-fno-inline -DCONFIG_JIF_SMP=1 \
			-DCONFIG_JIF_SMP_SPINLOCK=0xd000017c -S \
			-o "$code" lib/port/smp/smp.c
		name=${cc%% *}
		check_same "SMP, $name: a barrier at each end of a spinlock" \
			2 "$(grep -c 'dmb' "$code")"
	done
}

# BASEPRI first: the others are still off.
on="msr BASEPRI, $reg;msr PRIMASK, $reg;isb sy;"

[ $# != 0 ] || set -- arm-cortex-m0 arm-cortex-m3 basepri smp
for what; do
	case $what in
	smp)
		smp
		continue
		;;
	basepri)
		list arm-cortex-m3 build/barriers-basepri 0x40 >"$code"
		basepri
		;;
	*)
		list "$what" "build/barriers-$what" 0x0 >"$code"
		primask "$what"
		;;
	esac
	has "$what: writes are done before a sleep" 'dsb sy;wfi ;isb sy;'
done
finish
