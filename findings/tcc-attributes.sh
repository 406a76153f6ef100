#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/tcc-attributes.sh - in TinyCC 0.9.27 with the headers of glibc 2.36,
# no attribute has an effect behind the first of them
#
# TinyCC's manual lists packed and aligned. But these headers define
# __attribute__ away for compilers that are not GCC: one structure has two
# sizes, as #include <stdint.h> is before or behind it, and nothing warns. Two
# files that share a record of a trace, or a register's layout, differ in it.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian tcc=0.9.27 libtcc-dev=0.9.27 libc6-dev=2.36
unset LD_LIBRARY_PATH
headers=$root/usr/include
tcc=$(echo "$root"/usr/lib/*/tcc)

for header in stddef.h stdint.h stdio.h time.h; do
	cat >"$folder/packed.c" <<-END
		struct before {
			char kind;
			int at;
		} __attribute__((packed));
		#include <$header>
		struct behind {
			char kind;
			int at;
		} __attribute__((packed));
		struct line {
			char kind;
		} __attribute__((aligned(64)));
		extern int printf(const char *, ...);
		int main(void)
		{
			printf("$header: packed before %d, behind %d, "
			       "aligned %d\n", (int)sizeof(struct before),
			       (int)sizeof(struct behind),
			       (int)sizeof(struct line));
			return 0;
		}
	END
	tcc -Wall -B"$tcc" -nostdinc -isystem "$tcc/include" \
		-isystem "$headers" -isystem "$headers"/*-gnu \
		-o "$folder/packed" "$folder/packed.c" || exit 2
	"$folder/packed"
done | saw "stddef.h: packed before 5, behind 5, aligned 64
stdint.h: packed before 5, behind 8, aligned 1
stdio.h: packed before 5, behind 8, aligned 1
time.h: packed before 5, behind 8, aligned 1" || exit 1
