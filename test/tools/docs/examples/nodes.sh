#!/bin/sh
# SPDX-License-Identifier: MIT
#
# docs/examples/nodes: a hundred nodes, for a simulated week. It finds each
# mistake that is planted in their firmware.
set -u
. test/lib.sh

here=docs/examples/nodes

program() {
	make -s -C "$1" JIF="$PWD" BUILD="$folder/build" program
}

# planted NAME WHY FILE SED: a week ends like that.
planted() {
	rm -rf "$folder/nodes"
	cp -r $here "$folder/nodes"
	sed -i "$4" "$folder/nodes/$3"
	if cmp -s "$here/$3" "$folder/nodes/$3" ||
		! program "$folder/nodes"; then
		fail "$1: it can be planted"
		return
	fi
	check_same "$1: it is found" "$2" \
		"$(timeout 60 "$folder/build/week" | sed 's/.*: //')"
}

# A copy, so that make sees what is planted, and no build of somebody else.
cp -r $here "$folder/nodes"
check "it compiles without a warning" program "$folder/nodes"
check_same "docs/tests.md shows what a week prints" \
	"$(awk '/^\$ .*week$/ { on = 1; next } /^```$/ { on = 0 } on' \
		docs/tests.md)" \
	"$(timeout 60 "$folder/build/week" | fold -s -w 90 | sed 's/ *$//')"

two='two clients use it'
planted "a lease counts from the answer" "$two" client.c \
	's/asked + LEASE);/jif_now() + LEASE);/'
planted "old answers count" "$two" client.c \
	's/if (answer.number != number)/if (0)/'
planted "the answer to one who has given back counts" "$two" client.c \
	'/^static void on_done/,/^}/s/number++;//'
planted "a server that was reset leases at once" "$two" server.c \
	's/holder = UINT32_MAX;/holder = 0;/'
planted "what is given back late ends a newer lease" "$two" server.c \
	's/ && question.number >= number//'
planted "a lease never ends" "nobody has used it for too long" server.c \
	'/^static void on_end/,/^}/s/holder = 0;//'

finish
