#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/sim/check.sh [--update] [JIFSIM [CASE...]]
#
# Runs jifsim on the cases of *.cases, and on files that this script makes up.
# With CASEs, it runs only these: `check.sh build/host/jifsim bad/word`. A case:
#
#	=== bad/word.scn	its name; the input follows (.csv: a trace)
#	# exit: 1		in the input: exit status, if not 0 (bad/: 2)
#	# options: --json	in the input: options of jifsim
#	--- out			standard output follows
#	--- err			standard error follows
#	--- fired N		or no output: what the input expects is met, or
#				its lines have the errors, and so many timers
#				fire
#	LINE !! 4: MESSAGE	in the input: an error of that line, column 4;
#				these come before what follows --- err
#	=== NAME ARG...		a case without input: all arguments of jifsim
#
# In an input, \r and \007 stand for bytes, and \c at its end for no newline.
# Standard error may leave out the two lines that show the place of an error.
# A case without output is not run: other cases read its input.
#
# --update writes the output of jifsim into the tables; `git diff` shows what
# has changed. test/tools/sim/cases makes files of the cases.
set -u
. test/lib.sh

act=golden
[ "${1-}" != --update ] || {
	act=renew
	shift
}
top=$PWD
jifsim=${1:-build/host/jifsim}
[ $# = 0 ] || shift
only=$*
case $jifsim in
/*) ;;
*) jifsim=$top/$jifsim ;;
esac
[ -x "$jifsim" ] || {
	echo "$0: $jifsim is not there: build it first" >&2
	exit 1
}
tmp=$folder
test/tools/sim/cases "$tmp/sim" && cd "$tmp/sim" || exit 1
LC_ALL=C
export LC_ALL

# exits STATUS ARG...: what comes out is left in $tmp/out and $tmp/err
exits() {
	want=$1
	shift
	got=0
	"$jifsim" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || got=$?
	[ "$got" = "$want" ] || {
		cat "$tmp/out" "$tmp/err"
		echo "exit status is $got, want $want"
		return 1
	}
}

# same WANT GOT
same() {
	if [ -f "$1" ]; then
		diff -u "$1" "$2"
	else
		diff -u /dev/null "$2"
	fi
}

# shown ERRORS: with the line and a caret below each error.
shown() {
	if grep -q '^  ' "$1"; then
		cat "$1"
		return
	fi
	awk '{ print }
	/^[^:]*:[0-9]*:[0-9]*: error: / {
		split($0, at, ":")
		for (n = 0; n < at[2] && (getline text <at[1]) > 0;)
			n++
		close(at[1])
		sub(/\r$/, "", text)
		caret = substr(text, 1, at[3] - 1)
		gsub(/[^\t]/, " ", caret)
		if (text != "")
			print "  " text "\n  " caret "^"
	}' "$1"
}

# How many timers have fired, as the summary says.
fired() {
	sed -n 's/^fired  *\([0-9,]*[0-9]\).*/\1/p' "$tmp/out"
}

# golden NAME STATUS ARG...
golden() {
	golden=$1
	shift
	exits "$@"
	code=$?
	: >"$tmp/want"
	[ ! -f "$golden.err" ] || shown "$golden.err" >"$tmp/want"
	if [ -f "$golden.fired" ]; then
		fired | diff -u "$golden.fired" -
	else
		same "$golden.out" "$tmp/out"
	fi && diff -u "$tmp/want" "$tmp/err" && [ $code = 0 ]
}

# says TEXT STATUS ARG...: the text is somewhere in what comes out; where there
# is an error, there is no other output.
says() {
	text=$1
	shift
	exits "$@" || return
	cat "$tmp/out" "$tmp/err"
	grep -qF -e "$text" "$tmp/out" "$tmp/err" &&
		{ [ "$want" -lt 2 ] || [ ! -s "$tmp/out" ]; }
}

# renew NAME STATUS ARG...: what comes out becomes what is expected.
renew() {
	renewed=$1
	shift
	exits "$@" || return
	grep -v '^  ' "$tmp/err" >"$tmp/short"
	shown "$tmp/short" >"$tmp/want"
	cmp -s "$tmp/want" "$tmp/err" || cp "$tmp/err" "$tmp/short"
	cp "$tmp/short" "$renewed.err"
	if [ -f "$renewed.fired" ]; then
		fired >"$renewed.fired"
	else
		cp "$tmp/out" "$renewed.out"
	fi
}

