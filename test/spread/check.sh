#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/spread/check.sh [long] [K]...
#
# With CONFIG_JIF_SPREAD = K, each of 1, 4, 8 and 64 unless others are named:
# the unit suites and lockstep; the scenarios and the recorded trace, whose
# firings have to be those of their golden output, which is that of K = 0.
#
# Then the places, which are the same for each K, the states of the small wheel
# for K = 1, 2 and 3, and the suites of the wheel under the sanitizers. `long`
# takes the explorer to the end of all plans, and lockstep to 10,000,000
# operations for each K: `make spread`.
set -u
. test/lib.sh

operations=300000
long=
if [ "${1-}" = long ]; then
	operations=2500000
	long=1
	shift
fi
[ $# != 0 ] || set -- 1 4 8 64
unset MAKEFLAGS MFLAGS MAKELEVEL
jobs=-j$(nproc 2>/dev/null || echo 2)
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT
LC_ALL=C
export LC_ALL

# build K PROGRAM...: in a folder of its own, with a changed configuration.
build() {
	out=build/spread-$1
	mkdir -p "$out"
	sed "s/^\(CONFIG_JIF_SPREAD\)=.*/\1=$1/" \
		tools/kbuild/configs/host_defconfig >"$folder/config"
	cmp -s "$folder/config" "$out/.config" ||
		cp "$folder/config" "$out/.config"
	shift
	for program; do
		set -- "$@" "$out/$program"
		shift
	done
	check "$out builds without a warning" \
		make -s $jobs O="$out" W=1 CFLAGS=-Werror "$@"
}

# What is there to see whatever K is: not how often, where and when something
# was moved, nor the drawings of the wheels, nor the count of expectations.
figures() {
	sed -e '/^cascaded /d' -e '/^placed anew /d' -e '/^worst tick /d' \
		-e '/^moves /d' -e '/^expectations /d' \
		-e '/"type":"wheels"/d' -e '/pending, next in/d' \
		-e '/^ *v$/d' -e '/^ *\(day\|hour\|min\|sec\) .* [0-9]*$/d' \
		-e 's/"cascaded":{[^}]*}//' -e 's/"met":.*//' \
		-e 's/"worst[a-z_]*":[^,}]*//g' "$@"
}

# Of the expectations, those that are about places and stops.
complaints() {
	sed -e "/expectation failed: timer '.*' is in .* want /d" \
		-e "/expectation failed: timer '.*' waited in /d" \
		-e '/expectation failed: the next stop is in /d' "$@"
}

same_firings() {
	name=$1
	shift
	"$@" >"$folder/out" 2>"$folder/err" </dev/null
	[ $? -lt 2 ] || return 1
	cp "$name.out" "$folder/want"
	: >"$folder/want.err"
	[ ! -f "$name.err" ] || cp "$name.err" "$folder/want.err"
	for file in out want; do
		figures "$folder/$file" >"$folder/$file.figures"
	done
	for file in err want.err; do
		complaints "$folder/$file" >"$folder/$file.figures"
	done
	diff -u "$folder/want.figures" "$folder/out.figures" &&
		diff -u "$folder/want.err.figures" "$folder/err.figures"
}

# The scenario says with which options it is to be run.
scenario() {
	options=$(sed -n 's/^# options: //p' "$2.scn" | tr -d '\r' | head -n 1)
	# shellcheck disable=SC2086 # the options are words
	same_firings "$2" "$1" run $options "$2.scn"
}

scenarios() {
	jifsim=$PWD/build/spread-$1/jifsim
	home=$PWD
	cd test/sim || return
	for file in scenarios/*.scn; do
		check "K = $k: ${file%.scn}" scenario "$jifsim" "${file%.scn}"
	done
	check "K = $k: traces/small" same_firings traces/small \
		"$jifsim" replay --all --wheels=0,420 traces/small.csv
	check "K = $k: traces/small-json" same_firings traces/small-json \
		"$jifsim" replay --json traces/small.csv
	check "K = $k: traces/linux-tcp" same_firings traces/linux-tcp \
		"$jifsim" replay traces/linux-tcp.csv.gz
	cd "$home" || return
	check_same "K = $k: each expiry of the recording on its exact tick" \
		"fires      102,218, 0 off their exact tick" \
		"$(grep '^fires ' "$folder/out")"
}

explore() {
	explorer=build/spread-$1/test/model/explore/explore
	build "$1" test/model/explore/explore
	check "K = $1: one timer, all states" $explorer --timers 1
	tail -n 1 "$check_log"
	if [ "$long" ]; then
		check "K = $1: two timers, all states" $explorer --timers 2
	else
		check "K = $1: two timers, 50,000 states each" \
			$explorer --timers 2 --limit 50000
	fi
	tail -n 1 "$check_log"
}

sanitized() {
	out=build/spread-san
	mkdir -p "$out"
	sed 's/^\(CONFIG_JIF_SPREAD\)=.*/\1=4/' \
		tools/kbuild/configs/host_defconfig >"$out/.config"
	check "$out builds" make -s $jobs SAN=1 O="$out" "$out/test/unit/unit"
	check "K = 4: unit, with the sanitizers" "$out/test/unit/unit" "$jobs" \
		--filter 'wheel*/*'
}

for k; do
	build "$k" jifsim test/unit/unit test/model/model
	check "K = $k: unit" "build/spread-$k/test/unit/unit" "$jobs"
	grep -a 'Synthesis' "$check_log"
	check "K = $k: lockstep" env LOCKSTEP_OPERATIONS=$operations \
		"build/spread-$k/test/model/model" "$jobs" --filter 'lockstep/*'
	grep -a 'Synthesis\|^lockstep' "$check_log"
	scenarios "$k"
done
check "K = $1: placement" "build/spread-$1/test/model/model" "$jobs" \
	--filter 'placement/*'
for k in 1 2 3; do
	explore $k
done
sanitized

finish
