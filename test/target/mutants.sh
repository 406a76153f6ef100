#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/mutants.sh [ARCH...]
#
# Are the port tests any good? Plants one mistake after the other in a copy of
# the tree, runs the port tests, and lists which of them find it. A mistake that
# none finds is a failure, and so is one that does not build.
#
# Found is what fails an assertion, panics or faults, or takes more instructions
# than the machine is given: several times what it takes without a mistake. How
# long the run lasts does not matter; and that can be seen here too: a mistake
# that is none has to go unfound.
set -u
. test/lib.sh

top=$PWD
copy=$(mktemp -d)
trap 'rm -rf "$copy" "$check_log"' EXIT
copy_tree "$copy"
unset MAKEFLAGS MFLAGS MAKELEVEL
export TARGET_LIMIT=400000000

arch=
cortex_m=lib/port/cortex-m
riscv=lib/port/riscv
avr=lib/port/avr
reasons='s/^# \(.*::[a-z_]*\): .*/\1/p
	/^panic: \|^fault$\|^trap$\|^over the limit of /p'

# Runs the port tests of the copy: 0 if they pass; 1 if something is found,
# which goes to $copy/caught; 2 if they do not build, or end for no good reason.
run() {
	image=build/$arch/test/target/port-test
	make -s ARCH="$arch" "$image" >"$copy/log" 2>&1 || return 2
	test/target/run.sh "$arch" "$image" >"$copy/log" 2>&1
	run_status=$?
	sed -n "$reasons" "$copy/log" | sort -u >"$copy/caught"
	case $run_status in
	0) return 0 ;;
	1 | 3) test -s "$copy/caught" && return 1 ;;
	esac
	echo "exit status $run_status" >>"$copy/log"
	return 2
}

# plant STATUS WHAT FILE SED-COMMAND: run() has to return that.
plant() {
	cp "$3" "$copy/saved"
	sed -i "$4" "$3"
	if cmp -s "$3" "$copy/saved"; then
		fail "$arch: $2: there is nothing to change in $3"
		return
	fi
	run
	if [ $? = "$1" ]; then
		pass "$arch: $2"
		sed 's/^/#     /' "$copy/caught"
	else
		fail "$arch: $2"
		tail -n 30 "$copy/log" | sed 's/^/#     /'
	fi
	cp "$copy/saved" "$3"
}

mutant() {
	plant 1 "$@"
}

mutants_cortex_m() {
	mutant "restore does nothing" $cortex_m/jif_port.h \
		's/"msr primask, %0"/""/'
	mutant "restore always turns interrupts on" $cortex_m/jif_port.h \
		's/"msr primask, %0"/"cpsie i"/'
	mutant "save does not turn interrupts off" $cortex_m/jif_port.h \
		's/\\n\\tcpsid i//'
	mutant "in_irq is always false" $cortex_m/jif_port.h \
		's/return exception;/return false;/'
	mutant "each tick is counted twice" $cortex_m/cortex_m.c \
		'/^void jif_port_tick/,/^}/s/jif_tick()/jif_ticks(2)/'
	mutant "the tick that ends a sleep is counted twice" \
		$cortex_m/cortex_m.c \
		's/jif_ticks(length - 1)/jif_ticks(length)/'
	mutant "a sleep is not counted" $cortex_m/cortex_m.c \
		's/^\tjif_ticks(ticks);/\t(void)ticks;/'
	mutant "sleep without another look" $cortex_m/cortex_m.c \
		's/^\t\tjif_port_sleep();/__asm__("cpsie i; isb; cpsid i");&/'
	mutant "the end of a sleep that was cut short is not aligned" \
		$cortex_m/cortex_m.c 's/^\tSYST_VAL = 0;$//'
	mutant "a sleep that was cut short is not counted" \
		$cortex_m/cortex_m.c 's/jif_ticks(length - 1 - ahead);//'
	mutant "LOAD written too late is not noticed" $cortex_m/cortex_m.c \
		's/is_pending() && counts_left() < COUNTS/0/'
}

mutants_riscv() {
	mutant "restore does nothing" $riscv/jif_port.h \
		's/"csrs mstatus, %0"/""/'
	mutant "restore always turns interrupts on" $riscv/jif_port.h \
		's/return flags & 8;/return flags | 8;/'
	mutant "each tick is counted twice" $riscv/riscv.c \
		's/jif_ticks(passed - leave);/jif_ticks(2 * (passed - leave));/'
	mutant "a tick is counted again after a sleep" $riscv/riscv.c \
		's/count_passed(1);/jif_ticks(1);&/'
	mutant "the time of a late handler is lost" $riscv/riscv.c \
		's/last += (passed - leave) \* COUNTS;/last = read_mtime();/'
	mutant "sleep without another look" $riscv/riscv.c \
		's/("wfi"/("csrsi mstatus, 8\\n\\tcsrci mstatus, 8\\n\\twfi"/'
	mutant "mtimecmp has 32 bits" $riscv/riscv.c \
		's/^\tMTIMECMP_HIGH = .*next >> 32.*/\tMTIMECMP_HIGH = 0;/'
}

mutants_avr() {
	mutant "restore does nothing" $avr/jif_port.h \
		's/"out __SREG__, %0/"/'
	mutant "restore always turns interrupts on" $avr/jif_port.h \
		's/"out __SREG__, %0/"sei/'
	mutant "jif_now() without its guard" lib/jiffies.c \
		'/^uint32_t jif_now/,/^}/{s/jif_irq_save()/0/;/jif_irq_rest/d}'
	mutant "each tick is counted twice" $avr/avr.c \
		's/^\t\tjif_ticks(ticks);/&jif_ticks(ticks);/'
	mutant "sleep without another look" $avr/avr.c \
		's/"sei\\n\\tsleep/"sei\\n\\tnop\\n\\tnop\\n\\tsleep/'
	mutant "handlers see the time before the sleep" $avr/avr.c \
		's/if (asleep)/if (0)/'
	mutant "a sleep is not counted" $avr/avr.c \
		'/^void jif_port_idle/,/^}/s/^\tcount_passed();//'
	mutant "the tick begins when its handler runs" $avr/avr.c \
		's/last += ticks \* [A-Z_]*;/last = TCNT1;/'
	mutant "a sleep as long as the counter" $avr/avr.c \
		's/ticks > MOST/ticks > 70000/'
}

[ $# != 0 ] || set -- arm-cortex-m3 rv32 avr
mkdir "$copy/build"
ln -s "$top/build/host" "$copy/build/host"
cd "$copy" || exit 1
for arch; do
	plant 0 "a mistake that is none is not found" lib/jiffies.c \
		'$s|$|\n/* nothing */|'
	case $arch in
	arm-*) mutants_cortex_m ;;
	rv32) mutants_riscv ;;
	avr) mutants_avr ;;
	esac
done
cd "$top" || exit 1
finish
