#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The main job: `make run`. A keep-alive pool in simulated time, with the wheels
# drawn as they turn, and a recorded kernel workload, replayed. On a terminal,
# hands and entries have a colour.
set -eu

jifsim=$1
here=${0%/*}
sim=$here/../sim

bold=
plain=
if [ -t 1 ] && [ "${TERM-dumb}" != dumb ]; then
	bold=$(printf '\033[1m')
	plain=$(printf '\033[0m')
fi

paint() {
	awk '
	/^ *v$/ { sub("v", "\033[33mv\033[0m") }
	/^ *(day|hour|min|sec) .*[.]/ {
		ring = substr($0, 10)
		sub(/ .*/, "", ring)
		rest = substr($0, 10 + length(ring))
		gsub(/[^.]+/, "\033[32m&\033[0m", ring)
		$0 = substr($0, 1, 9) ring rest
	}
	/^cascaded / { $0 = "\033[1m" $0 "\033[0m" }
	{ print }'
}

say() {
	printf '\n%s--- %s%s\n\n' "$bold" "$*" "$plain"
}

# run ARGUMENT...: it ends this if it fails.
run() {
	said=$("$jifsim" "$@")
	if [ -n "$bold" ]; then
		echo "$said" | paint
	else
		echo "$said"
	fi
}

say "Forty clients, an idle limit of 90 s: half keep up their heartbeat"
run run "$here/pool.scn" --wheels=4

say "1 h 2 min 3 s from 21:30:02: an hour slot, a minute slot, a second slot"
sed -e '/^expect/d' -e 's/^run until .*/run until wed 22:32:02/' \
	"$here/backup.scn" | run run --wheels=3 -
echo
run run "$here/backup.scn"

say "What a Linux 6.18 kernel asked of its own timers in 28 s of TCP, replayed"
run replay "$sim/traces/linux-tcp.csv.gz"
cat <<END

The recorder, the kernel's own wheel, runs most timers a jiffy late and some
many. jif runs each on its tick; one jiffy late are only those that the kernel
armed for a time that had already passed.
END
say "To try next"
cat <<END
your own scenario:   edit test/tools/run/pool.scn, and
                     $jifsim run test/tools/run/pool.scn --wheels=8
how to write one:    docs/tests.md
in your program:     README.md, and docs/examples
the tests:           make check-host, or make check with cross compilers
END
