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
. test/firings.sh

operations=300000
long=
if [ "${1-}" = long ]; then
	operations=2500000
	long=1
	shift
fi
[ $# != 0 ] || set -- 1 4 8 64

# build_for K PROGRAM...: in a folder of its own.
build_for() {
	configure "build/spread-$1" SPREAD "$1"
	out=build/spread-$1
	shift
	build "$out" "$@"
}

explore() {
	explorer=build/spread-$1/test/model/explore/explore
	build_for "$1" test/model/explore/explore
	check "K = $1: one timer, all states" "$explorer" --timers 1
	tail -n 1 "$check_log"
	if [ "$long" ]; then
		check "K = $1: two timers, all states" "$explorer" --timers 2
	else
		check "K = $1: two timers, 50,000 states each" \
			"$explorer" --timers 2 --limit 50000
	fi
	tail -n 1 "$check_log"
}

for k; do
	build_for "$k" jifsim test/unit/unit test/model/model
	check "K = $k: unit" "build/spread-$k/test/unit/unit" "$jobs"
	grep -a 'Synthesis' "$check_log"
	check "K = $k: lockstep" env LOCKSTEP_OPERATIONS=$operations \
		"build/spread-$k/test/model/model" "$jobs" --filter 'lockstep/*'
	grep -a 'Synthesis\|^lockstep' "$check_log"
	scenarios "build/spread-$k" "K = $k"
done
check "K = $1: placement" "build/spread-$1/test/model/model" "$jobs" \
	--filter 'placement/*'
for k in 1 2 3; do
	explore $k
done
configure build/spread-san SPREAD 4
sanitized build/spread-san "K = 4"

finish
