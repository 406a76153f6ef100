# SPDX-License-Identifier: MIT
#
# Zephyr's queue of time-outs on jif's wheel: random operations beside a list.
# The front end, which Zephyr has in kernel/timeout.c, is that of a tree or, in
# a stand-in, ours, which shows nothing of Zephyr.
zephyr=$here/zephyr

# zephyr_build NAME FRONT_END FLAG...
zephyr_build() {
	name=$1 front_end=$2
	shift 2
	# shellcheck disable=SC2086	# a list of flags
	gcc -std=gnu11 -Wall -Wextra -Wno-unused-function -Wno-sign-compare \
		-Werror -g -DCONFIG_SMP=1 -DCONFIG_TIMEOUT_BACKEND_MODULE=1 \
		-DCONFIG_ZTEST=1 -DCONFIG_TIMEOUT_64BIT=1 \
		-DFRONT_END="\"$front_end\"" "$@" -I"$folder/zephyr" \
		-I"$zephyr" -Ilib/port/zephyr -Iinclude \
		-o "$folder/zephyr-$name" $zephyr/model.c
}

zephyr_runs() {
	for mode in 0 1 2 4 7 8; do
		check "zephyr: $1: mode $mode" "$folder/zephyr-$1" \
			"${OPERATIONS-100000}" 1 $mode
		sed 's/^/# /' "$check_log"
	done
}

# It says so, is killed by an assertion, or does not end.
zephyr_fails() {
	! timeout 20 "$folder/zephyr-planted" 1000000 1 "$1"
}

# zephyr_planted NAME FILE SED [MODE]: a mistake in the queue, which is found.
zephyr_planted() {
	rm -rf "$folder/planted"
	mkdir "$folder/planted" && cp -r lib include "$folder/planted"
	sed -i "$3" "$folder/planted/lib/$2"
	if cmp -s "lib/$2" "$folder/planted/lib/$2" ||
		! zephyr_build planted "$front_end" -O1 \
			-I"$folder/planted/lib/port/zephyr" \
			-I"$folder/planted/include" >"$check_log" 2>&1; then
		fail "zephyr: $1: it can be planted"
	else
		check "zephyr: $1: it is found" zephyr_fails "${4-0}"
	fi
}

zephyr_tests() {
	check "zephyr: it builds" zephyr_build fast "$front_end" -O2
	zephyr_runs fast
	check "zephyr: it builds for sanitizers" zephyr_build checked \
		"$front_end" -O1 -fsanitize=address,undefined \
		-fno-sanitize-recover=all
	OPERATIONS=20000 zephyr_runs checked
	queue=port/zephyr/timeout_jif.h
	zephyr_planted "what was far comes last" $queue \
		's/far_when(timer), true)/far_when(timer), false)/'
	zephyr_planted "a bound is not taken for one" held.h \
		's/first->ticks = ticks;/;/' 8
	zephyr_planted "the clock moves before the tick" $queue \
		'/void jif_timeout_advance/,/^}/s/curr_tick += ticks;//'
	zephyr_planted "the last window is not looked after" $queue \
		's/ || held_due(&q->wheel)) {/) {/'
	zephyr_planted "entries stay a level too high" held.h \
		's/find_lower(wheel, timer->remaining,/& 1 +/'
}

zephyr_stand_in() {
	front_end=front_end.c
	mkdir -p "$folder/zephyr"
	zephyr_tests
	zephyr_patch_tests
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

# zephyr_real PATH: only kernel/timeout.c is of that tree, and as it is there.
zephyr_real() {
	mkdir -p "$folder/zephyr"
	cp "$1/kernel/timeout.c" "$folder/zephyr/real.c" || return
	sed -n 's/^#include <\(.*\)>.*/\1/p' "$folder/zephyr/real.c" |
		while read -r header; do
			mkdir -p "$(dirname "$folder/zephyr/$header")"
			echo '#include "stand_in.h"' >"$folder/zephyr/$header"
		done
	mkdir -p "$folder/tree/kernel/include" "$folder/tree/include/zephyr"
	cp "$1/kernel/timeout.c" "$folder/tree/kernel"
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
	zephyr_tests
}
