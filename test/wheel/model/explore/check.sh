#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/wheel/model/explore/check.sh EXPLORER
#
# Visits every state of all plans: those in test/wheel/model/explore/states to
# the end, with as many states, transitions and interrupts as it says.
set -u
. test/lib.sh

explore() {
	"$1" >"$check_log.out"
	status=$?
	cat "$check_log.out"
	return $status
}

visited() {
	awk '$NF == "all" { print $1, $3, $4, $5 }' "$check_log.out"
}

written() {
	awk '!/^#/ { print $1, $2, $3, $4 }' test/wheel/model/explore/states
}

trap 'rm -f "$check_log" "$check_log.out"' EXIT
check "no difference in any state" explore "$1"
sed 's/^/# /' "$check_log.out"
check_same "their numbers are those in states" "$(written)" "$(visited)"
finish
