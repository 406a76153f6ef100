#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/mutants.sh [--sample=N] [GROUP]...
#
# Are the port tests any good? Plants one mistake after the other in a copy of
# the tree, runs the tests of that group, and lists what finds it: a model of
# a timer (test/port/host, test/port/compare), two threads (test/model/smp), an
# emulated machine, or what the compiler has made of it (test/port/barriers.sh).
# One that nothing finds is a failure, and so is one that does not build. Of all
# that fit a place, one in N is tried.
#
# Found is what fails an assertion, panics or faults, or takes more instructions
# than the machine is given: several times what it takes without a mistake. How
# long the run lasts does not matter; and that can be seen here too: a mistake
# that is none has to go unfound.
set -u
. test/lib.sh

sample=1
case ${1-} in
--sample=*)
	sample=${1#--sample=}
	shift
	;;
esac
top=$PWD
copy=$(mktemp -d)
trap 'rm -rf "$copy" "$check_log"' EXIT
copy_tree "$copy"
unset MAKEFLAGS MFLAGS MAKELEVEL
export TARGET_LIMIT=400000000

cortex_m=lib/port/cortex-m
riscv=lib/port/riscv
avr=lib/port/avr
compare=lib/port/compare
text=$compare/compare.c
smp=lib/port/smp
reasons='s/^# \(.*::[a-z_]*\): .*/\1/p
	/^panic: \|^fault\|^trap$\|^over the limit of /p'

# --- how it is found: 0 if it is not, 1 by what is in caught, 2 for no reason -

model() {
	test/port/host/run.sh "$@" >log 2>&1
	status=$?
	[ $status != 1 ] || sed -n 's/^# //p' log >caught
	return $status
}

# registers TIMER CLOCK_HZ HZ TICKLESS
registers() {
	test/port/compare/run.sh "$@" >log
	status=$?
	[ $status != 1 ] || sed -n 's/^not ok 1 - //p' log >caught
	return $status
}

# machine ARCH NAME OPTION...: of the configuration, but for the defaults.
machine() {
	arch=$1
	folder=build/$2
	shift 2
	mkdir -p "$folder"
	printf 'CONFIG_JIF_%s\n' PORT_SIM=n "$@" >options
	cmp -s options "$folder/.config" || cp options "$folder/.config"
	image=$folder/test/target/port-test
	make -s ARCH="$arch" O="$folder" "$image" >log 2>&1 || return 2
	test/target/run.sh "$arch" "$image" >log 2>&1
	status=$?
	sed -n "$reasons" log | sort -u >caught
	[ $status != 3 ] || status=1
	return $status
}

# tap COMMAND...: what prints TAP.
tap() {
	"$@" >log 2>&1
	status=$?
	sed -n 's/^not ok [0-9]* - //p' log >caught
	return $status
}

# A loop without an end takes a minute of processor time, not a second.
threads() {
	KEEP=. LIMIT=60 test/model/smp/run.sh "$1" 100000 >log 2>&1
	status=$?
	[ $status = 0 ] || [ $status = 2 ] || {
		grep -v '^=' log | tail -n 1 >caught
		status=1
	}
	return $status
}

# --- planting ---------------------------------------------------------------

# group NAME COMMAND...: those that follow are of that group, found by that.
group() {
	on=$1
	shift
	how=$*
	case " $groups " in
	'  ' | *" $on "*) chosen=1 ;;
	*) chosen=0 ;;
	esac
	[ $chosen = 0 ] || [ "$sample" != 1 ] || plant 0 \
		"a mistake that is none is not found" lib/jiffies.c \
		'$s|$|\n/* nothing */|'
}

# plant STATUS WHAT FILE SED-COMMAND: the group has to find that.
plant() {
	cp "$3" saved
	sed -i "$4" "$3"
	if cmp -s "$3" saved; then
		fail "$on: $2: there is nothing to change in $3"
		return
	fi
	: >caught
	# shellcheck disable=SC2086 # a list of words
	$how
	status=$?
	[ $status != 1 ] || [ -s caught ] || status=2
	if [ $status = "$1" ]; then
		pass "$on: $2"
		sed 's/^/#     /' caught
	else
		fail "$on: $2"
		tail -n 30 log | sed 's/^/#     /'
	fi
	cp saved "$3"
}

