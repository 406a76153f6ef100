#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/mutants.sh [systick|mtime|basepri|barriers|ARCH]...
#
# Are the port tests any good? Plants one mistake after the other in a copy of
# the tree, runs the port tests, and lists which of them find it: on the model
# of a timer (test/port/host/run.sh); on the machine of that ARCH, where the
# mistake is one of instructions, also with BASEPRI; or in what the compiler has
# made of it (test/port/barriers.sh), where that does not show either. A mistake
# that none finds is a failure, and so is one that does not build.
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

cortex_m=lib/port/cortex-m
riscv=lib/port/riscv
avr=lib/port/avr
reasons='s/^# \(.*::[a-z_]*\): .*/\1/p
	/^panic: \|^fault\|^trap$\|^over the limit of /p'

# Runs the port tests of the copy: 0 if they pass; 1 if something is found,
# which goes to $copy/caught; 2 if they do not build, or end for no good reason.
run() {
	: >"$copy/caught"
	case $on in
	systick | mtime) on_model ;;
	barriers) on_barriers ;;
	basepri) on_machine arm-cortex-m3 build/basepri ;;
	*) on_machine "$on" "build/$on" ;;
	esac
	case $? in
	0) return 0 ;;
	1 | 3) test -s "$copy/caught" && return 1 ;;
	esac
	echo "it ended for no good reason" >>"$copy/log"
	return 2
}

on_model() {
	test/port/host/run.sh "$on" >"$copy/log" 2>&1
	on_model=$?
	[ $on_model != 1 ] || sed -n 's/^# //p' "$copy/log" >"$copy/caught"
	return $on_model
}

on_barriers() {
	test/port/barriers.sh basepri >"$copy/log" 2>&1
	on_barriers=$?
	sed -n 's/^not ok [0-9]* - //p' "$copy/log" >"$copy/caught"
	return $on_barriers
}

# on_machine ARCH FOLDER
on_machine() {
	image=$2/test/target/port-test
	make -s ARCH="$1" O="$2" "$image" >"$copy/log" 2>&1 || return 2
	test/target/run.sh "$1" "$image" >"$copy/log" 2>&1
	on_machine=$?
	sed -n "$reasons" "$copy/log" | sort -u >"$copy/caught"
	return $on_machine
}

# plant STATUS WHAT FILE SED-COMMAND: run() has to return that.
plant() {
	cp "$3" "$copy/saved"
	sed -i "$4" "$3"
	if cmp -s "$3" "$copy/saved"; then
		fail "$on: $2: there is nothing to change in $3"
		return
	fi
	run
	if [ $? = "$1" ]; then
		pass "$on: $2"
		sed 's/^/#     /' "$copy/caught"
	else
		fail "$on: $2"
		tail -n 30 "$copy/log" | sed 's/^/#     /'
	fi
	cp "$copy/saved" "$3"
}

mutant() {
	plant 1 "$@"
}

mutants_cortex_m() {
	mutant "restore does nothing" $cortex_m/jif_port.h \
		'/jif_irq_restore(/,/^}/s/"msr " JIF_IRQ_MASK ", %0"/""/'
	mutant "restore always turns interrupts on" $cortex_m/jif_port.h \
		'/jif_irq_restore(/,/^}/s/"msr " JIF_IRQ_MASK ", %0"/"cpsie i"/'
	mutant "save does not turn interrupts off" $cortex_m/jif_port.h \
		's/"cpsid i"/""/'
	mutant "in_irq is always false" $cortex_m/jif_port.h \
		's/return exception;/return false;/'
	mutant "sleep without another look" $cortex_m/sleep.c \
		's/"dsb/"cpsie i\\n\\tisb\\n\\tcpsid i\\n\\tdsb/'
}

mutants_basepri() {
	mutant "save does not turn interrupts off" $cortex_m/jif_port.h \
		's/msr basepri_max, %0/@ %0/'
	mutant "SysTick is too urgent" $cortex_m/cortex_m.c \
		's/SHPR_SYSTICK = .*/;/'
	mutant "a handler that is too urgent may call" $cortex_m/urgent.c \
		's/priority < CONFIG_JIF_CORTEX_M_BASEPRI,/0,/'
}