# renewed TABLE: the table, with the outputs that renew has left. An error
# stands behind its line, if all before it do.
renewed() {
	awk '
	function behind(line,	at) {
		split(line, at, ":")
		if (at[1] != file || at[2] < last || at[2] > rows ||
		    !sub("^[^:]*:[0-9]*:[0-9]*: " kind ": ", "", line))
			return 0
		last = at[2]
		text[last] = text[last] " !! " at[3] ": " line
		return 1
	}
	function section(what,	path, line, n) {
		path = name "." what
		if (what == "fired" && (getline line <path) > 0)
			after = "--- fired " line "\n"
		while ((getline line <path) > 0) {
			if (what == "err" && !n && whole == 0 && behind(line))
				continue
			if (!n++)
				after = after "--- " what "\n"
			after = after line "\n"
		}
		close(path)
	}
	function end_case(	i) {
		if (is_test) {
			whole = !system("grep -qs \"^  \" " name ".err")
			section("fired")
			section("out")
			section("err")
		}
		for (i = 0; i <= rows; i++)
			print text[i]
		printf "%s", after
	}
	/^=== / {
		if (name)
			end_case()
		file = name = $2
		sub(/\.[a-z]*$/, "", name)
		kind = name ~ /^bad/ ? "error" : "expectation failed"
		is_test = NF > 2
		input = 1
		rows = -1
		last = 0
		after = ""
	}
	/^--- (out|err|fired)/ {
		is_test = 1
		input = 0
	}
	input {
		is_test += sub(/ !! .*/, "")
		text[++rows] = $0
	}
	END { end_case() }' "$1"
}

# --- the cases --------------------------------------------------------------

while read -r name status arguments; do
	case " ${only:-$name} " in
	*" $name "*)
		# shellcheck disable=SC2086 # the arguments are words
		check "$name" $act "$name" "$status" $arguments
		;;
	esac
done <list
[ $act = golden ] || for table in "$top"/test/tools/sim/*.cases; do
	renewed "$table" >"$tmp/table" && cat "$tmp/table" >"$table"
done
[ "$only$act" = golden ] || {
	[ "$count" != 0 ] || echo "$0: no case is called $only" >&2
	finish && [ "$count" != 0 ]
	exit
}

# --- the examples of the manual ---------------------------------------------

awk -v to="$tmp/example" '
	/^```scn$/ { n++; file = to n ".scn"; next }
	/^```$/ { file = "" }
	file { print > file }
' "$top/docs/tests.md"
for file in "$tmp"/example*.scn; do
	check "docs/tests.md, ${file##*/}" says ' met, 0 failed' 0 \
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

# errs NAME TEXT FILE [COMMAND]: the file has an error that is told so
errs() {
	check "$1" says "$2" 2 "${4-run}" "$tmp/$3"
}

ten_megabytes >"$tmp/word.scn"
{
	printf '#'
	cat "$tmp/word.scn"
	printf '\n%s\n' "$scn"
} \
	>"$tmp/comment.scn"
{
	printf 'at 00:00 arm a'
	cat "$tmp/word.scn"
	printf ' 5s\n'
} \
	>"$tmp/name.scn"
{
	printf 'at 00:00 arm a '
	tr 0 9 <"$tmp/word.scn"
} >"$tmp/number.scn"
tr 0 ' ' <"$tmp/word.scn" >"$tmp/blank.scn"
printf 'start 00:00\0\n%s\n' "$scn" >"$tmp/nul.scn"
printf '# \0\n%s\n' "$scn" >"$tmp/nul2.scn"
check 'long comment' says '1 met, 0 failed' 0 run "$tmp/comment.scn"
errs 'long name' 'name is too long' name.scn
errs 'long number' 'number is too large' number.scn
errs 'long word' 'word.scn:1:1: error: expected start' word.scn
errs 'long blank' "without 'run until TIME'" blank.scn
errs 'long trace' 'in the header' word.scn replay
header=$(head -n 1 traces/small.csv)
printf '%s\n' "$header" >"$tmp/trace.scn"
echo frobnicate >"$tmp/wrong.csv"
errs 'run of a trace' "use 'jifsim replay'" trace.scn
errs 'run of a trace, by its name' "use 'jifsim replay'" wrong.csv
errs 'a NUL' 'nul.scn:1:12: error: byte 0x00' nul.scn
errs 'a NUL in a comment' 'nul2.scn:1:3: error: byte 0x00' nul2.scn
check 'a program' says 'this is not a text file' 2 run "$jifsim"
check 'a program as a trace' says 'in the header' 2 replay "$jifsim"
check 'a folder' says 'is a folder' 66 run "$tmp/folder.scn"
check 'a folder as a trace' says 'is a folder' 66 replay "$tmp/folder.scn"
check 'no file' says 'cannot be opened' 66 run "$tmp/none.scn"
check 'no trace' says 'cannot be opened' 66 replay "$tmp/none.csv"
printf 'start 00:00\nimport "-"\nrun until 00:01\n' >"$tmp/dash.scn"
check 'a trace called - is a file' sh -c '
	cd "${1:?}" && "$0" run dash.scn 2>&1 </dev/null |
		grep -qF "./-: error: cannot be opened"' "$jifsim" "$tmp"
