#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Does `make check` fail when it should? What it counts, what it wants to be
# installed, and what it does without git. Works on a copy of the tree.
set -u
. test/lib.sh

copy=$folder/copy
bin=$folder/bin
mkdir "$copy" "$bin"
copy_tree "$copy"
cd "${copy:?}" || exit 1

# prints TEXT WHAT: the last lines of what has run.
prints() {
	check_same "$2" "$1" "$(tail -n "$(echo "$1" | wc -l)" "$check_log")"
}

# --- what lib.sh makes of programs ------------------------------------------

tap=$(printf 'ok 1 - a (0.01s)\nok - b # SKIP\nnot ok 2 - c\n# ok - d')
reads() {
	echo "$tap" >tap
	tests tap
}
check "TAP is read" reads
prints "$(printf 'ok a\nnot ok c')" "without what is skipped"

suite_of() {
	sh -c '. test/lib.sh; suite s "$@"; finish' sh "$@"
}
check_fails 1 "a suite without tests fails" suite_of true
check_fails 1 "and one that cannot be run" suite_of ./nothing
check_fails 1 "and one that dies" suite_of sh -c 'echo "ok - a"; exit 1'
check "but not one with a test" suite_of echo 'ok - a'
prints "$(printf 'ok 1 - s: 1 tests\n1..1')" \
	"which is one test, and says how many it has"

# --- what check.sh makes of steps -------------------------------------------

# All that is in the tree, before steps of ours take its place.
steps_of() {
	sed -n 's/^\([^#:]*\):.*/\1/p' test/needs | tr ' ' '\n' | sort
}
packages_of() {
	cat "$@" | awk '!/^#/ { print $1 }' | sort -u
}
check_same "test/needs has a row for each step" "" \
	"$(sed 's/ .*//' test/expected | while read -r step; do
		steps_of | grep -qx -e "$step" || echo "$step"
	done)"
check_same "and no step twice" "" "$(steps_of | uniq -d)"
check_same "and each package of the lists, and no other" \
	"$(packages_of test/packages test/target/packages)" \
	"$(sed -n 's/^[^#:]*: *//p' test/needs | tr ' ' '\n' | grep . |
		sort -u)"
for step in '' --host; do
	check_fails 2 "make check$step STEP=typo is an error" \
		test/check.sh $step typo
	check_same "make check$step STEP=typo says so, and no more" \
		"test/check.sh: error: no step is called typo" \
		"$(cat "$check_log")"
done

: >test/packages
: >test/target/packages
cat >steps <<'END_OF_STEPS'
step tap echo 'ok - a'
step single true
step dies sh -c 'echo "ok - b"; exit 3'
step silent false
END_OF_STEPS
printf 'dies 2\nsilent 1\nsingle 1\ntap 1\n' >test/expected
check_fails 1 "steps that fail" test/check.sh ./steps
prints '3 passed, 2 failed' "are counted, with how they died"
check_same "each is named when it begins" \
	'0/4 run tap 1/4 run single 2/4 run dies 3/4 run silent' \
	"$(grep ' run ' "$check_log" | xargs)"
check_same "each with the command that repeats it" 2 \
	"$(grep -c '^    once more: make check STEP=[ds]' "$check_log")"
check "one step" test/check.sh ./steps tap
prints '1 passed, 0 failed' "is told from what is lost"
check_fails 2 "a step that there is not" test/check.sh ./steps nothing
sed -i '/dies/d; /silent/d' steps test/expected
check "steps that pass" test/check.sh ./steps
prints '2 passed, 0 failed' "are counted"
seconds=$((1000000 + $$))
cat >steps <<END_OF_STEPS
step waits sh -c 'sleep $seconds & wait'
step runs sh -c '(while : $seconds; do :; done) & wait'
END_OF_STEPS
check_fails 1 "what waits, or runs, for ever" env PATIENCE=1 test/check.sh \
	./steps waits runs
check_same "is stopped, and said to be one" 2 \
	"$(grep -c '^ *not ok [wr][a-z]*s: it does not end' "$check_log")"
echo "$seconds" >pattern
check_same "with all that it began" 0 "$(grep -alz -f pattern \
	/proc/[0-9]*/cmdline 2>/dev/null | wc -l)"

# limited STATE TICKS: what /proc says this of lives for two seconds.
mkdir -p proc/1
limited() {
	# shellcheck disable=SC2016	# its own number
	PROC=proc test/limit 1 sh -c 'echo "$$ (a b) $0 1 $$ $$ 0 0 0 0 0 0 0 \
		$1 0 0 0" | tr -d "\n" >proc/1/stat; sleep 2' "$@"
}
check "what waits for a processor is not stopped" limited R 5
check_fails 143 "what sleeps is" limited S 5
check_fails 143 "and what has had its time" limited R 100
cat >steps <<'END_OF_STEPS'
step tap printf 'ok - a\nok - b: 3 tests\nok - c: 4 tests\n'
END_OF_STEPS
check_fails 1 "tests that are new, and those of a step that is lost" \
	test/check.sh ./steps
prints '3 passed, 2 failed' "are failures, one for each step"
check_same "which are shown" '< single 1
< tap 1
> tap 3 + 7' "$(grep '^[<>] [a-z]* [0-9]' "$check_log")"
eval "$(sed -n 's/.* fails: cp/cp/p' "$check_log")"
check "what updates them" test/check.sh ./steps
prints '3 passed, 0 failed' "does so"

