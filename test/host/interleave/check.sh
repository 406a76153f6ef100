#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/host/interleave/check.sh [PREEMPTIONS [NAME [SCHEDULE]]]
#        test/host/interleave/check.sh tools SECONDS
#
# All schedules of at most one preemption of plans.c, and races that are
# planted. With PREEMPTIONS, only the plans, as `make interleave` does; a
# schedule that failed can be run alone, and says what each thread does.
#
# tools: their plans with real threads, each for SECONDS: at which repetition a
# plan fails or hangs, or ThreadSanitizer, Helgrind or DRD reports something;
# and what they say of the code as it is. A function in which the last two
# report that, does not count: they do not know atomic accesses.
set -u
. test/lib.sh

here=test/host/interleave
library=build/host-release/libjif.a
TSAN_OPTIONS='halt_on_error=1 atexit_sleep_ms=0'
export TSAN_OPTIONS

compile() {
	gcc -std=gnu11 -O1 -g -pthread -D_GNU_SOURCE -Wall -Wextra -Werror \
		-Wno-missing-field-initializers -Wno-unused-parameter \
		-I. -Iinclude -Ilib/host -Ilib/port/smp "$@"
}

# build NAME FLAGS FILE...: an archive
build() {
	into=$folder/$1 flags=$2
	shift 2
	mkdir "$into" || return
	for file; do
		# shellcheck disable=SC2086	# a list of flags
		compile $flags -c -o "$into/$(basename "$file").o" "$file" ||
			return
	done
	ar rc "$into.a" "$into"/*.o
}

# plant FILE SED: in a copy
plant() {
	copy=$folder/$(basename "$1")
	sed "$2" "$1" >"$copy" && ! cmp -s "$1" "$copy"
}

find_race() {
	plant "$1" "$2" && compile -include $here/machine.h \
		-o "$folder/planted" "$copy" "$folder/machine.a" "$library" ||
		return 2
	"$folder/planted" 2 "$3"
}

# run TOOL COMMAND...: what comes of the plan
run() {
	printf '%16s: ' "$1"
	shift
	"$@" "$seconds" "$plan" $late 2>&1 |
		sed -n 's/^[^=]*# //p' | paste -s -d ' '
}

grind() {
	valgrind -q --tool="$tool" --fair-sched=try --error-limit=no "$@"
}

# look FILE: in place of that with its name
look() {
	compile -o "$folder/real" "$1" "$folder/plans.a" "$folder/lib.a" &&
		compile -fsanitize=thread -o "$folder/tsan" "$1" \
			"$folder/plans.a" "$folder/lib-tsan.a" || exit
	late=800
	run "no tool" "$folder/real"
	run ThreadSanitizer setarch -R "$folder/tsan"
	late=20000
	for tool in helgrind drd; do
		known=$folder/$tool
		[ "$1" = "$copy" ] || grind --gen-suppressions=all \
			"$folder/real" "$seconds" "$plan" $late 2>&1 | awk '
				/^{/ { n = 4 }
				n > 0 { print }
				n-- == 1 { print "}" }' >"$known"
		run $tool grind --suppressions="$known" --error-exitcode=1 \
			"$folder/real"
	done
}

# race WHAT FILE SED PLAN: in a copy, that plan finds it.
race() {
	if [ "$seconds" ]; then
		plan=$4
		plant "$2" "$3" || exit
		echo "$plan:" && look "$2"
		echo "$plan, $1:" && look "$copy"
	else
		check_fails 1 "$1: it is found" find_race "$2" "$3" "$4"
		grep '^#' "$check_log" | head -n 2
	fi
}

check "make builds the library" make -s
seconds=
if [ "${1-}" = tools ]; then
	seconds=$2
	services="lib/*.c lib/firmware/*.c lib/host/*.c lib/port/smp/smp.c"
	build plans "" $here/real.c $here/plans.c &&
		build lib "" $services &&
		build lib-tsan -fsanitize=thread $services || exit
else
	check "the machine is built" build machine "-include $here/machine.h" \
		lib/host/*.c lib/port/smp/smp.c $here/machine.c $here/plans.c
	compile -o "$folder/plans" "$folder/machine.a" "$library"
	if [ $# != 0 ]; then
		"$folder/plans" "$@"
		exit
	fi
	"$folder/plans" 1
fi

# The calls of FUNCTION that match A and B, exchanged.
exchanged() {
	echo "/^[a-z].* $1(/,/^}/{/$2/{h;d};/$3/G}"
}

race "what is armed when the clock goes to sleep" lib/host/service.c \
	"$(exchanged run_clock jif_loop_sleep sort_jobs)" "arm, arm the"
race "a job is idle beside who arms it" lib/host/calls.c \
	"$(exchanged run_call 'be_idle' '	leave(s)')" "arm when a worker"
race "one of those that wait for a callback goes on" lib/host/calls.c \
	'/^void jif_calls_end/,/^}/s/broadcast/signal/' "two wait"
[ -z "$seconds" ] || exit 0
race "a paused job is resumed at once, or not" lib/host/job.c \
	's/if (where != PAUSED)/if (true)/' "pause, resume"
race "a job is claimed by a load and a store" lib/host/job.c \
	'/^static int hold_job/,/^}/s/!JIF_COMPARE_EXCHANGE.*)) {/\
		(where = JIF_LOAD(\&job->where, RELAXED)) != NOWHERE || \
		(JIF_STORE(\&job->where, HELD, RELAXED), false)) {/' \
	"beside a period"
race "a full queue waits once for room" lib/host/calls.c \
	's/while (is_full(s) \&\&/if (is_full(s) \&\&/' "a full queue"
race "a core writes its depth before it has the lock" lib/port/smp/smp.c \
	'/^void jif_smp_take_back/,/^}/{s/depth = before;//
		s/jif_smp_take();/depth = before - 1;&/;}' "idle cores"
race "a core gives the lock back before its name" lib/port/smp/smp.c \
	"$(exchanged jif_smp_drop 'set_owner(0)' spin_unlock)" cores

finish