# mutant WHAT FILE SED-COMMAND
number=0
mutant() {
	[ $chosen = 1 ] || return
	number=$((number + 1))
	if [ $((number % sample)) = 0 ]; then
		plant 1 "$@"
	elif sed "$3" "$2" | cmp -s - "$2"; then
		fail "$on: $1: there is nothing to change in $2"
	fi
}

groups=$*
mkdir "$copy/build"
ln -s "$top/build/host" "$copy/build/host"
cd "$copy" || exit 1

group arm-cortex-m3 machine arm-cortex-m3 m3
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
mutant "a window leaves interrupts on" $cortex_m/jif_port.h \
	'/jif_irq_window(jif_irq_t/,/^}/s/^\tjif_irq_mask();//'
mutant "it does not sleep" $cortex_m/sleep.c 's/wfi/nop/'

group basepri machine arm-cortex-m3 basepri CORTEX_M_BASEPRI=0x40 DEBUG=y \
	PORT_VECTOR=n
mutant "save does not turn interrupts off" $cortex_m/jif_port.h \
	's/msr basepri_max, %0/@ %0/'
mutant "SysTick is too urgent" $cortex_m/cortex_m.c 's/SHPR_SYSTICK = .*/;/'
mutant "a handler that is too urgent may call" $cortex_m/urgent.c \
	's/priority < CONFIG_JIF_CORTEX_M_BASEPRI,/0,/'
mutant "a handler exactly at the priority may not" $cortex_m/urgent.c \
	's/priority < CONFIG/priority <= CONFIG/'
mutant "the priority of another interrupt" $cortex_m/urgent.c \
	's/running - FIRST_IRQ/running/'
mutant "the priority of another exception" $cortex_m/urgent.c \
	's/running - FIRST_SET/running - FIRST_SET + 1/'
mutant "BASEPRI stays on in a sleep" $cortex_m/jif_port.h \
	'/jif_irq_save_all/,/^}/s/.n.tmsr basepri, %1/ @ %1/'
mutant "interrupts stay off after a sleep" $cortex_m/jif_port.h \
	's/msr primask, %1.n.tisb/@ %1/'

group compare-basepri machine arm-cortex-m3 dual CORTEX_M_BASEPRI=0x40 DEBUG=y \
	COMPARE=y COMPARE_TIMER=\"../../../test/target/dual.h\" PORT_VECTOR=n
mutant "BASEPRI stays on in a sleep" $text \
	's/^#if CONFIG_JIF_CORTEX_M_BASEPRI/#if 0/'
mutant "the timer is too urgent" $compare/nvic.h '/NVIC_IPR + irq/d'
mutant "the priority of another interrupt" $compare/nvic.h \
	's/NVIC_IPR + irq/NVIC_IPR + irq + 1/'

group barriers tap test/port/barriers.sh basepri
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
mutant "no ISB after a sleep" $cortex_m/sleep.c 's/wfi.n.tisb/wfi/'
mutant "no ISB where all are let in" $cortex_m/jif_port.h \
	's/msr primask, %1.n.tisb/msr primask, %1/'

group systick model systick
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
mutant "the first tick is as long as what was in VAL" $cortex_m/cortex_m.c \
	's/^\tSYST_VAL = 0;//'
mutant "the first tick is as long as what was in LOAD" $cortex_m/cortex_m.c \
	'/^void jif_port_start/,/^}/s/^\tset_next(1);//'

group systick-periodic model systick -DCONFIG_JIF_TICKLESS=0
mutant "the tick stays away all the same" $cortex_m/cortex_m.c \
	's/CONFIG_JIF_TICKLESS && ticks > 1/ticks > 1/'

group rv32 machine rv32 rv32
mutant "restore does nothing" $riscv/jif_port.h 's/"csrs mstatus, %0"/""/'
mutant "restore always turns interrupts on" $riscv/jif_port.h \
	's/return flags & 8;/return flags | 8;/'
mutant "sleep without another look" $riscv/sleep.c \
	's/("wfi"/("csrsi mstatus, 8\\n\\tcsrci mstatus, 8\\n\\twfi"/'
