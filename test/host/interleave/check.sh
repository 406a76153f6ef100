#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/host/interleave/check.sh [PREEMPTIONS [NAME [SCHEDULE]]]
#
# All schedules of at most one preemption of plans.c, and races that are
# planted. With PREEMPTIONS, only the plans, as `make interleave` does; a
# schedule that failed can be run alone, and says what each thread does.
set -u
. test/lib.sh

here=test/host/interleave
library=build/host-release/libjif.a

compile() {
	gcc -std=gnu11 -O1 -g -pthread -D_GNU_SOURCE -Wall -Wextra -Werror \
		-Wno-missing-field-initializers -Wno-unused-parameter \
		-I. -Iinclude -Ilib/host -Ilib/port/smp "$@"
}

build_machine() {
	mkdir "$folder/machine" || return
	for file in lib/host/*.c lib/port/smp/smp.c $here/*.c; do
		compile -include $here/machine.h -c \
			-o "$folder/machine/$(basename "$file").o" "$file" ||
			return
	done
	ar rc "$folder/machine.a" "$folder/machine"/*.o
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

# race WHAT FILE SED PLAN: in a copy, that plan finds it.
race() {
	check_fails 1 "$1: it is found" find_race "$2" "$3" "$4"
	grep '^#' "$check_log" | head -n 2
}

check "make builds the library" make -s
check "the machine is built" build_machine
compile -o "$folder/plans" "$folder/machine.a" "$library"
if [ $# != 0 ]; then
	"$folder/plans" "$@"
	exit
fi
"$folder/plans" 1

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
