#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/volatile-unused-read.sh - in TinyCC 0.9.27, PCC 1.2 and cc65 2.19
# with -O, a statement that only reads a volatile reads nothing, and in SDCC
# 4.2, one that reads it by a pointer to its structure
#
# In C, an access to a volatile is not left out, and drivers read a register to
# clear its flags, or to flush a write. GCC reads. Where nothing does, the flag
# stays set, and its interrupt comes back at once: there, the value has to be
# stored.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian tcc=0.9.27 pcc=1.2.0 cc65=2.19 sdcc=4.2.0

ccom=$(find "$root" -name "*-ccom")

# instructions COMPILER FILE: of its only function, one a line.
instructions() {
	case $1 in
	GCC) gcc -O2 -w -S -o "$2.s" "$2" ;;
	TinyCC)
		tcc -w -c -o "$2.o" "$2" &&
			objdump -d --no-show-raw-insn "$2.o" |
			sed 's/^.*:[[:space:]]*//' >"$2.s"
		;;
	PCC) "$ccom" <"$2" >"$2.s" ;;
	cc65) cc65 -O -t none -W -unused-param,-no-effect -o "$2.s" "$2" ;;
	*)
		sdcc -m"${1#* }" --disable-warning 85 --disable-warning 88 \
			-S -o "$2.s" "$2"
		;;
	esac || exit 2
	grep '^[[:space:]]*[a-z][a-z]*\([[:space:]]\|$\)' "$2.s"
}

# body STATEMENT: a function with this one.
body() {
	cat >"$folder/read.c" <<-END
		struct timer {
			volatile unsigned char flags;
		};
		extern volatile unsigned char flags;
		void f(struct timer *timer)
		{
			$1;
		}
	END
}

# reads COMPILER: which of the volatiles, since to take its address is other
# code.
reads() {
	for volatile in flags 'timer->flags' \
		'*(volatile unsigned char *)0x4019'; do
		body "&$volatile"
		instructions "$1" "$folder/read.c" >"$folder/address"
		body "$volatile"
		instructions "$1" "$folder/read.c" |
			cmp -s - "$folder/address" || printf ' %s' "$volatile"
	done
}

for compiler in GCC 'SDCC mcs51' 'SDCC stm8' 'SDCC z80' TinyCC PCC cc65; do
	echo "$compiler reads:$(reads "$compiler")"
done | saw "GCC reads: flags timer->flags *(volatile unsigned char *)0x4019
SDCC mcs51 reads: flags *(volatile unsigned char *)0x4019
SDCC stm8 reads: flags *(volatile unsigned char *)0x4019
SDCC z80 reads: *(volatile unsigned char *)0x4019
TinyCC reads:
PCC reads:
cc65 reads:" || exit 1
