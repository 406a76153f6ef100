# SPDX-License-Identifier: MIT
#
# test/proof/closed.sh - what was proved as a whole: the proofs source it
#
# test/proof/closed has a digest of each text that `make check-proof` has
# proved. `make check` refuses another one. Comments of C are no part of it.
closed=test/proof/closed

# digest SOURCE FILE...: of SOURCE, what it includes, and each FILE.
digest() (
	source=$1
	shift
	for spread in 0 1; do
		gcc -MM "-DCONFIG_JIF_SPREAD=$spread" -Iinclude -iquote lib \
			"$source" || exit
	done | tr ' ' '\n' | grep '[.][ch]$' | LC_ALL=C sort -u |
		xargs cat | awk -v RS='[*]/' '{ sub("/[*].*", ""); print }' \
		>"$folder/text" &&
		cat "$@" >>"$folder/text" &&
		tr -s ' \t\n' ' ' <"$folder/text" | sha256sum | cut -d ' ' -f 1
)

# is_closed NAME SOURCE FILE...: fails if the text is not the one of that name.
is_closed() {
	closed_name=$1
	shift
	grep -qxF "$closed_name $(digest "$@")" $closed || {
		echo "another text than make check-proof has proved: run it"
		return 1
	}
}

# close_all NAME SOURCE FILE...: notes the text, if no test has failed.
close_all() {
	[ "$failed" = 0 ] || return
	closed_name=$1
	shift
	{
		grep -v "^$closed_name " $closed
		echo "$closed_name $(digest "$@")"
	} | LC_ALL=C sort >"$folder/closed"
	cmp -s "$folder/closed" $closed || cp "$folder/closed" $closed
}
