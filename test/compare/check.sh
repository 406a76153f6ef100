#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/compare/check.sh [STRIDE]
#
# The port for counters with a compare register: each timer's header compiles
# for its core, and runs on a simulation of its registers; mistakes that are
# planted in the text and in the headers are found. Of the places at which the
# counter starts, one in STRIDE is tried, 8 if that is not given.
#
# shellcheck disable=SC2086	# options and rows are lists of words
set -u
. test/lib.sh

stride=${1:-8}
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT
copy_tree "$folder"
cd "$folder" || exit 1

common='-std=c11 -Wall -Wextra -Werror -Iinclude -DCONFIG_JIF_COMPARE=1'
sources='lib/jiffies.c lib/port/compare/compare.c'

# compile TIMER CC...: for its core; both compilers see the same text.
compile() {
	timer=$1
	shift
	check "$timer compiles ($*)" "$@" $common -Wconversion -ffreestanding \
		-Os -DCONFIG_JIF_COMPARE_TIMER="\"$timer.h\"" \
		-DCONFIG_JIF_CLOCK_HZ="$clock" -c $sources \
		lib/port/compare/core.c
}

# configure TIMER CLOCK_HZ HZ TICKLESS
configure() {
	timer=$1
	clock=$2
	hz=$3
	tickless=$4
	objects=$folder/$timer-$clock-$hz-$tickless
}

object() {
	gcc $common -O1 -Itest/compare -Ilib/port/compare \
		-DTIMER="\"$timer.h\"" \
		-DCONFIG_JIF_COMPARE_TIMER='"../../../test/compare/timer.h"' \
		-DJIF_REG='"../../../test/compare/reg.h"' \
		-DJIF_PORT='"../../test/compare/port.h"' \
		-DCONFIG_JIF_CLOCK_HZ="$clock" -DCONFIG_JIF_HZ="$hz" \
		-DCONFIG_JIF_TICKLESS="$tickless" \
		-DCONFIG_JIF_INITIAL_JIFFIES=0xfff00000 \
		-c -o "$objects/$(basename "$1" .c).o" "$1"
}

# The program; of its objects, those that are not there are compiled.
build() {
	mkdir -p "$objects"
	for source in $sources test/compare/world.c test/compare/phases.c \
		"test/compare/$timer.c"; do
		[ -e "$objects/$(basename "$source" .c).o" ] ||
			object "$source" || return
	done
	gcc -o "$objects/phases" "$objects"/*.o
}

build_and_run() {
	build && "$objects/phases" "$1" "$stride"
}

# simulate TIMER CLOCK_HZ HZ TICKLESS TICKS
simulate() {
	configure "$1" "$2" "$3" "$4"
	what="$timer at $clock Hz, $hz ticks a second"
	[ "$tickless" = 1 ] || what="$what, not tickless"
	check "$what" build_and_run "$5"
	sed -n '/^#/p' "$check_log"
}

# plant STATUS WHAT FILE SED-COMMAND: into the timer that is configured; the
# simulation has to end with that status, and to say why.
plant() {
	cp "$3" saved
	sed -i "$4" "$3"
	status=2
	rm -f "$objects/compare.o"
	[ "$3" != lib/jiffies.c ] || rm -f "$objects/jiffies.o"
	if ! cmp -s "$3" saved && build >log 2>&1; then
		"$objects/phases" 100000 "$stride" >log
		status=$?
	fi
	cp saved "$3"
	[ "$3" != lib/jiffies.c ] || rm -f "$objects/jiffies.o"
	if [ "$status" = "$1" ]; then
		pass "planted, $timer: $2"
		sed -n '$s/^not ok 1 - /#     /p' log
	else
		fail "planted, $timer: $2"
		sed 's/^/#     /' log
	fi
}

text() {
	plant 1 "$1" lib/port/compare/compare.c "$2"
}

header() {
	plant 1 "$1" "lib/port/compare/$timer.h" "$2"
}

plant_into_the_text() {
	configure nrf_rtc 32768 1000 1
	plant 0 "a mistake that is none is not found" \
		lib/port/compare/compare.c 's/parts < TICK_PARTS/0/'
	plant 1 "jif_now() does not read the counter" lib/jiffies.c \
		's/^\t\tjif_port_count();/\t\t(void)0;/'
	text "the parts that are left are dropped" \
		's/left = parts %.*/left = 0;/'
	text "the counter is taken for one of 32 bits" \
		's/(now - last) & MASK/(now - last)/'
	text "a stop is rounded down" 's/ + COUNT_PARTS - 1//'
	text "a stop is as many ticks after the last count" \
		's/TICK_PARTS - left +/TICK_PARTS +/'
	text "a sleep is longer than the counter" \
		's/if (ticks > MOST_TICKS)/if (0)/'
	text "nothing is left for late handlers" \
		's/(RANGE - RANGE \/ 8)/RANGE/'
	text "a value is written though it is too near" \
		's/ahead(due) < JIF_COMPARE_LEAD/0/'
	text "nobody looks whether the value came in time" \
		's/ahead(compare) < JIF_COMPARE_SEEN/0/'
	text "a value in the past counts as far ahead" \
		's/counts <= MOST ? counts : 0/counts/'
	text "a request that came too soon is not made again" \
		's/^\tif (ahead(due))/\tif (0)/'
	text "a request that waits is taken back" \
		's/ && ahead(compare))/)/'
	text "nothing is requested after a stop" \
		's/^\t\trequest(place(CONFIG.*/\t\t(void)0;/'
	text "a sleep does not ask for its end" \
		's/^\t\trequest(next);/\t\t(void)0;/'
	text "the first tick begins before the start" \
		's/^\tlast = jif_compare_read();/\tlast = 0;/'
	text "a compare value of more bits than there are" \
		's/^\t\tcompare = (\(.*\)) & MASK;/\t\tcompare = \1;/'
	configure nrf_rtc 32768 1000 0
	text "a tick that is not counted" \
		'/^void jif_port_tick/,/^}/s/^\tjif_port_count();//'
	text "every second tick" 's/MOST_TICKS : 1)/MOST_TICKS : 2)/'
}

