#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each public header compiles alone, twice in a row, as C11 and as C++17, with
# both compilers and for each target; and the library without any build system.
set -u
. test/lib.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$check_log"' EXIT
strict='-Wall -Wextra -Wpedantic -Wundef -Werror -fsyntax-only -Iinclude'

for header in include/jif/*.h; do
	name=${header#include/}
	printf '#include <%s>\n#include <%s>\nint one_thing;\n' \
		"$name" "$name" >"$folder/alone.c"
	cp "$folder/alone.c" "$folder/alone.cc"
	for cc in gcc clang; do
		check "$name as C11 ($cc)" $cc -std=c11 -Wconversion \
			-Wstrict-prototypes $strict "$folder/alone.c"
	done
	for cxx in g++ clang++; do
		check "$name as C++17 ($cxx)" $cxx -std=c++17 \
			-Wconversion $strict "$folder/alone.cc"
	done
	for cc in arm-none-eabi-gcc riscv64-unknown-elf-gcc avr-gcc; do
		check "$name as C11 ($cc)" $cc -std=c11 -ffreestanding \
			$strict "$folder/alone.c"
	done
done

check "the sources, dropped into a project" \
	gcc -std=c11 -Wall -Wextra -Werror -Iinclude -shared -fPIC \
	-o "$folder/dropped.so" lib/*.c

check "the empty port, filled in by nobody" \
	gcc -std=c11 -Wall -Wextra -Werror -Iinclude -shared -fPIC \
	-DJIF_PORT='"template/jif_port.h"' \
	-o "$folder/template.so" lib/*.c lib/port/template/template.c

# A product that includes all headers and uses the macros, as C++17.
cat >"$folder/product.cc" <<'END'
#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/port.h>
#include <jif/sched.h>
#include <jif/sim.h>
#include <jif/trace.h>
#include <jif/wheel.h>
#include <jif/work.h>

struct Object {
	int payload;
	struct jif_timer timer;
};

static int sum;

static void fire(struct jif_timer *timer)
{
	sum += jif_container_of(timer, Object, timer)->payload;
}

static void work_on(struct jif_work *)
{
	sum++;
}

static struct jif_timer statically = JIF_TIMER_INIT(fire);
static struct jif_work work = JIF_WORK_INIT(work_on, 1);
static struct jif_event event = JIF_EVENT_INIT;

int main()
{
	static struct jif_wheel wheel;
	static Object object = { 42, JIF_TIMER_INIT(fire) };

	(void)statically;
	jif_wheel_init(&wheel, jif_now());
	if (jif_timer_add(&wheel, &object.timer, jif_now() + 10))
		return 1;
	jif_wheel_run(&wheel, jif_now() + 10);
	jif_event_wake(&event);
	static struct jif_sched sched;
	jif_sched_init(&sched, &wheel, nullptr, nullptr);
	jif_work_queue(&sched.work, &work);
	jif_sched_run(&sched);
	return sum != 43;
}
END
check "a C++17 product compiles and links" g++ -std=c++17 -Wall -Wextra \
	-Werror -Iinclude -o "$folder/product" "$folder/product.cc" \
	build/host/libjif.a
check "a C++17 product runs" "$folder/product"

finish
