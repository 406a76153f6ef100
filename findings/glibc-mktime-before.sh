#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/glibc-mktime-before.sh - in glibc 2.36, mktime of a time that comes
# twice depends on what it was called with before
#
# POSIX leaves open which of the two it is when tm_isdst is -1. But one expects
# the same each time, as in musl 1.2.3: an alarm of 2:30 is an hour apart in two
# processes, and in one that computes it again.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian libc6=2.36 musl=1.2.3 musl-dev=1.2.3
unset LD_LIBRARY_PATH

cat >"$folder/alarm.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long alarm_at(int month, int day, int hour, int minute)
{
	struct tm at = {
		.tm_year = 2023 - 1900,
		.tm_mon = month - 1,
		.tm_mday = day,
		.tm_hour = hour,
		.tm_min = minute,
		.tm_isdst = -1,
	};

	return (long)mktime(&at);
}

int main(void)
{
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	alarm_at(7, 1, 0, 0);
	printf(" %ld after July,", alarm_at(10, 29, 2, 30));
	alarm_at(12, 1, 0, 0);
	printf(" %ld after December\n", alarm_at(10, 29, 2, 30));
	return 0;
}
END
gcc -Wall -Werror "$folder/alarm.c" -o "$folder/glibc" || exit 2
musl=$(dirname "$(find "$root" -path '*musl*' -name crt1.o)")
headers=$(dirname "$(find "$root" -path '*musl*' -name stdio.h)")
gcc -Wall -Werror -static -nostdinc -nostdlib -isystem "$headers" \
	"$musl/crt1.o" "$folder/alarm.c" "$musl/libc.a" \
	"$(gcc -print-libgcc-file-name)" -o "$folder/musl" || exit 2
loader=$(find "$root" -name 'ld-linux*.so.*' -type f)
{
	echo "glibc:$("$loader" --library-path "${loader%/*}" "$folder/glibc")"
	echo "musl:$("$folder/musl")"
} | saw "glibc: 1698539400 after July, 1698543000 after December
musl: 1698539400 after July, 1698539400 after December" || exit 1
