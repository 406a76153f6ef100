#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tools/budget finds a figure that is over its budget and one that is out of
# date, in each table, and says which row it is; and a page that differs.
set -u
. test/lib.sh

BUDGET=$(mktemp -d)
export BUDGET
cp test/budget/sets "$BUDGET"

# plant TABLE FACTOR: its first column, and of that the first and the last row,
# whose figure is changed, as a table of its own.
plant() {
	awk -v factor="$2" '
		function cut(n) { for (NF = NF; NF > n; NF--); }
		BEGIN { FS = " [|] "; OFS = " | " }
		!NF { body = 1; print; next }
		!body && /^columns/ { cut(1) }
		!body && /^head/ { cut(2) }
		!body { print; next }
		$3 + 0 { cut(3); if (!first++) print; last = $0 }
		END { $0 = last; $3 *= factor; print }
	' "test/budget/$1.table" >"$BUDGET/$1-$2.table"
	planted=$(tail -n 1 "$BUDGET/$1-$2.table" | sed 's/ | .*//')
}

# said TABLE: what all of it says of that one: its verdict, and rows.
said() {
	sed -n -e "/ok [0-9]* - $1\$/,/ok [0-9]* - /p" "$said" |
		sed -n -e '1s/ok [0-9]* - .*/ok/p' \
		-e '1!{/ok [0-9]* - /q' -e '}' \
		-e 's/^# .*(\(.*\)), .* the budget is [0-9.]*/\1: /p' |
		sed 's/: $/: over/; s/: , which/: which/'
}

# found TABLE FACTOR WHAT: exactly the row that is planted is complained of.
found() {
	plant "$1" "$2"
	verdict=$(said "$1-$2")
	check_same "$1: a budget times $2" "not ok" \
		"$(echo "$verdict" | head -n 1)"
	check_same "$1: it names the row" "$planted: $3" \
		"$(echo "$verdict" | sed 1d)"
}

said=$(mktemp)
trap 'rm -rf "$BUDGET" "$said" "$check_log"' EXIT
for path in test/budget/*.table; do
	table=$(basename "$path" .table)
	for factor in 1 0.5 2; do
		plant "$table" $factor
	done
done
check_fails 1 "all of them in one run" tools/budget
cp "$check_log" "$said"
for path in test/budget/*.table; do
	table=$(basename "$path" .table)
	check_same "$table: as it is" ok "$(said "$table-1")"
	found "$table" 0.5 over
	found "$table" 2 "which is out of date"
done
cp test/budget/*.table "$BUDGET"
rm "$BUDGET"/*-*.table

check "the pages have the tables" env -u BUDGET tools/budget --check-doc
sed -i '$s/[0-9]*$/1/' "$BUDGET/small.table"
check_fails 1 "a page that differs" tools/budget --check-doc
check_fails 1 "a table that there is not" tools/budget nothing

finish