echo 'step lines pmccabe lib/wheel.c' >steps
echo 'lines 1' >test/expected
check_fails 1 "a command of a package that a step does not have" \
	test/check.sh ./steps
check_same "is not there" 1 "$(grep -c 'pmccabe: not found' "$check_log")"
echo 'pmccabe	pmccabe	this test' >test/packages
echo 'lines: pmccabe' >>test/needs
check "and is, where test/needs has it" test/check.sh ./steps
: >test/packages

printf 'step san-build true\nstep san-unit true\n' >steps
printf 'san-build 1\nsan-unit 1\n' >test/expected
check "one with sanitizers" test/check.sh ./steps san-unit
prints '2 passed, 0 failed' "is built before"

# `make check-host` builds the programs of its steps only, where $bin/make is
# make.
cat >"$bin/make" <<'END_OF_MAKE'
#!/bin/sh
case " $* " in
*' host-tests '*) echo 'no gzip here' ;;
esac
END_OF_MAKE
chmod +x "$bin/make"
# shellcheck disable=SC2016	# it is the step's
echo 'step host silent make -s $tests' >steps
echo 'host 1' >test/expected
check "the host needs no emulator" env PATH="$bin:$PATH" \
	test/check.sh --host ./steps
cat >"$bin/make" <<'END_OF_MAKE'
#!/bin/sh
case " $* " in
*' clean '*) rm built ;;
*)
	[ -e built ] || echo 'a warning'
	: >built
	;;
esac
END_OF_MAKE
echo 'step host made all' >steps
for time in first second; do
	check_fails 1 "a warning fails, for the $time time" \
		env PATH="$bin:$PATH" test/check.sh --host ./steps
done
echo '! echo no compiler' >"$bin/make"
check_fails 1 "a build that fails" env PATH="$bin:$PATH" test/check.sh names
check_same "ends it all, and says so" 1 \
	"$(grep -c '^The build has failed: nothing else is run' "$check_log")"
prints "$(printf 'failed: build\n0 passed, 1 failed')" "with no other step"

# --- what is where -----------------------------------------------------------

check_same "test/README.md has a line for each folder" \
	"$(cd test && echo */)" \
	"$(sed -n 's/^| `\([a-z]*\/\)` |.*/\1/p' test/README.md | sort | xargs)"

# --- what is not there ------------------------------------------------------

for tool in /bin/* /usr/bin/*; do
	case ${tool##*/} in
	git | sudo | apt-get) ;;
	*) ln -sf "$tool" "$bin" ;;
	esac
done
echo 'none	no-such-program	this test' >test/packages
printf 'lame: none\nwell:\n' >test/needs
printf 'step lame true\nstep well true\n' >steps
printf 'lame 7\nwell 1\n' >test/expected
check_fails 1 "what cannot be installed" env PATH="$bin" \
	test/check.sh ./steps
prints '1 passed, 1 failed' "stops the step that needs it"
check_same "with one message" 1 "$(grep -c error: "$check_log")"
check_same "and a line for that step" '1/2 FAILED lame needs none' \
	"$(grep -e lame "$check_log" | grep -v failed: | xargs)"
check "a step that does not need it" env PATH="$bin" \
	test/check.sh ./steps well
check_same "asks for nothing" 0 "$(grep -c error: "$check_log")"
check_fails 2 "a name that no step has" env PATH="$bin" \
	test/check.sh ./steps typo
check_same "is told before anything is installed" \
	'test/check.sh: error: no step is called typo' "$(cat "$check_log")"
check "the style needs no git" env PATH="$bin" tools/check/checkstyle
check "nor do the documents" env PATH="$bin" tools/check/checkdoc

# --- what another program holds ----------------------------------------------

# apt-get finds a lock held twice, or for ever, and then installs.
cat >"$bin/apt-get" <<'END_OF_APT'
#!/bin/sh
echo "$*" >>calls
case " $* " in
*' --assume-no '*) exit ;;
esac
[ "$(wc -l <calls)" -gt "$(cat held)" ] || {
	echo 'E: Could not get lock /a/lock. It is held by process 1 (x)' >&2
	exit 100
}
case $* in
*install*) : >arrived ;;
esac
END_OF_APT
cat >"$bin/sudo" <<'END_OF_SUDO'
#!/bin/sh
[ "$1" != -n ] || shift
exec "$@"
END_OF_SUDO
chmod +x "$bin/apt-get" "$bin/sudo"
ln -sf /bin/true "$bin/sleep"
echo 'lock	arrived	this test' >test/packages
echo 2 >held
check "a lock is waited for" env PATH="$bin" \
	tools/build/install-packages test/packages
check_same "which is told, once, with who holds it" \
	'E: Could not get lock /a/lock. It is held by process 1 (x)' \
	"$(sed -n 's/ Waits, up to 5 minutes\.$//p' "$check_log")"
check_same "and what it asks for, is no installation" 1 \
	"$(grep -c 'Assume-Yes=0 --assume-no' calls)"
rm calls arrived
echo 1000 >held
check_fails 1 "one that stays held is an error" env PATH="$bin" \
	tools/build/install-packages test/packages
check_same "after five minutes" 61 "$(wc -l <calls)"

# An image is lost: those of its machine, which nothing can build.
rm -r test/target/*.c
check_fails 1 "unit tests without an image fail" \
	test/target/check.sh rv32 unit
check_same "and say so" 1 \
	"$(grep -c '^not ok .* there are images' "$check_log")"

finish
