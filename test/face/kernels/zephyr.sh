# SPDX-License-Identifier: MIT
#
# Zephyr's queue of time-outs on jif's wheel: random operations beside a list,
# and edges. The front end and timers, which Zephyr has in kernel/timeout.c and
# kernel/timer.c, are those of a tree or, in a stand-in, ours, which show
# nothing of Zephyr. With a tree, Zephyr's own tests run, too, and on its own
# queues what jif's has to pass, as far as the files are there. KERNEL may be
# zephyr_counts, too: what all of these queues cost.
zephyr=$here/zephyr
tracer=build/host/test/target/qemu/trace.so
queue_flags='-Wall -Wextra -Wno-unused-function -Wno-sign-compare -Werror
	-DCONFIG_TIMEOUT_BACKEND_MODULE=1'
checked='-O1 -fsanitize=address,undefined -fno-sanitize-recover=all'

zephyr_compile() {
	name=$1 front_end=$2 source=$3
	shift 3
	gcc -std=gnu11 -g -DCONFIG_ZTEST=1 \
		-DFRONT_END="\"$front_end\"" "$@" -I"$folder/zephyr" \
		-I"$zephyr" -Ilib/port/zephyr -Iinclude \
		-o "$folder/zephyr-$name" "$zephyr/$source"
}

zephyr_build() {
	name=$1 front_end=$2
	shift 2
	# shellcheck disable=SC2086	# a list of flags
	zephyr_compile "$name" "$front_end" model.c $queue_flags \
		-DCONFIG_SMP=1 -DCONFIG_TIMEOUT_64BIT=1 "$@"
}

zephyr_suite_build() {
	tests_of=$1 timer=$2
	[ "$3" = 32 ] || set -- "$@" -DCONFIG_TIMEOUT_64BIT=1
	shift 3
	# shellcheck disable=SC2086	# lists of flags
	zephyr_compile suite "$front_end" suite.c $checked "$@" $queue_flags \
		-DSUITE="\"$tests_of\"" -DTIMER="\"$timer\"" \
		-DCONFIG_SPIN_VALIDATE=1 \
		-DCONFIG_SYSTEM_CLOCK_SLOPPY_IDLE=test_sloppy
}

# zephyr_suite NAME SUITE TIMER BITS FLAG...: tests, with ticks of so many bits
zephyr_suite() {
	suite_of="zephyr: $1, $4 bits"
	shift
	check "$suite_of: it builds" zephyr_suite_build "$@"
	suite "$suite_of" "$folder/zephyr-suite"
}

zephyr_edges() {
	for bits in 64 32; do
		zephyr_suite "jif: edges" edges.c "$timers" "$bits" \
			-DCONFIG_SMP=1 "$@"
	done
}

zephyr_runs() {
	runs_of=$1
	shift
	for mode; do
		check "zephyr: $runs_of: mode $mode" "$folder/zephyr-$runs_of" \
			"${OPERATIONS-100000}" 1 "$mode"
		sed 's/^/# /' "$check_log"
	done
}

# It says so, is killed by an assertion, or does not end.
zephyr_fails() {
	if [ "$1" = edges ]; then
		! "$folder/zephyr-suite"
	else
		! timeout 20 "$folder/zephyr-planted" 1000000 1 "$1"
	fi
}

zephyr_build_planted() {
	if [ "$1" = edges ]; then
		set -- zephyr_suite_build edges.c "$timers" 64 -w \
			-DCONFIG_SMP=1
	else
		set -- zephyr_build planted "$front_end" -O1
	fi
	"$@" -I"$folder/planted/lib/port/zephyr" -I"$folder/planted/include"
}

# planted NAME FILE SED MODE: operations find it or, if MODE says so, edges.
planted() {
	rm -rf "$folder/planted"
	mkdir "$folder/planted" && cp -r lib include "$folder/planted"
	sed -i "$3" "$folder/planted/lib/$2"
	if cmp -s "lib/$2" "$folder/planted/lib/$2" ||
		! zephyr_build_planted "$4" >"$check_log" 2>&1; then
		fail "zephyr: $1: it can be planted"
	else
		check "zephyr: $1: it is found" zephyr_fails "$4"
	fi
}

