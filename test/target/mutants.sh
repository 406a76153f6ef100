#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/mutants.sh [--sample=N] [GROUP]...
#
# Are the port tests any good? Plants one mistake of mutants.table after the
# other in a copy of the tree, runs the tests of its group, and lists what finds
# it: a model of a timer (test/port/host, test/port/compare), two threads
# (test/wheel/model/smp), an emulated machine, or what the compiler has made of
# it (test/port/barriers.sh). One that nothing finds is a failure, and so is one
# that does not build. Of all that fit a place, one in N is tried.
# On the group's board, the self-test has to say first what the table says.
# Found is what fails an assertion, panics or faults, or takes more instructions
# than the machine is given: several times what it takes without a mistake. How
# long the run lasts does not matter; and that can be seen here too: a mistake
# that is none has to go unfound.
set -u
. test/lib.sh

sample=1
case ${1-} in
--sample=*)
	sample=${1#--sample=}
	shift
	;;
esac
top=$PWD
copy=$folder
copy_tree "$copy"
unset MAKEFLAGS MFLAGS MAKELEVEL
export TARGET_LIMIT=400000000

reasons='s/^# \(.*::[a-z_]*\): .*/\1/p
	/^panic: \|^fault\|^trap$\|^over the limit of /p'

# --- how it is found: 0 if it is not, 1 by what is in caught, 2 for no reason -

model() {
	test/port/host/run.sh "$@" >log 2>&1
	status=$?
	[ $status != 1 ] || sed -n 's/^# //p' log >caught
	return $status
}

# registers TIMER CLOCK_HZ HZ TICKLESS
registers() {
	test/port/compare/run.sh "$@" >log
	status=$?
	[ $status != 1 ] || sed -n 's/^not ok 1 - //p' log >caught
	return $status
}

# machine ARCH NAME OPTION...: of the configuration, but for the defaults.
machine() {
	arch=$1
	folder=build/$2
	shift 2
	mkdir -p "$folder"
	printf 'CONFIG_JIF_%s\n' PORT_SIM=n "$@" >options
	cmp -s options "$folder/.config" || cp options "$folder/.config"
	image=$folder/test/target/port-test
	make -s ARCH="$arch" O="$folder" "$image" >log 2>&1 || return 2
	test/target/run.sh "$arch" "$image" >log 2>&1
	status=$?
	sed -n "$reasons" log | sort -u >caught
	[ $status != 3 ] || status=1
	return $status
}

# The same on an emulator that does not tell more than a board.
chip() {
	TARGET_BOARD=1 machine "$@"
}

# tap COMMAND...: what prints TAP.
tap() {
	"$@" >log 2>&1
	status=$?
	sed -n 's/^not ok [0-9]* - //p' log >caught
	return $status
}

# A loop without an end takes a minute of processor time, not a second.
threads() {
	KEEP=. LIMIT=60 test/wheel/model/smp/run.sh "$1" 100000 >log 2>&1
	status=$?
	[ $status = 0 ] || [ $status = 2 ] || {
		grep -v '^=' log | tail -n 1 >caught
		status=1
	}
	return $status
}

# What the self-test said first: a code, or that nothing was found; or it has no
# end.
told() {
	[ "$board" = "$how" ] || $board
	number=$(sed -n '/^# code \([0-9]*\),.*/{s//\1/p;q;}' log)
	if [ "$number" ]; then
		sed -n 's/^\tJIF_SELFTEST_\([A-Z_]*\),$/\1/p' \
			include/jif/kit/selftest.h | sed -n "$((number + 1))p"
	elif grep -q '^ok - port_selftest::' log; then
		echo none
	else
		echo hangs
	fi
}

# --- planting ---------------------------------------------------------------

# group NAME COMMAND...: those that follow are of that group, found by that.
group() {
	on=$1
	shift
	how=$*
	board=$next
	next=
	case $how in
	machine*) board=${board:-$how} ;;
	esac
	case " $groups " in
	'  ' | *" $on "*) chosen=1 ;;
	*) chosen=0 ;;
	esac
	[ $chosen = 0 ] || [ "$sample" != 1 ] || plant 0 \
		"a mistake that is none is not found" lib/jiffies.c \
		'$s|$|\n/* nothing */|' "${board:+none}"
}

# plant STATUS WHAT FILE SED-COMMAND [CODE]: the group has to find that.
plant() {
	cp "$3" saved
	sed -i "$4" "$3"
	if cmp -s "$3" saved; then
		fail "$on: $2: there is nothing to change in $3"
		return
	fi
	: >caught
	# shellcheck disable=SC2086 # a list of words
	$how
	status=$?
	[ $status != 1 ] || [ -s caught ] || status=2
	sed 's/^/#     /' caught >found
	code=${5-}
	told=
	[ ! "$board" ] || [ ! "$code" ] || [ $status = 2 ] || told=$(told)
	if [ $status = "$1" ] && [ "$told" = "${code%%:*}" ]; then
		pass "$on: $2${told:+ ($told)}"
		cat found
	else
		fail "$on: $2${told:+ ($told)}"
		tail -n 30 log | sed 's/^/#     /'
	fi
	cp saved "$3"
}

# mutant WHAT FILE SED-COMMAND [CODE]
number=0
mutant() {
	[ $chosen = 1 ] || return
	number=$((number + 1))
	if [ $((number % sample)) = 0 ]; then
		plant 1 "$@"
	elif sed "$3" "$2" | cmp -s - "$2"; then
		fail "$on: $1: there is nothing to change in $2"
	fi
}

groups=$*
next=
mkdir "$copy/build"
ln -s "$top/build/host" "$copy/build/host"
cd "${copy:?}" || exit 1

while IFS= read -r line <&3; do
	case $line in
	'#'*) ;;
	'group '*)
		# shellcheck disable=SC2086 # a list of words
		group ${line#group }
		;;
	'board '*) next=${line#board } ;;
	'	'*)
		IFS='	' read -r what sed code <<-END
			$line
		END
		mutant "$what" "$file" "$sed" "$code"
		;;
	*) file=$line ;;
	esac
done 3<test/target/mutants.table

cd "${top:?}" || exit 1
finish
