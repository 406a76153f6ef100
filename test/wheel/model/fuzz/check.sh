#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/wheel/model/fuzz/check.sh [SECONDS [NAME...]]
#
# The fuzzers: what is listed below, under the address and the undefined
# behaviour sanitizer, and recording.py for tools/trace. Each replays the inputs
# of NAME.txt, and finds a mistake that is planted.
#
# With SECONDS, `make fuzz TIME=SECONDS`, each, or those of that name, looks for
# more inputs for so long, and the fewest that reach as much of the code become
# NAME.txt.
set -u
. test/lib.sh

seconds=${1-}
[ $# = 0 ] || shift
only=$*
folder=build/fuzz
here=test/wheel/model/fuzz
model=test/wheel/model
engine='lib/wheel*.c lib/timer_delay.c lib/jiffies.c lib/periodic.c lib/trace.c
	lib/firmware/record.c
	lib/debug.c lib/panic.c lib/port/sim/sim.c'
jifsim=$(find tools/simulate -name '*.c' ! -name main.c ! -name source.c \
	! -name parse.c)
tools/build/own --keep $folder && tools/build/own $folder/planted || exit
rm -f $folder/*.o

# Optimised is three times as fast, and takes six times as long to compile.
flags="-g -O$((${seconds:+1} + 0)) -Wall -Wextra -Wno-unused-parameter"
flags="$flags -Werror -fno-sanitize-recover=all"
flags="$flags -fsanitize=fuzzer,address,undefined"

export ASAN_OPTIONS=exitcode=77 UBSAN_OPTIONS=exitcode=77
spread=0

# compile SOURCE...: to objects, whose names are printed. What is compared is of
# use where texts are read, and takes half of the time elsewhere.
compile() {
	for source in "$@"; do
		case $source in
		$here/*) less= ;;
		lib/* | test/wheel/model/*)
			less=-fno-sanitize-coverage=trace-cmp
			;;
		*) less= ;;
		esac
		object=$folder/$(echo "$source" | tr / -)-$spread.o
		# shellcheck disable=SC2086	# a list of flags
		[ -e "$object" ] || clang -std=c11 $flags $less -D_GNU_SOURCE \
			-DCONFIG_JIF_PORT_SIM=1 -DCONFIG_JIF_DEBUG=1 \
			-DCONFIG_JIF_TRACE=1 -DCONFIG_JIF_SPREAD=$spread \
			-Iinclude -Ilib -Ilib/firmware -Itools/simulate \
			-Itools/show/idled \
			-c -o "$object" "$source" || return
		echo "$object"
	done
}

# build PROGRAM SOURCE...
build() {
	program=$1
	shift
	rm -f "$program"
	objects=$(compile "$@") || return
	# shellcheck disable=SC2086	# two lists
	clang $flags -fuse-ld=lld -o "$program" $objects
}

# The inputs of other tests are a beginning, too.
search() {
	test/tools/sim/cases "$scratch/sim"
	case $1 in
	scenario) cp "$scratch"/sim/scenarios/*.scn "$folder/$1.all" ;;
	replay) cp "$scratch"/sim/traces/*.csv "$folder/$1.all" ;;
	esac
	"$folder/$1" -max_total_time="$seconds" -max_len=1000 -timeout=20 \
		-rss_limit_mb=1024 -print_final_stats=1 \
		-artifact_prefix="$folder/$1-" \
		-dict="$folder/words" "$folder/$1.all" &&
		rm -rf "$folder/$1.few" && mkdir "$folder/$1.few" &&
		"$folder/$1" -set_cover_merge=1 -use_counters=0 -max_len=1000 \
			"$folder/$1.few" "$folder/$1.all" &&
		$here/corpus.py pack "$here/$1.txt" "$folder/$1.few"
}

wanted() {
	case " $only " in
	'  ' | *" $1 "*) ;;
	*) false ;;
	esac
}

# planted NAME SED FILE SOURCE...: one of the inputs finds it.
planted() {
	name=$1
	copy=$folder/planted/$name-${3##*/}
	sed "$2" "$3" >"$copy"
	others=$(echo "$4" | tr -s ' \t\n' '\n' | grep -vx "$3")
	# shellcheck disable=SC2086	# a list of names
	check "$name: a mistake can be planted" \
		build "$folder/planted/$name" "$copy" $others
	check_fails 77 "$name: an input finds it" "$folder/planted/$name" \
		-runs=0 -artifact_prefix="$folder/" "$folder/$name.all"
}

