#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/chips/check.sh
#
# jif's own ports on emulators of chips: rp2040js, avr8js and simavr. ./chips.c
# runs on each, and ./oracle.c judges what it says. Then one fault at a time is
# planted in each port, and has to be found.
#
# shellcheck disable=SC2086	# options are lists of words
set -u
. test/lib.sh

here=test/target/chips
out=build/chips
tree=.
operations=20000
limit=300

tools/build/own --keep "$out"

# limited COMMAND...: in processor time.
limited() (
	ulimit -t $limit
	exec "$@"
)

modules() {
	cp "$here/package-lock.json" "$out" &&
		echo '{ "dependencies":
			{ "avr8js": "0.21.1", "rp2040js": "1.4.1" } }' \
			>"$out/package.json" &&
		npm ci --prefix "$out" --ignore-scripts --no-audit --no-fund
}

programs() {
	strict='-std=gnu11 -O2 -Wall -Werror'
	cc $strict -o "$out/oracle" "$here/oracle.c" -lm &&
		cc $strict -o "$out/simavr" "$here/simavr.c" -lsimavr -lelf \
			-lm &&
		sed -e 's/0x00000000/0x10000000/' -e 's/16K/256K/' \
			test/target/microbit.ld >"$out/rp2040.ld"
}

# image FOLDER PREFIX OPTION...
image() {
	mkdir -p "$1"
	elf=$1/image.elf
	prefix=$2
	shift 2
	"${prefix}gcc" -std=gnu11 -Os -Wall -Wextra -Werror -I"$tree/include" \
		-I"$tree" -ffunction-sections -fdata-sections \
		-Wl,--gc-sections -o "$elf" -DOPERATIONS="$operations" \
		"$here/chips.c" "$tree"/lib/*.c "$@" &&
		"${prefix}objcopy" -O binary "$elf" "${elf%.elf}.bin"
}

# rp2040js FOLDER HZ SPREAD BITS [SMP]
rp2040js() {
	set -- "$1" "$2" "$3" "$4" ${5:+-DCONFIG_JIF_SMP=1
		-DCONFIG_JIF_SMP_SPINLOCK=0xd0000100 $tree/lib/port/smp/smp.c}
	folder_of=$1 hz=$2 spread=$3 bits=$4
	shift 4
	image "$folder_of" arm-none-eabi- -mthumb -mcpu=cortex-m0plus \
		-ffreestanding -nostdlib -Itest/target/include \
		-DCONFIG_JIF_COMPARE=1 -DCONFIG_JIF_CLOCK_HZ=1000000 \
		-DCONFIG_JIF_COMPARE_TIMER='"rp2040.h"' \
		-DCONFIG_JIF_HZ="$hz" -DCONFIG_JIF_SPREAD="$spread" \
		-DBITS="$bits" "$@" -T "$out/rp2040.ld" "$here/rp2040.c" \
		test/target/string.c "$tree"/lib/port/compare/*.c -lgcc ||
		return 2
	limited node "$here/rp2040.js" "$out" "$folder_of/image.bin" 1 |
		"$out/oracle" 1e9 "$hz" 1000 1e6
}

# avr FOLDER HZ SPREAD BITS MCU: the clock and its divider are those of the HZ.
avr() {
	folder_of=$1 hz=$2 spread=$3 bits=$4 mcu=$5
	case $hz in
	100) clock=16000000 by=8 bound=160000 ;;
	1000) clock=16000000 by=64 bound=160000 ;;
	1024) clock=16000000 by=1 bound=160000 ;;
	32768) clock=16777216 by=8 bound=1677721 ;;
	esac
	image "$folder_of" avr- -mmcu="$mcu" -DCONFIG_JIF_HZ="$hz" \
		-DCONFIG_JIF_INITIAL_JIFFIES=4294900000 \
		-DCONFIG_JIF_CLOCK_HZ="$clock" \
		-DCONFIG_JIF_AVR_PRESCALER="$by" \
		-DCONFIG_JIF_SPREAD="$spread" -DBITS="$bits" \
		"$here/avr.c" "$tree"/lib/port/avr/*.c || return 2
	"$6" "$mcu" "$clock" "$folder_of/image" |
		"$out/oracle" "$clock" "$hz" "$by" "$bound"
}

run_avr8js() {
	limited node "$here/avr8js.js" "$out" "$3.bin" 1
}

run_simavr() {
	limited "$out/simavr" "$1" "$2" "$3.elf" 1
}

avr8js() {
	avr "$1" "$2" "$3" "$4" atmega328p run_avr8js
}

simavr() {
	avr "$1" "$2" "$3" "$4" "$5" run_simavr
}

# chip EMULATOR HZ SPREAD BITS [WHAT]
chip() {
	check "$1${5:+, $5}: HZ $2, SPREAD $3" "$1" "$out/run" "$2" "$3" "$4" \
		${5-}
	sed -n 's/.* operations,/# &/p' "$check_log"
}

# planted WHAT FILE SED EMULATOR,HZ,SPREAD,BITS[,WHAT]
planted() {
	rm -rf "$out/faulty"
	mkdir -p "$out/faulty" && cp -r lib include "$out/faulty" || exit
	sed -i "$3" "$out/faulty/lib/port/$2"
	if cmp -s "lib/port/$2" "$out/faulty/lib/port/$2"; then
		fail "fits no place: $1"
		return
	fi
	set -- "$1" $(echo "$4" | tr , ' ')
	tree=$out/faulty operations=8000 limit=10
	check_fails 1 "found: $1" "$2" "$out/run" "$3" "$4" "$5" ${6-}
	sed -n 's/.* operations,/# &/p' "$check_log"
	tree=. operations=20000 limit=300
}

# TCNT1 as its clock is chosen; and then, what a flag has done that was there
# before its interrupt was enabled.
simavr_facts() {
	avr-gcc -mmcu=atmega1284p -o "$out/facts.elf" -x c - <<-'END' || return
		#include <avr/interrupt.h>
		#include <avr/io.h>
		ISR(TIMER1_COMPA_vect) { GPIOR1 = 1; }
		int main(void)
		{
			TCNT1 = 1000;
			TCCR1B = 1;
			uint16_t count = TCNT1;
			OCR1A = count + 200;
			TIFR1 = _BV(OCF1A);
			while (!(TIFR1 & _BV(OCF1A)))
				;
			TIMSK1 = _BV(OCIE1A);
			sei();
			for (uint8_t i = 0; i < 100; i++)
				__asm__ volatile("nop");
			GPIOR0 = 11;
			GPIOR0 = 0;
			GPIOR0 = (uint8_t)count;
			GPIOR0 = count >> 8;
			GPIOR0 = GPIOR1;
			GPIOR0 = 0;
			for (;;)
				;
		}
	END
	"$out/simavr" atmega1284p 16000000 "$out/facts.elf" 1 |
		od -An -tu4 -N8 | awk '{ print; exit !($2 < 100) }'
}

judged_million() {
	cat "$out/million.log"
	grep -q '^[0-9]* operations, 0 early, 0 late, 0 wrong, 0 lost' \
		"$out/million.log"
}

check "rp2040js and avr8js are those of the lock" modules
each "what they do otherwise than the chips" node "$here/facts.js" "$out"
check "oracle and simavr compile" programs
check "simavr: TCNT1 is cleared, an earlier flag is not seen" simavr_facts

# The longest one, beside the others.
(operations=1000000 && simavr "$out/million" 1000 0 16 atmega1284p) \
	>"$out/million.log" 2>&1 &
for spread in 0 2; do
	for row in '100 24' '1000 24' '1024 24' '32768 29'; do
		chip rp2040js ${row% *} $spread ${row#* }
	done
	for row in '100 13' '1000 16' '1024 13' '32768 19'; do
		chip avr8js ${row% *} $spread ${row#* }
		for mcu in atmega2560 atmega1284p; do
			chip simavr ${row% *} $spread ${row#* } $mcu
		done
	done
done
chip rp2040js 1000 0 24 SMP
chip rp2040js 32768 2 29 SMP

mistakes test/target/chips/mistakes

wait
check "simavr, atmega1284p: a million" judged_million
sed -n 's/^[0-9]* operations,/# &/p' "$check_log"
finish
status=$?
echo "$((count - failed)) passed, $failed failed"
exit $status
