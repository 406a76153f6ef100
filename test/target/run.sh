#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/target/run.sh ARCH IMAGE
#
# Runs an image on the emulated machine of that ARCH; its console is the
# standard output, its result the exit status. Time is emulated: it is the same
# on every run, and idle time costs next to nothing.
set -u

arch=$1
image=$2
limit=${TARGET_TIMEOUT:-100}

need() {
	command -v "$1" >/dev/null || {
		echo "$0: error: there is no $1: apt-get install $2" >&2
		exit 2
	}
}

# An instruction takes 2^shift_ns nanoseconds.
shift_ns=${TARGET_SHIFT:-5}

qemu() {
	system=$1
	need "qemu-system-$system" "$2"
	shift 2
	exec timeout "$limit" "qemu-system-$system" "$@" -kernel "$image" \
		-rtc clock=vm -display none -monitor none -serial stdio
}

cortex_m() {
	qemu arm qemu-system-arm -M "$1" -icount "shift=$shift_ns,sleep=off" \
		-semihosting-config enable=on,target=native
}

case $arch in
arm-cortex-m0) cortex_m microbit ;;
arm-cortex-m3) cortex_m mps2-an385 ;;
arm-cortex-m4) cortex_m mps2-an386 ;;
rv32)
	qemu riscv32 qemu-system-misc -M virt -bios none \
		-icount "shift=$shift_ns,sleep=off"
	;;
avr) exec timeout "$limit" build/host/test/target/avr/atmega328p "$image" ;;
*)
	echo "$0: error: there is no machine for $arch" >&2
	exit 2
	;;
esac
