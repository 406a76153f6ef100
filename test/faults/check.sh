#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/faults/check.sh
#
# Is a fault that is found told from one that is not, and from what is none?
# Plants the rows of toy.toml in toy.c.
set -u
. test/lib.sh

said=$folder/said

# says STATUS FAULT PATTERN
says() {
	status=0
	test/faults/plant test/faults/toy.toml "$2" >"$said" 2>&1 || status=$?
	check_same "$2: the exit status" "$1" "$status"
	check "$2: the reason" grep -q "^# .*$3" "$said"
}

says 0 "differs" "toy differs"
says 0 "crashes" "toy crashes"
says 0 "does not end" "toy does not end"
says 1 "not found" "toy does not find it"
says 1 "the same" "the program stays the same"
says 1 "does not compile" "it does not compile"
says 1 "no place" "it fits 0 places"
says 1 "two places" "it fits 2 places"
says 1 "no function" "there is no such function"
says 1 "no operator" "there is no such function or operator"
check_fails 1 "a word that no fault mentions" \
	test/faults/plant test/faults/toy.toml nonsense
check "all mutants of occurrences() are found" \
	test/faults/plant --mutants test/faults/toy.toml occurrences
check_same "all at once" 0 "$(grep -c alone "$check_log")"
check_fails 1 "not all mutants of largest() are found" \
	test/faults/plant --mutants test/faults/toy.toml largest

# drawn NTH[:SEED]...: the mutants of occurrences().
drawn() {
	for part; do
		test/faults/plant "--mutants=$part" test/faults/toy.toml \
			occurrences | grep -o 'occurrences: .*'
	done | sort -u
}
check_same "three seeds draw all" "$(drawn 1)" "$(drawn 3:4 3:5 3:3)"

finish
