#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/proof/theorem.sh [all | long | PART...]
#
# Coq reads the proofs about the model of the wheel, and says what the theorems
# assume: nothing. With a mistake in the model, or a gap, they are no proofs.
# lib/ does what the model does, in random calls; the long form has more of
# both. Each part is 10 million other calls, half of them with spreading.
#
# Without an argument, Coq reads the model and its arithmetic, and all that was
# proved as a whole has to be as it was then.
set -u
. test/lib.sh
. test/proof/closed.sh

work=$folder
cp test/proof/theorem/*.v test/proof/theorem/*.ml lib/*.[ch] "$work"
files='model arith invariant stop exact order ends bounded words theorem'
text="test/proof/theorem/lockstep.c test/wheel/model/explore/small.h
	$(echo test/proof/theorem/*.v test/proof/theorem/*.ml)"
operations=10000
part=0
[ "${1-}" != long ] || operations=1000000

# proved [part]: fails if a proof is none, or assumes something.
proved() (
	cd "${work:?}" || exit 2
	for file in $files; do
		[ "$file.vo" -nt "$file.v" ] ||
			coqc -q -Q . jif "$file.v" >"$file.said" 2>&1 || {
			cat "$file.said"
			exit 1
		}
	done
	[ "${1-}" != part ] || exit 0
	cat theorem.said
	[ "$(sort -u theorem.said)" = 'Closed under the global context' ]
)

# extracted: makes a program of the model.
extracted() (
	cd "${work:?}" || exit 2
	coqc -q -Q . jif extract.v &&
		ocamlopt -w -a -unsafe -inline 100 -o model touched.ml \
			wheel.mli wheel.ml lockstep.ml
)

# lockstep MOVES [small | TIMERS DELAY...]: the C does what the model has done.
lockstep() {
	gcc -O2 "-DCONFIG_JIF_SPREAD=$1" -Iinclude -iquote "$work" -iquote lib \
		${2:+-include test/wheel/model/explore/small.h} \
		-o "$work/lockstep" test/proof/theorem/lockstep.c || return 2
	"$work/model" $part $operations "$@" | "$work/lockstep"
}

# planted NAME FILE EDIT MOVES: with that in FILE of lib/, it does not.
planted() {
	sed -i "$3" "$work/$2"
	check_fails 1 "$1: planted" cmp -s "lib/$2" "$work/$2"
	# shellcheck disable=SC2046	# words
	check_fails 1 "$1" lockstep $(echo "$4" | tr , ' ')
	cp "lib/$2" "$work"
}

# plant_link NAME EDIT: with that in extract.v, it does not, either.
plant_link() {
	sed -i "$2" "$work/extract.v"
	check_fails 1 "$1: planted" \
		cmp -s test/proof/theorem/extract.v "$work/extract.v"
	check "$1: a program" extracted
	check_fails 1 "$1" lockstep 0
	cp test/proof/theorem/extract.v "$work"
}

# forget FILE: it is read again, and those that come after it.
forget() (
	cd "${work:?}" || exit 2
	for file in ${files#*"${1%.v}"} "${1%.v}"; do
		rm -f "$file.vo"
	done
)

# plant NAME FILE EDIT: with that in FILE, it is not proved.
plant() {
	sed -i "$3" "$work/$2"
	check_fails 1 "$1: planted" cmp -s "test/proof/theorem/$2" "$work/$2"
	forget "$2"
	check_fails 1 "$1" proved
	cp "test/proof/theorem/$2" "$work"
	forget "$2"
}

once='every timer runs once, on its tick, in every wheel'
[ $# != 0 ] || {
	# shellcheck disable=SC2086	# files
	check "$once" is_closed theorem $text
	files='model arith'
	check 'the arithmetic of the model' proved part
	finish
	exit
}
check "$once" proved
check 'the model is a program' extracted
case ${1-} in
[0-9]*)
	operations=5000000
	for part; do
		check "part $part" lockstep 0
		check "part $part, with spreading" lockstep $((part % 255 + 1))
	done
	finish
	exit
	;;
esac
check 'lib/ does what it does' lockstep 0
check 'lib/ does what it does, with spreading' lockstep 2
check 'lib/ does what it does, in a crowd' lockstep 2 small
check 'and each call in each state of one timer' lockstep 0 1 1 4 10 37
check 'and with spreading' lockstep 1 1 1 10 75
[ "${1-}" != long ] || {
	check 'and of two timers' lockstep 0 2 1 10 37
	check 'and with spreading' lockstep 1 2 1 10 37
}
operations=20000
mistakes test/proof/theorem/mistakes
plant_link 'a remainder that is none is found' 's/if r < 0 then/if r <= 0 then/'
plant 'times that are compared as they are, are found' words.v \
	's/if signed (visit - now v) <? 0/if visit <? now v/'
plant 'a level that spans too much is found' model.v \
	's/- c <? ticks/- c <=? ticks/'
plant 'a step behind the end of a ring is found' model.v \
	's/Z.min d (slots k - hand w k)/Z.min d (slots k)/'
[ "$1" = long ] || {
	# shellcheck disable=SC2086	# files
	close_all theorem $text
	finish
	exit
}
plant 'a week that begins too late is found' model.v \
	's/then left - turns \* week$/& + 1/'
plant 'a stop after a slot has become the next one is found' model.v \
	's/then 1 else 0\.$/then 0 else 0./'
plant 'a proof that is left out is found' exact.v \
	's/^Proof. intros H. now apply reachable_sound in H. Qed./Admitted./'
finish