# Of 21 errors.
{
	echo 'run until 00:01'
	yes 'at 00:00 arm x 0' | head -n 21
} >"$tmp/many.scn"
many() {
	exits 2 run "$tmp/many.scn" &&
		[ "$(grep -c ': error: ' "$tmp/err")" = 20 ] &&
		grep -x "$tmp/many.scn: 1 more error" "$tmp/err"
}
check 'many errors' many
check 'a device' says 'is not a regular file' 66 run /dev/null
check 'a device as a trace' says 'is not a regular file' 66 replay /dev/zero
# What writes to it lets a reader go on that does not look what it opens.
fifo() {
	mkfifo "$tmp/fifo"
	: >"$tmp/fifo" &
	says 'is not a regular file' 66 run "$tmp/fifo"
	fifo_status=$?
	kill $! 2>"$tmp/err"
	wait $!
	return $fifo_status
}
check 'a FIFO' fifo
standard_input() {
	"$jifsim" run - <"$tmp/good.scn"
}
check 'standard input' standard_input

# --- traces that are packed, and names that a shell would trip over ---------

odd="$tmp/a b'c\"d;\$(e)&.csv"
cp traces/small.csv "$odd"
gzip -c traces/small.csv >"$odd.gz"
cp "$odd.gz" "$tmp/-dash.gz"
cp "$odd.gz" "$tmp/gzip.csv"
cp traces/small.csv "$tmp/plain.csv.gz"
xz -c traces/small.csv >"$tmp/small.csv.xz"
head -c 150 "$odd.gz" >"$tmp/cut.csv.gz"
head -c 1 "$odd.gz" >"$tmp/one.csv.gz"
head -c 100 "$tmp/small.csv.xz" >"$tmp/cut.csv.xz"
importing() {
	printf 'tick 4ms\nimport "%s"\nrun until 00:01\n' "$1"
}
importing cut.csv.gz >"$tmp/cut.scn"
importing gzip.csv >"$tmp/packed.scn"
good='3, 0 off'
check 'an odd name' says "$good" 0 replay "$odd"
check 'an odd name, packed' says "$good" 0 replay "$odd.gz"
check 'a name with a dash' says "$good" 0 replay -- "$tmp/-dash.gz"
check 'gzip under another name' says "$good" 0 replay "$tmp/gzip.csv"
check 'no gzip inside' says "$good" 0 replay "$tmp/plain.csv.gz"
piped() {
	cat <"$1" | "$jifsim" "$2" - >"$tmp/out" && grep -F "$3" "$tmp/out"
}
gzip -c "$tmp/good.scn" >"$tmp/good.scn.gz"
check 'gzip in a pipe' piped "$tmp/gzip.csv" replay "$good"
check 'xz in a pipe' piped "$tmp/small.csv.xz" replay "$good"
check 'a scenario, packed, in a pipe' \
	piped "$tmp/good.scn.gz" run '1 met, 0 failed'
check 'xz' says "$good" 0 replay "$tmp/small.csv.xz"
check 'import of what is packed' says 'fired         3' 0 run "$tmp/packed.scn"
errs 'gzip cut short' 'damaged or cut short' cut.csv.gz replay
errs 'gzip, one byte' 'in the header' one.csv.gz replay
errs 'xz cut short' 'damaged or cut short' cut.csv.xz replay
errs 'import of what is cut short' 'damaged or cut short' cut.scn
no_gzip() {
	code=0
	PATH=$tmp/none "$jifsim" replay "$tmp/gzip.csv" 2>"$tmp/err" || code=$?
	[ $code = 66 ] && grep 'needs gzip' "$tmp/err"
}
check 'no gzip' no_gzip

# --- the command line -------------------------------------------------------

