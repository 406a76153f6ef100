#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tools/budget finds a figure that is over its budget and one that is out of
# date, in each table, and says which row it is; and a page that differs.
set -u
. test/lib.sh

BUDGET=$(mktemp -d)
export BUDGET
trap 'rm -rf "$BUDGET" "$check_log"' EXIT
cp test/budget/sets "$BUDGET"

# plant TABLE FACTOR: its first column, and of that the first and the last row,
# whose figure is changed.
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
	' "test/budget/$1.table" >"$BUDGET/$1.table"
	planted=$(tail -n 1 "$BUDGET/$1.table" | sed 's/ | .*//')
}

# found TABLE FACTOR WHAT: exactly the row that is planted is complained of.
found() {
	plant "$1" "$2"
	check_fails 1 "$1: a budget times $2" tools/budget "$1"
	check_same "$1: it names the row" "not ok 1 - $1
$planted: $3" "$(sed -n -e '/ok /p' \
		-e 's/^# .*(\(.*\)), .* the budget is [0-9.]*/\1: /p' \
		"$check_log" | sed 's/: $/: over/; s/: , which/: which/')"
}

for path in test/budget/*.table; do
	table=$(basename "$path" .table)
	plant "$table" 1
	check "$table: as it is" tools/budget "$table"
	found "$table" 0.5 over
	found "$table" 2 "which is out of date"
done

check "the pages have the tables" env -u BUDGET tools/budget --check-doc
sed -i '$s/[0-9]*$/1/' "$BUDGET/small.table"
check_fails 1 "a page that differs" tools/budget --check-doc
check_fails 1 "a table that there is not" tools/budget nothing

finish
