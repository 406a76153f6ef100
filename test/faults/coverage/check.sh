#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/faults/coverage/check.sh [long]
#
# Do the tests of the host run each line and each branch of lib/? The library is
# compiled with counters, and linked with the objects of the unit tests, also
# with spreading; the ports run on the models of their timers, the services for
# threads with a clock of their tests. What is never run has to be in
# test/faults/coverage/excluded, with a reason: see holes.
#
# The long form also looks at conditions, with another compiler (MC/DC): see
# conditions.
#
# shellcheck disable=SC2046,SC2086 # options, rows and files are lists of words
set -u
. test/lib.sh

unset MAKEFLAGS MFLAGS MAKELEVEL
top=build/coverage
flags='-O0 -g --coverage -fprofile-abs-path'
tools/build/own --keep $top || exit
find $top '(' -name '*.gcda' -o -name '*.json' ')' -delete

# configure OUT K: the configuration of the tests, with CONFIG_JIF_SPREAD = K.
configure() {
	mkdir -p "$1"
	echo "CONFIG_JIF_SPREAD=$2" >$top/config
	cmp -s $top/config "$1/.config" || cp $top/config "$1/.config"
}

compile() {
	gcc -std=c11 $flags -Iinclude "$@"
}

# model_objects NAME: those of its model, without the programs of their own.
model_objects() {
	find "build/$1"/test/*/model -maxdepth 1 -name '*.o' \
		! -name swarm.o ! -name divides.o
}

# program NAME K: the unit tests of build/NAME, with a library that counts. Some
# have sources of the library of their own.
program() {
	configure "build/$1" "$2"
	configure "$top/$1" "$2"
	make -s -j2 O="build/$1" "build/$1/test/wheel/unit/quick" \
		"build/$1/test/wheel/model/model" &&
		make -s -j2 O="$top/$1" LIB_CFLAGS="$flags" \
			"$top/$1/libjif.a" || return
	objects=$(find "build/$1"/test/*/unit -name '*.o')
	for row in 'hz_60 rate -DRATE=60' 'hz_1000000 rate -DRATE=1000000' \
		'wheel_check_next wheel_check_next'; do
		set -- "$1" $row
		object=$top/$1/$2.o
		compile -I"$top/$1/include" ${4-} -c -o "$object" \
			"test/wheel/unit/$3.c" || return
		objects=$(echo "$objects" |
			sed "s|^build/.*/$2.o\$|$object|")
		set -- "$1"
	done
	gcc --coverage -Wl,--wrap=abort -o "$top/$1/unit" $objects \
		$top/count.o "$top/$1/libjif.a" || return
	gcc --coverage -o "$top/$1/model" \
		$(model_objects "$1") "$top/$1/libjif.a" -lcriterion
}

# timer systick|mtime [FLAG]...: a port beside a model of its timer.
timer() {
	mkdir -p "$top/$1"
	KEEP=$top/$1 test/port/host/run.sh "$@" $flags -O1 -fno-inline \
		-fprofile-update=atomic -Wl,--wrap=abort,$top/count.o
}

# compare TIMER CLOCK_HZ
compare() {
	mkdir -p "$top/$1"
	test=test/port/compare
	model=$test/$1.c
	[ -e "$model" ] || model=$test/match.c
	for source in lib/jiffies.c lib/port/compare/compare.c \
		"$test/world.c" "$test/phases.c" "$model"; do
		compile -DCONFIG_JIF_COMPARE=1 -DCONFIG_JIF_CLOCK_HZ="$2" \
			-DCONFIG_JIF_INITIAL_JIFFIES=0xfff00000 \
			-DTIMER="\"$1.h\"" \
			-DMODEL="$(echo "$1" | tr '[:lower:]' '[:upper:]')" \
			-I$test -Ilib/port/compare \
			-DCONFIG_JIF_COMPARE_TIMER="\"$PWD/$test/timer.h\"" \
			-DJIF_REG="\"$PWD/$test/reg.h\"" \
			-DJIF_PORT="\"$PWD/$test/port.h\"" -c \
			-o "$top/$1/$(basename "$source" .c).o" "$source" ||
			return
	done
	# Linked, and not run here.
	gcc -Iinclude "-DJIF_PORT=\"$PWD/$test/port.h\"" -r -nostdlib \
		-o "$top/$1/selftest.o" lib/kit/selftest.c lib/timer_delay.c \
		lib/wheel*.c || return
	gcc --coverage -o "$top/$1/phases" "$top/$1"/*.o &&
		"$top/$1/phases" 10000 64
}

# threads: services and loops, with what the child of a fork runs, and
# what the sources of the wheel have for jumps of more than 2^31 ticks.
threads() {
	operations=1
	make -s -j2 O="$top/threads" LIB_CFLAGS="$flags" \
		"$top/threads-release/libjif.a" || return
	for test in logic loop faults now; do
		[ $test != now ] || operations=100000
		gcc -std=gnu11 -pthread --coverage -I. -Iinclude \
			-Wl,--wrap=abort,--wrap=_exit \
			-o "$top/threads-release/$test" "test/host/$test"*.c \
			$top/count.o "$top/threads-release/libjif.a" &&
			"$top/threads-release/$test" $operations || return
	done
}

# decide NAME K: the same, with a library that tells what decided.
decide() {
	objects=$(find "build/$1"/test/*/unit -name '*.o' \
		! -name wheel_check_next.o ! -name quick.o)
	configure "$mcdc/$1" "$2"
	make -s -j2 O="$mcdc/$1" CC=clang-19 LIB_CFLAGS="$mcdc_flags" \
		"$mcdc/$1/libjif.a" &&
		clang-19 -std=c11 $mcdc_flags -Iinclude \
			-I"$mcdc/$1/include" -c -o "$mcdc/$1/next.o" \
			test/wheel/unit/wheel_check_next.c &&
		gcc -c -D__gcov_dump=__llvm_profile_write_file \
			-o "$mcdc/count.o" test/faults/coverage/count.c &&
		clang-19 $mcdc_flags -Wl,--wrap=abort -o "$mcdc/$1/unit" \
			$objects "$mcdc/$1/next.o" "$mcdc/count.o" \
			"$mcdc/$1/libjif.a" -lcriterion &&
		clang-19 $mcdc_flags -o "$mcdc/$1/model" \
			$(model_objects "$1") "$mcdc/$1/libjif.a" -lcriterion
}