mutants_barriers() {
	mutant "no DSB before a sleep" $cortex_m/sleep.c 's/"dsb.n.t/"/'
	mutant "no ISB in a window" $cortex_m/jif_port.h \
		's/ JIF_IRQ_MASK ", %0.n.tisb"/ JIF_IRQ_MASK ", %0"/'
	mutant "what BASEPRI keeps out does not end a sleep" \
		$cortex_m/jif_port.h \
		'/jif_irq_save_all/,/^}/s/.n.tmsr basepri, %1/ @ %1/'
	mutant "a sleep does not put the masks back" $cortex_m/jif_port.h \
		's/msr basepri, %0.n.tmsr primask, %1/@ %0 %1/'
	mutant "an urgent handler waits for what follows a sleep" \
		$cortex_m/cortex_m.c 's/^\tjif_irq_restore_all(0);//'
}

mutants_systick() {
	mutant "each tick is counted twice" $cortex_m/cortex_m.c \
		'/^void jif_port_tick/,/^}/s/jif_tick()/jif_ticks(2)/'
	mutant "LOAD is one too large" $cortex_m/cortex_m.c \
		's/ticks \* COUNTS - 1 -/ticks * COUNTS -/'
	mutant "a period is longer than 24 bits" $cortex_m/cortex_m.c \
		's/ticks < MOST ? ticks : MOST/ticks/'
	mutant "a look at VAL does not wait until it is loaded" \
		$cortex_m/cortex_m.c \
		's/while (!(val = SYST_VAL))/val = SYST_VAL/'
	mutant "a tick is lost at the start of a sleep" $cortex_m/cortex_m.c \
		's/tick_is_pending() && counts_left() < COUNTS/0/'
	mutant "LOAD stays long after that" $cortex_m/cortex_m.c \
		'/It ended right before/,/return/s/set_next(1);//'
	mutant "LOAD stays long after a wake-up" $cortex_m/cortex_m.c \
		'/if (woken)/,/set_next/s/set_next(1)/(void)0/'
	mutant "the second look at the pending bit is dropped" \
		$cortex_m/cortex_m.c \
		'/if (woken)/,/realign/s/!tick_is_pending()/woken/'
	mutant "a tick at a wake-up is taken for the end of a long period" \
		$cortex_m/cortex_m.c \
		's/ || (woken && counts_left() < COUNTS)//'
	mutant "the tick that ends a sleep is counted twice" \
		$cortex_m/cortex_m.c \
		's/jif_ticks(length - 1)/jif_ticks(length)/'
	mutant "a sleep is not counted" $cortex_m/cortex_m.c \
		's/^\tjif_ticks(ticks);/\t(void)ticks;/'
	mutant "a tick that was counted stays pending" $cortex_m/cortex_m.c \
		's/^\tICSR = ICSR_PENDSTCLR;//'
	mutant "a sleep that was cut short is not counted" \
		$cortex_m/cortex_m.c 's/jif_ticks(length - 1 - ahead);//'
	mutant "the end of a sleep that was cut short is not aligned" \
		$cortex_m/cortex_m.c \
		's/late = end + cost - write_to.*/(void)0;/'
	mutant "an end of a tick that is near is not waited for" \
		$cortex_m/cortex_m.c \
		's/end + NEAR(cost)/end + 0 * NEAR(cost)/'
	mutant "a tick is lost while that is waited for" $cortex_m/cortex_m.c \
		'/val <= end)/,/^}/s/jif_ticks(1);//'
	mutant "the realignment is two off" $cortex_m/cortex_m.c \
		's/late = end + cost - /late = 2 + end + cost - /'
	mutant "what the realignment takes is not known" \
		$cortex_m/cortex_m.c \
		's/cost = write_to(&SYST_CALIB, 0);/cost = 0;/'
	mutant "its error is not known" $cortex_m/cortex_m.c \
		's/late = end + cost - write_to/write_to/'
	mutant "its error is never made up for" $cortex_m/cortex_m.c \
		's/ticks > 1 ? late : 0/0/'
	mutant "its error is made up for again and again" \
		$cortex_m/cortex_m.c 's/^\t\t\tlate = 0;/\t\t\t(void)late;/'
	mutant "sleep with interrupts on" $cortex_m/cortex_m.c \
		's/^\tjif_port_sleep();/jif_irq_restore(0);&/'
}

