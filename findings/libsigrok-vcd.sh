#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/libsigrok-vcd.sh - in libsigrok 0.5.2, one value of several bits ends
# the import of a VCD file, without a word and with exit status 0
#
# That vectors are left out is documented. But the wires beside them end at the
# first change of a vector, too: a trace that a simulator wrote is cut short.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian libsigrok4=0.5.2 sigrok-cli=0.7.2

# vcd VALUE: a clock of one bit, and a count that changes at 5 us.
vcd() {
	cat <<-END
		\$timescale 1 us \$end
		\$scope module top \$end
		\$var wire 1 ! clk \$end
		\$var integer 32 " count \$end
		\$upscope \$end
		\$enddefinitions \$end
		#0
		0!
		#5
		1!
		$1 "
		#10
		0!
		#15
		1!
	END
}

for value in b1 b10; do
	vcd "$value" >"$folder/trace.vcd"
	sigrok-cli -I vcd -i "$folder/trace.vcd" -O bits \
		>"$folder/bits" 2>"$check_log"
	echo "$value: exit status $?, $(sed -n s/clk://p "$folder/bits")," \
		"$(wc -l <"$check_log") lines of errors"
done | saw "b1: exit status 0, 00000111 1100000, 0 lines of errors
b10: exit status 0, 00000, 0 lines of errors" || exit 1
