#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The main job: `make run`. A keep-alive pool in simulated time, with the wheels
# drawn as they turn, and a recorded kernel workload, replayed.
set -eu

jifsim=$1
here=${0%/*}
sim=$here/../sim

say() {
	printf '\n--- %s\n\n' "$*"
}

say "Forty clients, an idle limit of 30 s: half keep up their heartbeat"
"$jifsim" run "$sim/scenarios/keepalive.scn" --wheels=5

say "1 h 2 min 3 s from 21:30:02: an hour slot, a minute slot, a second slot"
sed -e '/^expect/d' -e 's/^run until .*/run until wed 22:32:02/' \
	"$here/backup.scn" | "$jifsim" run --wheels=3 -
echo
"$jifsim" run "$here/backup.scn"

say "What a Linux 6.18 kernel asked of its own timers in 28 s of TCP, replayed"
"$jifsim" replay "$sim/traces/linux-tcp.csv.gz"
cat <<'END'

The recorder, the kernel's own wheel, runs most timers a jiffy late and some
many. jif runs each on its tick; one jiffy late are only those that the kernel
armed for a time that had already passed.
END
