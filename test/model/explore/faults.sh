#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Can the explorer fail? Plants faults in a copy of the engine, one at a time;
# each has to be found, with a scenario that leads to it.
set -u
. test/lib.sh

options="--injections 1"
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT
explorer=test/model/explore
mkdir -p "$folder/test/model"
cp -R lib include "$folder"
cp -R "$explorer" "$folder/test/model"
cc="${CC:-cc} -std=c11 -O1 -Iinclude -DCONFIG_JIF_PORT_SIM=1
	-include $explorer/small/jif/geometry.h"

# All but the engine is compiled once.
compile() {
	for source in explore plan play look model; do
		(cd "$folder" && $cc -c -o $source.o "$explorer/$source.c") ||
			return 1
	done
}

build() {
	(cd "$folder" && $cc -o explore ./*.o $explorer/wheel*.c lib/jiffies.c \
		lib/port/sim/*.c)
}

found() {
	build || return 2
	status=0
	# shellcheck disable=SC2086 # the options are words
	"$folder/explore" $options >"$folder/story" 2>&1 || status=$?
	cat "$folder/story"
	[ "$status" = 1 ] && grep -q '^main loop' "$folder/story" &&
		grep -q -e 'expected:' -e '^the engine' "$folder/story"
}

# fault NAME SOURCE SCRIPT: what sed makes of a source of the engine is wrong.
fault() {
	sed -e "$3" "lib/$2" >"$folder/lib/$2"
	if cmp -s "lib/$2" "$folder/lib/$2"; then
		fail "$1: nothing to plant it in"
	else
		check "$1" found
	fi
	cp "lib/$2" "$folder/lib/$2"
}

# inside FUNCTION COMMAND: what sed does to the lines of a function.
inside() {
	printf '/^[A-Za-z].*[ *]%s(/,/^}/ {\n%s\n}\n' "$1" "$2"
}

check "the explorer compiles" compile
check "the engine compiles" build
check "no fault, no difference" "$folder/explore" --timers 1 --injections 0

fault "a cascade appends" wheel.c \
	"$(inside cascade 's/slot, true)/slot, false)/')"
fault "a bucket goes down from the wrong end" wheel.c \
	"$(inside sink 's/struct jif_timer \*timer = .*/\
	list->tail->where -= JIF_TIMER_LAST;\
	list->tail = list->tail->next;\
	list->tail->where += JIF_TIMER_LAST;\
	&/')"
fault "a bucket expires from the wrong end" wheel.c \
	"$(inside clear 's/first = list->tail->next;/if (level == SEC) {\
		list->tail->where -= JIF_TIMER_LAST;\
		list->tail = list->tail->prev;\
		list->tail->where += JIF_TIMER_LAST;\
	}\
	&/')"
fault "placing leaves out the lower hands" wheel.c \
	"$(inside locate_on 's/distance(delta + .*/distance(delta,/')"
fault "a level begins too late" wheel.c \
	"$(inside spans_ahead 's/\(level + 1\] \)- 1;/\1;/')"
fault "a level begins too late for what is postponed" wheel.c \
	"$(inside spans 's/delta < TURNS/delta <= TURNS/')"
fault "a slot is taken and its bit stays" wheel.c \
	"$(inside take '/bit_clear/d')"
fault "a slot becomes empty and its bit stays" wheel.c \
	"$(inside unlink_last 's/bit_clear(.*);/;/')"
fault "what is due runs at once" wheel.c \
	"$(inside arm_any 's/delta = 1;/delta = 0;/')"
fault "arming does not end the quiet ticks" wheel.c \
	"$(inside locate_second 's/if (second < .*)/if (0)/')"
fault "arming ends the quiet ticks one too late" wheel.c \
	"$(inside locate_second 's/if (second </if (second + 1 </')"
fault "the quiet ticks last for one too many" wheel.c \
	"$(inside rest 's/(next - turn/(next + 1 - turn/')"
fault "the days of two weeks share a bucket" wheel.c \
	"$(inside unlink_last \
		's/= list->tail != timer/= fold(slot) == fold(wheel->taken)/')"
fault "the hand of the days stays where it is" wheel.c \
	"$(inside turn 's/set_day(wheel);/;/')"
fault "modulo leaves a whole turn" wheel.c \
	"$(inside modulo 's/if (CONFIG_JIF_DIVIDER .*)/if (0)/
		s/ticks >= turns/ticks > turns/')"
fault "postponing replaces the remaining value" wheel.c \
	"$(inside move 's/remaining += /remaining = /')"
fault "a budget that runs out drops the bucket" wheel.c \
	"$(inside clear 's/return false;/return list->tail = NULL;/')"
fault "interrupts come between the two halves of mod" wheel.c \
	"$(inside jif_timer_mod 's/unlink_entry(.*/&\
		jif_irq_restore(flags);\
		flags = jif_irq_save();/')"
fault "interrupts come between the look and the take" wheel.c \
	"$(inside clear 's/first = list->tail->next;/&\
		struct jif_timer *tail = list->tail;\
		jif_irq_restore(*flags);\
		*flags = jif_irq_save();\
		list->tail = tail;/')"
fault "mod leaves the timer where it was, too" wheel.c \
	"$(inside mod_any 's/= detach(.*/= is_pending(timer);\
	if (pending)\
		timer->where = JIF_TIMER_IDLE;/')"
fault "times are compared by less than" wheel.c \
	"$(inside arm_any \
		's/delta - 1 >= JIF_DELAY_MAX/expires <= wheel->at[SEC]/')"
fault "a run does not say that it is under way" wheel.c \
	"$(inside work '/running = true/d')"
fault "a run leaves its last slot taken" wheel.c \
	"$(inside descend '/taken = BUCKET/d'
		inside advance '/taken = BUCKET/d')"
fault "a cascade skips a level" wheel.c \
	"$(inside cascade 's/if (APART .*)/if (0)/
		s/from ? from - 1 : SEC/SEC/')"
fault "a cascade goes down with what is postponed by a slot" wheel.c \
	"$(inside cascade 's/ticks < ring/ticks <= ring/')"
fault "the next stop is not that of the next slot" wheel.c \
	"$(inside ticks_to_stop 's/+ chains_of/+ 2 * chains_of/')"
fault "the last one but one thinks that it is the last" wheel.c \
	"$(inside insert '/tail->where -= /d')"
fault "a new last entry does not know it" wheel.c \
	"$(inside unlink_last '/where += /d')"
fault "a new last entry of the bucket does not know it" wheel.c \
	"$(inside sink '/where += /d')"
fault "shutdown only deletes" wheel.c \
	"$(inside jif_timer_shutdown '/where = 0/d')"
fault "a walk does not keep other runs out" wheel_walk.c \
	"$(inside hold '/running = true/d')"
fault "a walk loses its place at the end of a list" wheel_walk.c \
	"$(inside mark_step '/list->tail == entry/,/}/d')"
fault "a drain gathers from the seconds up" wheel_walk.c \
	"$(inside gather 's/for (.*)/for (unsigned i = 1; \
i < JIF_WHEEL_LISTS; i++)/')"

cc="$cc -DCONFIG_JIF_SPREAD=1"
check "the explorer compiles, spreading" compile
check "the engine compiles, spreading" build
check "no fault, no difference, spreading" \
	"$folder/explore" --timers 1 --injections 0

fault "what is moved ahead is appended" wheel.c \
	"$(inside move_ahead 's/to, true)/to, false)/')"
fault "a slot is moved ahead from the wrong end" wheel.c \
	"$(inside move_ahead 's/\.tail;/.tail->next;/')"
fault "what is moved ahead forgets the way to its slot" wheel.c \
	"$(inside locate_ahead 's/jif_wheel_visit(.*) + //')"
fault "a level spans this turn only" wheel.c \
	"$(inside spans 's/TURNS \* ring/ring/')"
fault "a slot is moved ahead while timers are armed into it" wheel.c \
	"$(inside slot_ahead 's/level) + 1;/level) + 2;/')"

# The wheel is mostly of empty lists then, and each move takes long.
options="--timers 2 --injections 0 --limit 20000"
cc="${cc% *} -DCONFIG_JIF_HOST=1"
check "the explorer compiles, tuned" compile
check "the engine compiles, tuned" build
check "no fault, no difference, tuned" \
	"$folder/explore" --timers 1 --injections 0 --limit 2000

fault "those of one tick are on several lists of a slot" wheel.c \
	"$(inside distance \
		's/ticks % chains/(uintptr_t)remaining \/ 32 % chains/')"
fault "what goes from the bucket goes from its first list" wheel.c \
	"$(inside unlink_last 's/bucket_of(slot)/BUCKET/')"
fault "a list of the bucket is left behind" wheel.c \
	"$(inside bucket 's/n < chains_of(level)/n + 1 < chains_of(level)/')"
fault "a list of a slot is not taken" wheel.c \
	"$(inside take 's/i < chains_of(level)/i + 1 < chains_of(level)/')"
fault "one is lone though others are sooner" wheel.c \
	"$(inside is_lone 's/return others .*/return true;/')"
fault "one is lone though it is not alone" wheel.c \
	"$(inside is_lone 's/ || timer->next != timer//')"
fault "a lone one leaves its bit behind" wheel.c \
	"$(inside leap_to_lone '/bit_clear/d')"
fault "a lone one is known after a sooner one is armed" wheel.c \
	"$(inside insert '/forget_lone/d')"
fault "a lone one is known after it is postponed" wheel.h \
	"$(inside known_lone 's/wheel->lone_visit + .* != .*)/0)/')"
fault "a lone one is known after it is joined" wheel.h \
	"$(inside known_lone 's/ || timer->next != timer//')"
fault "the lists after the first expiry do not count" wheel_walk.c \
	"$(inside look_among 's/note_other(.*);/;/')"

finish