check 'help' says 'Usage: jifsim run' 0 --help
check 'help for run' says 'Usage: jifsim run' 0 run -h
check 'version' says 'jifsim 2.' 0 --version
check 'version, in short' says 'jifsim 2.' 0 -V
check 'no command' says 'expected a command' 64
check 'a wrong command' says 'expected run or replay' 64 reply x
check 'no file named' says 'expected the file' 64 run
check 'two files' says 'one file at a time' 64 run a b
check 'a wrong option' says "Try 'jifsim --help'" 64 run a --jsom
check 'a wrong letter' says "Try 'jifsim --help'" 64 run a -qx
check 'a value too many' says "Try 'jifsim --help'" 64 run a --quiet=1
check 'a value too few' says "Try 'jifsim --help'" 64 run a --seed
check 'a seed that is none' says 'takes a whole number' 64 run a --seed=x1
check 'a seed too large' says 'too large' 64 run a --seed 18446744073709551616
check 'all and quiet' says 'contradict' 64 run a --all --quiet
check 'a seed for replay' says 'nothing random' 64 replay a --seed=1
check 'imports for replay' says 'imports nothing' 64 \
	replay a --import-anywhere
check 'wheels so often' says 'takes a whole number' 64 run a --wheels=often
check 'wheels too often' says 'too large' 64 run a --wheels=1001

# drawings ARG TIMES: the times of the drawings of a run of 370 s
drawings() {
	exits 0 run scenarios/ex-cache.scn "$1" &&
		times=$(grep '^ [a-z]* [d0-9].*:' "$tmp/out" | cut -c 2-17 |
			sed 's/ *$//' | paste -sd,) &&
		echo "$times" && [ "$times" = "$2" ]
}
check '--wheels' drawings --wheels 'mon 23:58:50,tue d1 00:05:00'
check '--wheels=1' drawings --wheels=1 'mon 23:58:50'
check '--wheels=4' drawings --wheels=4 \
	'mon 23:58:50,tue d1 00:00:53,tue d1 00:02:56,tue d1 00:05:00'

# --- imports, and files that are written -------------------------------------

outside="the file is outside of the scenario's folder"
mkdir -p "$tmp/own/below"
cp traces/small.csv "$tmp/own/below"
ln -s below/small.csv "$tmp/own/inside.csv"
ln -s "$PWD/traces/small.csv" "$tmp/own/link.csv"
ln -s "$PWD/traces" "$tmp/own/traces"
ln -s own "$tmp/owner"
cp -r "$tmp/own/below" "$tmp/own-too"
own() {
	text=$1
	importing "$2" >"$tmp/own/import.scn"
	shift 2
	says "$text" "$@" "$tmp/owner/import.scn"
}
for name in below/small.csv inside.csv below/../inside.csv \
	"$tmp/own/inside.csv"; do
	check "import of ${name#"$tmp"}" \
		own 'fired         3' "$name" 0 run
done
for name in link.csv traces/small.csv ../own-too/small.csv; do
	check "no import of $name" own "$outside" "$name" 2 run
	check "import of $name, if asked for" \
		own 'fired         3' "$name" 0 run --import-anywhere
done
standard_import() {
	importing "$1" | (cd "$tmp/own" && "$jifsim" run -) >"$tmp/out" 2>&1
	grep -F "$2" "$tmp/out"
}
check 'standard input imports from where it is' \
	standard_import below/small.csv 'fired         3'
check 'and not from elsewhere' standard_import ../small.csv "$outside"

ln -s good.scn "$tmp/symbolic.scn"
ln "$tmp/good.scn" "$tmp/hard.scn"
importing below/small.csv >"$tmp/own/import.scn"
overwrites() {
	cp "$1" "$tmp/before"
	says 'is a file that was read' 64 run "$1" --record="$2" &&
		cmp "$tmp/before" "$1"
}
for name in good.scn ./good.scn symbolic.scn hard.scn; do
	check "no recording to the scenario as $name" \
		overwrites "$tmp/good.scn" "$tmp/$name"
done
check 'no recording to a trace that is imported' \
	overwrites "$tmp/own/import.scn" "$tmp/own/inside.csv"
check 'the trace is what it was' \
	cmp traces/small.csv "$tmp/own/below/small.csv"
standard_overwrites() {
	! "$jifsim" run - --record="$tmp/hard.scn" <"$tmp/good.scn" &&
		cmp "$tmp/before" "$tmp/good.scn"
}
cp "$tmp/good.scn" "$tmp/before"
check 'no recording to the standard input' standard_overwrites

