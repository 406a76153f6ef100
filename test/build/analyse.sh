#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lib/ at no finding: gcc -fanalyzer, plain and with spreading; clang-tidy with
# .clang-tidy; cppcheck with its MISRA addon, but for test/build/deviations.
set -u
. test/lib.sh

# Of the sources that a host compiles; with what only a debug build has.
config='-DCONFIG_JIF_PORT_SIM=1 -DCONFIG_JIF_DEBUG=1'

# analyzer SPREAD
analyzer() {
	for file in lib/*.c; do
		# shellcheck disable=SC2086 # options
		gcc -std=c11 -O2 -fanalyzer -Wall -Wextra -Werror -Iinclude \
			$config "-DCONFIG_JIF_SPREAD=$1" -S -o /dev/null \
			"$file" || return
	done
}

# A line that nobody reads without spreading is not one of the product.
tidy() {
	# shellcheck disable=SC2086 # options
	clang-tidy --quiet lib/*.c -- -std=c11 -Iinclude $config \
		-DCONFIG_JIF_SPREAD=1
}

misra() {
	# shellcheck disable=SC2086 # options
	cppcheck -q --std=c11 --error-exitcode=1 --addon=misra -Iinclude \
		--enable=warning,style,performance,portability,information \
		--suppress=missingInclude \
		--suppressions-list=test/build/deviations $config lib/*.c
}

check "gcc -fanalyzer" analyzer 0
check "gcc -fanalyzer, with spreading" analyzer 8
check "clang-tidy" tidy
check "cppcheck and MISRA C:2012" misra
finish
