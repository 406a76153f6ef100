#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs everything that has to pass, and adds up: `make check`; or a short part
# that needs no more than a host compiler: `make check-host`.
#
# Each step writes to build/check/NAME.log. A step that prints TAP has the tests
# that it lists; any other one is a test, which its exit status decides.
#
# A test counts once, by its name. The same tests in another build, with another
# configuration or on another machine, are one test more, and so is a table of
# budgets. test/expected has how many each step has, and after a plus how many
# such suites have in all: one that is lost fails, and so does one that is new.
#
# There are three jobs at a time, as some sleep. A step that does not end is
# stopped after a quarter of an hour of processor time, or asleep, where the
# longest takes two minutes; the others go on. Without the build, nothing does.
#
# First, it installs what its steps need: test/needs. A step whose packages
# could not be installed does not run, and has failed. A step has no commands of
# other packages, so that it fails where its list is not whole.
#
# usage: test/check.sh [--host | --more] [FILE] [NAME...]: all steps, or those
# of that name, after the build if they need one. FILE, which has a slash in its
# name, has other ones. --more: those that take long, which `make check-more`
# runs. .ci/run calls both.
set -u
. test/lib.sh

logs=build/check
lists='test/packages test/target/packages'
again='make check'
operations=400000
limits='20000 600'
tests=host-tests
patience=${PATIENCE-900}
child=
ended=
host=
more=
later=
if [ "${1-}" = --more ]; then
	more=yes
	shift
elif [ "${1-}" = --host ]; then
	host=$1
	lists=test/packages
	again='make check-host'
	operations=100000
	limits='5000 200'
	tests="build/host/test/wheel/unit/unit
		build/host/test/wheel/model/model
		build/host/test/wheel/model/divides
		build/host/test/wheel/model/explore/explore"
	shift
fi

# --- a step, and what is seen of it -----------------------------------------

# full COMMAND...: not on the host alone.
full() {
	[ -n "$host" ] || "$@"
}

# Whether a step is to run, when only some are.
wanted() {
	case " $only " in
	'  ') [ "$later" = "$more" ] || [ "$more$1" = yesbuild ] ;;
	*" $1 "*) ;;
	*' san-'*) [ "$1" = san-build ] ;;
	*) return 1 ;;
	esac
}

# later COMMAND...: a step of `make check-more`.
later() {
	later=yes
	full "$@"
	later=
}

# The rows of test/needs that are for a step.
needed() {
	case $1 in
	style | evidence | documents | figures | calls | layout) ;;
	*) printf 'build ' ;;
	esac
	echo "$1"
}

# The processor time in seconds of what `times` says.
processor_time() {
	tr 'ms' '  ' <"$1" | awk '{ sum += 60 * ($1 + $3) + $2 + $4 }
		END { printf "%.0f", sum }'
}

