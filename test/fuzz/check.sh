#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/fuzz/check.sh [SECONDS]
#
# The fuzzers: test/fuzz/NAME.c, with the sources that are listed below, under
# the address and the undefined behaviour sanitizer. Each replays the inputs of
# NAME.txt: one to a line, in hexadecimal digits.
#
# With SECONDS, `make fuzz TIME=SECONDS`, each first looks for more inputs for
# so long, and the fewest that reach as much of the code become NAME.txt.
set -u
. test/lib.sh

seconds=${1-}
folder=build/fuzz
engine='lib/wheel*.c lib/timer.c lib/jiffies.c lib/trace.c lib/debug.c
	lib/port/sim/sim.c
	lib/port/sim/panic.c'
mkdir -p $folder

flags='-g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all'

# compile SOURCE...: to objects, whose names are printed.
compile() {
	for source in "$@"; do
		object=$folder/$(echo "$source" | tr / -).o
		# shellcheck disable=SC2086	# a list of flags
		clang -std=c11 $flags -DCONFIG_JIF_PORT_SIM=1 \
			-DCONFIG_JIF_DEBUG=1 -Iinclude -Ilib -c -o "$object" \
			"$source" || return
		echo "$object"
	done
}

# build PROGRAM SOURCE...
build() {
	program=$1
	shift
	objects=$(compile "$@") || return
	# shellcheck disable=SC2086	# two lists
	clang $flags -o "$program" $objects
}

# to_files FOLDER: lines become files; to_lines FOLDER: and back.
to_files() {
	rm -rf "$1"
	mkdir -p "$1"
	python3 -c '
import sys
for i, line in enumerate(sys.stdin):
    open(f"{sys.argv[1]}/{i}", "wb").write(bytes.fromhex(line))' "$1"
}

to_lines() {
	python3 -c '
import glob, sys
files = [open(name, "rb").read() for name in glob.glob(sys.argv[1] + "/*")]
for data in sorted(files, key=lambda data: (len(data), data)):
    print(data.hex())' "$1"
}

search() {
	"$folder/$1" -max_total_time="$seconds" -max_len=400 \
		-print_final_stats=1 -artifact_prefix="$folder/$1-" \
		"$folder/$1.all" &&
		rm -rf "$folder/$1.few" && mkdir "$folder/$1.few" &&
		"$folder/$1" -set_cover_merge=1 -use_counters=0 \
			"$folder/$1.few" "$folder/$1.all" &&
		to_lines "$folder/$1.few" >"test/fuzz/$1.txt"
}

# fuzz NAME SOURCE...
fuzz() {
	name=$1
	shift
	check "$name: it compiles" build "$folder/$name" \
		"test/fuzz/$name.c" "$@"
	to_files "$folder/$name.all" <"test/fuzz/$name.txt"
	[ -z "$seconds" ] || {
		check "$name: $seconds s of new inputs" search "$name"
		sed -n 's/^stat::/# &/p' "$check_log"
	}
	check "$name: all inputs of test/fuzz/$name.txt" \
		"$folder/$name" -runs=0 "$folder/$name.all"
}

# planted NAME SED: one of the inputs of the table finds it.
planted() {
	sed "$2" lib/table.c >"$folder/planted.c"
	# shellcheck disable=SC2086	# a list of names
	check "$1: it can be planted" build "$folder/planted" \
		test/fuzz/table.c "$folder/planted.c" test/model/map.c $engine
	check_fails 77 "$1: an input finds it" \
		"$folder/planted" -runs=0 -artifact_prefix="$folder/" \
		"$folder/table.all"
}

# shellcheck disable=SC2086	# a list of names
fuzz table lib/table.c test/model/map.c $engine
planted "a generation stays" '/entry->generation++;/d'

finish