zephyr_tests() {
	check "zephyr: it builds" zephyr_build fast "$front_end" -O2
	zephyr_runs fast 0 1 2 4 7 8 16
	check "zephyr: it builds with 32 bits" zephyr_build narrow \
		"$front_end" -O2 -UCONFIG_TIMEOUT_64BIT
	zephyr_runs narrow 0 2 4 8 16
	# shellcheck disable=SC2086	# a list of flags
	check "zephyr: it builds for sanitizers" zephyr_build checked \
		"$front_end" $checked
	OPERATIONS=20000 zephyr_runs checked 0 1 2 4 7 8 16
	mistakes "$zephyr/mistakes"
}

zephyr_stand_in() {
	front_end=front_end.c
	timers=timer.c
	mkdir -p "$folder/zephyr"
	zephyr_tests
	zephyr_edges
	zephyr_patch_tests
	zephyr_choice_tests
}

# zephyr_choice OPTION FILE...: what is chosen with it, where these files make
# the choice, in that order.
zephyr_choice() {
	echo "CONFIG_TIMEOUT_BACKEND_$1=y" >"$folder/choice/conf"
	shift
	printf 'source "%s"\n' "$@" >"$folder/choice/Kconfig"
	# shellcheck disable=SC2016	# for python
	check_same "zephyr: the choice is made: $chosen" "$chosen" "$(
		/usr/bin/python3 - "$folder/choice" <<-'END' 2>&1
			import os, sys, kconfiglib
			os.environ['srctree'] = ''
			tree = kconfiglib.Kconfig(sys.argv[1] + '/Kconfig')
			tree.load_config(sys.argv[1] + '/conf')
			on = [s.name for s in tree.unique_defined_syms
			      if s.tri_value == 2]
			print(*sorted(name[16:] for name in on))
		END
	)"
}

# A choice that was never Zephyr's, which reads its modules' files first.
zephyr_choice_tests() {
	module=$PWD/tools/package/zephyr/Kconfig
	mkdir "$folder/choice"
	printf '%s\n' 'choice TIMEOUT_BACKEND' '	prompt "Queue"' \
		'	default TIMEOUT_BACKEND_A' 'config TIMEOUT_BACKEND_A' \
		'	bool "A"' 'config TIMEOUT_BACKEND_B' '	bool "B"' \
		'endchoice' >"$folder/choice/tree"
	chosen='JIF MODULE' zephyr_choice JIF "$module" "$folder/choice/tree"
	chosen='JIF MODULE' zephyr_choice JIF "$folder/choice/tree" "$module"
	chosen=B zephyr_choice B "$module" "$folder/choice/tree"
	chosen=A zephyr_choice NONE "$module" "$folder/choice/tree"
}

# A tree that was never one: three files with a choice in each.
zephyr_patch_tests() {
	patch=tools/package/zephyr/patch
	tree=$folder/tree
	mkdir -p "$tree/kernel/include" "$tree/include/zephyr"
	for file in kernel/timeout.c kernel/include/timeout_q.h \
		include/zephyr/kernel_structs.h; do
		printf '%s\n' 'int before;' \
			'#if defined(CONFIG_TIMEOUT_BACKEND_X)' 'int a;' \
			'#else' 'int b;' '#endif' >"$tree/$file"
	done
	echo >"$tree/include/zephyr/kernel_structs.h"
	check_fails 1 "zephyr: a tree that has changed is refused" \
		$patch "$tree"
	cp "$check_log" "$folder/said"
	check "zephyr: which says what to add" grep -q \
		'#include <timeout_backend_fields.h>' "$folder/said"
	check_fails 1 "zephyr: and nothing is changed" \
		grep -rq MODULE "$tree"
	cp "$tree/kernel/timeout.c" "$tree/include/zephyr/kernel_structs.h"
	check "zephyr: a tree is patched" $patch "$tree"
	check_same "zephyr: with two lines" "int before;
#if defined(CONFIG_TIMEOUT_BACKEND_MODULE)
#include <timeout_backend.h>
#elif defined(CONFIG_TIMEOUT_BACKEND_X)
int a;
#else
int b;
#endif" "$(cat "$tree/kernel/timeout.c")"
	check "zephyr: once only" $patch "$tree"
	check_same "zephyr: a second time, it says nothing" "" \
		"$(cat "$check_log")"
	check_fails 2 "zephyr: a folder that is not there" $patch "$tree/no"
}