mutant "the timer is not let through" $riscv/jif_port.h 's/"csrs mie, %0"/""/'
mutant "handlers are not counted" $riscv/irq.c 's/jif_irq_depth++;/(void)0;/'
mutant "handlers never end" $riscv/irq.c 's/jif_irq_depth--;/(void)0;/'
mutant "it does not sleep" $riscv/sleep.c 's/"wfi"/"nop"/'
mutant "in_irq is always false" $riscv/jif_port.h \
	's/return jif_irq_depth;/return false;/'

group rv32-compare machine rv32 rv32-compare COMPARE=y \
	COMPARE_TIMER=\"riscv_mtime.h\"
mutant "handlers are not counted" $riscv/irq.c 's/jif_irq_depth++;/(void)0;/'
mutant "it does not sleep" $riscv/sleep.c 's/"wfi"/"nop"/'

group mtime model mtime
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
mutant "there is no first tick" $riscv/riscv.c \
	'/^void jif_port_start/,/^}/s/^\tset_next(1);//'

group mtime-periodic model mtime -DCONFIG_JIF_TICKLESS=0
mutant "the tick stays away all the same" $riscv/riscv.c \
	's/if (!CONFIG_JIF_TICKLESS)/if (0)/'

group avr machine avr avr
mutant "restore does nothing" $avr/jif_port.h 's/"out __SREG__, %0/"/'
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
mutant "interrupts stay on after a sleep" $avr/avr.c 's/sleep\\n\\tcli/sleep/'
mutant "handlers see the time before the sleep" $avr/avr.c \
	's/if (asleep)/if (0)/'
mutant "a sleep is not counted" $avr/avr.c \
	'/^void jif_port_idle/,/^}/s/^\tcount_passed();//'
mutant "the tick begins when its handler runs" $avr/avr.c \
	's/last += ticks \* [A-Z_]*;/last = TCNT1;/'
mutant "a sleep as long as the counter" $avr/avr.c \
	's/ticks > MOST/ticks > 70000/'
mutant "a sleep leaves a tick to handlers" $avr/avr.c \
	's/^#define MOST.*/#define MOST (LONGEST - 1)/'
mutant "a long sleep is counted as a short one" $avr/avr.c \
	's/ticks += STRIDE/ticks++/'
mutant "handlers never end" $avr/avr.c 's/jif_irq_depth--;/(void)0;/'
mutant "a sleep is set from its begin on" $avr/avr.c \
	's/OCR1A = last + (uint16_t)/OCR1A = TCNT1 + (uint16_t)/'

group avr-by-1 machine avr by-1 AVR_PRESCALER=1 HZ=1000
mutant "TIMER1 counts at another rate" $avr/avr.c 's/== 1\t ? 1/== 1\t ? 2/'

group avr-by-8 machine avr by-8 AVR_PRESCALER=8 HZ=1000
mutant "TIMER1 counts at another rate" $avr/avr.c 's/== 8\t ? 2/== 8\t ? 3/'

group avr-by-256 machine avr by-256 AVR_PRESCALER=256 HZ=500
mutant "TIMER1 counts at another rate" $avr/avr.c 's/== 256 ? 4/== 256 ? 3/'

group avr-by-1024 machine avr by-1024 AVR_PRESCALER=1024 HZ=625
mutant "TIMER1 counts at another rate" $avr/avr.c 's/^\(\t*\) *5)$/\14)/'

group avr-compare machine avr avr-compare COMPARE=y CLOCK_HZ=250000 \
	COMPARE_TIMER=\"../../../test/target/timer1.h\"
mutant "an instruction between sei and sleep" $compare/core.c \
	's/"sei\\n\\tsleep/"sei\\n\\tnop\\n\\tsleep/'
mutant "interrupts stay on after a sleep" $compare/core.c \
	's/sleep\\n\\tcli/sleep/'
mutant "handlers are not counted" $riscv/irq.c 's/jif_irq_depth++;/(void)0;/'
mutant "handlers never end" $riscv/irq.c 's/jif_irq_depth--;/(void)0;/'
mutant "nothing is left for late handlers" $text \
	's/(RANGE - RANGE \/ 8)/(RANGE - 300)/'

group nrf_rtc registers nrf_rtc 32768 1000 1
mutant "jif_now() does not read the counter" lib/jiffies.c \
	's/^\t\tjif_port_count();/\t\t(void)0;/'
mutant "the parts that are left are dropped" $text \
	's/left = parts %.*/left = 0;/'
