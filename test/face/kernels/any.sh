# SPDX-License-Identifier: MIT
#
# test/face/kernels/any.sh - RIOT, ChibiOS/RT, Contiki-NG, NuttX and Mynewt, for
# check.sh
#
# The ports of docs/examples/kernels. RIOT, CHIBIOS, CONTIKI, NUTTX and MYNEWT
# are checkouts in which an application was built for native64, the Posix
# simulator, native, sim, or native: README.md of test says how. In the host's
# time, all but ChibiOS may be late by what the host takes. So each of these has
# a second run, in a time of its own, where RIOT may be late by a tick, and the
# others never. The self-test runs in such a time, too.

any=$here/any

# Started on a host that has been up for a month: 2^31 ms and more.
month='unshare -rT --monotonic 2592000'
if ! $month true 2>/dev/null; then
	echo "# did not run: a host that is up for a month, for want of unshare"
	month=
fi

# On a host whose time is the program's: see hosttime.h.
any_time="$any/hosttime.c -Wl,--wrap=clock_gettime,--wrap=gettimeofday"
any_time="$any_time,--wrap=timer_settime,--wrap=setitimer,--wrap=select"
any_time="$any_time,--wrap=sigsuspend,--wrap=usleep,--wrap=pm_set_lowest"
any_time="$any_time,--wrap=churn_mask,--wrap=_sim_check_for_interrupts"
any_time="$any_time,--wrap=chSchRescheduleS -DHOST_TIME"

# any_image PORTS SOURCE... FLAG... OBJECT...: makes $folder/image.
any_image() {
	any_ports=$1
	shift
	# shellcheck disable=SC2086	# a list of flags
	gcc $strict -O2 -Iinclude -Ilib/port "-I$any_ports" \
		"-DJIF_PORT=\"$any_of/jif_port.h\"" -DCONFIG_JIF_HZ=1000 \
		-DCONFIG_JIF_INITIAL_JIFFIES=0xfffffc18ul \
		-o "$folder/image" "$any_ports/$any_of/$any_of.c" \
		$here/threadx/host.c lib/*.c "$@"
}

# any_churn WHAT LATE FLAG... OBJECT...
any_churn() {
	any_what="$any_of: $1"
	any_late=$2
	shift 2
	check "$any_what: compiles" any_image docs/examples/kernels \
		$here/churn.c "$any_program" -DFARTHEST=300 \
		-DOPERATIONS="${OPERATIONS-3000000}" \
		-DMAY_BE_LATE="$any_late" "$@"
	# shellcheck disable=SC2086	# a list of words
	check "$any_what" timeout 1200 $month "$folder/image" </dev/null
	sed -n '/wakes missed/,$s/^/# /p' "$check_log"
	rm -f "$folder/image"
}

# any_test KERNEL PROGRAM FLAG... OBJECT...
any_test() {
	any_of=$1
	any_program=$2
	shift 2
	if [ "$any_of" = chibios ]; then
		any_churn "many operations" 0 "$@"
	else
		any_churn "many operations" 2 "$@"
		[ "$any_of" = riot ] && any_late=1 || any_late=0
		# shellcheck disable=SC2086	# a list of flags
		any_churn "in its own time" $any_late $any_time "$@"
	fi
	any_self_test docs/examples/kernels "$@"
	check_same "$any_of: the self-test" "self-test: 0 findings" \
		"$any_found"
	any_faults "$@"
}

# any_self_test PORTS FLAG... OBJECT...: $any_found is what it says.
any_self_test() {
	any_ports=$1
	shift
	# shellcheck disable=SC2086	# a list of flags
	any_image "$any_ports" lib/kit/selftest.c $any/selftest.c $any_time \
		"$@" 2>"$folder/message" || sed 's/^/# /' "$folder/message"
	any_found=$(timeout 60 "$folder/image" 2>&1 </dev/null |
		tr -d '\r' | grep -a '^code\|^self-test')
	rm -f "$folder/image"
}

# any_fault FUNCTION TEXT CODE FLAG... OBJECT...: with that at the begin of a
# function of the port, that code is among those found.
any_fault() {
	any_line="$1: $2"
	any_code=$3
	rm -rf "$folder/faulty"
	cp -r docs/examples/kernels "$folder/faulty"
	sed -i "/^[a-z].* $1(.*)\$/{n;s/^{/{ $2/}" \
		"$folder/faulty/$any_of/"*
	shift 3
	any_self_test "$folder/faulty" "$@"
	check_same "$any_of: the self-test finds \"$any_line\"" \
		"code $any_code" \
		"$(echo "$any_found" | grep -o "^code $any_code\>")"
}

# Contiki-NG's has no wait, and does not know handlers; nor does Mynewt's.
any_faults() {
	any_fault jif_irq_save 'return 0;' 2 "$@"
	any_fault jif_irq_restore 'return;' 3 "$@"
	any_fault jif_port_count 'return;' 8 "$@"
	any_fault jif_port_count \
		'static int n; if (++n % 4096 == 0) jif_count(-1u);' 9 "$@"
	[ "$any_of" != contiki ] || return 0
	any_fault jif_kernel_wait 'ticks++;' 15 "$@"
	any_fault jif_kernel_wait 'return;' 18 "$@"
	any_fault jif_kernel_signal 'return;' 16 "$@"
	[ "$any_of" != mynewt ] || return 0
	any_fault jif_in_irq 'return false;' 7 "$@"
}

# any_headers FOLDER...: in $kernel, each as an option.
any_headers() {
	for any_folder in "$@"; do
		echo "-isystem $kernel/$any_folder"
	done
}

# any_objects FOLDER NAME: all there but what NAME matches.
any_objects() {
	find "$1" -name '*.o' ! -path "$2"
}

# any_built KERNEL PATH: $built is the folder that holds it.
any_built() {
	built=$(find "$kernel" -path "$2" | head -n 1)
	built=${built%/*}
	[ "$built" ] || fail "$1: there is a ${2#\*/} in $kernel, built there"
	[ "$built" ]
}