# zephyr_names FILE...: what they include is all in stand_in.h, except for what
# C has, and what was copied.
zephyr_names() {
	sed -n '/<std/!s/^#include <\(.*\)>.*/\1/p' "$@" 2>/dev/null |
		while read -r header; do
			mkdir -p "$(dirname "$folder/zephyr/$header")"
			[ -f "$folder/zephyr/$header" ] ||
				echo '#include "stand_in.h"' \
					>"$folder/zephyr/$header"
		done
}

# zephyr_own QUEUE BITS...: Zephyr's tests. That of long waits is for a front
# end that counts in more bits: one that does not is made to.
zephyr_own() {
	queue=$1
	shift
	for suite in timeout_pending timer_api timeout_churn starve_fn \
		long_wait; do
		file=$(grep -rls "^ZTEST_SUITE($suite," "$base/tests/kernel")
		if [ -z "$file" ]; then
			echo "# not there: tests/kernel/...: $suite"
			continue
		fi
		cp "$file" "$folder/zephyr/$suite.c"
		zephyr_names "$folder/zephyr/$suite.c"
		for bits; do
			zephyr_one_of_own "$bits"
		done
	done
}

zephyr_one_of_own() {
	case $suite-$1 in
	timeout_pending-32 | long_wait-32) return ;;
	long_wait-64)
		front_end=$folder/tree/kernel/wide.c
		zephyr_suite "$queue: $suite" "$suite.c" "$timers" 64 -w \
			-DCONFIG_SYSTEM_CLOCK_LONG_WAIT=1
		front_end=$folder/tree/kernel/timeout.c
		;;
	*) zephyr_suite "$queue: $suite" "$suite.c" "$timers" "$1" -w ;;
	esac
}

# Zephyr's own queues: three pass the edges, two lack what some of these ask;
# the model asks more, as what is next amid an announcement.
zephyr_queues() {
	for kind in list skiplist bucket minheap wheel; do
		queue_flags="-w -DCONFIG_TIMEOUT_BACKEND_$(echo "$kind" |
			tr '[:lower:]' '[:upper:]')=1"
		if [ ! -f "$base/kernel/timeout/$kind.h" ]; then
			echo "# not there: kernel/timeout/$kind.h"
			continue
		fi
		case $kind in
		list | wheel) zephyr_own "$kind" 64 32 ;;
		*) zephyr_own "$kind" 64 ;;
		esac
		case $kind in
		minheap | wheel) zephyr_count_edges ;;
		*)
			zephyr_suite "$kind: edges" edges.c "$timers" 64 \
				-DCONFIG_SMP=1
			;;
		esac
		case $kind in list | skiplist) zephyr_model_of_own ;; esac
	done
}

zephyr_count_edges() {
	check "zephyr: $kind: edges: it builds" zephyr_suite_build edges.c \
		"$timers" 64 -DCONFIG_SMP=1
	"$folder/zephyr-suite" >"$check_log" 2>&1
	echo "# $kind: edges that hold: $(grep -c ^ok "$check_log")"
}

zephyr_model_of_own() {
	check "zephyr: $kind: it builds" zephyr_build "$kind" "$front_end" -O2
	OPERATIONS=20000 zephyr_runs "$kind" 2
}