minutes() {
	printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

# How many steps have ended.
finished() {
	find "$logs" -maxdepth 1 -name '*.tests' | wc -l
}

# A line for each step that begins; a terminal has the bar for that.
announce() {
	[ -n "$clear" ] ||
		printf '%3d/%d %-6s %s\n' "$(finished)" "$total" run "$name"
}

# A line for each step that ends; on a terminal, only if it fails.
report() {
	bad=$(grep -c '^not ' "$logs/$name.tests")
	verdict=ok
	[ "$bad" = 0 ] || verdict=FAILED
	[ -n "$clear" ] && [ "$bad" = 0 ] || printf \
		'%s%3d/%d %-6s %-20s %4d passed, %d failed  %s, cpu %s\n' \
		"$clear" "$(finished)" "$total" $verdict "$name" \
		"$(grep -c '^ok ' "$logs/$name.tests")" "$bad" \
		"$(minutes $(($(date +%s) - begin)))" "$(minutes "$cpu")"
	[ "$bad" = 0 ] || {
		grep '^not ' "$logs/$name.tests" | head -n 20 | sed 's/^/    /'
		grep -a -v '^ok ' "$logs/$name.log" | tail -n 60 |
			sed 's/^/    /'
		echo "    all of it: $logs/$name.log"
		echo "    once more: $again STEP=$name"
	}
	[ "$bad" = 0 ]
}

# What cannot run, for want of packages that could not be installed.
unable() {
	echo "not ok $name: needs$1" >"$logs/$name.tests"
	echo "$name" >>"$logs/unable"
	printf '%s%3d/%d FAILED %-20s needs%s\n' "$clear" \
		"$(finished)" "$total" "$name" "$1"
	return 1
}

# step NAME COMMAND...
step() {
	wanted "$1" || return 0
	name=$1
	shift
	lacks=$([ -z "$lacking" ] || missing "$name")
	[ -z "$lacks" ] || {
		unable "$lacks"
		return
	}
	begin=$(date +%s)
	echo "$begin" >"$logs/$name.running"
	announce
	status=0
	: >"$logs/$name.times"
	# shellcheck disable=SC2086	# each is a file
	tools/build/install-packages --path="$PWD/$logs/$name.path" \
		--for="$(needed "$name")" $lists
	path=$PWD/$logs/$name.path
	[ -d "$path" ] || path=$PATH
	# shellcheck disable=SC2086	# an argument, or none
	PATH=$path test/limit "$patience" "$0" $host --do "$logs/$name" "$@" \
		>"$logs/$name.log" 2>&1 </dev/null &
	child=$!
	wait $child || status=$?
	tests "$logs/$name.log" | sed "s/ok /&$name: /" >"$logs/$name.result"
	if [ ! -s "$logs/$name.result" ]; then
		[ "$status" = 0 ] || printf 'not '
		echo "ok $name"
	elif [ "$status" != 0 ] && ! grep -q '^not ' "$logs/$name.result"; then
		echo "not ok $name: exit status $status"
	fi >>"$logs/$name.result"
	cpu=$(processor_time "$logs/$name.times")
	echo "$cpu $name" >>"$logs/times"
	rm "$logs/$name.running"
	rm -rf "$logs/$name.path"
	mv "$logs/$name.result" "$logs/$name.tests"
	report
}

# missing STEP...: what they need and this machine lacks.
missing() {
	# shellcheck disable=SC2086	# each is a file
	tools/build/install-packages --missing --for="$*" $lists
}

# The bar: how many steps are done, since when, and those that run.
draw() {
	now=$(date +%s)
	printf '%s%s' "$clear" "$({
		awk -v n="$(finished)" -v of="$total" 'BEGIN {
			for (i = 0; i < 24; i++)
				s = s (i * of < n * 24 ? "#" : ".")
			printf "[%s] %d of %d  ", s, n, of }'
		minutes $((now - start))
		for file in "$logs"/*.running; do
			read -r since 2>/dev/null <"$file" || continue
			file=${file##*/}
			printf '  %s %d s' "${file%.running}" $((now - since))
		done
	} | cut -c 1-79)"
}

# --- what steps run ----------------------------------------------------------

# A build that says something has a warning.
silent() {
	"$@" >"$check_log" 2>&1 || {
		cat "$check_log"
		return 2
	}
	! grep . "$check_log"
}

# made ARGUMENT...: a build that stays. make does not repeat its warnings, so
# that it goes with them.
made() {
	made_status=0
	silent make -s "$@" || made_status=$?
	[ "$made_status" != 1 ] || make -s clean
	return $made_status
}

# written IN...: all files that begin with that line, or have that ending.
written() {
	for in; do
		case $in in
		'#!'*) find . -path ./build -prune -o -path ./.git -prune -o \
			-type f -exec grep -lx -e "$in" {} + ;;
		*) find . -path ./build -prune -o -name "$in" -print ;;
		esac
	done | sort -u
}

# All sources in the layout that the formatter of their language asks for.
layout() {
	layout_bad=0
	written '*.[ch]' '*.cc' '*.hpp' |
		xargs clang-format --dry-run -Werror || layout_bad=1
	written '#!/bin/sh' '*.sh' | xargs shfmt -d || layout_bad=1
	written '#!/usr/bin/env python3' '*.py' |
		xargs pycodestyle --ignore=E101,E402,E501,W191,W503,W504 ||
		layout_bad=1
	written CMakeLists.txt '*.cmake.in' |
		xargs cmake-format --check || layout_bad=1
	for file in $(written '*.js'); do
		js-beautify-py -t -n -k -b collapse,preserve-inline "$file" |
			diff -u "$file" - || layout_bad=1
	done
	return $layout_bad
}

