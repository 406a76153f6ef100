#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The ports whose timers there is a model of, on the host: see run.sh.
set -u
. test/lib.sh

for model in systick mtime; do
	check "$model" test/port/host/run.sh $model -Werror
	check "$model, not tickless" \
		test/port/host/run.sh $model -Werror -DCONFIG_JIF_TICKLESS=0
done
finish
