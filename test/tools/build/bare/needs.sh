#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/build/bare/needs.sh [STEP...]
#
# Each step of test/check.sh, or those, alone on a fresh Debian machine, where
# `make check STEP=NAME` installs what test/needs has for it, and nothing else.
# What a step says is in build/needs/NAME.log.
set -u
. test/tools/build/bare/lib.sh

logs=build/needs
steps=${*:-$(sed 's/ .*//' test/expected)}
[ -e build ] || tools/build/own --keep build
tools/build/own "$logs" || stop "no $logs"

machine "$folder/fresh"
echo force-unsafe-io >"$folder/fresh/etc/dpkg/dpkg.cfg.d/quick"
inside "$folder/fresh" 'apt-get update && apt-get install make gcc libc6-dev' \
	>"$check_log" 2>&1 || stop 'README.md does not install its compiler'

# The first rows do without the build. Others begin where it is done.
sed -n '/^build /q; s/^\([^#:]*\):.*/\1/p' test/needs | tr ' ' '\n' \
	>"$folder/first"
like "$folder/fresh" "$folder/built"
check "build" inside "$folder/built" 'make check STEP=build'
cp "$check_log" "$logs/build.log"

for step in $steps; do
	[ "$step" != build ] || continue
	from=built
	! grep -qx -e "$step" "$folder/first" || from=fresh
	like "$folder/$from" "$folder/machine"
	check "$step" inside "$folder/machine" "make check STEP=$step"
	cp "$check_log" "$logs/$step.log"
	rm -rf --one-file-system "$folder"/machine*
done
finish
status=$?
echo "what they said: $logs; of each: make check-needs STEP=NAME"
echo "$((count - failed)) passed, $failed failed"
exit $status