mutant "the counter is taken for one of 32 bits" $text \
	's/(now - last) & MASK/(now - last)/'
mutant "a stop is rounded down" $text 's/ + COUNT_PARTS - 1//'
mutant "a stop is as many ticks after the last count" $text \
	's/TICK_PARTS - left +/TICK_PARTS +/'
mutant "a sleep is longer than the counter" $text \
	's/if (ticks > MOST_TICKS)/if (0)/'
mutant "nothing is left for late handlers" $text 's/(RANGE - RANGE \/ 8)/RANGE/'
mutant "a value is written though it is too near" $text \
	's/ahead(due) < JIF_COMPARE_LEAD/0/'
mutant "nobody looks whether the value came in time" $text \
	's/ahead(compare) < JIF_COMPARE_SEEN/0/'
mutant "a value in the past counts as far ahead" $text \
	's/counts <= MOST ? counts : 0/counts/'
mutant "a request that came too soon is not made again" $text \
	's/^\tif (ahead(due))/\tif (0)/'
mutant "a request that waits is taken back" $text 's/ && ahead(compare))/)/'
mutant "nothing is requested after a stop" $text \
	's/^\t\trequest(place(CONFIG.*/\t\t(void)0;/'
mutant "a sleep does not ask for its end" $text \
	's/^\t\trequest(next);/\t\t(void)0;/'
mutant "the first tick begins before the start" $text \
	's/^\tlast = jif_compare_read();/\tlast = 0;/'
mutant "a compare value of more bits than there are" $text \
	's/^\t\tcompare = (\(.*\)) & MASK;/\t\tcompare = \1;/'
mutant "a due count of more bits than there are" $text \
	's/due = count & MASK;/due = count;/'
mutant "it starts with the parts that were left" $text \
	'/^void jif_port_start/,/^}/s/^\tleft = 0;//'
mutant "the interrupt is not let through" $compare/nrf_common.h \
	's/.*NRF_INTENSET, NRF_INT.*//'

group nrf_rtc-periodic registers nrf_rtc 32768 1000 0
mutant "a tick that is not counted" $text \
	'/^void jif_port_tick/,/^}/s/^\tjif_port_count();//'
mutant "every second tick" $text 's/MOST_TICKS : 1)/MOST_TICKS : 2)/'
mutant "the tick stays away all the same" $text \
	's/CONFIG_JIF_TICKLESS && next/next/'

group nrf_rtc registers nrf_rtc 32768 1000 1
mutant "N + 1 is taken for sure" $compare/nrf_rtc.h 's/\(COMPARE_SEEN *\)2/\11/'
mutant "a lead that is too short" $compare/nrf_rtc.h \
	's/\(COMPARE_LEAD *\)4/\12/'
mutant "the event is not taken back" $compare/nrf_common.h \
	'/void jif_compare_set/,/^}/s/.*COMPARE0, 0.*//'
mutant "the NVIC remembers" $compare/nrf_common.h \
	'/void jif_compare_set/,/^}/s/.*nvic_clear.*//'
mutant "another interrupt" $compare/nrf_common.h 's/0x3f)/0x0f)/'
mutant "the counter does not start" $compare/nrf_common.h \
	's/.*NRF_START, 1.*//'

group nrf_timer registers nrf_timer 31250 1000 1
mutant "a read without a capture" $compare/nrf_timer.h \
	's/.*TIMER_CAPTURE1, 1.*//'
mutant "another width" $compare/nrf_timer.h 's/== 16 *? 0/== 16 ? 1/'
mutant "it is not stopped first" $compare/nrf_common.h 's/.*NRF_STOP, 1.*//'
mutant "what a boot loader has left goes on" $text \
	's/^\tjif_compare_disable();//'
mutant "the clock is divided by twice as much" $compare/nrf_timer.h \
	's/TIMER_PRESCALER, PRESCALER/&+ 1/'

group stm32_lptim registers stm32_lptim 32768 1000 1
mutant "one read of CNT is trusted" $compare/stm32_lptim.h \
	's/while (again != count)/while (0)/'
mutant "nobody waits for CMPOK" $compare/stm32_lptim.h \
	'/void jif_compare_set/,/^}/s/while (!(/while (0 \&\& (/'
mutant "an old CMPOK is trusted" $compare/stm32_lptim.h \
	's/.*LPTIM_ICR, LPTIM_CMPOK.*//'
