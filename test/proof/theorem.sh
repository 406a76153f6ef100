#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Coq reads the proofs about the model of the wheel, and says what the theorems
# assume: nothing. With a mistake in the model, or a gap, they are no proofs.
set -u
. test/lib.sh

work=$(mktemp -d)
trap 'rm -rf "$work" "$check_log"' EXIT
cp test/proof/theorem/*.v "$work"

# proved: fails if a proof is none, or assumes something.
proved() (
	cd "$work" || exit 2
	for file in model arith invariant stop exact order ends theorem; do
		[ "$file.vo" -nt "$file.v" ] ||
			coqc -q -Q . jif "$file.v" >"$file.said" 2>&1 || {
			cat "$file.said"
			exit 1
		}
	done
	cat theorem.said
	[ "$(sort -u theorem.said)" = 'Closed under the global context' ]
)

# plant NAME FILE EDIT: with that in FILE, it is not proved.
plant() {
	sed -i "$3" "$work/$2"
	check_fails 1 "$1: planted" cmp -s "test/proof/theorem/$2" "$work/$2"
	rm -f "$work"/*.vo
	check_fails 1 "$1" proved
	cp "test/proof/theorem/$2" "$work"
}

check 'every timer runs once, on its tick, in every wheel' proved
plant 'a level that spans too much is found' model.v \
	's/- c <? ticks/- c <=? ticks/'
plant 'a week that begins too late is found' model.v \
	's/then left - turns \* week$/& + 1/'
plant 'a proof that is left out is found' exact.v \
	's/^Proof. intros H. now apply reachable_sound in H. Qed./Admitted./'
finish
