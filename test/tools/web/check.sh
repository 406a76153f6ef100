#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/web/check.sh [long]
#
# The page of `make web`: its wasm modules under node, and itself in headless
# Chromium. The long form runs slow scenarios, too, and makes pictures.
set -u
. test/lib.sh

long=${1:-}
pictures=
if [ -n "$long" ]; then
	pictures=build/web/pictures
	mkdir -p "$pictures"
fi

check "jifsim is there" make -s build/host/jifsim
check "the page is made, in less than 125 KB" make -s web
# It has hung once, in a lock of its threads.
each "the modules under node" timeout 900 \
	node --single-threaded test/tools/web/wasm.js build/web \
	build/host/jifsim ${long:+"$long"}
each "the page in Chromium" timeout 300 \
	node test/tools/web/page.js build/web build/host/jifsim \
	${pictures:+"$pictures"}
finish
