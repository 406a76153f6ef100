# SPDX-License-Identifier: MIT
#
# test/firings.sh - what the checks of other configurations share: sourced by
# them, after test/lib.sh
#
# An option of the engine may change where timers wait and how often they are
# moved; when they run, and in which order, is to stay the same.

unset MAKEFLAGS MFLAGS MAKELEVEL
jobs=-j$(nproc 2>/dev/null || echo 2)
folder=$(mktemp -d)
# shellcheck disable=SC2154 # check_log is that of test/lib.sh
trap 'rm -rf "$folder" "$check_log"' EXIT
LC_ALL=C
export LC_ALL

# configure OUT OPTION VALUE: a build folder with a changed configuration.
configure() {
	mkdir -p "$1"
	{
		grep -v "CONFIG_JIF_$2[= ]" tools/kbuild/configs/host_defconfig
		echo "CONFIG_JIF_$2=$3"
	} >"$folder/config"
	cmp -s "$folder/config" "$1/.config" || cp "$folder/config" "$1/.config"
}

# build OUT PROGRAM...
build() {
	out=$1
	shift
	for program; do
		set -- "$@" "$out/$program"
		shift
	done
	check "$out builds without a warning" \
		make -s "$jobs" O="$out" W=1 CFLAGS=-Werror "$@"
}

# sanitized OUT NAME: the suites of the wheel.
sanitized() {
	check "$1 builds" make -s "$jobs" SAN=1 O="$1" "$1/test/unit/unit"
	check "$2: unit, with the sanitizers" "$1/test/unit/unit" "$jobs" \
		--filter 'wheel*/*'
	grep -a 'Synthesis' "$check_log"
}

# What is there to see in any configuration: not how often, where and when
# something was moved, nor the drawings of the wheels, nor the count of
# expectations.
figures() {
	sed -e '/^cascaded /d' -e '/^placed anew /d' -e '/^worst tick /d' \
		-e '/^moves /d' -e '/^expectations /d' \
		-e '/"type":"wheels"/d' -e '/pending, next in/d' \
		-e '/^ *v$/d' -e '/^ *\(day\|hour\|min\|sec\) .* [0-9]*$/d' \
		-e 's/"cascaded":{[^}]*}//' -e 's/"met":.*//' \
		-e 's/"worst[a-z_]*":[^,}]*//g' "$@"
}

# Of the expectations, those that are about places and stops.
complaints() {
	sed -e "/expectation failed: timer '.*' is in .* want /d" \
		-e "/expectation failed: timer '.*' waited in /d" \
		-e '/expectation failed: the next stop is in /d' "$@"
}

same_firings() {
	name=$1
	shift
	"$@" >"$folder/out" 2>"$folder/err" </dev/null
	[ $? -lt 2 ] || return 1
	cp "$name.out" "$folder/want"
	: >"$folder/want.err"
	[ ! -f "$name.err" ] || cp "$name.err" "$folder/want.err"
	for file in out want; do
		figures "$folder/$file" >"$folder/$file.figures"
	done
	for file in err want.err; do
		complaints "$folder/$file" >"$folder/$file.figures"
	done
	diff -u "$folder/want.figures" "$folder/out.figures" &&
		diff -u "$folder/want.err.figures" "$folder/err.figures"
}

# The scenario says with which options it is to be run.
scenario() {
	options=$(sed -n 's/^# options: //p' "$2.scn" | tr -d '\r' | head -n 1)
	# shellcheck disable=SC2086 # the options are words
	same_firings "$2" "$1" run $options "$2.scn"
}

# scenarios OUT NAME: all of them, and the recorded trace.
scenarios() {
	jifsim=$PWD/$1/jifsim
	home=$PWD
	cd test/sim || return
	for file in scenarios/*.scn; do
		check "$2: ${file%.scn}" scenario "$jifsim" "${file%.scn}"
	done
	check "$2: traces/small" same_firings traces/small \
		"$jifsim" replay --all --wheels traces/small.csv
	check "$2: traces/small-json" same_firings traces/small-json \
		"$jifsim" replay --json traces/small.csv
	check "$2: traces/linux-tcp" same_firings traces/linux-tcp \
		"$jifsim" replay traces/linux-tcp.csv.gz
	cd "$home" || return
	check_same "$2: each expiry of the recording on its exact tick" \
		"fires      102,218, 0 off their exact tick" \
		"$(grep '^fires ' "$folder/out")"
}
