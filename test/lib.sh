# SPDX-License-Identifier: MIT
#
# test/lib.sh - what the test scripts share: sourced by them
#
# check NAME COMMAND... runs a command that has to succeed, and finish says how
# many there were. What comes out is TAP; the output of a command is shown when
# it fails. No two tests of a script may have one name.

# $folder is a new one for each script, and goes when that ends.
. tools/build/scratch.sh
count=0
failed=0

pass() {
	count=$((count + 1))
	echo "ok $count - $1"
}

fail() {
	count=$((count + 1))
	failed=$((failed + 1))
	echo "not ok $count - $1"
}

check() {
	check_fails 0 "$@"
}

# mistakes TABLE: plants each row: FILE, what finds it, a name: an edit.
mistakes() {
	while read -r row_in row_by row <&3; do
		planted "${row%%: *}" "$row_in" "${row#*: }" "$row_by"
	done 3<"$1"
}

# check_fails STATUS NAME COMMAND...: it has to fail, with that exit status.
check_fails() {
	check_want=$1
	check_name=$2
	shift 2
	check_status=0
	"$@" >"$check_log" 2>&1 || check_status=$?
	if [ "$check_status" = "$check_want" ]; then
		pass "$check_name"
	else
		fail "$check_name"
		echo "# exit status $check_status, not $check_want"
		tail -n 40 "$check_log" | sed 's/^/#     /'
	fi
}

# check_same NAME WANT GOT: two texts have to be equal.
check_same() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1"
		printf 'want: %s\ngot:  %s\n' "$2" "$3" | sed 's/^/#     /'
	fi
}

# tests LOG: those in TAP, each as "ok NAME" or "not ok NAME". Criterion lists
# all that it skips, and says how long the others took.
tests() {
	LC_ALL=C sed -E -n -e '/# SKIP/d' -e 's/ +\([0-9.]+s\)$//' \
		-e 's/^((not )?ok) [0-9 ]*- (.*)/\1 \3/p' "$1"
}

# each NAME COMMAND...: a program that prints TAP, and each of its tests.
each() {
	check "$@"
	while read -r each_verdict each_name; do
		case $each_verdict in
		ok) pass "$each_name" ;;
		not) fail "${each_name#ok }" ;;
		esac
	done <<-END
		$(tests "$check_log")
	END
}

# suite NAME COMMAND...: a program that prints TAP, as one test, whose name says
# how many it has: they count one by one elsewhere, in another build.
suite() {
	suite_name=$1
	shift
	if "$@" >"$check_log" 2>&1 && tests "$check_log" | grep -q '^ok '; then
		pass "$suite_name: $(tests "$check_log" | wc -l) tests"
	else
		fail "$suite_name"
		grep -a -v '^ok ' "$check_log" | sed 's/^/#     /'
	fi
}

# panics NAME CC SOURCE...: of a misuse, where the library of these sources is
# compiled with a debug build, once for two programs. CC has options, too.
panics() {
	panics_of=$1
	panics_cc="$2 -std=c11 -Wall -Wextra -Werror -DCONFIG_JIF_DEBUG"
	shift 2
	check "$panics_of compiles" panics_compile "$@"
	check_fails 134 "$panics_of panics" sh -c '"$1" || exit' - \
		"$folder/panic"
	check_same "$panics_of says why" \
		"jif: panic: W2: a pending timer was initialised" \
		"$(grep -o 'jif: panic.*' "$check_log")"
	check "$panics_of compiles with its own panic" panics_link -DOWN
	check_fails 3 "$panics_of panics in its own way" "$folder/panic"
}
panics_compile() {
	# shellcheck disable=SC2086	# a list of words
	$panics_cc -r -nostdlib -o "$folder/library.o" "$@" && panics_link
}
panics_link() {
	# shellcheck disable=SC2086	# a list of words
	$panics_cc "$@" -o "$folder/panic" test/tools/build/panic.c \
		"$folder/library.o"
}

# hardened PROGRAM: position-independent, bound before it runs, and its stack
# and the C library's buffers are guarded.
hardened() {
	readelf -hdlW --dyn-syms "$1" >"$folder/elf" && for hardened_by in \
		'Type: *DYN' BIND_NOW 'Flags:.* PIE' GNU_RELRO \
		__stack_chk_fail '__[a-z]*printf_chk'; do
		grep -e "$hardened_by" "$folder/elf" || return
	done
}

finish() {
	echo "1..$count"
	[ "$failed" = 0 ]
}

# copy_tree FOLDER: the sources, and nothing that was built.
copy_tree() {
	find . -path ./build -prune -o -path ./.git -prune -o -type f -print |
		tar cf - -T - | tar xf - -C "$1"
}