riot_real() {
	kernel=$1
	any_built riot '*/bin/native64/ztimer_core/core.o' || return 0
	bin=${built%/*}
	# shellcheck disable=SC2046	# lists
	any_test riot $any/threads.c -DNATIVE_INCLUDES \
		-include "$bin/riotbuild/riotbuild.h" lib/port/kernel/kernel.c \
		$(any_headers cpu/native/include core/lib/include core/include \
			drivers/include sys/include \
			boards/common/native/include) \
		$(any_objects "$bin" '*/application_*') \
		-T"$kernel/cpu/native/ldscripts/xfa.ld" -no-pie \
		-Wl,--gc-sections -lm -lrt -lz -ldl
}

chibios_real() {
	kernel=$1
	any_built chibios '*/RT-Posix-Simulator/build/obj/chsys.o' || return 0
	# shellcheck disable=SC2046	# lists
	any_test chibios $any/threads.c -DSIMULATOR lib/port/kernel/kernel.c \
		-isystem "${built%/build/obj}/cfg" \
		$(any_headers os/common/portability/GCC \
			os/common/ports/SIMX86_64 \
			os/common/ports/SIMX86_64/compilers/GCC \
			os/hal/boards/simulator os/hal/include \
			os/hal/osal/rt-nil os/hal/ports/simulator \
			os/hal/ports/simulator/posix os/license \
			os/common/oop/include os/oslib/include os/rt/include) \
		$(any_objects "$built" '*/main.o') -Wl,--gc-sections \
		-Wl,--defsym=__main_thread_stack_base__=0 \
		-Wl,--defsym=__main_thread_stack_end__=0
}

contiki_real() {
	kernel=$1
	any_built contiki '*/hello-world/build/native/obj/process.o' || return 0
	# shellcheck disable=SC2046	# lists
	any_test contiki $any/contiki.c -DCONTIKI=1 -DCONTIKI_TARGET_NATIVE=1 \
		-Wno-implicit-fallthrough -DMAC_CONF_WITH_NULLMAC=1 \
		-DNETSTACK_CONF_WITH_NULLNET=1 -DROUTING_CONF_NULLROUTING=1 \
		$(any_headers arch/platform/native arch/cpu/native os os/net \
			arch .) \
		$(any_objects "$built" '*/hello-world.o')
}

# The objects for the host stay beside nuttx.rel, in which all others are. There
# is the application, too: its entry gives way to ours. exit() is the host's.
nuttx_real() {
	kernel=$1
	any_built nuttx '*/arch/sim/src/nuttx.rel' || return 0
	# shellcheck disable=SC2046	# lists
	any_test nuttx $any/threads.c -D__NuttX__ -D_exit=exit \
		lib/port/kernel/kernel.c $(any_headers include) \
		"$built"/sim_h*.o "$built/sim_errno.o" "$built/nuttx.rel" \
		-T "$built/nuttx.ld" -no-pie -Wl,-Ttext-segment=0x40000000 \
		-Wl,-z,muldefs -Wl,--gc-sections -lm -lrt -lz
}

mynewt_real() {
	kernel=$1
	any_built mynewt '*/generated/include/syscfg/syscfg.h' || return 0
	target=${built%/generated/*}
	# shellcheck disable=SC2046	# lists
	any_test mynewt $any/threads.c -DMYNEWT lib/port/kernel/kernel.c \
		-isystem "$target/generated/include" \
		$(any_headers kernel/os/include \
			kernel/os/include/os/arch/sim hw/hal/include \
			hw/mcu/native/include sys/defs/include \
			sys/sys/include sys/sysdown/include \
			sys/sysinit/include boot/split/include) \
		$(any_objects "$target/app" '*/main.o') \
		-Wl,--wrap=os_time_advance,--gc-sections
}
