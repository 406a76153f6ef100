#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/proof/check.sh [long]
#
# Spin visits every state of each model of an interrupt against the main loop;
# with the mistake that the model's head names, it has to find a way to fail.
# Functions of few inputs are tried with all of them.
#
# The long form has Frama-C prove contracts of lib/ (WP) and follow programs
# that use it (EVA); what is planted must not pass. docs/proof.md has what for.
#
# shellcheck disable=SC2086 # lists of words
set -u
. test/lib.sh

work=$folder
cp lib/*.[ch] "$work"

# states MODEL [FLAG]: prints how many there are; fails if one is wrong.
states() (
	model=$PWD/test/proof/$1.pml
	shift
	cd "${work:?}" || exit
	spin -a "$@" "$model" && gcc -DNOREDUCE -w -o pan pan.c &&
		./pan -m100000 >said || exit 2
	sed -n 's/^ *\([0-9]*\) states, stored.*/# \1 states/p' said
	grep -q 'max search depth too small' said && exit 2
	grep -q 'errors: 0' said
)

# analyse FLAGS OPTION...: Frama-C, on the copy of lib/. For 64 bits, if no
# option says otherwise.
analyse() (
	flags="-iquote $work -iquote lib -Iinclude"
	flags="$flags -include test/proof/stubs.h $1"
	shift
	unset CPP
	frama-c -c11 -machdep gcc_x86_64 -cpp-extra-args="$flags" "$@" \
		>"$work/said" 2>&1 || {
		cat "$work/said"
		exit 2
	}
)

# goals FLAGS FILE OPTION...: prints how many; fails if one is not proved. What
# is given to a prover is counted in steps, so that no machine is too slow.
goals() {
	goals_flags=$1
	shift
	analyse "$goals_flags" -wp -wp-prover cvc4,z3 -wp-steps 1000000 \
		-wp-timeout 3600 -wp-par 2 -wp-cache none "$@" || return 2
	grep -e Failed -e ' Goal .*: [^V]' "$work/said"
	proved=$(sed -n 's|^\[wp\] Proved goals: *\([0-9]* / [0-9]*\)$|\1|p' \
		"$work/said")
	all=${proved##* }
	[ "${proved%% *}" = "$all" ] || {
		echo "# $proved goals"
		return 1
	}
	echo "# $all goals"
	[ "$all" -gt 0 ]
}

# steps OPTION...: of a run, on lib/wheel.c with the invariants of its loops.
steps() {
	sed '/^static bool empty_slot/,/^}/s|^\twhile|//@ EMPTY_SLOT\n&|
		/^static bool run_tick/,/^}/s|^\tfor|//@ RUN_TICK\n&|
		/^static bool run_tick/,/^}/s|^\twhile|//@ MOVE_AHEAD\n&|
		/^unsigned jif_wheel_run_most/,/^}/s|^\t\twhile|//@ RUN\n&|' \
		"$work/wheel.c" >"$work/steps.c"
	[ "$(grep -c '^//@' "$work/steps.c")" = 4 ] || return 2
	inlined=allow_moves,check_run,check_set_up,count_move,is_overwritten
	inlined=$inlined,is_undisturbed,jif_irq_window,last_of,level_below
	inlined=$inlined,list_of,moves_left,next_ahead,trace_slot,turn_end
	goals '' test/proof/run.c -wp-split -wp-steps 2000000 \
		-inline-calls "$inlined,watch_arming" "$@"
}

# alarms FLAGS FILE...: fails if there may be an error, or main() has no end.
alarms() {
	alarms_flags=$1
	shift
	analyse "-DCONFIG_JIF_CTZ=0 $alarms_flags" "$@" -eva \
		-eva-slevel 1000000 -eva-no-results -eva-no-show-progress \
		-eva-verbose 1 || return 2
	! grep -A 2 'eva:alarm' "$work/said" &&
		grep -q '^ *0 alarms generated' "$work/said" &&
		grep -q 'No errors or warnings raised' "$work/said" &&
		! grep -q 'NON TERMINATING' "$work/said"
}

# every FLAGS [BITS]: tries all inputs; prints how many there are.
every() {
	gcc -O3 $1 -Iinclude -iquote "$work" -iquote lib \
		-o "$work/every" test/proof/every.c || return 2
	shift
	"$work/every" "$@"
}

# said NAME COMMAND...: a check, and what it counted, which is in the document.
said() {
	check "$@"
	figure=$(sed -n 's/^# //p' "$check_log")
	check "$1: $figure" grep -qx -e "- $1: $figure" docs/proof.md
}

