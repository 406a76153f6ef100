# SPDX-License-Identifier: MIT
#
# test/face/kernels/freertos.sh - FreeRTOS, for check.sh
#
# FREERTOS is a folder in which FreeRTOS' kernel was built by its own
# CMakeLists.txt and make, once or several times, with freertos/FreeRTOSConfig.h
# as its configuration: the POSIX simulator, or the port to ARM_CM3, which runs
# on QEMU's mps2-an385. What it was built with, flags.make says. The library has
# FreeRTOS' timers: where jif's are tried, the kernel calls those.
#
# Where TimerDemo.o is beside a library, FreeRTOS' demonstration compiled with
# include/jif/face/freertos in front, it runs, too.

freertos=$here/freertos
freertos_make=CMakeFiles/freertos_kernel.dir/flags.make
freertos_jif="$(echo lib/*.c lib/firmware/*.c) lib/port/kernel/kernel.c
	lib/port/freertos/freertos.c"
freertos_timers="-Iinclude/jif/face/freertos lib/face/freertos/timers.c"
freertos_take=-Wl,--defsym=xTimerCreateTimerTask=jif_xTimerCreateTimerTask
freertos_port='-DJIF_PORT="freertos/jif_port.h"'

# The simulator's tick is that of the machine: where other programs take their
# turns, callbacks are as late as they like.
real_time='chrt -f 1'
$real_time true 2>/dev/null || real_time=

# freertos_on BOARD FLAG... SOURCE...: makes $folder/image, with the library of
# $built, whose headers are not held to the warnings of jif.
freertos_on() {
	board=$1
	shift
	rm -f "$folder/image"
	# shellcheck disable=SC2046,SC2086	# lists
	case $board in
	stand-in)
		gcc $strict -O1 "$freertos_port" -I$freertos/stand-in \
			-I$freertos -Itest/tools/docs/examples/stand-in \
			-Iinclude -o "$folder/image" "$@" $freertos_jif \
			$freertos_timers $freertos/stand-in/freertos.c \
			test/tools/docs/examples/stand-in/threads.c
		;;
	posix)
		gcc $strict -O2 -pthread "$freertos_port" -Iinclude \
			-Wl,--wrap=pthread_attr_setstacksize \
			$(freertos_flags) -o "$folder/image" "$@" \
			$freertos/posix.c $freertos_jif \
			${own-$freertos_timers $freertos_take} \
			$(freertos_libraries)
		;;
	cm3)
		arm-none-eabi-gcc $strict -Os -mcpu=cortex-m3 -mthumb \
			-ffreestanding -nostdlib -ffunction-sections \
			-fdata-sections -Wl,--gc-sections -Iinclude \
			-Itest/target/include "$freertos_port" \
			-T test/target/mps2.ld $(freertos_flags) \
			-o "$folder/image" "$@" $freertos/cm3.c \
			test/target/mps2.c test/target/cortex-m.c \
			test/target/print.c test/target/string.c $freertos_jif \
			${own-$freertos_timers $freertos_take} \
			$(freertos_libraries) -lgcc
		;;
	esac
}

# The folders of headers and the macros with which $built was built.
freertos_flags() {
	sed -n 's/^C_INCLUDES = //p' "$built/$freertos_make" |
		sed -E 's/(^| )-I/\1-isystem /g'
	freertos_macros
}

freertos_macros() {
	sed -n 's/^C_[DF][A-Z]* = //p' "$built/$freertos_make" |
		grep -o -- '-D[^ ]*'
}

# Up to V11.0, the port has one of its own.
freertos_libraries() {
	echo -Wl,--start-group \
		"$(find "$built" -name 'libfreertos_kernel*.a')" \
		-Wl,--end-group
}

# freertos_run [SHIFT]: an instruction takes 2^SHIFT nanoseconds. What a program
# has when it ends is no leak.
freertos_run() {
	if [ "$board" = stand-in ]; then
		(ulimit -t 30 && ASAN_OPTIONS=detect_leaks=0 "$folder/image")
	elif [ "$board" = posix ]; then
		# shellcheck disable=SC2086	# words
		timeout 300 $real_time "$folder/image"
	else
		timeout 300 qemu-system-arm -M mps2-an385 -kernel \
			"$folder/image" -icount "shift=${1-5},sleep=off" \
			-semihosting-config enable=on,target=native \
			-display none -monitor none -serial stdio
	fi
}

