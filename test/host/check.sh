#!/bin/sh
# SPDX-License-Identifier: MIT
#
# With CONFIG_JIF_HOST: the unit suites, lockstep and placement; the scenarios
# and the recorded trace, whose firings have to be those of their golden output,
# which is that of the plain wheel; the first states of the small wheel, and the
# suites of the wheel under the sanitizers.
#
# The explorer is slow here: it copies, checks and hashes all lists of the wheel
# all the time, and of those there are hundreds, of a slot or of none, however
# few slots there are.
set -u
. test/lib.sh
. test/firings.sh

out=build/tuned
explorer=$out/test/model/explore/explore

together() {
	! "${CC:-cc}" -std=c11 -Iinclude -DCONFIG_JIF_HOST=1 \
		-DCONFIG_JIF_SPREAD=4 -fsyntax-only lib/wheel.c \
		2>"$folder/message" &&
		grep 'JIF_SPREAD and CONFIG_JIF_HOST exclude each other' \
			"$folder/message"
}

check "no wheel is tuned and spreads, and the compiler says so" together
configure "$out" HOST y
build "$out" jifsim test/unit/unit test/model/model test/model/explore/explore
check "tuned: unit" "$out/test/unit/unit" "$jobs"
grep -a 'Synthesis' "$check_log"
check "tuned: lockstep" env LOCKSTEP_OPERATIONS=300000 \
	"$out/test/model/model" "$jobs" --filter 'lockstep/*'
grep -a 'Synthesis\|^lockstep' "$check_log"
check "tuned: placement" "$out/test/model/model" "$jobs" --filter 'placement/*'
scenarios "$out" tuned
check "tuned: one timer, 1,000 states" \
	"$explorer" --timers 1 --limit 1000
tail -n 1 "$check_log"
check "tuned: two timers, 5,000 states each" \
	"$explorer" --timers 2 --limit 5000
tail -n 1 "$check_log"
check "tuned: two timers, no interrupts, 50,000 states each" \
	"$explorer" --timers 2 --injections 0 --limit 50000
tail -n 1 "$check_log"
configure build/tuned-san HOST y
sanitized build/tuned-san tuned

finish