plant_into_nrf() {
	configure nrf_rtc 32768 1000 1
	header "N + 1 is taken for sure" 's/\(COMPARE_SEEN *\)2/\11/'
	header "a lead that is too short" 's/\(COMPARE_LEAD *\)4/\12/'
	header "the event is not taken back" \
		'/void jif_compare_set/,/^}/s/.*COMPARE0, 0.*//'
	header "the NVIC remembers" \
		'/void jif_compare_set/,/^}/s/.*nvic_clear.*//'
	header "another interrupt" 's/0x3f)/0x0f)/'
	header "the counter does not start" 's/.*RTC_START, 1.*//'
	configure nrf_timer 31250 1000 1
	header "a read without a capture" 's/.*TIMER_CAPTURE1, 1.*//'
	header "another width" 's/== 16 *? 0/== 16 ? 1/'
	header "it is not stopped first" 's/.*TIMER_STOP, 1.*//'
}

plant_into_stm32() {
	configure stm32_lptim 32768 1000 1
	header "one read of CNT is trusted" \
		's/while (again != count)/while (0)/'
	header "nobody waits for CMPOK" \
		'/void jif_compare_set/,/^}/s/while (!(/while (0 \&\& (/'
	header "an old CMPOK is trusted" 's/.*LPTIM_ICR, LPTIM_CMPOK.*//'
	header "CMP as large as ARR" \
		's/0xfffe)/0xffff)/; s/at > LPTIM_LAST/0/g'
	header "a match beyond the end of the turn" \
		's/if (beyond)/if (0)/'
	header "the end of the turn is missed" 's/if (beyond && /if (0 \&\& /'
	header "the interrupt is not let through" \
		'/void jif_compare_enable/,/^}/s/IER, LPTIM_CMPM/CR, 1/'
	header "nobody waits for ARROK" \
		'/void jif_compare_enable/,/^}/s/while (!(/while (0 \&\& !(/'
	configure stm32_tim 16000000 1000 1
	header "the wrong bits of SR are cleared" 's/SR, ~TIM_CC1/SR, TIM_CC1/'
	header "pending is forgotten" 's/.*jif_nvic_pend.*//'
}

plant_into_others() {
	configure rp2040 1000000 1000 1
	header "INTE of all alarms is written" \
		's/TIMER_INTE + ALIAS_SET/TIMER_INTE/'
	header "the latch is not cleared" \
		'/void jif_compare_set/,/^}/s/.*TIMER_INTR.*//'
	header "a request is not forced" 's/.*jif_nvic_pend.*//'
	configure atmega4809 32768 1000 1
	header "a count late" 's/^\tat--;//'
	header "the high byte is read first" \
		's/RTC_CNTL)/RTC_CNTH)/; s/RTC_CNTH) << 8/RTC_CNTL) << 8/'
	header "nobody waits for CMPBUSY" 's/settle(RTC_CMPBUSY)/settle(0)/'
	header "the flag is not cleared" \
		'/void jif_compare_set/,/^}/s/.*RTC_INTFLAGS.*//'
	header "it stands still in Standby" 's/RTC_RUNSTDBY |//'
	header "a request that is missed is not made again" \
		's/while ((uint16_t)/while (0 \&\& (uint16_t)/'
	configure riscv_mtime 32768 1000 1
	header "no carry to the high word" 's/high + 1 : high/high : high/'
	header "the high word is of another moment" \
		's/while (high != .*/while (0);/'
	header "a request is not forced" 's/^\tjif_compare_write(0, 0);//'
}

clock=32768
for cc in 'arm-none-eabi-gcc -mthumb' 'clang --target=armv7m-none-eabi'; do
	compile nrf_rtc $cc -mcpu=cortex-m4
	compile stm32_lptim $cc -mcpu=cortex-m4
	clock=1000000
	compile nrf_timer $cc -mcpu=cortex-m0
	compile stm32_tim $cc -mcpu=cortex-m3
	compile template $cc -mcpu=cortex-m3
	compile rp2040 $cc -mcpu=cortex-m0plus
	clock=32768
done
compile atmega4809 avr-gcc -mmcu=avrxmega3
compile riscv_mtime riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32
compile riscv_mtime clang --target=riscv32 -march=rv32imac

for row in "nrf_rtc 32768" "nrf_timer 31250" "stm32_lptim 32768" \
	"stm32_tim 32768" "stm32_tim 16000000" "rp2040 1000000" \
	"atmega4809 32768" "riscv_mtime 32768" "riscv_mtime 10000000"; do
	simulate $row 1000 1 10000000
done
for row in "nrf_rtc 32768" "stm32_lptim 32768" "atmega4809 32768"; do
	simulate $row 1000 0 100000
done
for hz in 100 100000; do
	simulate nrf_rtc 32768 $hz 1 100000
done

plant_into_the_text
plant_into_nrf
plant_into_stm32
plant_into_others
finish