# freertos_test NAME BOARD FLAG... SOURCE...
freertos_test() {
	name="FreeRTOS, $2${macros:+ $macros}: $1"
	shift
	check "$name compiles" freertos_on "$@"
	check "$name" freertos_run
	sed 's/^/# /' "$check_log"
}

# On Linux, the time at which the machine lets it run is another one.
freertos_example() {
	name="FreeRTOS, $1${macros:+ $macros}"
	check "$name: docs/examples/freertos.c compiles" \
		freertos_on "$1" $freertos/button.c docs/examples/freertos.c
	[ "$1" = posix ] && times='s/^ *[0-9]*/ time/' || times=
	check_same "$name: it does what it says" "$(
		sed "$times" <<-END
			    0: a reading
			  400: a reading
			  800: a reading
			 1221: the button is pressed
			 1801: the sensor is silent
		END
	)" "$(freertos_run | sed "$times")"
}

# What the stand-in does, FreeRTOS does.
freertos_rows() {
	: >"$folder/rows"
	freertos_on "$@" $freertos/rows.c &&
		freertos_run >"$folder/rows" 2>"$folder/message" ||
		sed 's/^/# /' "$folder/message"
	check_same "FreeRTOS, $1${macros:+ $macros}: \
the rows are those of rows.out" \
		"$(cat $freertos/rows.out)" "$(cat "$folder/rows")"
}

# freertos_lines WHO: those of scenarios.table.
freertos_lines() {
	awk -F '\t' -v who="$1" '/^#/ { next }
		{ for (i = split($2, says, " "); i; i--)
			if (says[i] == "all" || index(who, says[i]) == 1) {
				print $1 ": " $3
				break
			} }' $freertos/scenarios.table
}

# freertos_scenarios WHO BOARD FLAG...: ticks come where the scenario asks.
freertos_scenarios() {
	who=$1
	shift
	: >"$folder/lines"
	freertos_on "$@" $freertos/scenarios.c &&
		freertos_run >"$folder/lines" 2>"$folder/message" ||
		sed 's/^/# /' "$folder/message"
	awk '/^- / { name = $2; next } { print name " " $0 }' \
		"$folder/lines" >"$folder/said"
	check_same "FreeRTOS, $1${macros:+ $macros}: the scenarios are those \
that scenarios.table has of $who" "" \
		"$(freertos_lines "$who" | diff - "$folder/said")"
}

# Of a version that was not recorded, the lines of the last one are expected.
freertos_version() {
	freertos_flags | tr ' ' '\n' | grep ^/ |
		sed 's|$|/task.h|' | xargs cat 2>"$folder/message" |
		sed -n 's/^#define tskKERNEL_VERSION_NUMBER *"\(.*\)"/\1/p'
}

freertos_scenarios_real() {
	recorded=$(sed -n 's/^# recorded //p' $freertos/scenarios.table)
	version=$(freertos_version)
	case " $recorded " in
	*" $version "*) ;;
	*)
		echo "# not in scenarios.table: $version"
		version=${recorded##* }
		;;
	esac
	freertos_scenarios jif "$1"
	own=
	freertos_scenarios "$version" "$1"
	unset own
}

# Each difference is in the page.
freertos_reasons() {
	tr -s '\n ' ' ' <docs/kernels.md >"$folder/page"
	awk -F '\t' '!/^#/ && $2 != "all" { print $4 }' \
		$freertos/scenarios.table | sort -u | while read -r reason; do
		grep -qF "${reason:-(none)}" "$folder/page" ||
			echo "$reason"
	done
}

# What they cost, on jif and as FreeRTOS has them.
freertos_figures() {
	freertos_on cm3 $freertos/figures.c &&
		freertos_run 10 >"$folder/figures" || return
	arm-none-eabi-size "$folder/image" | awk 'NR == 2 {
		print "bytes of flash: " $1 + $2
		print "bytes of static RAM: " $2 + $3 }'
	cat "$folder/figures"
}