# No source has a warning at the strictest level, nor sparse one. What needs
# optimisation to be seen is seen in the builds.
strict() {
	silent make -s -j2 "$@" W=1 CFLAGS='-Werror -fsyntax-only' objects
}

# What pages say of tests, and of when which ran.
evidence() {
	tools/check/evidence && tools/check/release --check-doc
}

# Only names that begin with jif_ leave the library, and each is in a header.
names() {
	nm -g --defined-only build/host/libjif.a >"$check_log" &&
		awk 'NF == 3 { n++ } NF == 3 && $3 !~ /^jif_/ { print; bad = 1 }
			END { exit bad || !n }' "$check_log" || return
	grep -rhowE --include='*.h' '[a-z]\w+' include lib |
		sed 'p; s/^/jif_linux_/' | sort -u >"$check_log.declared"
	sed 's/.* //; s/_with_CONFIG_.*//; /[.:]/d; /^$/d' "$check_log" |
		sort -u | comm -23 - "$check_log.declared" |
		sed 's/$/ is in no header/' >"$check_log.strange"
	rm "$check_log.declared"
	! grep . "$check_log.strange"
}

# No two sources of the library have a name in common: some compile it so.
one_unit() {
	printf '#include "%s"\n' lib/*.c lib/firmware/*.c |
		gcc -std=c11 -Wall -Wextra -Werror -Iinclude -I. -x c -c \
			-o /dev/null -
}

# An instruction is to take longer than a count of the board's timer.
step_qemu() {
	out=build/arm-cortex-m3-target
	make -s ARCH=arm-cortex-m3 O=$out W=1 CFLAGS=-Werror \
		"$out/test/target/$1" || return
	TARGET_SHIFT=6 test/target/run.sh arm-cortex-m3 "$out/test/target/$1"
}

# It stops at 20, of which at most four are of one call.
step_qemu_unmasked() {
	found=$(step_qemu step-unmasked | grep -c 'wrong is')
	echo "$found wrong"
	[ "$found" = 20 ]
}

# target ARCH PART...: its tests count one by one; repeated ARCH PART...: for a
# port that had its turn already.
target() {
	step "target-$1" test/target/check.sh "$@"
}

repeated() {
	step "target-$1" suite "$*" test/target/check.sh "$@"
}

# With fewer interrupts it gets further.
explore() {
	"$1" --interrupts 0 --limit "$2" && "$1" --limit "$3"
}

# --- the steps: one after the other, with two jobs each ---------------------

first() {
	step style tools/check/checkstyle
	step evidence evidence
	step documents tools/check/checkdoc
	step figures tools/check/checkfigures
	step calls tools/check/checkcalls
	full step host strict O=build/strict-host
	# shellcheck disable=SC2086	# a list of targets
	step build made -j2 all $tests || {
		ended='The build has failed: nothing else is run.'
		return
	}
	step names names
	step one-unit one_unit
	step unit build/host/test/wheel/unit/unit -j2 --tap
	full first_of_all
}

first_of_all() {
	step emulators made tests
	step host-clang strict O=build/strict-clang CC=clang C=1
	for arch in tools/build/arch/*.mk; do
		arch=$(basename "$arch" .mk)
		[ "$arch" = host ] ||
			step "$arch" strict "ARCH=$arch" \
				"O=build/strict-$arch" C=1
	done
}

# --- the steps: by subject, of which three run at a time --------------------
#
# What builds in the same folder is one subject. Long ones come first, so that
# all jobs end at about the same time.

subjects='models others simulator'
[ -n "$host" ] ||
	subjects="uses emulated ports models budgets others faults
		sanitizers stepping simulator"

models() {
	step model env LOCKSTEP_OPERATIONS=$operations \
		build/host/test/wheel/model/model -j1 --tap
	step divides suite divides env LOCKSTEP_OPERATIONS=100000 \
		build/host/test/wheel/model/divides -j1 --tap
	full step month test/wheel/model/month.sh
	# shellcheck disable=SC2086	# two words
	step explore explore build/host/test/wheel/model/explore/explore \
		$limits
	full step inductive build/host/test/wheel/model/explore/inductive
	full step spread-short test/wheel/model/spread.sh short
	later step spread test/wheel/model/spread.sh
	later step coverage test/faults/coverage/check.sh
}

stepping() {
	full step misuse test/wheel/unit/misuse.sh
	full step step build/host/test/wheel/model/step/step
	full step windows build/host/test/firmware/model/windows/windows
	later step step-unmasked \
		build/host/test/wheel/model/step/step --unmasked
}

simulator() {
	step simulator test/tools/sim/check.sh build/host/jifsim
	full step main-job test/tools/run/check.sh
}

sanitizers() {
	step san-build make -s SAN=1 build/host-san/jifsim \
		build/host-san/idled build/host-san/test/wheel/unit/quick \
		build/host-san/test/wheel/model/model \
		build/host-san/test/wheel/model/explore/explore
	step san-unit env ASAN_OPTIONS=detect_leaks=0 \
		LOCKSTEP_OPERATIONS=100000 \
		build/host-san/test/wheel/unit/quick 60 ''
	step san-model suite model env LOCKSTEP_OPERATIONS=100000 \
		NOW_OPERATIONS=20000 build/host-san/test/wheel/model/model \
		-j1 --tap \
		--filter '@(lockstep|turns|table_model|now)/*'
	step san-explore explore \
		build/host-san/test/wheel/model/explore/explore 5000 200
	step san-idled suite idled env \
		ASAN_OPTIONS=disable_coredump=0:verify_asan_link_order=0 \
		test/tools/idled/check.py build/host-san/idled
	step san-simulator suite simulator test/tools/sim/check.sh \
		build/host-san/jifsim
}

others() {
	step readme test/tools/docs/readme.sh
	full step readme-tools test/tools/docs/readme.sh cmake pkg-config
	step recipes test/tools/docs/recipes.sh
	full step book test/tools/docs/book.sh
	step port-models test/port/host/check.sh
	step idled test/tools/idled/check.sh
	later step linux test/face/kernels/linux/check.sh
	step zephyr env KERNEL=zephyr test/face/kernels/check.sh
	full step traps test/tools/docs/traps.sh
	full step layout layout
	full step check test/check_test.sh
	full step checks test/checks.sh style evidence documents figures \
		calls
}

# The library, as it is used.
uses() {
	step proof test/proof/check.sh
	step theorem test/proof/theorem.sh
	step swarm build/host/test/wheel/model/swarm --seeds 1500
	step analyse test/tools/build/analyse.sh
	later step fuzz test/wheel/model/fuzz/check.sh
	step headers test/tools/build/headers.sh
	later step targets test/tools/build/targets.sh
	step amalgamation test/tools/build/amalgamation.sh
	step cplusplus test/tools/build/cplusplus.sh
	later step compilers test/tools/build/compilers.sh
	step examples test/tools/docs/examples/check.sh
	later step kernels test/face/kernels/check.sh
	step firmware test/tools/docs/examples/firmware.sh
	step nodes test/tools/docs/examples/nodes.sh
	step scheduler test/tools/docs/scheduler/check.sh
	step web test/tools/web/check.sh
	step trace test/tools/trace/check.sh
	step pictures tools/trace/pictures --check
	step bench test/tools/bench.sh
	step bench-tables tools/check/bench/bench --check-doc
}

faults() {
	step mutants test/faults/plant --mutants=120 test/faults/mutants.toml \
		lib/wheel.c lib/levels.h lib/wheel_walk.c lib/wheel_list.h
	later step firmware-faults test/faults/plant \
		test/tools/docs/examples/firmware.toml
}

emulated() {
	later target arm-cortex-m3 port unit demo
	repeated arm-cortex-m0 plain hour clang
	repeated arm-cortex-m4 plain hour
	step port-rv32 suite "plain hour" test/target/check.sh rv32 plain hour
	later target rv32 port unit hour clang week
	target avr port unit hour
	step blink test/tools/docs/examples/blink.sh
	step arduino test/face/kernels/arduino.sh
	later step step-qemu step_qemu step
	later step step-qemu-unmasked step_qemu_unmasked
}

ports() {
	step port-barriers test/port/barriers.sh
	later step target-compare test/target/check.sh arm-cortex-m0 compare
	later step compare test/port/compare/check.sh
	later step smp test/wheel/model/smp/check.sh
	later step port-faults test/target/mutants.sh --sample=40
	step service test/host/check.sh
	step interleave test/host/interleave/check.sh
}

budgets() {
	step budget env BENCH_BUILD=build/budget/bench tools/check/budget
	step budget-tables tools/check/budget --check-doc
}

# --- all that is to run ------------------------------------------------------

# --do LOG COMMAND...: what a step runs.
if [ "${1-}" = --do ]; then
	check_log=$2.last
	times=$2.times
	shift 2
	trap 'times >"$times"' EXIT
	"$@"
	exit
fi

case ${1-} in
*/*)
	file=$1
	shift
	only=$*
	subjects=
	first() {
		# shellcheck disable=SC1090	# it is an argument
		. "$file"
	}
	;;
