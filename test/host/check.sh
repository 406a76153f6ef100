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

# planted NAME FILE SED [TEST [OPERATIONS]]: the tests of what a service does,
# or TEST, find this mistake.
planted() {
	test=${4:-logic} count=${5:-5000}
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
each "what sleeps knows what time it is" threads now 20000
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
planted "a job runs early" loop.c 's/ + (ns % loop->tick_ns != 0)//'
planted "a paused job gets more time" job.c \
	's/job->due_ns = left;/job->due_ns = left + 1;/' now
planted "a key is paused in ticks" keyed.c \
	's/(ticks \* tick_ns - left)/(uint64_t)0/' now
planted "a key is armed on a tick" keyed.c \
	's/else if (phase < .*/else if (0)/' now
planted "a job that is out of reach is early" job.c \
	's/if ((int64_t)left > 0)/if (0)/' now
planted "so is a key" keyed.c 's/if (entry->left & FAR) {/if (0) {/' now
planted "what is missed is counted in 32 bits" calls.c \
	's/late = s->loop.goal - due;/late = (uint32_t)(s->loop.goal - due);/' \
	now
planted "a loop skips what is not due" loop.c \
	's/if (due <= clock)/if (1)/' now
planted "what is far behind stays there" loop.c \
	'/^static void catch_up/,/^}/s/skip_to(.*/(void)0;/' now
planted "a clock that skips loses periods" loop.c \
	'/^static void skip_to/,/^}/s/skip_calls(.*/(void)0;/' now
planted "a period that began before a skip restarts nothing" loop.c \
	's/late = p->period - JIF_SLEEP_MAX;/(void)0;/' loop
planted "a loop does not know what time it is" loop.c \
	's/ahead = now - jif_loop_clock(loop);/ahead = 0;/' now
planted "a key forgets its phase" keyed.c \
	's/entry->left = s->left;/(void)0;/' now
planted "what is due is passed for what is far" service.c \
	's/s->loop.steps = true;//'
planted "a paused job that is deleted goes on" job.c \
	'/^bool jif_job_del(/,/^}/s/end_pause(job, NOWHERE)/(void)0/'
planted "a job that waits for the last time is paused for none" job.c \
	's/job->times = 1;/(void)0;/'
planted "a sleep goes on when something is due sooner" loop.c \
	's/if (jif_loop_is_sooner(loop, tick))/if (0)/'
planted "what a thread arms does not end a sleep" inbox.c \
	's/jif_loop_is_sooner(&s->loop, tick)/0/'
planted "what a thread arms is overtaken" job.c \
	's/enter_to_arm(job->service);/enter(job->service);/'
planted "what is moved stays where it was" inbox.c \
	'/^static bool arm/,/^}/s/timers_add_head(.*/return true;/'
planted "threads arm while the service is locked" service.c \
	'/^void jif_service_lock/,/^}/s/jif_inbox_set_open(.*);/(void)0;/'
planted "what the clock has not seen survives a stop" service.c \
	'/^static void end_threads/,/^}/s/jif_inbox_set_open(.*);//'
planted "a sleep ends at a cascade" loop.c 's/if (CONFIG_JIF_SPREAD)//'
planted "a moved job stays in the queue" job.c \
	'/^static int arm_held/,/^}/s/jif_calls_pull(.*);/;/'
planted "a waiting key can be added" keyed.c \
	's/if (!replace && jif_calls_find(s, key))/if (0)/'
planted "a key does not wake the clock up" keyed.c \
	'/^static int put_key/,/^}/s/jif_loop_armed(&s->loop, tick)/(void)0/'
planted "a moved key does not wake the clock up" keyed.c \
	'/^static int move_to/,/^}/s/jif_loop_armed(&s->loop, tick)/(void)0/'
planted "a job overlaps itself" calls.c 's/	if (runner) {$/	if (0) {/'
planted "what expires again while it waits is lost" calls.c \
	's/w->again += call->waiting.again;//'
planted "what is missed while it waits is lost" calls.c \
	's/w->missed += .*/;/'
planted "what expires while a service stops is lost" job.c \
	's/(void)!jif_timer_add(&s->loop.wheel, timer, (uint32_t)due);//'
planted "a callback waits for itself" calls.c \
	's/ || jif_calls_runner(s, what, true)//'
planted "what is missed while it waits is one of its times" job.c \
	's/(job->waiting.place == IDLE ||.*/1)/'
planted "a key that is paused runs" keyed.c \
	'/^static int pause_key/,/^}/s/pull_key(s, key);/(void)0;/'
planted "a callback that ends its thread never ends" service.c \
	's/jif_calls_end(s, t, -JIF_ECANCELED, 0);/(void)0;/'
planted "a service that stops is sent to sleep" service.c \
	'/^static void end_threads/,/^}/s/jif_loop_awake(&s->loop);//'
planted "who deletes what is refused does not wait for the report" calls.c \
	'/^void jif_calls_report/,/^}/s/mark_busy(.*/t->call = *call;/'
planted "a timer that is no job is drained as one" service.c \
	's/if (timer->fn != jif_job_expire)/if (0)/'
planted "what was armed before the start is left to it" service.c \
	's/drain_all(s, NULL);//'
planted "what is armed in a drain is lost" job.c \
	's/!takes_more(s)/s->state != RUNNING/'
planted "a key that waits is moved with other bytes" keyed.c \
	's/put_key(s, call->key/put_key(s, key/'
planted "a moved key runs before, too" keyed.c \
	'/^static int move_key/,/^}/s/pull_key(s, key)/0/'
planted "the bytes of a key are not copied" keyed.c \
	'/^static int put_key/,/^}/s/own_bytes(s, key);//'
planted "a key that is added has bytes of its caller's" keyed.c \
	'/^static int put_key/,/^}/s/	own_bytes/	if (replace) &/'
planted "one of those that wait for a callback sees its end" calls.c \
	'/^void jif_calls_end/,/^}/s/broadcast/signal/'
planted "the longest callback is one that takes longer than all were late" \
	calls.c 's/if (ns > stats->longest_ns)/if (ns > stats->late_ns)/'
planted "what is armed before the time is read is late" service.c \
	'/^static void run_due/,/^}/{/now_ns =/{h;d};/sort_jobs(s);/G}'
planted "a child is served" job.c \
	's/is_inherited(&job->service->loop)/0/'
planted "a callback may stop its service" service.c \
	's/ || is_own_thread(s))/)/'
planted "what the owner arms takes a wake-up away" loop.c \
	's/if (JIF_LOAD(&loop->kicked.*/if (0)/' loop

finish