# differ COLUMN <FIGURES: those of docs/kernels.md that are a tenth off.
freertos_differ() {
	awk -F ': ' '/started: 100$/ { on = 1 }
		on && /handler|causes|callback/ { print $2 }' >"$folder/is"
	sed -n '/^| a handler starts a timer/,/^| until the last/p' \
		docs/kernels.md | tr -d , | awk -F '|' -v column="$1" \
		'{ print $column }' | paste - "$folder/is" |
		awk 'NF != 2 || $1 > 1.1 * $2 || $2 > 1.1 * $1
			END { if (NR != 6) print NR " figures" }'
}

# freertos_sizes OWN JIF: the same of the rows that are differences.
freertos_sizes() {
	paste -d : "$1" "$2" | awk -F : '
		/^bytes of flash/ { print "flash", $4 - $2 }
		/^bytes of (static RAM|the heap)/ { ram += $4 - $2 }
		END { print "RAM,", ram }' >"$folder/is"
	awk '/^\| (flash|RAM), / { gsub(/[+,]/, ""); print $(NF - 1) }' \
		docs/kernels.md | paste -d ' ' "$folder/is" - |
		awk '$2 > 1.1 * $3 || $3 > 1.1 * $2
			END { if (NR != 2 || NF != 3) print NR " sizes" }'
}

freertos_compare() {
	check "FreeRTOS: figures, of jif's timers" freertos_figures
	cp "$check_log" "$folder/jif"
	check_same "FreeRTOS, -Os: jif's are those of docs/kernels.md" "" \
		"$(freertos_differ 4 <"$folder/jif")"
	own=
	check "FreeRTOS: figures, of its own timers" freertos_figures
	check_same "FreeRTOS, -Os: its own are those of docs/kernels.md" "" \
		"$(freertos_differ 3 <"$check_log")"
	check_same "FreeRTOS, -Os: so are the sizes" "" \
		"$(freertos_sizes "$check_log" "$folder/jif")"
	unset own
	paste -d '|' "$check_log" "$folder/jif" | awk -F '[:|]' '
		{ printf "# %-48s FreeRTOS %6d  jif %6d\n", $1, $2, $4 }'
}

# The button is pressed by the hook of the tick, which leaves ticks out while a
# tickless kernel sleeps.
freertos_programs() {
	case $macros in
	*TICKLESS=1*) echo "# did not run: docs/examples/freertos.c" ;;
	*) freertos_example "$1" ;;
	esac
	freertos_rows "$1"
	if [ -e "$built/TimerDemo.o" ]; then
		freertos_test TimerDemo.c "$1" -Wl,--wrap=jif_xTimerStart \
			$freertos/demo.c "$built/TimerDemo.o"
	else
		echo "# did not run: TimerDemo.c, for want of" \
			"$built/TimerDemo.o"
	fi
	for spread in 0 4; do
		freertos_test "10^6 operations, SPREAD $spread" "$1" \
			-DCONFIG_JIF_SPREAD=$spread $freertos/stress.c
	done
}

freertos_real() {
	found='' compared=''
	for built in $(find "$1" -path "*/$freertos_make"); do
		built=${built%/"$freertos_make"}
		macros=$(freertos_macros | tr '\n' ' ')
		macros=${macros% }
		found=1
		sed -n "s|^C_FLAGS =|# $built was built with|p" \
			"$built/$freertos_make"
		case $macros$(sed -n '/^C_INCLUDES/s/$/ /p' \
			"$built/$freertos_make") in
		*SCENARIOS*/GCC/Posix\ *) freertos_scenarios_real posix ;;
		*SCENARIOS*/GCC/ARM_CM3\ *) freertos_scenarios_real cm3 ;;
		*/GCC/Posix\ *) freertos_programs posix ;;
		*/GCC/ARM_CM3\ *)
			freertos_programs cm3
			freertos_test "10^6 operations, debug" cm3 \
				-DCONFIG_JIF_DEBUG=1 $freertos/stress.c
			[ "$macros" ] || {
				compared=1
				freertos_compare
			}
			[ "$macros" != -DSTACK=128 ] || {
				own=
				product freertos 4
				unset own
			}
			;;
		*) fail "$built is of the port GCC_POSIX or GCC_ARM_CM3" ;;
		esac
	done
	[ "$found" ] || fail "FreeRTOS was built by CMake and make in $1"
	[ "$compared" ] || fail "the figures of docs/kernels.md were compared: \
by a build for GCC_ARM_CM3, -Os, without macros"
}

