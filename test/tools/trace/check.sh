#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/trace/check.sh
#
# Without CONFIG_JIF_TRACE, hooks cost nothing: the same objects, byte by byte,
# as from sources that have none. A recording of a Cortex-M3 and one of jifsim
# say the same; what tools/trace makes of it is what is wanted, and other
# programs read it; what is wrong with a recording is said.
set -u
. test/lib.sh

# objects NAME COMPILER...
objects() {
	name=$1
	shift
	for source in wheel.c wheel_sleep.c sched.c; do
		(cd lib && "$@" -c $source -o "$folder/with.o") &&
			(cd "$folder/lib" && "$@" -c $source -o ../without.o)
		check "no trace of hooks that are off: $source, $name" \
			cmp "$folder/with.o" "$folder/without.o"
		rm -f "$folder"/*.o
	done
}

trace() {
	tools/trace/trace "$@"
}

# A recording of a Cortex-M3: of another configuration than the budgets'.
on_target() {
	out=build/arm-cortex-m3-trace
	image=$out/test/target/record
	tools/own --keep $out
	echo CONFIG_JIF_TRACE=y >"$folder/config"
	cmp -s "$folder/config" $out/.config ||
		cp "$folder/config" $out/.config
	make -s ARCH=arm-cortex-m3 O=$out W=1 CFLAGS=-Werror $image &&
		test/target/run.sh arm-cortex-m3 $image >"$folder/target.rec"
}

recordings() {
	check "a Cortex-M3 records" on_target
	check "jifsim records" build/host/jifsim run test/tools/trace/same.scn \
		--record="$folder/sim.rec"
	for from in target sim; do
		check_same "the recording of $from" \
			"$(cat test/tools/trace/same.csv)" \
			"$(trace csv "$folder/$from.rec")"
	done
	check_fails 74 "jifsim says that it cannot write" build/host/jifsim \
		run test/tools/trace/same.scn --record=/dev/full
	grep -v jif-name "$folder/target.rec" >"$folder/nameless"
	check_same "symbols of the firmware name timers" \
		"timers timers+20 timers+40 timers+60 timers+80" \
		"$(trace csv "$folder/nameless" --elf "$image" |
			awk -F, '/init/ { print $3 }' | xargs)"
	check_same "a live wheel is printed on the Cortex-M3" \
		" # days 2 + 1891802, expires at 2591970 (in 2237402)" \
		"$(tail -n 1 "$folder/target.rec")"
}

# What other programs read, of the recording of the target.
formats() {
	entries=$(grep -c ,entry, test/tools/trace/same.csv)
	trace vcd "$folder/target.rec" -o "$folder/vcd"
	check "GTKWave reads the VCD" vcd2fst "$folder/vcd" "$folder/fst"
	check_same "and finds each timer, expiry and counter in it" \
		"5 5 3 $entries" "$(fst2vcd "$folder/fst" | awk '
		/^.var event/ { expiry[$4]; events++ }
		/^.var reg/ { waits++ }
		/^.var (integer|wire)/ { counters++ }
		/^1/ && substr($0, 2) in expiry { expired++ }
		END { print events, waits, counters, expired }')"
	trace json "$folder/target.rec" -o "$folder/json"
	check_same "the JSON has a track for each timer, slices, expiries" \
		"[6,0,$entries,1]" "$(jq -c '.traceEvents | [
		([.[] | select(.name == "thread_name")] | length),
		([.[] | select(.ph == "X" and (.dur < 0 or .ts < 0))] | length),
		([.[] | select(.name == "expires" and .ph == "i")] | length),
		([.[] | select(.name == "pending")] | last.args.pending)]' \
			"$folder/json")"
	for format in svg rings moves; do
		trace $format "$folder/target.rec" -o "$folder/svg"
		check "$format is XML" python3 -c 'import sys, xml.dom.minidom
xml.dom.minidom.parse(sys.argv[1])' "$folder/svg"
	done
}

filters() {
	check_same "by name" "lease sensor" "$(trace csv "$folder/target.rec" \
		--name 'l*' --name sensor | awk -F, 'NR > 1 { print $3 }' |
		sort -u | xargs)"
	check_same "by time" "657 1798" "$(trace csv "$folder/target.rec" \
		--from 101 --to 30m | awk -F, 'NR > 1 { print $1 }' | uniq |
		xargs)"
	check_same "what began before is shown" "backup lease month" \
		"$(trace svg "$folder/target.rec" --from 700 --to 800 |
			sed -n 's/.*"end">\([a-z]*\)<.*/\1/p' | sort | xargs)"
	check_same "the rings at a time" "lease: minute 30" \
		"$(trace rings "$folder/target.rec" --at 1h45m --name lease |
			grep -o 'lease: minute 30')"
}

said() {
	(cd "${folder:?}" && "$here/tools/trace/trace" csv "$1" -o csv 2>&1)
}

