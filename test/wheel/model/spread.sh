#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/wheel/model/spread.sh [short | long] [K]...
#
# With CONFIG_JIF_SPREAD = K, 1 unless others are named: the unit suites and
# lockstep; the scenarios and the recorded trace. Where timers wait and how
# often they are moved may differ from K = 0; when they run, and in which order,
# may not.
#
# Then the places, which are the same for each K, and the states of the small
# wheel. `short` is lockstep only. `long` takes K = 4, 8 and 64, too, an
# interrupt before every instruction, the states for K = 2 and 3, the explorer
# to the end with one timer and, without interrupts, with two near ones,
# lockstep to 10,000,000 operations in all, and lockstep and the suites of the
# wheel under the sanitizers: `make spread`.
set -u
. test/lib.sh

unset MAKEFLAGS MFLAGS MAKELEVEL
LC_ALL=C
export LC_ALL
operations=300000
divided=100000
all=2000
limit=1000
small=1
sanitized=
sim=$folder/sim
test/tools/sim/cases "$sim" || exit
if [ "${1-}" = long ]; then
	operations=2500000
	divided=2500000
	all=2147483647
	limit=20000
	small='1 2 3'
	sanitized=yes
	shift
	[ $# != 0 ] || set -- 1 4 8 64
fi
short=
[ "${1-}" != short ] || {
	short=yes
	shift
}
[ $# != 0 ] || set -- 1

# configure OUT K: a build folder with a configuration of its own.
configure() {
	tools/build/own --keep "$1"
	echo "CONFIG_JIF_SPREAD=$2" >"$folder/config"
	cmp -s "$folder/config" "$1/.config" ||
		cp "$folder/config" "$1/.config"
}

# build K PROGRAM...
build() {
	k=$1
	out=build/spread-$k
	shift
	what=$*
	configure "$out" "$k"
	for program; do
		set -- "$@" "$out/$program"
		shift
	done
	check "K = $k builds: $what" \
		make -s O="$out" W=1 CFLAGS=-Werror "$@"
}

# Of what comes out, all but the places, the moves and the stops.
figures() {
	sed -e '/^cascaded /d' -e '/^placed anew /d' -e '/^worst tick /d' \
		-e '/^moves /d' -e '/^expectations /d' \
		-e '/"type":"wheels"/d' -e '/pending, next in/d' \
		-e '/^ *v$/d' -e '/^ *\(day\|hour\|min\|sec\) .* [0-9]*$/d' \
		-e 's/"cascaded":{[^}]*}//' -e 's/"met":.*//' \
		-e 's/"worst[a-z_]*":[^,}]*//g' \
		-e "/expectation failed: timer '.*' is in .* want /d" \
		-e "/expectation failed: timer '.*' waited in /d" \
		-e '/expectation failed: the next stop is in /d' "$@"
}

# said JIFSIM ARGUMENT...: the figures of what it says.
said() {
	"$@" >"$folder/out" 2>"$folder/err" </dev/null
	[ $? -lt 2 ] && figures "$folder/out" "$folder/err"
}

# same_firings JIFSIM ARGUMENT...: as without spreading.
same_firings() {
	said "$@" >"$folder/got" || return 1
	shift
	said "$plain" "$@" >"$folder/want" &&
		diff -u "$folder/want" "$folder/got"
}

# replay OUT: the recorded traces.
replay() (
	set -- "$PWD/$1/jifsim" replay
	cd "${sim:?}" &&
		same_firings "$@" --all --wheels traces/small.csv &&
		same_firings "$@" --json traces/small.csv &&
		same_firings "$@" traces/linux-tcp.csv.gz &&
		grep '^fires *102,218, 0 off their exact tick$' "$folder/got"
)

# scenarios OUT: those of test/tools/sim, with their options.
scenarios() (
	jifsim=$PWD/$1/jifsim
	cd "${sim:?}" || exit
	bad=0
	while read -r name _ arguments; do
		case $name in scenarios/*) ;; *) continue ;; esac
		# shellcheck disable=SC2086 # the arguments are words
		if same_firings "$jifsim" $arguments; then
			echo "ok - $name.scn"
		else
			echo "not ok - $name.scn"
			bad=1
		fi
	done <list
	exit $bad
)

[ -z "$short" ] || {
	build "$1" test/wheel/model/model
	each "lockstep" env LOCKSTEP_OPERATIONS=100000 \
		"build/spread-$1/test/wheel/model/model" -j1 --tap \
		--filter 'lockstep/*'
	finish
	exit
}
build 0 jifsim
plain=$PWD/build/spread-0/jifsim
for k; do
	out=build/spread-$k
	build "$k" jifsim test/wheel/unit/quick test/wheel/unit/unit \
		test/wheel/model/model
	check "K = $k: unit" "$out/test/wheel/unit/quick" 60 ""
	suite "K = $k: lockstep" env LOCKSTEP_OPERATIONS=$operations \
		"$out/test/wheel/model/model" -j1 --tap --filter 'lockstep/*'
	suite "K = $k: scenarios" scenarios "$out"
	check "K = $k: recorded traces" replay "$out"
done
out=build/spread-$1
each "unit tests that are about spreading" "$out/test/wheel/unit/unit" -j1 \
	--tap \
	--filter 'wheel_spread/*'
build "$1" test/wheel/model/explore/inductive test/wheel/model/divides
check "K = $1: each call from some sound states" \
	"$out/test/wheel/model/explore/inductive"
suite "placement" "$out/test/wheel/model/model" -j1 --tap --filter 'placement/*'
suite "K = $1: with a divider" env LOCKSTEP_OPERATIONS=$divided \
	"$out/test/wheel/model/divides" -j1 --tap
for k in $small; do
	explorer=build/spread-$k/test/wheel/model/explore/explore
	build $k test/wheel/model/explore/explore test/wheel/model/explore/crowd
	check "K = $k: a crowd runs in order" \
		build/spread-$k/test/wheel/model/explore/crowd
	check "K = $k: states of one timer" "$explorer" --limit $all one
	sed 's/^/# /' "$check_log"
	check "K = $k: states of two timers" "$explorer" \
		--limit $limit far postponed paused near
	sed 's/^/# /' "$check_log"
done
[ -n "$sanitized" ] || {
	finish
	exit
}
check "K = 3: each call from each sound state" \
	make -s O=build/spread-3 TIMERS="1 2" inductive
sed 's/^/# /' "$check_log"
case $(uname -m) in
x86_64)
	build "$1" test/wheel/model/step/step
	check "K = $1: an interrupt before every instruction" \
		"$out/test/wheel/model/step/step"
	;;
esac
check "K = 1: all states of two timers that are near, without interrupts" \
	build/spread-1/test/wheel/model/explore/explore --interrupts 0 near
sed 's/^/# /' "$check_log"
out=build/spread-san
configure $out 4
check "K = 4: it builds with the sanitizers" make -s SAN=1 O=$out \
	$out/test/wheel/model/model $out/test/wheel/unit/quick
suite "K = 4: lockstep, with the sanitizers" env LOCKSTEP_OPERATIONS=30000 \
	$out/test/wheel/model/model -j1 --tap --filter 'lockstep/*'
check "K = 4: unit, with the sanitizers" $out/test/wheel/unit/quick 60 only \
	wheel
finish
