#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs everything that has to pass, and adds up: `make check`.
#
# Each step writes to build/check/NAME.log. Its counts are those of its own last
# line, if that is of Criterion or says "N passed, N failed"; any other command
# counts as one test.
set -u

logs=build/check
rm -rf "$logs"
mkdir -p "$logs"
unset MAKEFLAGS MFLAGS MAKELEVEL
jobs=-j$(nproc 2>/dev/null || echo 2)
counts=$logs/counts

# The counts in a log, as "passed failed"; nothing if it has none.
counts() {
	criterion='Passing: \([0-9]*\) | Failing: \([0-9]*\)'
	plain='\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed'
	sed -n -e "s/^.*$criterion.*/\1 \2/p" -e "s/^$plain\$/\1 \2/p" \
		-e "s/^[a-z]*: $plain\$/\1 \2/p" "$1" | tail -n 1
}

step() {
	name=$1
	shift
	begin=$(date +%s)
	status=0
	"$@" >"$logs/$name.log" 2>&1 || status=$?
	# shellcheck disable=SC2046	# two words are wanted
	set -- $(counts "$logs/$name.log")
	good=${1:-0}
	bad=${2:-0}
	if [ $# = 0 ]; then
		good=$((status == 0))
		bad=$((status != 0))
	elif [ "$status" != 0 ] && [ "$bad" = 0 ]; then
		bad=1
	fi
	echo "$good $bad" >>"$counts"
	printf '%-6s %-22s %5d passed, %d failed  (%d s)\n' \
		"$([ "$bad" = 0 ] && echo ok || echo FAILED)" "$name" \
		"$good" "$bad" $(($(date +%s) - begin))
	[ "$bad" = 0 ] || tail -n 60 "$logs/$name.log" | sed 's/^/    /'
}

# A group of steps in the background has ended before its last one.
lost() {
	echo "0 1" >>"$counts"
	printf 'FAILED %-22s it ended too soon, with status %d\n' "$1" "$2"
}

# All C sources in the layout that .clang-format asks for.
layout() {
	find include lib test tools -name '*.[ch]' -print0 |
		xargs -0 clang-format --dry-run -Werror
}

# The library has no warning at the strictest level, nor sparse one.
strict() {
	make -s "$@" W=1 C=1 CFLAGS=-Werror
}

# Only names that begin with jif_ leave the library.
names() {
	! nm -g --defined-only build/host/libjif.a |
		awk 'NF == 3 && $3 !~ /^jif_/ { print; found = 1 }
		     END { exit !found }'
}

# An interrupt at every instruction, of code that is small instead of fast.
step_small() {
	make -s O=build/host-small CFLAGS=-Os $jobs \
		build/host-small/test/step/step &&
		build/host-small/test/step/step
}

# An instruction is to take longer than a count of the board's timer.
step_qemu() {
	TARGET_SHIFT=6 test/target/run.sh arm-cortex-m3 \
		"build/arm-cortex-m3-target/test/target/$1"
}

step_qemu_unmasked() {
	found=$(step_qemu step-unmasked | grep -c 'wrong is')
	echo "$found wrong"
	[ "$found" = 20 ]
}

# What runs on the emulated machines, or is about them.
targets() {
	for arch in arm-cortex-m0 arm-cortex-m3 arm-cortex-m4 rv32 avr; do
		step "target-$arch" test/target/check.sh $arch
	done
	step target-mutants test/target/mutants.sh
	step step-qemu step_qemu step
	step step-qemu-unmasked step_qemu_unmasked
	step size tools/size
	step cycles tools/cycles
	step worst tools/worst --check
	step budgets test/budgets/check.sh
}

host() {
	step model build/host/test/model/model $jobs
	step headers test/headers/check.sh
	step simulator test/sim/check.sh build/host/jifsim
	step explore build/host/test/model/explore/explore
	step planting test/faults/check.sh
	step faults test/faults/plant test/faults/engine.toml
	step spread test/spread/check.sh
	step tuned test/host/check.sh
	step step build/host/test/step/step
	step step-small step_small
	step step-unmasked build/host/test/step/step --unmasked
	step san-build make -s SAN=1 $jobs all tests
	step san-unit build/host-san/test/unit/unit $jobs
	step san-model env LOCKSTEP_OPERATIONS=500000 \
		build/host-san/test/model/model $jobs
	step san-explore build/host-san/test/model/explore/explore \
		--limit 20000
	step san-simulator test/sim/check.sh build/host-san/jifsim
	step bench test/bench/check.sh
	step build-system test/build/check.sh
	step size-table tools/size --check-readme
	step cycles-tables tools/cycles --check-doc
	step worst-tables tools/worst --check-doc
	step bench-tables tools/bench/bench --check-doc
	step readme test/readme/check.sh
	step scheduler test/scheduler/check.sh
	step main-job test/run/check.sh
}

step install tools/install-packages test/packages
step layout layout
step style tools/checkstyle
step documents tools/checkdoc
step host strict O=build/strict-host $jobs all tests
step host-clang strict O=build/strict-clang CC=clang $jobs all tests
for arch in arm-cortex-m0 arm-cortex-m3 arm-cortex-m4 rv32 avr; do
	step "$arch" strict ARCH=$arch O=build/strict-$arch
done
step build make -s $jobs all tests
step names names
step unit build/host/test/unit/unit $jobs
targets &
pid=$!
host
wait "$pid" || lost targets $?

awk '{ passed += $1; failed += $2 }
	END { print passed " passed, " failed " failed"; exit failed > 0 }' \
	"$counts"
