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
# Without names of local functions, which compilers number.
objects() {
	name=$1
	shift
	strip=strip
	[ "${1%-gcc}" = "$1" ] || strip=${1%gcc}strip
	for source in wheel.c wheel_sleep.c firmware/sched.c; do
		(cd lib && "$@" -c $source -o "$folder/with.o") &&
			(cd "$folder/lib" && "$@" -c $source -o ../without.o) &&
			"$strip" --strip-unneeded "$folder"/with*.o
		check "no trace of hooks that are off: ${source##*/}, $name" \
			cmp "$folder/with.o" "$folder/without.o"
		rm -f "$folder"/*.o
	done
}

trace() {
	PYTHONIOENCODING=latin-1 tools/trace/trace "$@"
}

# A recording of a Cortex-M3: of another configuration than the budgets'.
on_target() {
	out=build/arm-cortex-m3-trace
	image=$out/test/target/record
	tools/build/own --keep $out
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
	printf 'tick 1us\nat 02:00 arm b 1s\nrun until 02:01' >"$folder/gap"
	build/host/jifsim run "$folder/gap" -q --record="$folder/gap.rec" >&2
	check_same "also after more than 2^32 ticks" 7200000000,start,b \
		"$(trace csv "$folder/gap.rec" | grep -o '.*start,b')"
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
	trace wires "$folder/target.rec" -o "$folder/wires"
	check "GTKWave reads the wires" vcd2fst "$folder/wires" "$folder/fst"
	check_same "sigrok finds two of each timer, and one more" \
		"Channels: 11" "$(sigrok-cli -I vcd -i "$folder/wires" --show |
			grep Channels)"
	for format in svg rings moves; do
		trace $format --title ü "$folder/target.rec" >"$folder/svg"
		check "$format is XML" python3 -c 'import sys, xml.dom.minidom
xml.dom.minidom.parse(sys.argv[1])' "$folder/svg"
	done
}

# recorded HZ TICK...: a timer expires at these, in hexadecimal.
recorded() {
	printf '%s ' "jif-trace 1 hz=$1 bits=64 turns=1 start=0 clock=0" \
		"hands=0:0:0:0 time=0 lost=0 records=$((2 * ($# - 1)))"
	shift
	printf "\n0000000000000000%s\n002800000000000100000000" "$@"
}

# units NAME WANT FORMAT HZ TICK...: the unit, and the times in it.
units() {
	units_name=$1
	units_want=$2
	units_format=$3
	shift 3
	recorded "$@" >"$folder/units.rec"
	trace "$units_format" "$folder/units.rec" >"$folder/units"
	check_same "$units_format: $units_name" "$units_want" \
		"$(sed -n 's/^.timescale \(.*\) .end$/\1:/p; s/^#//p' \
			"$folder/units" | xargs)"
}

timescales() {
	one='00000001 00000002 00000003'
	# shellcheck disable=SC2086 # these are words
	{
		units "a tick of 1 ms" "1 ms: 1 2 3" vcd 1000 $one
		units "a tick of 2.5 ms" "100 us: 25 50 75" vcd 400 $one
		units "128 Hz" "100 ns: 78125 156250 234375" vcd 128 $one
		units "32,768 Hz" "1 fs: 30517578125 61035156250 91552734375" \
			vcd 32768 $one
		units "a tick of 1 ms" "100 us: 10 15 20 25 30 35 40" \
			wires 1000 $one
		units "16 Hz, half a tick for each expiry" \
			"100 us: 625 938 1250 1562 1875 2188 2500" \
			wires 16 $one
		recorded 128 $one >"$folder/three.rec"
	}
	units "60 Hz do not drift in an hour" \
		"10 ns: 360000000000 360001666667" vcd 60 00034bc0 00034bc1
	units "nor 32,768 Hz, in a day" \
		"10 ps: 8640000000000000" vcd 32768 a8c00000
	units "for a day of 128 Hz, sigrok's memory is enough" \
		"1 ms: 86400000 86400004 86400008" wires 128 00a8c000
	trace wires "$folder/three.rec" -o "$folder/wires"
	check_same "sigrok sees each of three expiries in a row, equally long" \
		"39063 39062 39062 39063 39063" \
		"$(sigrok-cli -I vcd -i "$folder/wires" -C 1.expires -O csv |
			grep '^[01]$' | uniq -c | awk 'NR < 6 { print $1 }' |
			xargs)"
}

# The wheel's clock is behind what ends a sleep.
sleeps() {
	recorded 1000 0 0 0 0 | sed 1q >"$folder/slept"
	printf '%016x%08x\n' 0 0 0x2688000000000001 1000 $((8 << 51)) 1000 \
		$((9 << 51)) 1000 0 960 0x1498000000000001 0 0 1000 \
		0x28000000000001 0 >>"$folder/slept"
	check_same "what is moved in a sleep comes before its end" \
		"960,cascade 1000,wake 1000,entry" "$(trace csv \
			"$folder/slept" | cut -d, -f1,2 | tail -n 3 | xargs)"
	check_same "a time without an event shows what is then" "970 b1 w0" \
		"$(trace vcd "$folder/slept" --from 970 --to 980 |
			sed -n 's/^#//p; /w0$/p' | xargs)"
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

# Nothing of these is read, or by far too much memory.
unread() {
	# shellcheck disable=SC3045 # every sh of Debian has it
	ulimit -v 1000000
	said "$1" | tail -n 1
}

# What writes to it lets a reader go on that does not look what it opens.
fifo() {
	mkfifo "$folder/fifo"
	: >"$folder/fifo" &
	said fifo | tail -n 1
	kill $!
	wait $!
} 2>/dev/null

streams() {
	for name in ./some same link; do
		cp "$folder/some" "$folder/before"
		ln "$folder/some" "$folder/same"
		ln -s some "$folder/link"
		check_same "error: a recording is not overwritten as $name" \
			"trace: error: $name: is a file that was read" \
			"$(cd "${folder:?}" &&
				"$here/tools/trace/trace" csv some \
					-o "$name" 2>&1)"
		check "and is what it was, as $name" \
			cmp "$folder/some" "$folder/before"
		rm "$folder/same" "$folder/link"
	done
	check_same "error: the output is closed" \
		"trace: error: the output: it is closed" \
		"$(trace csv "$folder/some" 2>&1 >&-)"
	trace csv "$folder/some" -o "$folder/want" 2>"$folder/err"
	trace csv "$folder/some" >"$folder/got" 2>&-
	check "with standard error closed, the output is the same" \
		cmp "$folder/want" "$folder/got"
}

# empty FLAGS WHY: there would be nothing to see.
empty() {
	# shellcheck disable=SC2086	# a list of words
	check_same "error: nothing would be shown, $1" "trace: error: $2" \
		"$(trace svg "$folder/target.rec" -o "$folder/nothing" $1 2>&1 |
			cut -c -$((${#2} + 14)))"
}

errors() {
	here=$PWD
	check_same "error: a device" \
		"trace: error: /dev/zero: is not a regular file" \
		"$(unread /dev/zero)"
	check_same "error: a FIFO" \
		"trace: error: fifo: is not a regular file" "$(fifo)"
	truncate -s 1073741825 "$folder/large"
	check_same "error: a file that is too large" \
		"trace: error: large: is larger than 1 GiB" "$(unread large)"
	rm "$folder/large"
	{
		printf '%065536d' 0
		cat "$folder/sim.rec"
	} >"$folder/bad"
	check_same "error: a long line has no head in it" \
		"bad:1: error: expected \"jif-trace 1 hz=" \
		"$(said bad | cut -c -39)"
	{
		printf '%070000d\n' 0
		sed '3s/.$//' "$folder/sim.rec"
	} >"$folder/bad"
	check_same "error: a long line is one" \
		"bad:4: error: expected 24" "$(said bad | cut -c -25)"
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
	streams
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
	empty "--name lease --name nosuch" \
		'--name "nosuch": expected the name of a timer, one of 5: '
	empty "--from 30m --to 101" "--from 30m: is after --to 101"
	empty "--from 60d" "--from 60d: expected a time up to 278998 ticks, "
	empty "--at 60d" "--at 60d: expected a time up to 278998 ticks, "
	check_fails 1 "and nothing is written" test -e "$folder/nothing"
	check_fails 1 "a time that is none" \
		trace csv --from 3x "$folder/sim.rec"
}

cp -r lib "$folder"
sed -i '/^	*trace\(_[a-z]*\)*(.*);$/d' "$folder"/lib/*.c \
	"$folder"/lib/rings.h "$folder"/lib/firmware/*.c
check "hooks are lines of their own" \
	test "$(diff -r lib "$folder/lib" | grep -c '^<')" -gt 10
objects gcc gcc -std=c11 -O2 -I"$PWD/include" -DJIF_PORT='"sim/jif_port.h"'
objects clang clang -std=c11 -O2 -I"$PWD/include" -DJIF_PORT='"sim/jif_port.h"'
objects cortex-m3 arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -std=c11 -Os \
	-ffreestanding -I"$PWD/include"
objects avr avr-gcc -mmcu=atmega328p -std=c11 -Os -ffreestanding \
	-I"$PWD/include"
recordings
formats
timescales
sleeps
filters
errors
finish
