#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/proof/check.sh
#
# Spin visits every state of each model of an interrupt against the main loop;
# with the mistake that the model's head names, it has to find a way to fail.
set -u
. test/lib.sh

work=$(mktemp -d)
trap 'rm -rf "$work" "$check_log"' EXIT

# states MODEL [FLAG]: prints how many there are; fails if one is wrong.
states() (
	model=$PWD/test/proof/$1.pml
	shift
	cd "$work" || exit
	spin -a "$@" "$model" && gcc -DNOREDUCE -w -o pan pan.c &&
		./pan -m100000 >said || exit 2
	sed -n 's/^ *\([0-9]*\) states, stored.*/# \1 states/p' said
	grep -q 'max search depth too small' said && exit 2
	grep -q 'errors: 0' said
)

while read -r model flag what; do
	check "$model: $what" states "$model"
	sed -n '/^#/p' "$check_log"
	check_fails 1 "$model: $flag is found" states "$model" "-D$flag"
done <<-END
	jiffies TORN a reading is a count that there was
	sleep BLIND no sleep is longer than until the first expiry
	take APART an arming is called or deleted, and once
END
finish
