#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lib/ at no finding: gcc -fanalyzer, plain and with spreading; clang-tidy with
# .clang-tidy; cppcheck with its MISRA addon, but for
# test/tools/build/deviations. What is for hosts, and idled: by the first, and
# cppcheck without that addon.
set -u
. test/lib.sh

# Of the sources that a host compiles; with what only a debug build has.
config='-DCONFIG_JIF_PORT_SIM=1 -DCONFIG_JIF_DEBUG=1'

# analyzer SPREAD FILE...
analyzer() {
	spread=$1
	shift
	for file; do
		# shellcheck disable=SC2086 # options
		gcc -std=c11 -O2 -fanalyzer -Wall -Wextra -Werror -Iinclude \
			$config "-DCONFIG_JIF_SPREAD=$spread" -S -o /dev/null \
			"$file" || return
	done
}

# A line that nobody reads without spreading is not one of the product.
tidy() {
	# shellcheck disable=SC2086 # options
	clang-tidy --quiet lib/*.c lib/firmware/*.c -- -std=c11 -Iinclude \
		$config \
		-DCONFIG_JIF_SPREAD=1
}

# As one source: the addon reads each header once.
misra() {
	for file in lib/*.c lib/firmware/*.c; do
		printf '#line 1 "%s"\n' "$file"
		cat "$file"
	done >"$folder/all.c"
	# shellcheck disable=SC2086 # options
	cppcheck -q --std=c11 --error-exitcode=1 --addon=misra -Iinclude \
		-Ilib -Ilib/firmware \
		--enable=warning,style,performance,portability,information \
		--suppress=missingInclude \
		--suppressions-list=test/tools/build/deviations $config \
		"$folder/all.c"
}

# hosted COMMAND...: of what has a C library and threads. The kit prints in a
# handler of the signal that it raises itself.
hosted='lib/host/*.c lib/kit/log.c lib/kit/node.c lib/kit/test.c
	lib/port/sim/*.c tools/show/idled/*.c'
hosted() {
	for file in $hosted; do
		"$@" "$file" || return
	done
}

check "gcc -fanalyzer, of what is hosted" hosted gcc -std=gnu11 -O2 -fanalyzer \
	-Wno-analyzer-unsafe-call-within-signal-handler \
	-Wall -Wextra -Wno-unused-parameter -Werror -D_GNU_SOURCE -Iinclude \
	-DCONFIG_JIF_PORT_SIM=1 -DCONFIG_JIF_DEBUG=1 -S -o /dev/null
check "cppcheck, of what is hosted" hosted cppcheck -q --std=c11 \
	--error-exitcode=1 -D__GNUC__=12 -D_GNU_SOURCE \
	-DCONFIG_JIF_PORT_SIM=1 -DCONFIG_JIF_DEBUG=1 -Iinclude \
	--suppress=missingInclude \
	--enable=warning,performance,portability
check "gcc -fanalyzer" analyzer 0 lib/*.c lib/firmware/*.c
# Of those that read a wheel's fields: others are the same.
# shellcheck disable=SC2046	# files
check "gcc -fanalyzer, with spreading" analyzer 8 \
	$(grep -l '"rings.h"' lib/*.c lib/firmware/*.c)
check "clang-tidy" tidy
check "cppcheck and MISRA C:2012" misra
finish
