#!/bin/sh
# SPDX-License-Identifier: MIT
#
# test/face/kernels/arduino.sh - the package for Arduino, on Debian's core
#
# Compiled as Arduino does; its sketches run on the emulated ATmega328P, whose
# clock they compare millis() with.
#
# shellcheck disable=SC2086	# compilers are lists of words
set -u
. test/lib.sh

core=/usr/share/arduino/hardware/arduino/avr
flags="-mmcu=atmega328p -Os -w -DF_CPU=16000000L -DARDUINO=10819 \
	-DDECIMAL_DIG=__DECIMAL_DIG__ -ffunction-sections -fdata-sections \
	-I$core/cores/arduino -I$core/variants/standard -I$folder/jif/src"

# compile TO SOURCE...
compile() {
	to=$1
	shift
	mkdir -p "$to"
	for file; do
		case $file in
		*.cpp) compiler='avr-g++ -std=gnu++11 -fno-exceptions' ;;
		*) compiler='avr-gcc -std=gnu11' ;;
		esac
		$compiler $flags -c "$file" -o "$to/${file##*/}.o" || return
	done
}

# sketch NAME OBJECT...: of the standard input; what it says.
sketch() {
	name=$1
	shift
	{
		echo '#include <Arduino.h>'
		cat
	} >"$folder/$name.cpp"
	compile "$folder" "$folder/$name.cpp" &&
		avr-gcc $flags -Wl,--gc-sections "$folder/$name.cpp.o" "$@" \
			"$folder"/core/*.o -o "$folder/$name.elf" &&
		TARGET_LIMIT=80000000 test/target/run.sh avr \
			"$folder/$name.elf" | tr -d '\r'
}

# The example, with a minute of half a second.
blink() {
	sed 's/60000/500/' "$folder/jif/examples/Blink/Blink.ino" |
		sketch blink "$folder/jif.c.o" | grep -m 1 'a minute is over'
}

# A sketch says which values the core has left in the timers it uses.
registers='static void tell()
{
	volatile uint8_t *const all[] = { &TCCR0A, &TCCR0B, &OCR0A, &OCR0B,
		&TIMSK0, &TCCR1A, &TCCR1B, &TIMSK1, &TCCR2A, &TCCR2B, &TIMSK2 };
	for (auto at : all) {
		Serial.print(*at);
		Serial.print(" ");
	}
	Serial.println();
	Serial.flush();
	GPIOR0 = 0;
}'

without() {
	echo "$registers
void setup() { Serial.begin(115200); tell(); }
void loop() { }" | sketch without
}

# millis.cc, where each change of the lamp has a line: millis(), and how far the
# machine's clock is ahead of it.
lamp() {
	note="$registers
static void note(uint8_t on)
{
	unsigned long clock = 0, now = millis();
	static uint8_t n;
	for (uint8_t i = 0; i < 4; i++) {
		GPIOR1 = i;
		clock = clock << 8 | GPIOR2;
	}
	Serial.print(on);
	Serial.print(' ');
	Serial.print(now);
	Serial.print(' ');
	Serial.println((long)(clock / 1000 - now));
	if (++n == 6)
		tell();
}"
	echo "$note" >"$folder/note.h"
	sed -e 's|<jif/jif.hpp>|<jif.hpp>\n#include "note.h"|' \
		-e 's/digitalWrite(pin, HIGH);/note(1); &/' \
		-e 's/digitalWrite(pin, LOW);/note(0); &/' \
		-e 's/^.pinMode(.*/&\n\tSerial.begin(115200);/' \
		docs/examples/millis.cc |
		sketch lamp "$folder/jif.c.o"
}

# millis() leaves values out: what is due at one of them runs with the next.
right() {
	awk '{ due = int((NR - 1) / 2) * 1000 + (NR % 2 ? 500 : 800) }
		NR < 7 && ($1 != NR % 2 || $2 < due || $2 > due + 2 ||
			$3 < 0 || $3 > 2) { bad = 1 }
		{ print } END { exit bad || NR != 7 }' "$folder/said"
}

check "Arduino: the package" tools/package/package arduino "$folder/jif"
check "Arduino: the core compiles" compile "$folder/core" \
	"$core"/cores/arduino/*.c "$core"/cores/arduino/*.cpp
check "Arduino: the library compiles" compile "$folder" "$folder/jif/src/jif.c"
check "Arduino: the example runs on an emulated Uno" blink
check_same "Arduino: no handler is in the library" "T jif_tick" \
	"$(avr-nm "$folder/jif.c.o" | grep -o 'T jif_tick$\|. .*vector.*')"
check "Arduino: a sketch of C++ classes runs" lamp
grep -a '^[0-9]' "$check_log" >"$folder/said"
check "Arduino: each callback on its millisecond, by the machine's clock" right
check "Arduino: a sketch without jif" without
check_same "Arduino: the timers are as the core has left them" \
	"$(grep -a '^[0-9]' "$check_log")" "$(tail -n 1 "$folder/said")"
sed 's/^/# /' "$folder/said"
finish