*)
	only=$*
	for name; do
		[ "$(needed "$name")" = "$name" ] || only="build $*"
	done
	;;
esac

# The names of the steps, which are not run for that.
plan() (
	step() {
		! wanted "$1" || echo "$1"
	}
	first
	for subject in $subjects; do
		$subject
	done
)

# Takes one subject after the other that nobody else has taken.
work() {
	trap 'kill $child; exit 143' TERM
	for subject in $subjects; do
		! mkdir "$logs/$subject.taken" 2>/dev/null || $subject
	done
}

planned=$(plan)
for name in $only; do
	echo "$planned" | grep -qx -e "$name" || {
		echo "$0: error: no step is called $name" >&2
		exit 2
	}
done
tools/build/own "$logs" || exit
lacking=
# shellcheck disable=SC2086	# each is a file
tools/build/install-packages --for="$planned" $lists || lacking=1
unset MAKEFLAGS MFLAGS MAKELEVEL
echo "$planned" >"$logs/plan"
: >"$logs/unable"
total=$(wc -l <"$logs/plan")
start=$(date +%s)
echo "$total steps, three at a time; what they say goes to $logs"

clear=
drawer=
if [ -t 1 ]; then
	clear=$(printf '\r\033[K')
	while draw; do sleep 1; done &
	drawer=$!
