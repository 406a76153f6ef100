#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/sim/check.sh [JIFSIM]
#
# Runs jifsim on all scenarios and traces of this folder, and on files that it
# makes up. Of NAME.scn and NAME.csv, what comes out has to be NAME.out, and
# what goes to standard error NAME.err; a file that is not there stands for
# nothing at all. A scenario may say how it is to be run, in comments:
#
#	# options: --json
#	# exit: 1

dir=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$dir/../lib.sh"
jifsim=${1:-$dir/../../build/host/jifsim}
case $jifsim in
/*) ;;
*) jifsim=$PWD/$jifsim ;;
esac
if [ ! -x "$jifsim" ]; then
	echo "$0: $jifsim is not there: build it first" >&2
	exit 1
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp" "$check_log"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1

LC_ALL=C
export LC_ALL
unset NO_COLOR
# complain NAME WHAT: what came out is in $tmp
complain() {
	fail "$1"
	{ echo "$2"; head -n 40 "$tmp/diff"; } | sed 's/^/#	/'
}

# verdict STATUS NAME WHAT: of a command whose output is in $tmp/diff
verdict() {
	if [ "$1" = 0 ]; then
		pass "$2"
	else
		complain "$2" "$3"
	fi
}

# run ARG...: leaves the exit status in $status
run() {
	"$jifsim" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

same() {
	if [ -f "$1" ]; then
		diff -u "$1" "$2"
	else
		diff -u /dev/null "$2"
	fi >"$tmp/diff"
}

# golden NAME STATUS ARG...
golden() {
	name=$1
	want=$2
	shift 2
	run "$@"
	if ! same "$name.out" "$tmp/out"; then
		complain "$name" "standard output differs"
	elif ! same "$name.err" "$tmp/err"; then
		complain "$name" "standard error differs"
	elif [ "$status" != "$want" ]; then
		complain "$name" "exit status is $status, want $want"
	else
		pass "$name"
	fi
}

# has_text NAME STATUS TEXT ARG...: TEXT is somewhere in what comes out
has_text() {
	name=$1
	want=$2
	text=$3
	shift 3
	run "$@"
	cat "$tmp/out" "$tmp/err" >"$tmp/diff"
	if [ "$status" != "$want" ]; then
		complain "$name" "exit status is $status, want $want"
	elif ! grep -qF -e "$text" "$tmp/diff"; then
		complain "$name" "does not say '$text'"
	elif [ "$want" -ge 2 ] && [ -s "$tmp/out" ]; then
		complain "$name" "has an error, and output nevertheless"
	else
		pass "$name"
	fi
}

# said NAME WHAT FILE: what a scenario says about itself, or the default
said() {
	answer=$(sed -n "s/^# $1: //p" "$3" | tr -d '\r' | head -n 1)
	echo "${answer:-$2}"
}

# --- scenarios, traces and their golden output ------------------------------

for file in scenarios/*.scn; do
	# shellcheck disable=SC2046 # the options are words
	golden "${file%.scn}" "$(said exit 0 "$file")" \
		run $(said options '' "$file") "$file"
done

for file in bad/*.scn; do
	golden "${file%.scn}" "$(said exit 2 "$file")" run "$file"
done
for file in bad/*.csv; do
	golden "${file%.csv}" 2 replay "$file"
done

golden traces/small 0 replay --all --wheels=0,420 traces/small.csv
golden traces/small-json 0 replay --json traces/small.csv
golden traces/linux-tcp 0 replay traces/linux-tcp.csv.gz

# --- the examples of the manual ---------------------------------------------

awk -v to="$tmp/example" '
	/^```scn$/ { n++; file = to n ".scn"; next }
	/^```$/ { file = "" }
	file { print > file }
' ../../docs/scenario.md
for file in "$tmp"/example*.scn; do
	has_text "docs/scenario.md, ${file##*/}" 0 ' met, 0 failed' \
		run "$file"
done

# --- files that are not what they should be ---------------------------------