# zephyr_tree PATH: the files are of that tree, and as they are there.
zephyr_tree() {
	base=$1
	mkdir -p "$folder/zephyr/zephyr/sys" "$folder/tree/kernel/include" \
		"$folder/tree/include/zephyr"
	timers=timer.c
	cp "$1/kernel/timeout.c" "$folder/tree/kernel" || return
	if [ -f "$1/kernel/timer.c" ]; then
		timers=$folder/tree/kernel/timer.c
		cp "$1/kernel/timer.c" "$timers"
	else
		echo "# not there: kernel/timer.c; these timers are ours"
	fi
	[ ! -d "$1/kernel/timeout" ] ||
		cp -r "$1/kernel/timeout" "$folder/tree/kernel"
	header=include/zephyr/sys/min_heap_ref.h
	[ ! -f "$1/$header" ] || cp "$1/$header" "$folder/zephyr/zephyr/sys"
	zephyr_names "$folder"/tree/kernel/*.c "$folder"/tree/kernel/*/*.h \
		"$folder"/zephyr/zephyr/sys/*.h
	for file in kernel/include/timeout_q.h \
		include/zephyr/kernel_structs.h; do
		if [ -f "$1/$file" ]; then
			cp "$1/$file" "$folder/tree/$file"
		else
			echo '#if defined(CONFIG_TIMEOUT_BACKEND_X)' \
				>"$folder/tree/$file"
			echo "# not there, and not tried: $1/$file"
		fi
	done
	check "zephyr: the tree can be patched" \
		tools/package/zephyr/patch "$folder/tree"
	front_end=$folder/tree/kernel/timeout.c
}

zephyr_real() {
	zephyr_tree "$1" || return
	sed 's/\<uint32_t\>/sys_clock_ticks_t/' "$front_end" \
		>"$folder/tree/kernel/wide.c"
	zephyr_tests
	zephyr_edges -w
	zephyr_own jif 64 32
	zephyr_queues
}

# zephyr_count COMPILER FLAG...: kernel/timeout.c, with one of the queues
zephyr_count() {
	# shellcheck disable=SC2086	# a list of flags
	"$@" -std=gnu11 $queue_flags -DCONFIG_TIMEOUT_64BIT=1 \
		-DCONFIG_SPIN_VALIDATE=1 \
		-DCONFIG_TIMEOUT_HEAP_MAX_ENTRIES=1001 -I"$folder/zephyr" \
		-I"$zephyr" -Ilib/port/zephyr -Iinclude
}

# zephyr_image KIND: for a Cortex-M3, and for the host
zephyr_image() {
	image=$folder/counts/$1
	m3='arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -ffreestanding
		-ffunction-sections -fdata-sections -Itest/target/include'
	# shellcheck disable=SC2086	# a list of flags
	for optimised in -Os -O2; do
		zephyr_count $m3 $optimised -c "$front_end" \
			-o "$image$optimised.o" || return
	done
	# shellcheck disable=SC2086	# a list of flags
	zephyr_count $m3 -O2 -DCONFIG_JIF_PORT_VECTOR=1 -nostdlib \
		-Wl,--gc-sections -T test/target/mps2.ld -o "$image.elf" \
		"$zephyr/counts.c" "$image-O2.o" test/target/mps2.c \
		test/target/cortex-m.c test/target/print.c \
		test/target/string.c -lgcc &&
		zephyr_count gcc -O2 "$zephyr/counts.c" "$front_end" -o "$image"
}

# What each queue costs, in a table; what jif's does may not grow.
zephyr_counts_real() {
	[ -d "$folder/tree" ] || zephyr_tree "$1" || return
	mkdir "$folder/counts"
	for kind in list bucket skiplist minheap wheel module; do
		queue_flags="-w -DCONFIG_TIMEOUT_BACKEND_$(echo "$kind" |
			tr '[:lower:]' '[:upper:]')=1"
		[ "$kind" = module ] || [ -f "$base/kernel/timeout/$kind.h" ] ||
			continue
		check "zephyr: $kind: what is counted builds" \
			zephyr_image "$kind"
	done
	check "zephyr: what counts builds" make -s "$tracer"
	check "zephyr: jif costs no more than test/budget/zephyr says" \
		"$zephyr/counts.py" "$folder/counts" "$tracer"
	sed 's/^/# /' "$check_log"
}
