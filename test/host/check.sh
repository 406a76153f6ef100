#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/host/check.sh [SECONDS]
#
# jif/host/loop.h and jif/host/service.h, whose threads run under
# ThreadSanitizer. Planted mistakes are found. With SECONDS, as `make
# service-stress` does: for so long, and under Helgrind, too.
set -u
. test/lib.sh

lib=build/host-release/libjif.a
flags='-std=gnu11 -g -pthread -Wall -Wextra -Wno-unused-parameter -Werror
	-DCONFIG_JIF_DEBUG=1 -I. -Iinclude'
tsan='-O1 -fsanitize=thread'
TSAN_OPTIONS=halt_on_error=1
export TSAN_OPTIONS

# compile FLAG...
compile() {
	# shellcheck disable=SC2086	# a list of flags
	gcc $flags "$@"
}

# The wheel is one unit, which takes half of the time.
compile_engine() {
	printf '#include "%s"\n' lib/wheel*.c lib/firmware/table.c \
		lib/firmware/key_hash.c \
		lib/jiffies.c lib/periodic*.c lib/firmware/snapshot.c \
		lib/timer_delay.c lib/debug.c lib/panic.c \
		>"$folder/wheel.c"
	for file in "$folder/wheel.c" lib/host/*.c; do
		# shellcheck disable=SC2086	# a list of flags
		compile $tsan -c -o "$folder/objects/$(basename "$file").o" \
			"$file" || return
	done
}

# ThreadSanitizer does not start where addresses are more random than it knows.
launch=
probe() {
	# shellcheck disable=SC2086	# a list of flags
	echo 'int main(void) { return 0; }' |
		compile $tsan -o "$folder/probe" -x c - || return
	"$folder/probe" 2>/dev/null || launch='setarch -R'
	$launch "$folder/probe"
}

# threads PROGRAM ARGUMENT...
threads() {
	program=$1
	shift
	# shellcheck disable=SC2086	# a list of flags
	compile $tsan -o "$folder/$program" "test/host/$program"*.c \
		"$folder"/objects/*.o || return
	# shellcheck disable=SC2086	# two words
	timeout 3600 $launch "$folder/$program" "$@"
}

# The program of a planted mistake; its status is 124 if it does not end in a
# time in which that without a mistake, which is slower, does.
run_planted() {
	limit=3
	while :; do
		status=0
		timeout $limit "$folder/planted" "$count" || status=$?
		[ $status = 124 ] || return $status
		sound=0
		# shellcheck disable=SC2086	# two words
		timeout $limit $launch "$folder/$test" "$count" || sound=$?
		[ $sound = 124 ] || return 124
		limit=$((2 * limit))
	done
}

# planted NAME FILE SED TEST: that test finds this mistake.
planted() {
	test=$4 count=5000
	[ "$test" != now ] || count=100000
	sed "$3" "lib/host/$2" >"$folder/planted.c"
	if cmp -s "lib/host/$2" "$folder/planted.c" ||
		! compile -UCONFIG_JIF_DEBUG -Ilib/host -Wno-unused -g0 \
			-o "$folder/planted" "$folder/planted.c" \
			"$folder/$test.o" "$lib" \
			2>"$check_log"; then
		fail "$1: it can be planted"
	elif run_planted >"$check_log" 2>&1; then
		fail "$1: it is found"
	else
		pass "$1: it is found"
		[ "$status" != 124 ] || echo "# it does not end"
	fi
}

mkdir "$folder/objects"
check "make builds the library" make -s
check "the engine compiles" compile_engine
check "ThreadSanitizer starts" probe
each "what a service does" threads logic
each "a loop" threads loop
each "calls that fail" threads faults
each "what sleeps knows what time it is" threads now 20000 353
if [ $# = 0 ]; then
	each "threads" threads stress 6000
	each "an idle minute, in two seconds" threads wakeups 2
else
	each "threads" threads stress 0 "$1"
	each "an idle minute" threads wakeups 60
	check "for Helgrind" compile -O1 -DHELGRIND -o "$folder/helgrind" \
		test/host/stress.c "$lib"
	# The C library wakes a waiter whose time has passed without the lock.
	cat >"$folder/known" <<-END
		{
		   a timed wait
		   Helgrind:Misc
		   obj:*
		   fun:__pthread_cond_wait_common
		   ...
		}
	END
	each "Helgrind" timeout 3600 valgrind -q --tool=helgrind \
		--suppressions="$folder/known" --error-exitcode=9 \
		"$folder/helgrind" 0 "$1"
fi

for test in logic loop faults now; do
	check "for planted mistakes: $test" compile -r \
		-o "$folder/$test.o" "test/host/$test"*.c
done
check "without a mistake" compile -o "$folder/many" "$folder/logic.o" "$lib"
each "more than 16 bits count" timeout 3600 "$folder/many" many
check "for a year" compile -o "$folder/year" test/wheel/model/year.c "$lib"
check "a year, of a hundred jobs" timeout 3600 "$folder/year" 100
mistakes test/host/mistakes
finish
