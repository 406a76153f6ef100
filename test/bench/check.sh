#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The benchmark: its verification finds what is planted, its rows are exact, the
# recording fires what it has to, and the budget of instructions is kept.
set -u
. test/lib.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT
bench=tools/bench/bench
csv=$folder/bench.csv
tab=$(printf '\t')

# fault NAME WANT: the heap with that mistake fails the benchmark.
fault() {
	check_fails 1 "a row that goes wrong: $1" \
		$bench --verify --rows "faulty-$1" --csv "$csv"
	cp "$check_log" "$folder/said"
	check "$1: it says what is wrong" grep -q "$2" "$folder/said"
}

# median ROW WHAT: what the results kept say.
median() {
	awk -F , -v row="$1" -v what="$2" \
		'$1 == row && $2 == what { print $5 }' "$csv"
}

# changed FACTOR: a copy of the tree whose budget is one figure, and wrong.
changed() {
	rm -rf "$folder/tree"
	mkdir "$folder/tree"
	cp -R include lib tools "$folder/tree"
	awk -F "$tab" -v OFS="$tab" -v factor="$1" '$2 == "compiler" { print }
		$1 == "jif" && $2 == "arm" { print $1, $2, $3 * factor }' \
		tools/bench/instructions.budget \
		>"$folder/tree/tools/bench/instructions.budget"
}

fault lose 'a timer did not expire'
fault twice 'a timer expired'
fault early 'a timer expired early'
fault cancelled 'a timer expired that was not armed'

check "a row that is late is not wrong" \
	$bench --verify --rows faulty-late --csv "$csv"
check_same "but its lateness is told" 1 "$(median faulty-late late)"

ours=jif,jif-plain,jif-postponed,jif-spread,heap,list
check "our rows are right" $bench --verify --rows $ours --csv "$csv"
for row in jif jif-plain jif-postponed jif-spread heap list; do
	check_same "$row is never late" 0 "$(median $row latest)"
done
for row in jif jif-plain jif-spread list; do
	check_same "$row keeps the order" 0 "$(median $row inverted)"
done

check "the recording is replayed" $bench --ns --workloads trace \
	--repetitions 1 --rows jif,jif-postponed,jif-spread,heap --csv "$csv"
check_same "it fires what it has to" 102218 "$(median jif fired)"

check "a machine sleeps until the next expiry" $bench --ns \
	--workloads sparse --repetitions 1 --rows jif,jif-stops --csv "$csv"
check_same "once per expiry" 1 "$(median jif stops)"

changed 0.97
check_fails 1 "3 % over the budget" "$folder/tree/$bench" --check
cp "$check_log" "$folder/said"
check "it says so" grep -q 'the budget is' "$folder/said"
changed 0.99
check "1 % over the budget" "$folder/tree/$bench" --check
changed 1.03
check "3 % under the budget" "$folder/tree/$bench" --check
cp "$check_log" "$folder/said"
check "it asks for a new one" grep -q 'bench --write' "$folder/said"

check_fails 2 "a row that there is not" $bench --rows nothing
check_fails 2 "no timers" $bench --n 0
check_fails 2 "no repetitions" $bench --repetitions 0

finish
