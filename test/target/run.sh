#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/run.sh ARCH IMAGE
#
# Runs an image on the emulated machine of that ARCH; its console is the
# standard output, its result the exit status. Time is emulated: it is the same
# on every run, and idle time costs next to nothing.
#
# After TARGET_LIMIT instructions (on AVR: cycles), not counting sleep, the
# machine says so and ends with the status 3. What can not get there, as it
# sleeps for good, is stopped in half an hour, with the status 124: it depends
# on the machine that runs the tests, and so is never a result.
set -u

arch=$1
image=$2
limit=${TARGET_LIMIT:-20000000000}

# An instruction takes 2^shift_ns nanoseconds.
shift_ns=${TARGET_SHIFT:-5}

# emulator PROGRAM: of ours; `make tests` has built it, maybe of another text.
emulator() {
	emulator=build/host/test/target/$1
	[ "$emulator" -nt "test/target/${1%.so}.c" ] ||
		env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
			make -s ARCH=host O=build/host "$emulator" >&2 || exit 2
}

qemu() {
	emulator qemu/limit.so
	exec timeout 1800 "$@" -kernel "$image" -rtc base=2026-01-01,clock=vm \
		-icount "shift=$shift_ns,sleep=off" \
		-plugin "$emulator,most=$limit" \
		-display none -monitor none -serial stdio
}

cortex_m() {
	qemu qemu-system-arm -M "$1" \
		-semihosting-config enable=on,target=native
}

case $arch in
arm-cortex-m0) cortex_m microbit ;;
arm-cortex-m3) cortex_m mps2-an385 ;;
arm-cortex-m4) cortex_m mps2-an386 ;;
rv32) qemu qemu-system-riscv32 -M virt -bios none ;;
avr)
	emulator avr/atmega328p
	exec timeout 1800 env TARGET_LIMIT="$limit" "$emulator" "$image"
	;;
*)
	echo "$0: error: there is no machine for $arch" >&2
	exit 2
	;;
esac
