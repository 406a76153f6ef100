#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The benchmark: its verification finds what is planted, our rows are exact, the
# recording fires what it has to, and instructions are counted.
set -u
. test/lib.sh

bench=tools/check/bench/bench
csv=$folder/bench.csv

# plant FILE SED: a mistake in what the heap is made of.
plant() {
	rm -rf "$folder/bench"
	cp -r tools/check/bench "$folder"
	sed -i "$2" "$folder/bench/rows/$1"
	! cmp -s "tools/check/bench/rows/$1" "$folder/bench/rows/$1" ||
		fail "a mistake can be planted: $1, $2"
}

planted() {
	BENCH_ROWS=$folder/bench/rows $bench --verify --rows heap --csv "$csv"
}

# fault NAME FILE SED WANT: the heap with that mistake fails the benchmark.
fault() {
	plant "$2" "$3"
	check_fails 1 "a row that goes wrong: $1" planted
	cp "$check_log" "$folder/said"
	check "$1: it says what is wrong" grep -q "$4" "$folder/said"
}

# median ROW WHAT: what the results kept say.
median() {
	awk -F , -v row="$1" -v what="$2" \
		'$1 == "row" { while (n++ < NF && $n !~ "^" what "/"); }
		$1 == row && $n != "" { print $n }' "$csv"
}

fault lose heap.c 's/if (++last >= room) {/static int calls;\n\
	if (++calls % 500 == 0)\n		return;\n	&/' \
	'a timer did not expire'
fault twice sorted.h 's/^		timer->fn(timer);/&&/' 'a timer expired'
fault early sorted.h 's/expires <= now/expires <= now + 1/' \
	'a timer expired early'
fault cancelled heap.c 's/if (!place)/static int calls;\n\
	if (!place || (place > ROOT \&\& ++calls % 100 == 0))/' \
	'a timer expired that was not armed'

plant sorted.h 's/expires <= now/expires < now/'
check "a row that is late is not wrong" planted
check_same "but its lateness is told" 1 "$(median heap late)"

ours=jif,jif-unit,jif-spread
exact=heap
check "our rows and the heap are right" \
	$bench --verify --rows "$ours,$exact" --csv "$csv"
for row in $(echo "$ours,$exact" | tr , " "); do
	check_same "$row is never late" 0 "$(median $row latest)"
done
for row in jif jif-unit jif-spread; do
	check_same "$row keeps the order" 0 "$(median $row inverted)"
done

check "the recording is replayed, and a machine sleeps" $bench --ns \
	--workloads recording,sparse --repetitions 1 --rows $ours --csv "$csv"
for row in jif jif-unit jif-spread; do
	check_same "$row fires what was recorded" 102218 "$(median $row fired)"
	check_same "$row wakes up once per expiry" 1 "$(median $row stops)"
done

# What it costs to call a function that does nothing: 6 instructions of the loop
# and the function's 1, of which cancelling has one less to load.
check "instructions are counted" $bench --counts --rows null
cp "$check_log" "$folder/null"
check_same "those of a call" "null/arm 7.00
null/cancel 6.00" "$(grep -E '/(arm|cancel) ' "$folder/null")"

for clock in 'jif -DTICK_NS=0' heap timerfd; do
	# shellcheck disable=SC2086	# words
	check "the clock beside the service compiles: $clock" gcc -std=gnu11 \
		-Wall -Wextra -Wno-unused-parameter -Werror \
		-fsyntax-only -Iinclude -x c \
		tools/check/bench/clocks/load.c \
		tools/check/bench/clocks/${clock%% *}.c \
		$(echo "$clock" | sed -n 's/^[^ ]* //p')
done

check_fails 2 "a row that there is not" $bench --rows nothing
check_fails 2 "no timers" $bench --n 0
check_fails 2 "no repetitions" $bench --repetitions 0

finish