scn='at 00:00 arm a 5s
run until 00:01
expect fire a at 00:00:05'
printf '%s\n' "$scn" >"$tmp/good.scn"
mkdir "$tmp/folder.scn"
big=$(printf '%01000d' 0)
ten_megabytes() {
	i=0
	while [ $i -lt 10000 ]; do
		printf %s "$big"
		i=$((i + 1))
	done
}

{ printf '#'; ten_megabytes; printf '\n%s\n' "$scn"; } >"$tmp/comment.scn"
has_text 'long comment' 0 '1 met, 0 failed' run "$tmp/comment.scn"
{ printf 'at 00:00 arm a'; ten_megabytes; printf ' 5s\n'; } >"$tmp/name.scn"
has_text 'long name' 2 'name is too long' run "$tmp/name.scn"
{ printf 'at 00:00 arm a '; ten_megabytes | tr 0 9; } >"$tmp/number.scn"
has_text 'long number' 2 'number is too large' run "$tmp/number.scn"
ten_megabytes >"$tmp/word.scn"
has_text 'long word' 2 'word.scn:1:1: error: expected start' run "$tmp/word.scn"
ten_megabytes | tr 0 ' ' >"$tmp/blank.scn"
has_text 'long blank' 2 "without 'run until TIME'" run "$tmp/blank.scn"
has_text 'long trace' 2 'in the header' replay "$tmp/word.scn"

printf 'start 00:00\0\n%s\n' "$scn" >"$tmp/nul.scn"
has_text 'a NUL' 2 'nul.scn:1:12: error: byte 0x00' run "$tmp/nul.scn"
printf '# \0\n%s\n' "$scn" >"$tmp/nul.scn"
has_text 'a NUL in a comment' 2 'nul.scn:1:3: error: byte 0x00' \
	run "$tmp/nul.scn"
has_text 'a program' 2 'this is not a text file' run "$jifsim"
has_text 'a program as a trace' 2 'in the header' replay "$jifsim"

has_text 'a folder' 66 'is a folder' run "$tmp/folder.scn"
has_text 'a folder as a trace' 66 'is a folder' replay "$tmp/folder.scn"
has_text 'no file' 66 'cannot be opened' run "$tmp/none.scn"
has_text 'no trace' 66 'cannot be opened' replay "$tmp/none.csv"
has_text 'nothing' 2 "without 'run until TIME'" run /dev/null
has_text 'a path through a file' 66 'cannot be opened' \
	run "$tmp/good.scn/none.scn"
"$jifsim" run - <"$tmp/good.scn" >"$tmp/out" 2>"$tmp/diff"
verdict $? 'standard input' 'does not run'

# --- traces that are packed, and names that a shell would trip over ---------

odd="$tmp/a b'c\"d;\$(e)&.csv"
cp traces/small.csv "$odd"
gzip -c traces/small.csv >"$odd.gz"
has_text 'an odd name' 0 '3, 0 off' replay "$odd"
has_text 'an odd name, packed' 0 '3, 0 off' replay "$odd.gz"
cp "$odd.gz" "$tmp/-dash.gz"
(cd "$tmp" && "$jifsim" replay -- -dash.gz) >"$tmp/out" 2>"$tmp/diff"
verdict $? 'a name with a dash' 'does not run'
cp "$odd.gz" "$tmp/gzip.csv"
has_text 'gzip under another name' 0 '3, 0 off' replay "$tmp/gzip.csv"
dd bs=150 count=1 if="$odd.gz" 2>/dev/null >"$tmp/cut.csv.gz"
has_text 'gzip cut short' 2 'damaged or cut short' replay "$tmp/cut.csv.gz"
dd bs=1 count=1 if="$odd.gz" 2>/dev/null >"$tmp/cut.csv.gz"
has_text 'gzip, one byte' 2 'damaged or cut short' replay "$tmp/cut.csv.gz"
cp traces/small.csv "$tmp/plain.csv.gz"
has_text 'no gzip inside' 2 'damaged or cut short' replay "$tmp/plain.csv.gz"
printf 'start 00:00\ntick 4ms\nimport "%s"\nrun until 00:01\n' \
	"$tmp/cut.csv.gz" >"$tmp/cut.scn"
has_text 'import of what is cut short' 2 'damaged or cut short' \
	run "$tmp/cut.scn"