mutant "CMP as large as ARR" $compare/stm32_lptim.h \
	's/0xfffe)/0xffff)/; s/at > LPTIM_LAST/0/g'
mutant "a match beyond the end of the turn" $compare/stm32_lptim.h \
	's/if (beyond)/if (0)/'
mutant "the end of the turn is missed" $compare/stm32_lptim.h \
	's/if (beyond && /if (0 \&\& /'
mutant "the interrupt is not let through" $compare/stm32_lptim.h \
	'/void jif_compare_enable/,/^}/s/IER, LPTIM_CMPM/CR, 1/'
mutant "nobody waits for ARROK" $compare/stm32_lptim.h \
	'/void jif_compare_enable/,/^}/s/while (!(/while (0 \&\& !(/'
mutant "the counter does not start" $compare/stm32_lptim.h \
	's/LPTIM_ENABLE | LPTIM_CNTSTRT/LPTIM_ENABLE/'

group stm32_tim registers stm32_tim 16000000 1000 1
mutant "the wrong bits of SR are cleared" $compare/stm32_tim.h \
	's/SR, ~TIM_CC1/SR, TIM_CC1/'
mutant "pending is forgotten" $compare/stm32_tim.h 's/.*jif_nvic_pend.*//'
mutant "PSC does not take effect" $compare/stm32_tim.h 's/.*TIM_EGR, TIM_UG.*//'

group rp2040 registers rp2040 1000000 1000 1
mutant "INTE of all alarms is written" $compare/rp2040.h \
	's/TIMER_INTE + ALIAS_SET/TIMER_INTE/'
mutant "the latch is not cleared" $compare/rp2040.h \
	'/void jif_compare_set/,/^}/s/.*TIMER_INTR.*//'
mutant "a request is not forced" $compare/rp2040.h 's/.*jif_nvic_pend.*//'
mutant "the register that keeps something for the other core" \
	$compare/rp2040.h 's/TIMER_BASE + 0x28/TIMER_BASE + 0x0c/'

group atmega4809 registers atmega4809 32768 1000 1
mutant "a count late" $compare/atmega4809.h 's/^\tat--;//'
mutant "the high byte is read first" $compare/atmega4809.h \
	's/RTC_CNTL)/RTC_CNTH)/; s/RTC_CNTH) << 8/RTC_CNTL) << 8/'
mutant "nobody waits for CMPBUSY" $compare/atmega4809.h \
	's/settle(RTC_CMPBUSY)/settle(0)/'
mutant "the flag is not cleared" $compare/atmega4809.h \
	'/void jif_compare_set/,/^}/s/.*RTC_INTFLAGS.*//'
mutant "it stands still in Standby" $compare/atmega4809.h 's/RTC_RUNSTDBY |//'
mutant "a request that is missed is not made again" $compare/atmega4809.h \
	's/while ((uint16_t)/while (0 \&\& (uint16_t)/'
mutant "the interrupt is not let through" $compare/atmega4809.h \
	's/.*RTC_INTCTRL, RTC_CMP.*//'

group riscv_mtime registers riscv_mtime 32768 1000 1
mutant "no carry to the high word" $compare/riscv_mtime.h \
	's/high + 1 : high/high : high/'
mutant "the high word is of another moment" $compare/riscv_mtime.h \
	's/while (high != .*/while (0);/'
mutant "a request is not forced" $compare/riscv_mtime.h \
	's/^\tjif_compare_write(0, 0);//'

group tickets threads 0
mutant "the lock is not taken" $smp/smp.c '/spin_lock();/d; /spin_unlock();/d'
mutant "a nested call drops the lock" $smp/smp.c \
	'/if (--depth)/,+1s/.*/--depth;/'
mutant "who had the lock is not forgotten" $smp/smp.c '/set_owner(0);/d'
mutant "the lock is kept in a sleep" $smp/smp.c '/depth = 1;/,/drop();/d'
mutant "after a sleep, calls nest otherwise" $smp/smp.c '/depth = before;/d'
mutant "the lock is taken without order" $smp/spin.h \
	s/ACQUIRE/RELAXED/
mutant "the lock is freed without order" $smp/spin.h \
	s/RELEASE/RELAXED/