# The same small product, bare on jif's scheduler and on FreeRTOS.
product=$here/product

product_on_jif() {
	board=cm3
	arm-none-eabi-gcc $strict -Os -g -mcpu=cortex-m3 -mthumb \
		-ffreestanding -nostdlib -ffunction-sections -fdata-sections \
		-Wl,--gc-sections -Iinclude -Itest/target/include \
		-DCONFIG_JIF_PORT_VECTOR=0 -DCONFIG_JIF_CLOCK_HZ=25000000 \
		-T test/target/mps2.ld -o "$folder/image" $product/jif.c \
		test/target/mps2.c test/target/cortex-m.c \
		test/target/print.c test/target/string.c lib/*.c \
		lib/firmware/*.c \
		lib/port/cortex-m/*.c -lgcc &&
		freertos_run >"$folder/product"
}

product_on_freertos() {
	freertos_on cm3 -g $product/freertos.c &&
		freertos_run >"$folder/product"
}

# Of the image, without the board; what FreeRTOS allocates counts as RAM.
product_figures() {
	heap=$(sed -n 's/^bytes of the heap: //p' "$folder/product")
	arm-none-eabi-nm -S -l -t d "$folder/image" |
		awk -v heap="${heap:-0}" '
			NF < 4 || /test.target.|cm3\.c:|ucHeap/ { next }
			$3 ~ /[tTrRdDW]/ { flash += $2 }
			$3 ~ /[dDbB]/ { ram += $2 }
			END { print flash; print ram + heap }'
	sed -n 's/^instructions from.*: //p' "$folder/product"
}

# product KERNEL COLUMN: that of docs/scheduler.md, from which no figure may be
# a tenth off.
product() {
	check "a product on $1" "product_on_$1"
	check_same "a product on $1: what it does" "sampled a: 600
sampled b: 240
pressed: 6
menu on: 6
menu off: 6
sent: 1050
acked: 735
lost: 105" \
		"$(sed '/heap\|instructions/d; s/,.*//' "$folder/product")"
	product_figures >"$folder/is"
	sed 's/^/# /' "$folder/is"
	check_same "a product on $1: its figures" "" "$(
		sed -n '/^| a product/,$p' docs/scheduler.md | tr -d , |
			awk -F '|' -v column="$2" 'NR > 2 { print $column }' |
			paste - "$folder/is" | awk 'NF != 2 || $1 > 1.1 * $2 ||
				$2 > 1.1 * $1'
	)"
}

freertos_no_port() {
	echo '#include <jif/wheel.h>' |
		gcc -std=c11 -Iinclude -I$freertos -I$freertos/stand-in "$@" \
			-fsyntax-only -x c - 2>"$folder/message" ||
		grep 'error.*a kernel that preempts' "$folder/message"
}

freertos_stand_in() {
	macros=
	product jif 3
	check "FreeRTOS: a host build without a port ends" \
		test -n "$(freertos_no_port)"
	check_same "FreeRTOS: one that asks for none does not" "" \
		"$(freertos_no_port '-DJIF_PORT="none/jif_port.h"')"
	freertos_example stand-in
	for macros in -DNOTIFICATIONS=1 -DNOTIFICATIONS=2; do
		freertos_rows stand-in $macros -fsanitize=address,undefined
		freertos_test "a handler at each place" stand-in $macros \
			$freertos/sweep.c
	done
	for macros in "-DSCENARIOS=32 -DNOTIFICATIONS=1" -DSCENARIOS=16; do
		# shellcheck disable=SC2086	# flags
		freertos_scenarios jif stand-in $macros \
			-fsanitize=address,undefined
	done
	check_same "FreeRTOS: what differs is in docs/kernels.md" "" \
		"$(freertos_reasons)"
	macros=
	for spread in 0 4; do
		freertos_test "10^6 operations, SPREAD $spread" stand-in \
			-DOPERATIONS="${OPERATIONS:-1000000}" -DLATE=0 \
			-DCONFIG_JIF_SPREAD=$spread $freertos/stress.c
	done
}
