#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/systemd-calendar-dst.sh - in systemd 252.39, a calendar event of
# each minute pauses for 61 minutes when DST ends
#
# *:0/1 reads as every minute, and an hour that comes twice has 120. But behind
# 2:59 summer time is 3:00 winter time: a timer unit that polls or feeds a
# watchdog is silent once a year. In spring, and with UTC in the expression, it
# is not.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian systemd=252 libsystemd-shared=252

# calendar EXPRESSION FROM: when it elapses the next three times.
calendar() {
	echo "$1, after $2: $(systemd-analyze calendar --iterations=3 \
		--base-time="2023-$2:00 UTC" "$1" |
		sed -n 's/.*2023-[^ ]* \(.*\):00 UTC$/\1/p' | paste -sd ' ')"
}

shared=$(dirname "$(find "$root" -name 'libsystemd-shared-*.so')")
LD_LIBRARY_PATH=$shared:$LD_LIBRARY_PATH
export LC_ALL=C TZ=UTC
{
	calendar '*:0/1 Europe/Berlin' '10-29 00:57'
	calendar '*:0/30 Europe/Berlin' '10-28 23:59'
	calendar '*:0/1 Europe/Berlin' '03-26 00:57'
	calendar '*:0/1 UTC' '10-29 00:57'
} | saw "*:0/1 Europe/Berlin, after 10-29 00:57: 00:58 00:59 02:00
*:0/30 Europe/Berlin, after 10-28 23:59: 00:00 00:30 02:00
*:0/1 Europe/Berlin, after 03-26 00:57: 00:58 00:59 01:00
*:0/1 UTC, after 10-29 00:57: 00:58 00:59 01:00" || exit 1