mutants_riscv() {
	mutant "restore does nothing" $riscv/jif_port.h \
		's/"csrs mstatus, %0"/""/'
	mutant "restore always turns interrupts on" $riscv/jif_port.h \
		's/return flags & 8;/return flags | 8;/'
	mutant "sleep without another look" $riscv/sleep.c \
		's/("wfi"/("csrsi mstatus, 8\\n\\tcsrci mstatus, 8\\n\\twfi"/'
	mutant "the timer is not let through" $riscv/jif_port.h \
		's/"csrs mie, %0"/""/'
	mutant "handlers are not counted" $riscv/irq.c \
		's/jif_irq_depth++;/(void)0;/'
}

mutants_mtime() {
	mutant "each tick is counted twice" $riscv/riscv.c \
		's/jif_ticks(passed - leave);/jif_ticks(2 * (passed - leave));/'
	mutant "a tick is counted again after a sleep" $riscv/riscv.c \
		's/count_passed(1);/jif_ticks(1);&/'
	mutant "the tick that ends a sleep is not left to its handler" \
		$riscv/riscv.c 's/count_passed(1);/count_passed(0);/'
	mutant "the time of a late handler is lost" $riscv/riscv.c \
		's/last += (passed - leave) \* COUNTS;/last = read_mtime();/'
	mutant "a look at mtime is torn" $riscv/riscv.c \
		's/while (high != MTIME_HIGH)/while (0)/'
	mutant "mtimecmp has 32 bits" $riscv/riscv.c \
		's/^\tMTIMECMP_HIGH = .*next >> 32.*/\tMTIMECMP_HIGH = 0;/'
	mutant "mtimecmp is in the past while it is written" $riscv/riscv.c \
		's/^\tMTIMECMP_HIGH = UINT32_MAX;//'
	mutant "a tick is one count longer" $riscv/riscv.c \
		's/last += (passed - leave) \* COUNTS;/&last++;/'
	mutant "a sleep of more than 2^32 counts" $riscv/riscv.c \
		's/ticks < MOST ? ticks : MOST/ticks/'
	mutant "there is no next tick after a sleep" $riscv/riscv.c \
		'/^static void count_passed/,/^}/s/^\tset_next(1);//'
	mutant "each tick ends a sleep" $riscv/riscv.c \
		's/ticks < MOST ? ticks : MOST/1/'
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
	mutant "an instruction between sei and sleep" $avr/avr.c \
		's/"sei\\n\\tsleep/"sei\\n\\tnop\\n\\tsleep/'
	mutant "a mode of sleep in which TIMER1 stands" $avr/avr.c \
		's/SMCR = _BV(SE);/SMCR = _BV(SE) | _BV(SM1);/'
	mutant "sleep is not enabled" $avr/avr.c 's/SMCR = _BV(SE);//'
	mutant "handlers see the time before the sleep" $avr/avr.c \
		's/if (asleep)/if (0)/'
	mutant "a sleep is not counted" $avr/avr.c \
		'/^void jif_port_idle/,/^}/s/^\tcount_passed();//'
	mutant "the tick begins when its handler runs" $avr/avr.c \
		's/last += ticks \* [A-Z_]*;/last = TCNT1;/'
	mutant "a sleep as long as the counter" $avr/avr.c \
		's/ticks > MOST/ticks > 70000/'
}

[ $# != 0 ] || set -- systick mtime arm-cortex-m3 basepri \
	barriers rv32 avr
mkdir -p "$copy/build/basepri"
printf 'CONFIG_JIF_%s\n' CORTEX_M_BASEPRI=0x40 DEBUG=y \
	>"$copy/build/basepri/.config"
ln -s "$top/build/host" "$copy/build/host"
cd "$copy" || exit 1
for on; do
	plant 0 "a mistake that is none is not found" lib/jiffies.c \
		'$s|$|\n/* nothing */|'
	case $on in
	arm-*) mutants_cortex_m ;;
	systick) mutants_systick ;;
	basepri) mutants_basepri ;;
	barriers) mutants_barriers ;;
	rv32) mutants_riscv ;;
	mtime) mutants_mtime ;;
	avr) mutants_avr ;;
	esac
done
cd "$top" || exit 1
finish