sed 's/cut/gzip/;s/\.gz//' "$tmp/cut.scn" >"$tmp/packed.scn"
has_text 'import of what is packed' 0 'fired         3' run "$tmp/packed.scn"
xz -c traces/small.csv >"$tmp/small.csv.xz"
has_text 'xz' 0 '3, 0 off' replay "$tmp/small.csv.xz"
dd bs=100 count=1 if="$tmp/small.csv.xz" 2>/dev/null >"$tmp/cut.csv.xz"
has_text 'xz cut short' 2 'damaged or cut short' replay "$tmp/cut.csv.xz"
PATH=$tmp/nowhere "$jifsim" replay "$tmp/gzip.csv" 2>"$tmp/diff"
[ $? = 66 ] && grep -q 'needs gzip' "$tmp/diff"
verdict $? 'no gzip' 'goes unnoticed'

# --- the command line -------------------------------------------------------

has_text 'help' 0 'Usage: jifsim run' --help
has_text 'help for run' 0 'Usage: jifsim run' run --help
has_text 'version' 0 'jifsim 0.' --version
has_text 'no command' 64 'expected a command'
has_text 'a wrong command' 64 "did you mean 'replay'?" reply x
has_text 'no file named' 64 'expected the file to run' run
has_text 'two files' 64 'one file at a time' run a b
has_text 'a wrong option' 64 "did you mean 'json'?" run a --jsom
has_text 'a wrong letter' 64 "unknown option '-x'" run a -qx
has_text 'a value too many' 64 '--quiet takes no value' run a --quiet=1
has_text 'a value too few' 64 '--seed needs a value' run a --seed
has_text 'an empty value' 64 '--wheels needs a value' run a --wheels=
has_text 'a seed that is none' 64 'not a whole number' run a --seed=x1
has_text 'a seed too large' 64 'too large' run a --seed 18446744073709551616
has_text 'a color that is none' 64 "not 'red'" run a --color=red
has_text 'a watch too short' 64 'one second or more' run a --watch=0
has_text 'all and quiet' 64 'contradict' run a --all --quiet
has_text 'watch and json' 64 'do not go together' run a --watch --json
has_text 'a seed for replay' 64 'nothing random' replay a --seed=1
has_text 'wheels at no time' 64 '--wheels:1:1: error: hours' \
	run "$tmp/good.scn" --wheels=25:00
has_text 'wheels before the start' 64 'before the start' \
	run scenarios/ex-cache.scn --wheels=23:00
has_text 'wheels at no jiffy' 64 'expected a jiffy' \
	replay traces/small.csv --wheels=now

run run scenarios/random.scn --seed 43
cp "$tmp/out" "$tmp/first"
run run scenarios/random.scn --seed=43
diff "$tmp/first" "$tmp/out" >"$tmp/diff"
verdict $? 'a seed' 'gives not the same twice'
! diff scenarios/random.out "$tmp/out" >"$tmp/diff"
verdict $? 'another seed' 'makes no difference'

run run scenarios/keepalive.scn --watch=1
cp "$tmp/out" "$tmp/diff"
[ "$(grep -c 'entries$' "$tmp/out")" = 21 ]
verdict $? 'watch' 'does not draw 21 frames'
run run scenarios/wheels.scn --wheels --color=always
grep -q "$(printf '\033')" "$tmp/out"
verdict $? 'color' 'there is none with --color=always'
if [ -c /dev/full ]; then
	"$jifsim" run "$tmp/good.scn" >/dev/full 2>"$tmp/diff"
	[ $? = 74 ]
	verdict $? 'a full disk' 'goes unnoticed'
fi
for args in 'run scenarios/ex-cache.scn' \
	'run scenarios/fail-count.scn' \
	'run bad/utf8.scn' 'run bad/none.scn' \
	'replay traces/small.csv --all'; do
	# shellcheck disable=SC2086 # the arguments are words
	run $args --json --wheels
	jq -es 'length > 0 and all(.schema == "jifsim/1")' \
		<"$tmp/out" >"$tmp/diff" 2>&1
	verdict $? "--json, $args" 'is no JSON'
done

finish
