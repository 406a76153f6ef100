#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/proof/check.sh [all | long]
#
# Spin visits every state of each model of an interrupt against the main loop;
# with the mistake that the model's head names, it has to find a way to fail.
# Functions of few inputs are tried with all of them. Without an argument, those
# of the most inputs only have to be as they were when all have been tried.
#
# The long form has Frama-C prove contracts of lib/ (WP) and follow programs
# that use it (EVA); what is planted must not pass. docs/trust.md has what for.
#
# shellcheck disable=SC2086 # lists of words
set -u
. test/lib.sh
. test/proof/closed.sh

work=$folder
cp -r lib/*.[ch] lib/firmware "$work"
engine="$work/timer_delay.c $work/wheel.c $work/wheel_next.c $work/wheel_now.c"
others="$engine $work/jiffies.c $work/periodic.c $work/wheel_walk.c
	$work/firmware/calendar.c $work/firmware/table.c $work/firmware/work.c"

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
	flags="$1 -iquote $work -iquote lib -Iinclude"
	flags="$flags -include test/proof/stubs.h"
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

# steps OPTION...: of a run, on the sources with the invariants of their loops.
steps() {
	mkdir -p "$work/steps" || return 2
	sed '/ find_step(const/,/^}/s|^\tfor|//@ FIND_STEP\n&|' \
		"$work/wheel_step.h" >"$work/steps/wheel_step.h"
	sed '/^static inline void advance/,/^}/s|^\tfor|//@ ADVANCE\n&|
		/^static inline bool run_slot/,/^}/s|^\twhile|//@ RUN_SLOT\n&|
		/^static inline bool run_tick/,/^}/s|^\twhile|//@ RUN_TICK\n&|
		/^unsigned jif_wheel_run_most/,/^}/s|^\t\twhile|//@ RUN\n&|' \
		"$work/wheel.c" >"$work/steps/steps.c"
	sed '/ whole_weeks(/,/^}/s|^\tfor|//@ WHOLE_WEEKS\n&|' \
		"$work/rings.h" >"$work/steps/rings.h"
	[ "$(cat "$work"/steps/* | grep -c '^//@')" = 6 ] || return 2
	inlined=check_run,check_set_up,clock_of,is_overwritten,last_of
	inlined=$inlined,count_move,dequeue,move_ahead,trace_slot
	goals "-iquote $work/steps" test/proof/run.c -wp-split \
		-wp-steps 9000000 -inline-calls "$inlined" "$@"
}

# alarms FLAGS FILE...: fails if there may be an error, or main() has no end.
alarms() {
	alarms_flags=$1
	shift
	analyse "-DCONFIG_JIF_CTZ=0 $alarms_flags" "$@" -eva \
		-eva-slevel 1000000 -eva-no-results -eva-no-show-progress \
		-eva-verbose 1 -kernel-warn-key annot:missing-spec=abort \
		-kernel-warn-key asm:clobber=inactive || return 2
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

# said NAME COMMAND...: a check, and what it counted, which README.md has.
said() {
	check "$@"
	figure=$(sed -n 's/^# //p' "$check_log")
	check "$1: $figure" grep -qxF "| $1 | $figure |" \
		test/proof/README.md
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

# planted NAME FILE EDIT FUNCTION:GOAL: with that mistake in a step of a run.
planted() {
	plant "$1" "lib/$2" "$3" steps -wp-fct "${4%%:*}" -wp-prop "${4#*:}" \
		-wp-steps 100000
}

hands='hands, places and expiries are what the clock says'
bits='the first bit is found'

short() {
	check 'what is followed is there' gcc -DCONFIG_JIF_CTZ=0 -Iinclude \
		-iquote lib -include test/proof/stubs.h -o "$work/all" \
		test/proof/parts.c $others
	said "$bits" every '' 16
	plant 'a bit beyond the end is found' lib/bitmap.h \
		's/return bit < end ? bit : end;/return bit;/' every '' 16
}

all() {
	said "$hands" every ''
	plant 'a hand that moves too far is found' lib/wheel_step.h \
		's/(wheel->hand\[level\] + slots)/(& + 1)/' every ''
	plant 'a hand that begins no turn is found' lib/wheel_step.h \
		's/(jif_slot_t)slot)\;$/(jif_slot_t)(slot + !!step.level))\;/' \
		every ''
	plant 'a week that is not begun is found' lib/levels.h \
		'/far_due - begin </s/< WEEK_TICKS/<= WEEK_TICKS/' \
		every ''
	plant 'an expiry in the next turn is found' lib/levels.h \
		'/(visit - clock_of(wheel)) < 0/s/< 0/<= 0/' \
		every ''
	plant 'a stop where the hand is is found' lib/levels.h \
		'/^static inline uint32_t lowest_stop/,/^}/s/<= hand/< hand/' \
		every ''
	plant 'a division of too much is found' lib/levels.h \
		's/slots_in(ticks, ring)/(slots_in(ticks + 1, ring), &)/' \
		every ''
}

long() {
	export WHY3CONFIG="$work/why3.conf"
	check 'the provers are there' why3 config detect
	wheel="test/proof/divide.c -wp-prop @ensures,@requires
		-wp-fct divide,in_turn,slots_in"
	steps=jif_wheel_run_most,move_entry,next_stop,note_quiet,run_slot
	steps=$steps,run_tick,whole_weeks
	small='-include test/wheel/model/explore/small.h'
	said "$bits, in three words" every '' 24
	said "$hands, with spreading" every -DCONFIG_JIF_SPREAD=1
	said 'what quotients rest on' goals '' test/proof/divide.c \
		-wp-prop @lemma
	said 'quotients' goals '' $wheel
	said 'the same, where addresses have 16 bits' goals -DJIF_PROOF_AVR \
		$wheel -machdep gcc_x86_16
	said 'the same, with spreading' goals -DCONFIG_JIF_SPREAD=1 $wheel
	said 'the same, with a divider' goals -DJIF_DIVIDES=1 $wheel
	said 'lists' goals '' test/proof/list.c -wp-rte \
		-wp-fct timers_add_head,timers_del
	said 'what steps of a run rest on' steps -wp-prop @lemma
	said 'steps of a run' steps \
		-wp-fct "advance,cascade,find_step,jif_irq_window,$steps"
	check '1,000 ticks have no error' alarms '' test/proof/ticks.c \
		$engine
	check 'what runs on the wheel has none' alarms '' test/proof/parts.c \
		$others
	check 'sequences of calls have none' alarms "$small" \
		test/proof/calls.c $engine "$work/wheel_check.c"
	plant 'an access beyond the end is found' lib/firmware/key.h \
		's/entries\[link - 1\]/entries[link]/' alarms '' \
		test/proof/parts.c $others
	plant 'a bit that is not set is found' lib/rings.h \
		's/if (!last)$/if (last)/' \
		alarms "$small" test/proof/calls.c $engine \
		"$work/wheel_check.c"
	plant 'a wrong reciprocal is found' lib/divide.h \
		's/(unit##_TICKS) + 1)$/(unit##_TICKS))/' \
		goals '' test/proof/divide.c -wp-fct divide -wp-bhv min \
		-wp-steps 100000
	plant 'a wrong link is found' lib/wheel_list.h \
		's/next->prev = prev;/next->prev = next;/' \
		goals '' test/proof/list.c -wp-fct timers_del
	mistakes test/proof/mistakes
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
if [ $# = 0 ]; then
	check "$hands" is_closed every test/proof/every.c
else
	all
	close_all every test/proof/every.c
fi
[ "${1-}" != long ] || long
finish