fi
trap 'trap "" TERM; kill 0 $child; exit 130' INT

first
if [ -z "$ended" ]; then
	work &
	second=$!
	work &
	third=$!
	work
	wait $second $third
fi
[ -z "$drawer" ] || kill $drawer
printf '%s' "$clear${ended:+$ended
}"

# --- the sum -----------------------------------------------------------------

cat "$logs"/*.tests | sort >"$logs/results"
sed 's/^\(not \)*ok //' "$logs/results" | LC_ALL=C sort >"$logs/list"
awk '{ step = $1; sub(/:$/, "", step); tests[step]++ }
	/: [0-9]+ tests$/ { suites[step] += $(NF - 1) }
	END { for (step in tests)
		print step, tests[step] (step in suites ? \
			" + " suites[step] : "") }' "$logs/list" |
	awk 'FILENAME == ARGV[1] { unable[$1]; next } !($1 in unable)' \
		"$logs/unable" - >"$logs/counts"
# Those that are not of this run.
{
	if [ -n "$only$host" ]; then
		awk '{ print $1 }' test/expected | grep -vxF -f "$logs/plan"
	else
		more=$([ -n "$more" ] || echo yes)
		plan | grep -vxF -f "$logs/plan"
	fi
	cat "$logs/unable"
} >"$logs/others"
awk 'FILENAME == ARGV[1] { other[$1]; next } $1 in other' "$logs/others" \
	test/expected >>"$logs/counts"
LC_ALL=C sort "$logs/counts" >"$logs/expected"
{ [ -n "$ended" ] || diff test/expected "$logs/expected"; } |
	grep '^[<>]' >"$logs/changes"
if [ -s "$logs/changes" ]; then
	echo "< is in test/expected, > is how many tests there are:"
	cat "$logs/changes"
	echo "If that is meant (their names are in $logs/list), and nothing" \
		"else fails: cp $logs/expected test/expected"
fi
echo "in $(minutes $(($(date +%s) - start))), processor time $(minutes \
	"$(awk '{ sum += $1 } END { print sum + 0 }' "$logs/times")")"
grep -l '^not ' "$logs"/*.tests | sed 's|.*/\(.*\).tests|failed: \1|'
passed=$(grep -c '^ok ' "$logs/results")
failed=$({
	grep '^not ' "$logs/results"
	awk '{ print $2 }' "$logs/changes" | sort -u
} | wc -l)
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