# With a closed stream, a file must not get its number.
closed() {
	code=0
	case $1 in
	0) "$jifsim" run "$tmp/good.scn" --record="$tmp/rec" <&- || code=$? ;;
	1) "$jifsim" run "$tmp/good.scn" --record="$tmp/rec" >&- || code=$? ;;
	2) "$jifsim" run "$tmp/good.scn" --record="$tmp/rec" 2>&- || code=$? ;;
	esac
	head -n 1 "$tmp/rec" | grep '^jif-trace' &&
		! grep -E -v '^(jif-.*|[0-9a-f]{24})$' "$tmp/rec" &&
		[ $code = "$2" ]
}
check 'closed: standard input' closed 0 0
check 'closed: standard output' closed 1 74
check 'closed: standard error' closed 2 0
closed_packed() {
	"$jifsim" replay "$tmp/gzip.csv" <&-
}
check 'closed: standard input, with a trace that is packed' closed_packed

seeds() {
	exits 1 run scenarios/random.scn --seed 43 &&
		mv "$tmp/out" "$tmp/first" &&
		exits 1 run scenarios/random.scn --seed=43 &&
		diff "$tmp/first" "$tmp/out" &&
		exits 0 run scenarios/random.scn
}
quiet() {
	exits 0 run "$1" scenarios/random.scn && grep '^fired ' "$tmp/out" &&
		! grep '^..:..:..  ' "$tmp/out"
}
# beats NUMBER MORE OPTION...: so many lines, and what is said of more of them.
beats() {
	lines=$1
	more=$2
	shift 2
	exits 0 run scenarios/limit.scn "$@" &&
		[ "$(grep -c '^00:00:..  beat$' "$tmp/out")" = "$lines" ] &&
		[ "$(grep more "$tmp/out")" = "$more" ]
}
full() {
	status=0
	"$jifsim" run "$tmp/good.scn" >/dev/full || status=$?
	[ $status = 74 ]
}
# There is memory for the program, but not for a million timers.
no_memory() {
	printf 'random 1000000 timers r 1s..2s seed 1\nrun until 00:01\n' \
		>"$tmp/million.scn"
	if grep -q __asan_init "$jifsim"; then
		export ASAN_OPTIONS=allocator_may_return_null=1
		ASAN_OPTIONS=$ASAN_OPTIONS:max_allocation_size_mb=8
	else
		# shellcheck disable=SC3045 # every sh of Debian has it
		ulimit -v 50000
	fi
	says 'out of memory' 70 run "$tmp/million.scn"
}
json() {
	exits "$@" --json --wheels
	jq -es 'length > 0 and all(.schema == "jifsim/1")' <"$tmp/out"
}
check '--seed is what the numbers come from' seeds
check '--quiet' quiet --quiet
check '-q' quiet -q
check '--all' beats 45 '' --all
check 'without --all' beats 40 '... 5 more'
check 'a full disk' full
check 'no memory' eval '(no_memory)'
check '--json of a run' json 0 run scenarios/ex-cache.scn
check '--json of a failure' json 1 run scenarios/fail-count.scn
check '--json of an error' json 2 run bad/utf8.scn
check '--json of no file' json 66 run bad/none.scn
check '--json of a replay' json 0 replay traces/small.csv --all

# --- what the documents say of it -------------------------------------------

"$jifsim" --help >"$tmp/help"
man=$top/tools/simulate/jifsim.1
check_same 'options of the man page are those of --help' \
	"$(sed -n 's/^  \(-.,\|   \) --\([a-z]*\).*/\1 --\2/p' "$tmp/help" |
		tr -d ' ,' | sort)" \
	"$(sed -n -e 's/^\.It Fl \(.\) , Fl -\([a-z]*\).*/-\1--\2/p' \
		-e 's/^\.It Fl -\([a-z]*\).*/--\1/p' "$man" | sort)"

# What each exit status means, and the command above that had it is checked
# to have it; the words of the two documents are their own.
codes='0 1 2 64 66 70 74'
check_same 'exit codes of --help' "$codes" \
	"$(sed -n '/^Exit status/,$p' "$tmp/help" | grep -o '[0-9]*' | xargs)"
check_same 'exit codes of the man page' "$codes" \
	"$(sed -n '/^.Sh EXIT/,/^.El/s/^\.It \([0-9]*\)$/\1/p' "$man" | xargs)"

finish
