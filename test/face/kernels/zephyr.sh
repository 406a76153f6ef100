# SPDX-License-Identifier: MIT
#
# test/face/kernels/zephyr.sh - Zephyr, for check.sh
#
# Only on a stand-in: the head of its kernel.h says what it copies.

zephyr=$here/zephyr/stand-in

# zephyr_on CC SOURCE: makes $folder/image; the kernel has its main().
zephyr_on() {
	set -- "$1" "$2" -Iinclude -I$zephyr \
		-Itest/tools/docs/examples/stand-in \
		'-DJIF_PORT="zephyr/jif_port.h"'
	cc=$1
	program=$2
	shift 2
	# shellcheck disable=SC2086	# a list of flags
	$cc $strict "$@" -Dmain=zephyr_main -o "$folder/program.o" \
		-c "$program" &&
		$cc $strict "$@" -o "$folder/image" "$folder/program.o" \
			$zephyr/zephyr.c \
			test/tools/docs/examples/stand-in/threads.c \
			lib/*.c lib/port/kernel/kernel.c \
			lib/port/zephyr/zephyr.c
}

# A time of k_sleep() ends a tick later, as Zephyr's does.
zephyr_stand_in() {
	check "Zephyr: rows.c compiles" zephyr_on gcc $here/zephyr/rows.c
	check_same "Zephyr: the rows are those of rows.out" \
		"$(cat $here/zephyr/rows.out)" "$(timeout 60 "$folder/image")"
	for cc in gcc clang; do
		check "Zephyr: docs/examples/zephyr.c compiles with $cc" \
			zephyr_on $cc docs/examples/zephyr.c
		check_same "Zephyr: it does what it says, by $cc" \
			"    0: received
  301: received
  602: received
  700: blink
 1400: blink
 1603: nothing received for a second
 2100: blink
 2800: blink" "$(timeout 60 "$folder/image")"
	done
}
