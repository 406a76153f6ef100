#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/mutants.sh [ARCH...]
#
# Are the port tests any good? Plants one mistake after the other in a copy of
# the tree, runs the port tests, and lists which of them find it. A mistake that
# none finds is a failure, and so is one that does not build; and the copy as it
# is has to pass.
set -u
. test/lib.sh

top=$PWD
copy=$(mktemp -d)
trap 'rm -rf "$copy" "$check_log"' EXIT
{ git ls-files -co --exclude-standard 2>/dev/null ||
	find . -name build -prune -o -type f -print; } |
	tar cf - -T - | tar xf - -C "$copy"
unset MAKEFLAGS MFLAGS MAKELEVEL
export TARGET_TIMEOUT=20

arch=
cortex_m=lib/port/cortex-m
riscv=lib/port/riscv
avr=lib/port/avr

# Runs the port tests of the copy; their names go to $copy/caught.
run() {
	image=build/$arch/test/target/port-test
	make -s ARCH="$arch" "$image" >"$copy/log" 2>&1 || return 2
	status=0
	test/target/run.sh "$arch" "$image" >"$copy/log" 2>&1 || status=1
	{
		sed -n 's/^FAIL: \([^:]*\):.*/\1/p' "$copy/log"
		tail -n 1 "$copy/log" | grep -q ' failed$' ||
			echo "(it never ends, or crashes)"
	} | sort -u >"$copy/caught"
	return $status
}

# mutant WHAT FILE SED-COMMAND
mutant() {
	what=$1
	file=$2
	cp "$file" "$copy/saved"
	sed -i "$3" "$file"
	if cmp -s "$file" "$copy/saved"; then
		fail "$arch: $what: there is nothing to change in $file"
		return
	fi
	run
	case $? in
	0) fail "$arch: $what: no test finds it" ;;
	1)
		pass
		echo "$arch: $what:"
		sed 's/^/    /' "$copy/caught"
		;;
	*)
		fail "$arch: $what: does not build"
		tail -n 5 "$copy/log"
		;;
	esac
	cp "$copy/saved" "$file"
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
make -s ARCH=host O=build/host build/host/test/target/avr/atmega328p
mkdir -p "$copy/build/host/test/target/avr"
cp build/host/test/target/avr/atmega328p "$copy/build/host/test/target/avr"
cd "$copy" || exit 1
for arch; do
	TARGET_TIMEOUT=20
	check "$arch: the port as it is passes" run
	TARGET_TIMEOUT=5
	case $arch in
	arm-*) mutants_cortex_m ;;
	rv32) mutants_riscv ;;
	avr) mutants_avr ;;
	esac
done
cd "$top" || exit 1
finish