mutant "calls are not counted" $smp/smp.c 's/^\tdepth++;/\t(void)depth;/'
mutant "before a sleep, calls are forgotten" $smp/smp.c \
	's/^\treturn before;/\treturn 0;/'

group spinlock threads 1
mutant "a spinlock that is taken is taken again" $smp/spin.h \
	's/while (!SPINLOCK_READ())/if (!SPINLOCK_READ())/'

group locks tap test/port/barriers.sh smp
mutant "the port does not lock" lib/port/jif_port.h \
	's/^#if CONFIG_JIF_SMP/#if 0/'
mutant "the lock is taken with interrupts on" $smp/jif_smp.h \
	'/jif_smp_save/,/^}/{s/jif_smp_take();/flags = jif_irq_save();/
		s/jif_irq_t flags = .*/jif_irq_t flags;jif_smp_take();/}'
mutant "interrupts are on before it is dropped" $smp/jif_smp.h \
	'/jif_smp_restore/,/^}/{s/jif_smp_drop();//
		s/jif_irq_restore(flags);/&jif_smp_drop();/}'
mutant "a window keeps the lock" $smp/jif_smp.h \
	'/jif_smp_window/,/^}/s/jif_smp_drop();//'
mutant "no barrier before a spinlock is freed" $smp/spin.h \
	's/1, RELEASE/1, RELAXED/'
mutant "no barrier after a spinlock is taken" $smp/spin.h \
	's/SPINLOCK, ACQUIRE/SPINLOCK, RELAXED/'

kernel=lib/port/kernel
freertos=lib/port/freertos
timers=lib/freertos/timers.c
group freertos tap env KERNEL=freertos OPERATIONS=100000 test/kernels/check.sh
mutant "a task does not lock" $freertos/jif_port.h '/^\ttaskENTER_CRITICAL();/d'
mutant "a handler locks as a task does" $freertos/jif_port.h \
	'/jif_irq_save/,/^}/{/if (jif_in_irq/d; /return taskENTER.*ISR/d}'
mutant "jiffies stand still" $freertos/jif_port.h 's/COUNTS 1/COUNTS 0/'
mutant "a task does not signal" $freertos/freertos.c \
	's/xTaskNotifyGive((TaskHandle_t)kernel->waiter);/;/'
mutant "a handler does not signal" $freertos/freertos.c \
	's/vTaskNotifyGiveFromISR((TaskHandle_t).*/(void)woken;/'
mutant "a wait is a tick longer" $freertos/freertos.c \
	's/(TickType_t)ticks);/(TickType_t)ticks + 1);/'
mutant "what was armed since is not looked at" $kernel/kernel.c \
	's/= jif_wheel_sleep_ticks(.*/= until - jif_now();/'
mutant "that it waits is said too late" $kernel/kernel.c \
	'/ticks_to_wait/,/^}/{/jif_irq_restore/d
		s/^\tkernel->until = until;/\tjif_irq_restore(flags);\n&/}'
mutant "what is later wakes it" $kernel/kernel.h \
	's/jif_time_before(expires/jif_time_after(expires/'
mutant "jif_kernel_mod_in() does not wake it" $kernel/kernel.c \
	's/if (ret >= 0)/if (ret < 0)/'
mutant "a timer that was stopped is called" $timers \
	's/(timer->state & ACTIVE) &&/true \&\&/'
mutant "a timer that was restarted has expired" $timers \
	's/!jif_timer_pending(&timer->entry);/true;/'
mutant "a timer that was stopped is active" $timers \
	'/^static void stop/,/^}/s/timer->state &= .*/;/'
mutant "a start does not wake the task" $timers \
	's/return past;/return past \&\& false;/'
mutant "a handler wakes the task as a task does" $timers \
	's/wake_from_isr(pxHigherPriorityTaskWoken);/wake();/'
mutant "a pended call does not wake the task" $timers \
	's/if (ret == pdPASS && kernel.waiter)/if (false)/'
mutant "memory is given back at once" $timers \
	's/xTimer->state |= DELETED;/vPortFree(xTimer);/'
mutant "memory is not given back" $timers \
	's/xTimer->state |= DELETED;/xTimer->state |= STATIC;/'
mutant "a reload is without a period" $timers \
	's/else if (expired)/if (expired)/'

cd "$top" || exit 1
finish
