#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/gtkwave-lxt2-tie.sh - a pulse of no length in a VCD file turns the
# rest of its wire round in an LXT2 file of GTKWave 3.3.118
#
# In a VCD file, the last of several values at one time is what the wire has
# from then on, as VZT and FST show. In LXT2, the second comes at the next
# change, and so does each value from there on. A simulator writes such a pulse
# where an interrupt is raised and acknowledged within one step of the
# timescale.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian gtkwave=3.3.118

# A pulse at 10 us, and one from 20 to 30, and one from 40 to 50.
cat >"$folder/trace.vcd" <<'END'
$timescale 1 us $end
$scope module top $end
$var wire 1 ! request $end
$upscope $end
$enddefinitions $end
#0
0!
#10
1!
0!
#20
1!
#30
0!
#40
1!
#50
0!
#60
END
cd "${folder:?}" || exit 2
vcd2lxt2 trace.vcd trace.lxt2 >"$check_log" 2>&1 || exit 2
vcd2vzt trace.vcd trace.vzt >"$check_log" 2>&1 || exit 2
vcd2fst trace.vcd trace.fst >"$check_log" 2>&1 || exit 2

# last TOOL FILE: the last value at each time that has one.
last() {
	"$1" "$2" 2>"$check_log" | awk -v said="$1:" '
		function flush() {
			if (value != "")
				said = said " " at "=" value
		}
		/^#/ { flush(); at = substr($0, 2); value = "" }
		/^[01]!$/ { value = substr($0, 1, 1) }
		END { flush(); print said }'
}
{
	last cat trace.vcd
	last fst2vcd trace.fst
	last vzt2vcd trace.vzt
	last lxt2vcd trace.lxt2
} | saw "cat: 0=0 10=0 20=1 30=0 40=1 50=0
fst2vcd: 0=0 10=0 20=1 30=0 40=1 50=0
vzt2vcd: 0=0 20=1 30=0 40=1 50=0
lxt2vcd: 0=0 10=1 20=0 30=1 40=0 50=1" || exit 1