# decided NAME: what its tests have shown.
decided() {
	llvm-profdata-19 merge -o "$mcdc/$1.profdata" "$mcdc/$1"/*.profraw &&
		llvm-cov-19 show --show-mcdc \
			-instr-profile="$mcdc/$1.profdata" \
			"$mcdc/$1/unit" -object "$mcdc/$1/model" \
			>"$mcdc/$1.txt"
}

conditions() {
	mcdc=build/mcdc
	mcdc_flags='-O1 -g -fprofile-instr-generate -fcoverage-mapping
		-fcoverage-mcdc'
	mkdir -p $mcdc
	find $mcdc -name '*.profraw' -delete
	for row in 'host 0 *' 'spread-1 1 @(wheel*|misuse)/*'; do
		name=${row%% *}
		spread=${row#* }
		check "conditions, $name: it builds" decide "$name" \
			"${spread%% *}"
		suite "conditions, $name: unit" env \
			LLVM_PROFILE_FILE="$PWD/$mcdc/$name/%m.profraw" \
			"$mcdc/$name/unit" -j1 --tap --filter "${row##* }"
		suite "conditions, $name: model" env \
			LLVM_PROFILE_FILE="$PWD/$mcdc/$name/model.%m.profraw" \
			LOCKSTEP_OPERATIONS=20000 "$mcdc/$name/model" -j1 \
			--tap --filter '@(turns|table_model)/*'
		check "conditions, $name: shown" decided "$name"
	done
	each 'what is left of the conditions is known' \
		test/faults/coverage/conditions \
		test/faults/coverage/excluded.mcdc \
		$mcdc/host.txt $mcdc/spread-1.txt
	sed -n '/^#/p' "$check_log"
	check_fails 1 'a condition that is not covered is found' \
		test/faults/coverage/conditions /dev/null $mcdc/host.txt
}

gcc -c -o $top/count.o test/faults/coverage/count.c
check "plain: it builds" program host 0
check "plain: unit" $top/host/unit 60 ""
for model in turns table_model lockstep; do
	suite "plain: $model" env LOCKSTEP_OPERATIONS=400000 $top/host/model \
		-j1 --tap --filter "$model/*"
done
check "spreading: it builds" program spread-1 1
check "spreading: unit" $top/spread-1/unit 60 only wheel
check "spreading: misuse" $top/spread-1/unit 60 only misuse
check "SysTick" timer systick
check "mtime" timer mtime
for row in "nrf_rtc 32768" "nrf_timer 31250" "stm32_lptim 32768" \
	"stm32_tim 32768" "rp2040 1000000" "riscv_mtime 32768"; do
	check "${row% *}" compare $row
done
check "threads" threads
for name in "$top"/*/; do
	what=lib/
	[ "$name" != "$top/threads-release/" ] ||
		what='lib/(host/|periodic|wheel\.)'
	gcovr -r . --object-directory "$name" -f $what \
		--json "${name%/}.json" "$name"
done
each "what is left out is known" \
	test/faults/coverage/holes test/faults/coverage/excluded $top/*.json
sed -n '/^#/p' "$check_log"
[ "${1-}" != long ] || conditions
finish
