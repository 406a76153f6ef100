#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/face/kernels/check.sh [real]
#
# jif under kernels: the examples, the faces, and many operations at once from
# tasks and handlers. With "real", under those kernels that were built in a
# folder that is named: FREERTOS=path THREADX=path RIOT=path CHIBIOS=path
# CONTIKI=path NUTTX=path MYNEWT=path ZEPHYR_BASE=path, which need not be built;
# the other ones are told.
# Without it, the same sources, as far as they go, under a stand-in for each;
# OPERATIONS are how many at once, and KERNEL is the only one that is wanted.
#
# NAME.sh beside this file has two functions for a kernel: NAME_real PATH and
# NAME_stand_in; any.sh has one of them for each of those that lack the other.
set -u
. test/lib.sh

here=test/face/kernels
strict='-std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror'

# kernel NAME VARIABLE PATH [FILE]
kernel() {
	[ "${KERNEL-$1}" = "$1" ] || return 0
	# shellcheck disable=SC1090	# one of those beside
	. "$here/${4-$1}.sh"
	if [ "$mode" != real ]; then
		"$1_stand_in"
	elif [ -d "$3" ]; then
		"$1_real" "$(cd "${3:?}" && pwd)"
	elif [ -n "$3" ]; then
		fail "$2=$3: there is no such folder"
	else
		echo "# did not run: $1, for want of $2=path"
	fi
}

mode=${1-}
kernel freertos FREERTOS "${FREERTOS-}"
kernel threadx THREADX "${THREADX-}"
kernel zephyr ZEPHYR_BASE "${ZEPHYR_BASE-}"
if [ "$mode" = real ]; then
	kernel zephyr_counts ZEPHYR_BASE "${ZEPHYR_BASE-}" zephyr
	kernel riot RIOT "${RIOT-}" any
	kernel chibios CHIBIOS "${CHIBIOS-}" any
	kernel contiki CONTIKI "${CONTIKI-}" any
	kernel nuttx NUTTX "${NUTTX-}" any
	kernel mynewt MYNEWT "${MYNEWT-}" any
fi
finish
