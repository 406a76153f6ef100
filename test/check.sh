#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs everything that has to pass, and adds up: `make check`.
#
# Each step writes to build/check/NAME.log. A step that prints TAP has the tests
# that it lists; any other one is a test, which its exit status decides.
#
# A test counts once, by its name. The same tests in another build, with another
# configuration or on another machine, are one test more, and so is a table of
# budgets. Their names are in test/expected.list: one that is lost fails, and so
# does one that is not listed.
#
# There are two jobs at a time, and no limit of time.
#
# usage: test/check.sh [STEPS]: a file with other steps than these
set -u
. test/lib.sh

logs=build/check
rm -rf "$logs"
if ! mkdir -p "$logs" || ! tools/install-packages test/packages; then
	echo '0 passed, 1 failed'
	exit 1
fi
unset MAKEFLAGS MFLAGS MAKELEVEL

step() {
	name=$1
	shift
	begin=$(date +%s)
	status=0
	(check_log=$logs/$name.last && "$@") >"$logs/$name.log" 2>&1 \
		</dev/null || status=$?
	tests "$logs/$name.log" | sed "s/ok /&$name: /" >"$logs/$name.tests"
	if [ ! -s "$logs/$name.tests" ]; then
		[ "$status" = 0 ] || printf 'not '
		echo "ok $name"
	elif [ "$status" != 0 ] && ! grep -q '^not ' "$logs/$name.tests"; then
		echo "not ok $name: exit status $status"
	fi >>"$logs/$name.tests"
	bad=$(grep -c '^not ' "$logs/$name.tests")
	printf '%-6s %-22s %5d passed, %d failed  (%d s)\n' \
		"$([ "$bad" = 0 ] && echo ok || echo FAILED)" "$name" \
		"$(grep -c '^ok ' "$logs/$name.tests")" "$bad" \
		$(($(date +%s) - begin))
	[ "$bad" = 0 ] || grep -a -v '^ok ' "$logs/$name.log" | tail -n 60 |
		sed 's/^/    /'
}

# All C and C++ sources in the layout that .clang-format asks for.
layout() {
	find include lib test tools docs -name '*.[ch]' -print0 -o \
		-name '*.cc' -print0 -o -name '*.hpp' -print0 |
		xargs -0 clang-format --dry-run -Werror
}

# The library has no warning at the strictest level, nor sparse one.
strict() {
	make -s -j2 "$@" W=1 C=1 CFLAGS=-Werror
}

# Only names that begin with jif_ leave the library.
names() {
	nm -g --defined-only build/host/libjif.a >"$check_log" &&
		awk 'NF == 3 { n++ } NF == 3 && $3 !~ /^jif_/ { print; bad = 1 }
			END { exit bad || !n }' "$check_log"
}

# No two sources of the library have a name in common: some compile it so.
one_unit() {
	printf '#include "%s"\n' lib/*.c |
		gcc -std=c11 -Wall -Wextra -Werror -Iinclude -I. -x c -c \
			-o /dev/null -
}

# An interrupt at every instruction, of code that is small instead of fast.
step_small() {
	make -s O=build/host-small CFLAGS=-Os build/host-small/test/step/step &&
		build/host-small/test/step/step
}

# An instruction is to take longer than a count of the board's timer.
step_qemu() {
	TARGET_SHIFT=6 test/target/run.sh arm-cortex-m3 \
		"build/arm-cortex-m3-target/test/target/$1"
}

# It stops at 20, of which at most four are of one call.
step_qemu_unmasked() {
	found=$(step_qemu step-unmasked | grep -c 'wrong is')
	echo "$found wrong"
	[ "$found" = 20 ]
}

# target ARCH: its tests count one by one; again ARCH: for a port that had its
# turn already.
target() {
	step "target-$1" test/target/check.sh "$@"
}

again() {
	step "target-$1" suite "port, units, demo" test/target/check.sh "$1"
}

# What runs on the emulated machines, or is about them.
targets() {
	target arm-cortex-m3
	again arm-cortex-m0
	again arm-cortex-m4
	target rv32
	target avr port unit hour
	step port-barriers test/port/barriers.sh
	step target-compare test/target/check.sh arm-cortex-m0 compare
	step target-mutants test/target/mutants.sh systick mtime barriers
	step step-qemu step_qemu step
	step step-qemu-unmasked step_qemu_unmasked
	step budget tools/budget
	step budget-faults test/budget/check.sh
	step bench test/bench/check.sh
	step build-system test/build/check.sh
	step budget-tables tools/budget --check-doc
	step bench-tables tools/bench/bench --check-doc
}

host() {
	step model build/host/test/model/model -j1 --tap
	step headers test/headers/check.sh
	step amalgamation test/amalgamation/check.sh
	step cplusplus test/cplusplus/check.sh
	step examples test/examples/check.sh
	step simulator test/sim/check.sh build/host/jifsim
	step explore build/host/test/model/explore/explore --limit 100000
	step port-models test/port/host/check.sh
	step planting test/faults/check.sh
	step faults test/faults/plant --third test/faults/engine.toml
	step firmware test/examples/firmware.sh
	step firmware-faults test/faults/plant test/examples/firmware.toml
	step table-faults test/faults/plant test/faults/table.toml
	step spread test/spread/check.sh
	step proof test/proof/check.sh
	step swarm build/host/test/model/swarm
	step analyse test/analyse/check.sh
	step coverage test/coverage/check.sh
	step step build/host/test/step/step
	step step-small step_small
	step step-unmasked build/host/test/step/step --unmasked
	step san-build make -s SAN=1 all tests
	step san-unit suite unit build/host-san/test/unit/unit -j1 --tap
	step san-model suite model env LOCKSTEP_OPERATIONS=200000 \
		build/host-san/test/model/model -j1 --tap
	step san-explore build/host-san/test/model/explore/explore \
		--limit 20000
	step san-simulator suite simulator test/sim/check.sh \
		build/host-san/jifsim
	step compare test/compare/check.sh
	step readme test/readme/check.sh
	step scheduler test/scheduler/check.sh
	step keyed test/keyed/check.sh
	step check test/check_test.sh
	step main-job test/run/check.sh
	step smp test/smp/check.sh
}

all() {
	step layout layout
	step style tools/checkstyle
	step labels tools/checklabels
	step documents tools/checkdoc
	step host strict O=build/strict-host all tests
	step host-clang strict O=build/strict-clang CC=clang all tests
	for arch in arm-cortex-m0 arm-cortex-m3 arm-cortex-m4 rv32 avr; do
		step "$arch" strict ARCH=$arch O=build/strict-$arch
	done
	step build make -s -j2 all tests
	step names names
	step one-unit one_unit
	step unit build/host/test/unit/unit -j2 --tap
	targets &
	host
	wait
}

if [ $# = 0 ]; then
	all
else
	. "$1"
fi

cat "$logs"/*.tests | sort >"$logs/results"
sed 's/^\(not \)*ok //' "$logs/results" | LC_ALL=C sort >"$logs/list"
diff test/expected.list "$logs/list" | grep '^[<>]' >"$logs/changes"
if [ -s "$logs/changes" ]; then
	echo "< is lost, > is not listed; if that is meant, and nothing else" \
		"fails: cp $logs/list test/expected.list"
	cat "$logs/changes"
fi
passed=$(grep -c '^ok ' "$logs/results")
failed=$(cat "$logs/results" "$logs/changes" | grep -c '^not \|^[<>]')
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
