# SPDX-License-Identifier: MIT
#
# test/face/kernels/threadx.sh - Eclipse ThreadX, for check.sh
#
# THREADX is a checkout in which ThreadX was built by its own CMakeLists.txt,
# for linux/gnu, cortex_m3/gnu or both, whatever the folders are called. What
# was built with TX_PORT_USE_BASEPRI or TX_TIMER_PROCESS_IN_ISR is asked for by
# THREADX_FLAGS. The programs run on Linux and on QEMU's mps2-an385.

threadx=$here/threadx
threadx_jif="$(echo lib/*.c lib/firmware/*.c) lib/port/kernel/kernel.c
	lib/port/threadx/threadx.c"
threadx_port='-DJIF_PORT="threadx/jif_port.h"'
threadx_host="-O2 -DMAY_BE_LATE=1 -DFARTHEST=300 $threadx/host.c"

# threadx_on BOARD FLAG... SOURCE...: makes $folder/image.
threadx_on() {
	board=$1
	shift
	# shellcheck disable=SC2046,SC2086	# lists
	case $board in
	stand-in)
		gcc $strict -Iinclude -I$threadx/stand-in "$threadx_port" \
			-DFIRST_TICK=0xffffff9cu -DSPARSE=true \
			-DOPERATIONS=50000 $threadx_host -o "$folder/image" \
			"$@" $threadx/stand-in/threadx.c $threadx_jif \
			test/tools/docs/examples/stand-in/threads.c
		;;
	linux)
		gcc $strict -Iinclude $(threadx_headers linux) "$threadx_port" \
			-DCONFIG_JIF_HZ=100 -DFIRST_TICK=0xffffff9cu \
			-DOPERATIONS=5000000 $threadx_host -pthread \
			-Wl,--wrap=_tx_timer_interrupt -o "$folder/image" \
			"$@" $threadx/linux.c $threadx_jif "$library"
		;;
	cortex_m3)
		arm-none-eabi-gcc $strict -Os -mcpu=cortex-m3 -mthumb \
			-ffreestanding -nostdlib -ffunction-sections \
			-fdata-sections -Wl,--gc-sections -Iinclude \
			-Itest/target/include $(threadx_headers cortex_m3) \
			-T test/target/mps2.ld "$threadx_port" \
			-DTX_TIMER_TICKS_PER_SECOND=1000 \
			-DFIRST_TICK=0xffffff9cu -o "$folder/image" "$@" \
			$threadx/mps2.c test/target/mps2.c \
			test/target/cortex-m.c test/target/print.c \
			test/target/string.c $threadx_jif "$library" -lgcc
		;;
	esac
}

threadx_headers() {
	user=$(dirname "$library")/custom_inc
	[ -e "$user" ] && echo "-DTX_INCLUDE_USER_DEFINE_FILE -isystem $user"
	echo "-isystem $kernel/common/inc -isystem $kernel/ports/$1/gnu/inc" \
		"${THREADX_FLAGS-}"
}

threadx_run() {
	case $board in
	cortex_m3)
		timeout 300 qemu-system-arm -M mps2-an385 -kernel \
			"$folder/image" -icount shift=5,sleep=off \
			-semihosting-config enable=on,target=native \
			-display none -monitor none -serial stdio
		;;
	*) timeout 300 "$folder/image" ;;
	esac
}

# threadx_test NAME BOARD FLAG... SOURCE...
threadx_test() {
	name=$1
	shift
	check "ThreadX, $1: $name compiles" threadx_on "$@"
	check "ThreadX, $1: $name" threadx_run
	grep -v '^ok' "$check_log" | sed 's/^/# /'
}

threadx_programs() {
	check "ThreadX, $1: rows.c compiles" threadx_on "$1" $threadx/rows.c
	check_same "ThreadX, $1: the rows are as recorded" \
		"a sleep of none takes: 0
of 1: 1
of 2: 2
of 31: 31
of 32: 32
of 33: 33
of 100: 100
the result of a sleep: 0
aborting one: 0
runs it at once, with: 26
and now: 0
aborting none: 27
aborting in a handler: 0
that one had: 26" "$(threadx_run)"
	check "ThreadX, $1: docs/examples/threadx.c compiles" \
		threadx_on "$1" -Itest/tools/docs/examples/stand-in \
		$threadx/button.c docs/examples/threadx.c
	[ "$1" = linux ] && tick=10 || tick=1
	check_same "ThreadX, $1: it does what it says" "    0: a reading
  400: a reading
  800: a reading
 $((1230 + tick)): the button is pressed
 $((1800 + tick)): the sensor is silent" "$(threadx_run)"
	for spread in 0 4; do
		threadx_test "many operations, SPREAD $spread" "$1" \
			-DCONFIG_JIF_SPREAD=$spread $threadx/churn.c \
			$here/churn.c
	done
}

# The interrupts of the port; before the kernel has started, too.
threadx_interrupts() {
	arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -ffreestanding -Iinclude \
		-Itest/target/include $(threadx_headers cortex_m3) \
		"$threadx_port" -DTX_TIMER_TICKS_PER_SECOND=1000 \
		-Dmain=run_tests -c -o "$folder/runner.o" test/target/runner.c
	for early in 0 1; do
		threadx_test "interrupts, early $early" cortex_m3 \
			-DEARLY=$early $threadx/port.c "$folder/runner.o" \
			test/port/port.c test/port/irq.c
	done
}

threadx_real() {
	kernel=$1
	found=
	for library in $(find "$kernel" -name libthreadx.a); do
		case $(objdump -f "$library" 2>&1 | grep -m 1 architecture) in
		*x86-64*) threadx_programs linux ;;
		*arm* | *UNKNOWN*)
			threadx_programs cortex_m3
			threadx_interrupts
			threadx_test "figures" cortex_m3 $threadx/cost.c
			;;
		esac
		found=1
	done
	[ "$found" ] || fail "there is a libthreadx.a in $kernel, built there"
}

threadx_stand_in() {
	threadx_programs stand-in
}