# plant NAME SOURCE EDIT COMMAND...: with that mistake, it is not proved.
plant() {
	plant_name=$1
	planted=$work/${2#lib/}
	sed -i "$3" "$planted"
	check_fails 1 "$plant_name: planted" cmp -s "$2" "$planted"
	original=$2
	shift 3
	check_fails 1 "$plant_name" "$@"
	cp "$original" "$planted"
}

# plant_step FUNCTION NAME EDIT: with that mistake in a step of a run.
plant_step() {
	plant "$2" lib/wheel.c "$3" steps -wp-fct "$1" -wp-steps 100000
}

hands='hands, places and expiries are what the clock says'
bits='the first bit is found'

short() {
	said "$bits" every '' 16
	said "$hands" every ''
	plant 'a bit beyond the end is found' lib/bitmap.h \
		's/return bit < end ? bit : end;/return bit;/' every '' 16
	plant 'a hand that moves too far is found' lib/wheel.c \
		's/(wheel, level) + slots)/(wheel, level) + slots + 1)/' \
		every ''
	plant 'a week that is not begun is found' lib/wheel_spread.h \
		's/far_due - begin < TURNS/far_due - begin <= TURNS/' every ''
	plant 'an expiry in the next turn is found' lib/wheel.c \
		's/(visit - wheel->clk) < 0/(visit - wheel->clk) <= 0/' every ''
}

long() {
	export WHY3CONFIG="$work/why3.conf"
	check 'the provers are there' why3 config detect
	wheel="test/proof/divide.c -wp-prop @ensures,@requires
		-wp-fct divide,in_turn"
	others="$work/calendar.c $work/jiffies.c $work/lazy.c $work/periodic.c
		$work/watchdog.c $work/wheel.c $work/wheel_walk.c $work/work.c"
	small='-include test/model/explore/small.h'
	said "$bits, in three words" every '' 24
	said "$hands, with spreading" every -DCONFIG_JIF_SPREAD=1
	said 'what quotients rest on' goals '' test/proof/divide.c \
		-wp-prop @lemma
	said 'quotients' goals '' $wheel
	said 'the same, where addresses have 16 bits' goals -DJIF_PROOF_AVR \
		$wheel -machdep gcc_x86_16
	said 'the same, with spreading' goals -DCONFIG_JIF_SPREAD=1 $wheel
	said 'lists' goals '' test/proof/list.c -wp-rte \
		-wp-fct list_add_head,list_del
	said 'what steps of a run rest on' steps -wp-prop @lemma
	said 'steps of a run' steps \
		-wp-fct advance,empty_slot,jif_wheel_run_most,requeue,run_tick
	check '1,000 ticks have no error' alarms '' test/proof/ticks.c \
		"$work/wheel.c"
	check 'what runs on the wheel has none' alarms '' test/proof/parts.c \
		"$work/table.c" $others
	check 'sequences of calls have none' alarms "$small" \
		test/proof/calls.c "$work/wheel.c" "$work/wheel_check.c"
	plant 'an access beyond the end is found' lib/key.h \
		's/entries\[link - 1\]/entries[link]/' alarms '' \
		test/proof/parts.c "$work/table.c" $others
	plant 'a bit that is not set is found' lib/wheel.c \
		's/if (!last_of(wheel, slot))$/if (last_of(wheel, slot))/' \
		alarms "$small" test/proof/calls.c "$work/wheel.c" \
		"$work/wheel_check.c"
	plant 'a wrong reciprocal is found' lib/wheel.c \
		's/{ JIF_##unit##_MUL,/{ JIF_##unit##_MUL - 1,/' \
		goals '' test/proof/divide.c -wp-fct divide -wp-bhv min \
		-wp-steps 100000
	plant 'a wrong link is found' lib/list.h \
		's/next->prev = prev;/next->prev = next;/' \
		goals '' test/proof/list.c -wp-fct list_del
	plant_step advance 'a step beyond the end is found' \
		's/(ticks > most)$/(ticks < most)/'
	plant_step advance 'a step past what is armed meanwhile is found' \
		's/(!is_undisturbed(wheel))/(most == 1)/'
	plant_step requeue 'an expiry that a move changes is found' \
		's/, expires, level);/, expires + 1, level);/'
	plant_step requeue 'a move of what is on a list is found' \
		'/^static void requeue/,/^}/s/dequeue(wheel, timer);//'
	plant_step empty_slot 'a timer that expires with time left is found' \
		's/level == SEC && !timer->remaining/level == SEC/'
	plant_step empty_slot 'a slot that is left with entries is found' \
		's/while ((timer = last/while (run->left \&\& (timer = last/'
	plant_step run_tick 'a level that is emptied too soon is found' \
		's/(index_t)(wheel->due - 1), run/(index_t)wheel->due, run/'
	plant_step jif_wheel_run_most 'a run past its end is found' \
		's/advance(wheel, now - wheel->clk,/advance(wheel, NEVER - 1,/'
}

short
while read -r model flag what; do
	check "$model: $what" states "$model"
	sed -n '/^#/p' "$check_log"
	check_fails 1 "$model: $flag is found" states "$model" "-D$flag"
done <<-END
	jiffies TORN a reading is a count that there was
	sleep BLIND no sleep is longer than until the first expiry
	take APART an arming is called or deleted, and once
END
[ "${1-}" != long ] || long
finish
