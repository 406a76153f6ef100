#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/host/interleave/check.sh [PREEMPTIONS [NAME [SCHEDULE]]]
#
# All schedules of at most one preemption of plans.c, and races that are
# planted. With arguments, only the plans, as `make interleave` does; a schedule
# that failed can be run alone, and says what each thread does.
set -u
. test/lib.sh

here=test/host/interleave

compile() {
	gcc -std=gnu11 -O1 -g -D_GNU_SOURCE -Wall -Wextra -Werror \
		-Wno-missing-field-initializers -Wno-unused-parameter \
		-I. -Iinclude -Ilib/host -Ilib/port/smp \
		-include $here/machine.h "$@"
}

# link FILE...: these take the place of those with their names.
link() {
	compile -o "$folder/plans" "$@" "$folder/all.a" \
		build/host-release/libjif.a
}

build() {
	for file in lib/host/*.c lib/port/smp/smp.c $here/*.c; do
		compile -c -o "$folder/$(basename "$file").o" "$file" || return
	done
	ar rc "$folder/all.a" "$folder"/*.o && link
}

# race WHAT FILE SED PLAN: in a copy, that plan finds it.
race() {
	copy=$folder/$(basename "$2")
	sed "$3" "$2" >"$copy"
	if cmp -s "$2" "$copy" || ! link "$copy"; then
		fail "$1: it can be planted"
	elif "$folder/plans" 2 "$4" >"$check_log"; then
		fail "$1: it is found"
	else
		pass "$1: it is found"
		grep '^#' "$check_log" | head -n 2
	fi
}

check "make builds the library" make -s
check "the machine is built" build
if [ $# != 0 ]; then
	"$folder/plans" "$@"
	exit
fi
"$folder/plans" 1 | sed '/^1\.\./d; s/^ok [0-9]* /ok /'

# The calls of FUNCTION that match A and B, exchanged.
exchanged() {
	echo "/^[a-z].* $1(/,/^}/{/$2/{h;d};/$3/G}"
}

race "what is armed when the clock goes to sleep" lib/host/service.c \
	"$(exchanged run_clock jif_loop_sleep sort_jobs)" "arm, arm"
race "what is posted when the owner goes to sleep" lib/host/shard.c \
	"$(exchanged jif_shard_run 'asleep, true' '	jif_loop_kick')" post
race "who wakes the owner says so too late" lib/host/loop.c \
	"$(exchanged jif_loop_kick JIF_STORE set_fd)" "post when"
race "a post is read when its place is given back" lib/host/shard.c \
	's/ = place->expires_ns;/;/
	s/shard->tail++;/expires_ns = place->expires_ns; &/' "post, delete"
race "a job is idle beside who arms it" lib/host/calls.c \
	"$(exchanged run_call 'be_idle' '	leave(s)')" "arm when a worker"
race "one of those that wait for a callback goes on" lib/host/calls.c \
	'/^void jif_calls_end/,/^}/s/broadcast/signal/' "two wait"
race "one of those that wait for a thread goes on" lib/host/service.c \
	'/^static void end_thread/,/^}/s/broadcast/signal/' "stop beside"
race "an owner sleeps before others see it" lib/host/shard.c \
	's/asleep, true, SEQ_CST/asleep, true, RELEASE/' post
race "a post is seen after the look for a sleeper" lib/host/shard.c \
	's/number + 1, SEQ_CST/number + 1, RELEASE/' post
race "others see too late who wakes the owner" lib/host/loop.c \
	's/kicked, true, SEQ_CST/kicked, true, RELEASE/' post
race "a paused job is resumed at once, or not" lib/host/job.c \
	's/if (where != PAUSED)/if (true)/' "pause, resume"
race "a core gives the lock back before its name" lib/port/smp/smp.c \
	"$(exchanged jif_smp_drop 'set_owner(0)' spin_unlock)" cores

finish
