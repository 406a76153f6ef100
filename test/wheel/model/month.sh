#!/bin/sh
# SPDX-License-Identifier: MIT
#
# On the simulated machine: the day of the demonstration, and the month of
# docs/examples/month, as test/wheel/model/month.c lives it; and that this
# notices what is planted, in it and in lib/firmware/snapshot.c.
set -u
. test/lib.sh

month=docs/examples/month/month.c
flags='-std=c11 -O1 -Wall -Wextra -Werror -DCONFIG_JIF_PORT_SIM=1'

# shellcheck disable=SC2086	# a list of flags
check "the demonstration builds" gcc $flags -Wno-unused-parameter -Iinclude \
	-o "$folder/demo" test/target/demo.c test/target/host.c \
	test/target/print.c lib/*.c lib/firmware/*.c lib/port/sim/sim.c
check "a day goes by" "$folder/demo"
check_same "in that day, what is to happen does" \
	"$(cat test/target/demo.out)" \
	"$(grep '^[0-9]* h' "$check_log" | sed 's/, [0-9]* wake-ups$//')"

mkdir -p "$folder/docs/examples" "$folder/test/wheel/model"
cp -r include lib "$folder"
cp -r docs/examples/month "$folder/docs/examples"
cp test/wheel/model/month.c test/wheel/model/random.h "$folder/test/wheel/model"
cp test/wheel/unit/quick.c "$folder/test"
cd "${folder:?}" || exit

# build SOURCE...: to objects; and links them all.
build() {
	for source; do
		# shellcheck disable=SC2086	# a list of flags
		gcc $flags -Iinclude -c -o "$(echo "$source" | tr / -).o" \
			"$source" || return
	done
	gcc -o month ./*.o
}
check "it builds" build lib/*.c lib/firmware/*.c lib/port/sim/sim.c \
	test/quick.c test/wheel/model/month.c
check "a month goes by" ./month 60 month

# planted WHAT FILE SED: month.c is a part of its test.
planted() {
	part=$2
	[ "$part" != $month ] || part=test/wheel/model/month.c
	cp "$2" kept
	sed -i "$3" "$2"
	check_fails 1 "$1: it is another one" cmp -s kept "$2"
	check "$1: it builds" build "$part"
	check_fails 1 "$1: it is found" ./month 60 month
	cp kept "$2"
	build "$part"
}
mistakes "$OLDPWD/test/wheel/model/mistakes"
finish