# fuzz NAME SED FILE SOURCE...: with a mistake that SED makes in FILE.
fuzz() {
	wanted "$1" || return 0
	name=$1
	sed=$2
	file=$3
	shift 3
	check "$name: it compiles" build "$folder/$name" "$@"
	rm -rf "$folder/$name.all"
	$here/corpus.py unpack "$here/$name.txt" "$folder/$name.all"
	if [ -n "$seconds" ]; then
		check "$name: $seconds s of new inputs" search "$name"
		sed -n 's/^stat::/# &/p' "$check_log"
	fi
	check "$name: all inputs of $here/$name.txt" \
		"$folder/$name" -runs=0 -artifact_prefix="$folder/$name-" \
		"$folder/$name.all"
	[ -n "$seconds" ] || planted "$name" "$sed" "$file" "$*"
}

recording() {
	# shellcheck disable=SC2086	# or nothing
	check "recording: all of recording.txt${1:+ and $1 s of new ones}" \
		$here/recording.py tools/trace/trace $1
	sed -n '/^#/p' "$check_log"
	[ -z "$seconds" ] || return
	cp -r tools/trace $folder/planted
	sed -i 's/if kind >= len(EVENTS):/if False:/' \
		$folder/planted/trace/recording.py
	check_fails 1 "recording: an input finds a mistake" \
		$here/recording.py $folder/planted/trace/trace
}

# A scenario may not have so many timers that it takes long.
sed 's/RANGE_MAX *1000000u/RANGE_MAX 20u/' tools/simulate/parse.c \
	>$folder/parse.c
# The words of scenarios, traces and options.
grep -oh '"[A-Za-z0-9_,:/.-]\{1,30\}"' tools/simulate/parse.c \
	tools/simulate/lex.c \
	tools/simulate/trace.c tools/show/idled/options.c | sort -u \
	>$folder/words

# shellcheck disable=SC2086	# lists of names
{
	fuzz table '/entry->generation++;/d' lib/firmware/table.c \
		$here/table.c test/firmware/model/map.c lib/firmware/table.c \
		$engine
	fuzz snapshot 's/end - \*at < RECORD/false/' \
		lib/firmware/snapshot.c $here/snapshot.c \
		lib/firmware/snapshot.c lib/firmware/table.c \
		$engine
	fuzz engine 's/remaining += later/& + 1/' lib/wheel.c \
		$here/engine.c $model/lockstep.c $model/oracle.c \
		$model/verbs.c $engine
	spread=2
	fuzz spread 's/remaining += later/& + 1/' lib/wheel.c \
		$here/engine.c $model/lockstep.c $model/oracle.c \
		$model/verbs.c $engine
	spread=0
	fuzz scenario 's/length < 40 ? length : 40/length/' \
		tools/simulate/lex.c \
		$here/sim.c $jifsim $folder/parse.c $engine
	fuzz replay 's/++n <= FIELDS/++n <= FIELDS + 1/' \
		tools/simulate/trace.c \
		$here/sim.c $jifsim $folder/parse.c $engine
	fuzz idled 's/count >= options/count > options/' \
		tools/show/idled/peer.c \
		$here/idled.c tools/show/idled/peer.c \
		tools/show/idled/metrics.c \
		tools/show/idled/status.c \
		$engine
}
! wanted recording || recording "$seconds"

# In its last column; two of those here make up calls themselves.
named() {
	sed -n 's/^|.*| \(`.*\) |$/\1/p' docs/SECURITY.md |
		tr -cs '[:lower:]' '\n' | sort -u | xargs
}
check_same "docs/SECURITY.md names the fuzzers that there are" "$({
	echo recording
	sed -n 's/^	fuzz \([a-z]*\) .*/\1/p' "$0"
} | grep -vx 'engine\|spread' | sort | xargs)" "$(named)"
finish
