#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/port/host/run.sh systick|mtime [FLAG]...
#
# Compiles a port's source for the host, as it is, beside a model of its timer's
# registers, and calls it in every phase of the timer: see machine.h. The exit
# status is 1 if something is wrong, and 2 if it does not compile. KEEP in the
# environment is a folder for what is compiled, which stays.
set -u
. tools/build/scratch.sh
model=$1
shift
irq=
case $model in
systick) port=lib/port/cortex-m/cortex_m.c ;;
mtime) port=lib/port/riscv/riscv.c irq=lib/port/riscv/irq.c ;;
*)
	echo "$0: error: there is no model $model" >&2
	exit 2
	;;
esac
work=${KEEP:-$folder}

compile() {
	gcc -std=c11 -O1 -g -Wall -Wextra -Wno-unused-parameter -Iinclude \
		-DCONFIG_JIF_CLOCK_HZ=400000 \
		'-DJIF_PORT="../../test/port/host/jif_port.h"' "$@"
}

compile "$@" -fsanitize=thread --param tsan-distinguish-volatile=1 \
	-c -o "$work/port.o" "$port" &&
	compile "$@" -o "$work/sweep" "$work/port.o" lib/jiffies.c $irq \
		test/port/host/machine.c test/port/host/sweep.c \
		"test/port/host/$model.c" || exit 2
timeout 600 "$work/sweep"
