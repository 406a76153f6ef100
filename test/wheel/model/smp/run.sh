#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/wheel/model/smp/run.sh SPINLOCK OPERATIONS
#
# Two threads are the cores, under ThreadSanitizer, with the lock of SPINLOCK:
# 0, tickets. The exit status is 2 if it does not compile. In the environment,
# KEEP is a folder where the engine stays compiled, LIMIT is the processor time.
set -u
. tools/build/scratch.sh
engine=${KEEP:-$folder}/engine.o
TSAN_OPTIONS=halt_on_error=1
export TSAN_OPTIONS

compile() {
	gcc -std=gnu11 -g -O1 -fsanitize=thread -pthread -Wall -Wextra \
		-Werror -Wno-unused -DCONFIG_JIF_SMP=1 -DCONFIG_JIF_DEBUG=1 \
		-I. -Iinclude -include test/wheel/model/smp/host.h "$@"
}

[ -e "$engine" ] || compile -r -nostdlib -o "$engine" lib/wheel*.c \
	lib/jiffies.c lib/firmware/table.c lib/timer_delay.c lib/debug.c \
	lib/panic.c \
	test/wheel/model/smp/smp.c || exit 2
compile -DCONFIG_JIF_SMP_SPINLOCK="$1" -o "$folder/smp" lib/port/smp/smp.c \
	"$engine" || exit 2

# Other than with a mistake, ten million operations take minutes.
ulimit -t "${LIMIT-600}"

# ThreadSanitizer does not start where addresses are more random than it knows.
launch=
! "$folder/smp" 0 2>&1 | grep -q 'unexpected memory mapping' ||
	launch='setarch -R'
$launch "$folder/smp" "$2" 2>&1
