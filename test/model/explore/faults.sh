#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Can the explorer fail? Plants faults in a copy of the engine, one at a time;
# each has to be found, with a scenario that leads to it.
set -u
. test/lib.sh

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
	"$folder/explore" --injections 1 >"$folder/story" 2>&1 || status=$?
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
fault "a bucket is emptied from the wrong end" wheel.c \
	"$(inside work 's/detach(wheel, tail)/tail = tail->next;&/')"
fault "placing leaves out the lower hands" wheel.c \
	"$(inside locate_on 's/ticks = delta + .*;/ticks = delta;/')"
fault "a level begins too late" wheel.c \
	"$(inside spans 's/delta < TURNS/delta <= TURNS/')"
fault "a slot is taken and its bit stays" wheel.c \
	"$(inside take '/bit_clear/d')"
fault "a slot becomes empty and its bit stays" wheel.c \
	"$(inside unlink_last '/bit_clear/d')"
fault "what is due runs at once" wheel.c \
	"$(inside delta_of 's/: 1;/: 0;/')"
fault "arming does not end the quiet ticks" wheel.c \
	"$(inside arm 's/if (second < .*)/if (0)/')"
fault "the days of two weeks share a bucket" wheel.c \
	"$(inside unlink_last \
		's/slot == \(wheel->taken\)/fold(slot) == fold(\1)/')"
fault "modulo leaves a whole turn" wheel.c \
	"$(inside modulo 's/ticks >= turns/ticks > turns/')"
fault "postponing replaces the remaining value" wheel.c \
	"$(inside move 's/remaining += /remaining = /')"
fault "a budget that runs out drops the bucket" wheel.c \
	"$(inside work \
		's/else if (budget.*/&wheel->slot[BUCKET].tail = NULL;/')"
fault "interrupts come between the two halves of mod" wheel.c \
	"$(inside jif_timer_mod 's/^.*detach.*/&\
	jif_irq_restore(flags);\
	flags = jif_irq_save();/')"
fault "interrupts come between the look and the take" wheel.c \
	"$(inside work 's/fn = expire/jif_irq_restore(flags);\
	flags = jif_irq_save();\
	wheel->slot[BUCKET].tail = tail;\
	&/')"
fault "mod leaves the timer where it was, too" wheel.c \
	"$(inside jif_timer_mod 's/= detach(.*/= is_pending(timer);\
	timer->where = JIF_TIMER_IDLE;/')"
fault "times are compared by less than" wheel.c \
	"$(inside delta_of 's/delta - 1 < [A-Z_]*/expires > wheel->at[SEC]/')"
fault "a run does not say that it is under way" wheel.c \
	"$(inside run '/running = true/d')"
fault "a run leaves its last slot taken" wheel.c \
	"$(inside advance '/taken = BUCKET/d')"
fault "a cascade skips a level" wheel.c \
	"$(inside cascade 's/from ? from - 1 : SEC/SEC/')"
fault "the next stop is not that of the next slot" wheel.c \
	"$(inside ticks_to_stop 's/hand + 1, end/hand + 2, end/')"
fault "the last one but one thinks that it is the last" wheel.c \
	"$(inside insert '/tail->where -= /d')"
fault "a new last entry does not know it" wheel.c \
	"$(inside unlink_last '/where += /d')"
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

finish