# bad WHAT WANT SED-COMMAND: of a recording.
bad() {
	sed "$3" "$folder/sim.rec" >"$folder/bad"
	check_same "error: $1" "bad:$2" \
		"$(said bad | head -n 1 | cut -c -"$((${#2} + 4))")"
}

# In which line of the recording that is first.
line_of() {
	grep -n "$1" "$folder/sim.rec" | head -n 1 | cut -d: -f1
}

errors() {
	here=$PWD
	bad "no head" "1: error: expected \"jif-trace 1 hz=" 1d
	bad "another version" "1: error: expected \"jif-trace 1 hz=" \
		'1s/trace 1/trace 2/'
	bad "a number that cannot be" "1: error: expected \"jif-trace 1 hz=" \
		'1s/hz=[0-9]*/hz=99999999999/'
	bad "a hand that cannot be" \
		"1: error: expected a hand below 24, found 24" \
		'1s/hands=[0-9]*:[0-9]*/hands=0:24/'
	bad "a record is short" \
		"3: error: expected 24 hexadecimal digits, a record: 2 of " \
		'3s/.$//'
	bad "a record is garbled" \
		"4: error: expected 24 hexadecimal digits, a record: 3 of " \
		'4s/0/x/'
	bad "an event that there is not" \
		"3: error: expected an event below 10, found 15" \
		'3s/^..../007f/'
	bad "the end is missing" "11: error: expected a record: 10 of " 11,\$d
	bad "a name without a number" \
		"$(line_of jif-name): error: expected \"jif-name\"" \
		's/^jif-name [^ ]*/jif-name/'
	bad "a tick of no length" \
		"$(line_of jif-tick): error: expected \"jif-tick\"" \
		's/jif-tick .*/jif-tick 0/'
	bad "a name that cannot be printed" \
		"$(line_of jif-name): error: expected \"jif-name\"" \
		"s/^\(jif-name [^ ]* \).*/\1$(printf '\001')/"
	sed 's/jif-tick .*/jif-tick 1036800000/' "$folder/sim.rec" \
		>"$folder/bad"
	check_same "ticks of 12 days have no more labels than others" 9 \
		"$(trace svg "$folder/bad" | grep -c 'class="grid"')"
	sed 's/lost=0/lost=7/' "$folder/sim.rec" >"$folder/some"
	check_same "what is lost is said" "some: 7 records are lost" \
		"$(said some)"
	{
		echo "boot"
		cat "$folder/sim.rec"
		echo "ready"
	} >"$folder/console"
	check_same "a console's other lines are skipped" \
		"$(cat test/tools/trace/same.csv)" \
		"$(trace csv "$folder/console")"
	{
		echo "jif-trace 1 hz=1000 bits=64 turns=1 start=0 clock=9" \
			"hands=0:0:0:9 time=0 lost=0 records=2"
		echo 000000000000000000000000
		echo 208800000000000100000064
		echo "jif-trace 1 hz=1000 bits=64 turns=1 start=20 clock=20" \
			"hands=0:0:0:20 time=20 lost=0 records=2"
		echo 000000000000000000000014
		echo 208800000000000100000064
	} >"$folder/anew"
	check_same "who waits is forgotten when a recording begins anew" \
		"0,start,1,100,minutes,4,,;20,start,1,100,minutes,4,," \
		"$(trace csv "$folder/anew" | tail -n 2 | paste -sd ';')"
	sed '/start=20/d; s/turns=1/turns=2/; 3s/^.*/411800000000000100000003/
		4,$d' "$folder/anew" >"$folder/spread"
	check_same "with spreading, no expiry is made up" \
		"0,cascade,1,,minutes,9,," "$(trace csv "$folder/spread" |
			tail -n 1)"
	sed 's/hz=1000/hz=60/; s/=20/=15/g; s/14$/0f/' "$folder/anew" \
		>"$folder/60"
	check_same "250 ms are 15 ticks of 60 Hz" "15,start" \
		"$(trace csv "$folder/60" --from 250ms --to 250ms | tail -n 1 |
			cut -d, -f-2)"
	check_same "error: nothing can be written" \
		"trace: error: the output: No space left on device" \
		"$(trace csv "$folder/sim.rec" 2>&1 >/dev/full)"
	check_fails 1 "no such file" trace csv "$folder/none"
	check_fails 1 "a time that is none" \
		trace csv --from 3x "$folder/sim.rec"
}

cp -r lib "$folder"
sed -i '/^	*trace\(_[a-z]*\)*(.*);$/d' "$folder"/lib/*.c
check "hooks are lines of their own" \
	test "$(diff lib "$folder/lib" | grep -c '^<')" -gt 10
objects gcc gcc -std=c11 -O2 -I"$PWD/include" -DJIF_PORT='"sim/jif_port.h"'
objects clang clang -std=c11 -O2 -I"$PWD/include" -DJIF_PORT='"sim/jif_port.h"'
objects cortex-m3 arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -std=c11 -Os \
	-ffreestanding -I"$PWD/include"
objects avr avr-gcc -mmcu=atmega328p -std=c11 -Os -ffreestanding \
	-I"$PWD/include"
recordings
formats
filters
errors
finish
