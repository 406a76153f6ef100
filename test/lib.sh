# SPDX-License-Identifier: MIT
#
# test/lib.sh - what the test scripts share: sourced by them
#
# check NAME COMMAND... runs a command that has to succeed, and finish prints
# the line with the counts. The output of a command is shown when it fails.

passed=0
failed=0
check_log=$(mktemp)
trap 'rm -f "$check_log"' EXIT

pass() {
	passed=$((passed + 1))
}

fail() {
	failed=$((failed + 1))
	echo "FAIL: $*"
}

check() {
	name=$1
	shift
	if "$@" >"$check_log" 2>&1; then
		pass
	else
		fail "$name (exit status $?)"
		sed 's/^/    /' "$check_log" | tail -n 40
	fi
}

# check_fails STATUS NAME COMMAND...: it has to fail, with that exit status.
check_fails() {
	want=$1
	name=$2
	shift 2
	status=0
	"$@" >"$check_log" 2>&1 || status=$?
	if [ "$status" = "$want" ]; then
		pass
	else
		fail "$name (exit status $status, not $want)"
		sed 's/^/    /' "$check_log" | tail -n 40
	fi
}

# check_same NAME WANT GOT: two texts have to be equal.
check_same() {
	if [ "$2" = "$3" ]; then
		pass
	else
		fail "$1"
		printf '    want: %s\n    got:  %s\n' "$2" "$3"
	fi
}

finish() {
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
}
