#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each public header compiles alone, twice in a row, as C11, as C++17 and for
# a target, and all of them with each compiler; and the library without any
# build system: each target gets its port, and what the README says to link is
# all there.
set -u
. test/lib.sh

strict='-Wall -Wextra -Wpedantic -Wundef -Wshadow -Werror -fsyntax-only
	-Iinclude'

for header in include/jif/*.h include/jif/*/*.h include/jif/face/linux/*.h; do
	name=${header#include/}
	printf '#include <%s>\n#include <%s>\nint one_thing;\n' \
		"$name" "$name" >"$folder/alone.c"
	cp "$folder/alone.c" "$folder/alone.cc"
	check "$name as C11 (gcc)" gcc -std=c11 -Wconversion \
		-Wstrict-prototypes $strict "$folder/alone.c"
	check "$name as C++17 (g++)" g++ -std=c++17 -Wconversion \
		$strict "$folder/alone.cc"
	check "$name as C11 (avr-gcc)" avr-gcc -std=c11 -ffreestanding \
		$strict "$folder/alone.c"
	echo "#include <$name>" >>"$folder/all.c"
done
tac "$folder/all.c" >"$folder/reversed"
cat "$folder/reversed" >>"$folder/all.c"
cp "$folder/all.c" "$folder/all.cc"
check "all headers as C11 (clang)" clang -std=c11 -Wconversion \
	-Wstrict-prototypes $strict "$folder/all.c"
check "all headers as C++17 (clang++)" clang++ -std=c++17 -Wconversion \
	$strict "$folder/all.cc"
for cc in arm-none-eabi-gcc riscv64-unknown-elf-gcc; do
	check "all headers as C11 ($cc)" $cc -std=c11 -ffreestanding \
		$strict "$folder/all.c"
done

# What a header defines may be there twice.
echo '#include <jif/jif.hpp>' >>"$folder/all.cc"
for suffix in c cc; do
	cp "$folder/all.$suffix" "$folder/main.$suffix"
	echo 'int main(void) { return 0; }' >>"$folder/main.$suffix"
done
check "all headers in two sources of a program" \
	gcc -std=c11 -Iinclude -o "$folder/two" "$folder/all.c" "$folder/main.c"
check "all headers in two sources of a C++ program" \
	g++ -std=c++17 -Iinclude -o "$folder/two" "$folder/all.cc" \
	"$folder/main.cc"

# Where each source has been compiled before, they are one, which takes a third
# of the time.
printf '#include "%s"\n' lib/*.c lib/firmware/*.c >"$folder/unit.c"

check "the sources, dropped into a project" \
	gcc -std=c11 -Wall -Wextra -Werror -Iinclude -shared -fPIC \
	-o "$folder/dropped.so" lib/*.c lib/firmware/*.c
# The kernel's jiffies are as wide as a long, on whatever port.
printf '#include <jif/face/linux/jiffies.h>\nint main(void)\n{\n%s\n}\n' \
	'jif_ticks(2); return jiffies != 0x100000001;' >"$folder/long.c"
check "jiffies beside a port: it compiles" gcc -std=c11 -Iinclude -Ilib/port \
	'-DJIF_PORT="none/jif_port.h"' -DCONFIG_JIF_INITIAL_JIFFIES=0xffffffff \
	-o "$folder/long" "$folder/long.c" lib/jiffies.c
check "they go past 2^32" "$folder/long"
check "the wheel alone is whole" gcc -std=c11 -Wall -Wextra -Werror -Iinclude \
	-shared -fPIC -Wl,-z,defs -o "$folder/alone.so" lib/*.c
# POSIX and glibc include <sched.h> and the like: jif's own may not stand there.
printf '#include <%s>\n' pthread.h semaphore.h time.h sys/types.h \
	sys/timerfd.h jif/jif.h >"$folder/system.c"
for room in lib lib/firmware lib/host lib/kit; do
	check "-I$room hides no header of the system" gcc -std=gnu11 \
		-fsyntax-only -Wall -Wextra -Werror -Iinclude "-I$room" \
		"$folder/system.c"
done

# places FILE FLAG...: what a template says is to be filled in.
places() {
	gcc -std=c11 -Iinclude -fsyntax-only "$@" 2>&1 |
		sed -n 's/.* error: #error "\([^ :(,]*\).*/\1/p' | xargs
}

check_same "the empty port has an error for each place to fill in" \
	"jif_irq_save jif_irq_restore jif_in_irq jif_port_tick the \
jif_port_start jif_port_idle" "$(places lib/port/template/template.c \
		-DJIF_PORT='"template/jif_port.h"')"
check_same "and so has the empty timer" \
	"JIF_COMPARE_BITS jif_compare_read jif_compare_set jif_compare_pend \
jif_compare_enable jif_compare_disable" "$(places -Ilib/port/compare \
		-x c lib/port/compare/template.h)"

# Both filled in, for a machine without interrupts whose counter stands still.
mkdir "$folder/filled"
echo "#include \"$PWD/lib/port/jif_port.h\"" >"$folder/jif_port.h"
for file in template/jif_port.h template/template.c compare/template.h; do
	sed -e 's/^#error "jif_in_irq.*/return false;/' \
		-e 's/^#error "jif_compare_read.*/return 0;/' \
		-e 's/^#error "jif_port_tick.*/jif_tick();/' \
		-e '/^#error/d' "lib/port/$file" >"$folder/filled/${file##*/}"
done
check "the empty port, filled in" \
	gcc -std=c11 -Wall -Wextra -Wno-unused-parameter -Werror -Iinclude \
	-I. "-I$folder" -shared -fPIC -DJIF_PORT='"filled/jif_port.h"' \
	-o "$folder/template.so" "$folder/unit.c" "$folder/filled/template.c"
for cc in arm-none-eabi-gcc 'clang --target=armv7m-none-eabi'; do
	check "the empty timer, filled in (${cc%% *})" $cc -mcpu=cortex-m3 \
		-mthumb -std=c11 -ffreestanding -Wall -Wextra \
		-Wno-unused-parameter -Werror -Iinclude -Ilib/port/compare \
		-DCONFIG_JIF_COMPARE=1 \
		"-DCONFIG_JIF_COMPARE_TIMER=\"$folder/filled/template.h\"" \
		-c -o "$folder/template.o" lib/port/compare/compare.c
done

# The port that a compiler is given: the guard of its header says which.
port_of() {
	echo '#include "lib/port/jif_port.h"' |
		"$@" -std=c11 -I. -Iinclude -dM -E - 2>"$folder/message" |
		sed -n 's/^#define JIF_LIB_PORT_\([A-Z_]*\)_H.*/\1/p'
}

no_port() {
	check_same "$* has no port" "" "$(port_of "$@")"
	check "and the error for $* tells where to read on" \
		grep -q 'error.*docs/porting.md' "$folder/message"
}

arm='arm-none-eabi-gcc -mthumb -mcpu'
rv32='riscv64-unknown-elf-gcc -ffreestanding -march=rv32imac_zicsr -mabi=ilp32'
avr='avr-gcc -mmcu'
for m in cortex-m0 cortex-m0plus cortex-m1 cortex-m3 cortex-m4 cortex-m7 \
	cortex-m23 cortex-m33 cortex-m55; do
	check_same "$m has its port" CORTEX_M "$(port_of $arm=$m)"
	check_same "$m, free-standing" CORTEX_M \
		"$(port_of $arm=$m -ffreestanding)"
done
check_same "Cortex-M with clang" CORTEX_M \
	"$(port_of clang --target=armv7m-none-eabi)"
check_same "RV32 has its port" RISCV "$(port_of $rv32)"
check_same "RV32 with clang" RISCV "$(port_of clang --target=riscv32)"
for m in atmega328p atmega2560 attiny85; do
	check_same "$m has its port" AVR "$(port_of $avr=$m)"
	check_same "$m, free-standing" AVR "$(port_of $avr=$m -ffreestanding)"
done
for m in cortex-r5 cortex-a9 arm926ej-s arm7tdmi; do
	no_port arm-none-eabi-gcc -mcpu=$m
	no_port arm-none-eabi-gcc -mcpu=$m -ffreestanding
done
no_port riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -ffreestanding
no_port clang --target=riscv64
no_port clang --target=wasm32
for cc in gcc clang 'clang --target=s390x-linux-gnu -nostdlibinc' \
	'clang --target=riscv64-linux-gnu -nostdlibinc' \
	'clang --target=armv7a-linux-gnueabihf -nostdlibinc'; do
	check_same "a program on an operating system ($cc)" NONE \
		"$(port_of $cc)"
	no_port $cc -ffreestanding
done

# Whose programs run on no such machine, as a rule: firmware needs its lock.
linux_firmware() {
	set -- "$1" clang "--target=$2" -nostdlibinc
	no_port "$2" "$3" "$4"
	check_same "$3, free-standing" "$1" "$(port_of "$2" "$3" "$4" \
		-ffreestanding)"
	check_same "$3, a program" NONE "$(port_of "$2" "$3" "$4" \
		'-DJIF_PORT="none/jif_port.h"')"
}
linux_firmware CORTEX_M thumbv6m-linux-gnueabi
linux_firmware CORTEX_M thumbv7m-linux-gnueabi
linux_firmware RISCV riscv32-linux-gnu
check_same "the simulated machine, if it is asked for" SIM \
	"$(port_of gcc -DCONFIG_JIF_PORT_SIM=1)"
check_same "no interrupts, if that is asked for" NONE \
	"$(port_of $arm=cortex-m3 '-DJIF_PORT="none/jif_port.h"')"

# objects CC... SOURCE...: new ones; the paths are absolute.
objects() (
	rm -rf "$folder/objects"
	mkdir "$folder/objects"
	cd "$folder/objects" && "$@" -c
)

# links NAME FOLDER CC...: for a product on a bare machine, which brings what
# the compiler may call, jif_panic() and maybe a sleep, with no library but the
# compiler's. The objects stay, in a folder of that name.
cat >"$folder/bare.c" <<'END'
#include <jif/port.h>
#include <jif/wheel.h>

void *memset(void *to, int c, size_t n)
{
	for (volatile char *p = to; n--; p++)
		*p = (char)c;
	return to;
}

void *memcpy(void *to, const void *from, size_t n)
{
	const char *source = from;

	for (volatile char *p = to; n--; p++)
		*p = *source++;
	return to;
}

void jif_panic(const char *why)
{
	(void)why;
	for (;;)
		;
}

/* A sleep of its own, on Cortex-M. */
void jif_port_sleep(void)
{
}

int main(void)
{
	static struct jif_wheel wheel;

	jif_wheel_init(&wheel, 0);
	return 0;
}
END
links() {
	name=$1
	port=$2
	shift 2
	set -- "$@" -std=c11 -Os -Wall -Wextra -Werror "-I$PWD/include"
	bare=$folder/bare.c
	check "$name: a program that spreads" "$@" -DCONFIG_JIF_SPREAD=8 \
		-c -o "$folder/spread.o" "$bare"
	check "$name: lib/*.c lib/firmware/*.c compiles" objects "$@" \
		"$PWD"/lib/*.c "$PWD"/lib/firmware/*.c
	set -- "$@" -nostdlib -Wl,-emain -o "$folder/bare"
	check "$name: lib/*.c lib/firmware/*.c" "$@" "$bare" \
		"$folder"/objects/*.o -lgcc
	check_fails 1 "$name: not with a program that spreads" "$@" \
		"$folder/spread.o" "$folder"/objects/*.o -lgcc
	mv "$folder/objects" "$folder/$name"
	check_same "$name: and the linker tells why" CONFIG_JIF_SPREAD_8 \
		"$(grep -o 'CONFIG_JIF_SPREAD_8' "$check_log" | sort -u)"
	check "$name: with tick and sleep, and CONFIG_JIF_DEBUG" "$@" \
		-DCONFIG_JIF_DEBUG=1 -I. "$bare" "$folder/unit.c" \
		$port/*.c -lgcc
}

for m in cortex-m0 cortex-m33; do
	links $m lib/port/cortex-m $arm=$m
done
links rv32 lib/port/riscv $rv32
links atmega328p lib/port/avr $avr=atmega328p

# own_sleep LINKED PORT CC...: a product's, in a static library beside another
# function of it, is in the program, in whichever order libraries are linked.
# LINKED is the name of what was linked from objects that this machine runs.
cat >"$folder/board.c" <<'END'
#include <jif/port.h>

void board_start(void);
void board_start(void)
{
	jif_port_start();
}

void jif_port_sleep(void)
{
	__asm__ volatile(".global own_sleep\nown_sleep:");
}
END
cat >"$folder/main.c" <<'END'
#include <jif/port.h>

void board_start(void);
int main(void)
{
	board_start();
	for (;;)
		jif_port_idle(1);
}
END
own_sleep() {
	linked=$folder/$1
	port=$PWD/$2
	shift 2
	set -- "$@" -std=c11 -Os "-I$PWD/include"
	rm -f "$folder"/lib*.a
	objects "$@" "$port"/*.c && ar rc "$folder/libjif.a" \
		"$linked"/*.o "$folder"/objects/*.o &&
		objects "$@" "$folder/board.c" &&
		ar rc "$folder/libboard.a" "$folder/objects/board.o" || return
	for order in 'board jif' 'jif board'; do
		"$@" -nostdlib -Wl,-emain -o "$folder/own" "$folder/main.c" \
			"$folder/lib${order% *}.a" \
			"$folder/lib${order#* }.a" -lgcc &&
			nm "$folder/own" | grep ' own_sleep$' || return
	done
}
check "a sleep in a static library: cortex-m3" own_sleep cortex-m0 \
	lib/port/cortex-m $arm=cortex-m3
check "a sleep in a static library: rv32" own_sleep rv32 \
	lib/port/riscv $rv32

# What lets handlers in: a Cortex-M is sure to take them at an ISB only.
window() {
	echo 'jif_irq_t f(jif_irq_t x) { return jif_irq_window(x); }' |
		$arm="$1" -std=c11 -Os -I. -Iinclude -S -o - -x c \
			-include lib/port/jif_port.h - |
		grep -o 'msr primask\|isb\|cpsid i' | tr '\n' ' '
}
for m in cortex-m0 cortex-m3 cortex-m33; do
	check_same "an ISB in each window of $m" "msr primask isb cpsid i " \
		"$(window $m)"
done

# A program and the library have to be configured alike, or they do not link.
cat >"$folder/agree.c" <<'END'
#include <jif/firmware/calendar.h>
#include <jif/jiffies.h>
#include <jif/port.h>
#include <jif/firmware/sched.h>

int main(void)
{
	static struct jif_wheel wheel;
	static struct jif_sched sched;

	jif_wheel_init(&wheel, 0);
	jif_wheel_init_at(&wheel, 0, 1, 2, 3, 4);
	jif_wheel_init_local(&wheel, 0, 0);
	jif_workqueue_init(&sched.work, &wheel);
	jif_sched_init(&sched, &wheel, 0, 0);
	jif_port_start();
	if (jif_jiffies_to_msecs(jif_msecs_to_jiffies(60000)) != 60000)
		return 1;
	return jif_wheel_check(&wheel);
}
END
cp "$folder/agree.c" "$folder/agree.cc"

# library NAME CC...: the library, and a port that has jif_port_start().
library() {
	archive=$folder/$1.a
	shift
	objects "$@" "-I$PWD/include" "-I$PWD" "$folder/unit.c" \
		"$folder/filled/template.c" &&
		ar rcs "$archive" "$folder"/objects/*.o
}

# The words of a command, the same in each run.
named() {
	echo "$*" | sed "s|$folder/||"
}

# agree LIBRARY CC...: it links with the library, and runs.
agree() {
	archive=$1
	shift
	check "$(named "$@") links with the library $archive" "$@" -Iinclude \
		-o "$folder/agree" "$folder/$archive.a"
	check "and runs" "$folder/agree"
}

# disagree OPTION NUMBER LIBRARY CC...: so many functions are not found.
disagree() {
	option=$1
	number=$2
	archive=$3
	shift 3
	check_fails 1 "$(named "$@") does not link with the library $archive" \
		"$@" -Iinclude -o "$folder/agree" "$folder/$archive.a"
	check_same "and the linker says it is $option" "$number" \
		"$(grep -o "undefined.*jif_[a-z_]*_with_CONFIG_JIF_$option\>" \
			"$check_log" | sort -u | wc -l)"
}

spread=-DCONFIG_JIF_SPREAD=8
check "the library as it is" library plain gcc
check "the library with CONFIG_JIF_SPREAD=8" library spread clang $spread
check "the library with CONFIG_JIF_WORK_PRIORITIES=2" library two gcc \
	-DCONFIG_JIF_WORK_PRIORITIES=2
check "the library with CONFIG_JIF_HZ=100" library slow gcc \
	-DCONFIG_JIF_HZ=100
for cc in "gcc $folder/agree.c" "clang $folder/agree.c" \
	"g++ -std=c++17 $folder/agree.cc" \
	"clang++ -std=c++17 $folder/agree.cc"; do
	agree plain $cc
	agree spread $cc $spread
	disagree SPREAD_0 2 spread $cc
	disagree SPREAD_8 2 plain $cc $spread
done
agree two gcc "$folder/agree.c" -DCONFIG_JIF_WORK_PRIORITIES=2
agree slow gcc "$folder/agree.c" -DCONFIG_JIF_HZ=100
disagree WORK_PRIORITIES_4 2 two gcc "$folder/agree.c"
disagree HZ_1000 3 slow gcc "$folder/agree.c"

# With a lock between cores or without: none of these functions is found.
check "the library with CONFIG_JIF_SMP=1" library smp gcc -DCONFIG_JIF_SMP=1
printf 'unsigned jif_smp_core(void);\nunsigned jif_smp_core(void)
{\n\treturn 0;\n}\n' >"$folder/core.c"
smp='-DCONFIG_JIF_SMP=1 lib/port/smp/smp.c'
agree smp gcc "$folder/agree.c" "$folder/core.c" $smp
disagree SPREAD_0 2 smp gcc "$folder/agree.c" "$folder/core.c"
disagree SPREAD_0_and_CONFIG_JIF_SMP 2 plain gcc "$folder/agree.c" \
	"$folder/core.c" $smp
disagree HZ_1000_and_CONFIG_JIF_SMP 3 plain gcc "$folder/agree.c" \
	"$folder/core.c" $smp

# refused OPTION RANGE VALUE...: they do not compile, and the compiler says why.
refused() {
	option=CONFIG_JIF_$1
	range=$2
	shift 2
	for value; do
		check_fails 1 "$option=$value is refused" gcc -std=c11 \
			-Iinclude "-D$option=$value" -fsyntax-only \
			"$folder/agree.c"
		check_same "$option=$value: the error has the range" \
			"$option=$value: to be $range" "$(grep -oF \
				"$option=$value: to be $range" "$check_log" |
				sort -u)"
	done
}

# All that Kconfig has as a bool, and the headers as 0 or 1.
for option in CTZ $(grep -A 1 '^config' Kconfig | grep -B 1 bool |
	sed -n 's/config JIF_//p'); do
	! grep -q "^#ifndef CONFIG_JIF_$option\$" include/jif/config.h ||
		refused "$option" '0 or 1' y n '' 2 true '(1)'
done
refused HZ 'a plain number, 1 to 1000000' abc 010 0 1000001 -1 1000u
refused SPREAD 'a plain number, 0 to 255' y 08 010 256 -1 8u
refused WORK_PRIORITIES 'a plain number, 1 to 8' y 04 0 9
refused CORTEX_M_BASEPRI 'a plain number, 0 to 0xff' y 040 0x100
refused SMP_SPINLOCK 'an address as a plain number' y 0320000000574
refused CLOCK_HZ 'a number, 1 to 0xffffffff' y 0 0x100000000 SystemCoreClock
for value in '(8)' ''; do
	for option in HZ SPREAD WORK_PRIORITIES; do
		check_fails 1 "CONFIG_JIF_$option='$value' is refused" gcc \
			-std=c11 -Iinclude "-DCONFIG_JIF_$option=$value" \
			-fsyntax-only "$folder/agree.c"
		check_same "and the error for $option='$value' names it" \
			"if !JIF_IS(CONFIG_JIF_$option" "$(grep -oF \
				"if !JIF_IS(CONFIG_JIF_$option" "$check_log" |
				sort -u)"
	done
done
for values in HZ=1 HZ=1000000 HZ=0x64 SPREAD=0 SPREAD=255 \
	WORK_PRIORITIES=1 WORK_PRIORITIES=8 \
	CLOCK_HZ=16000000UL SMP_SPINLOCK=0xd000017c \
	CORTEX_M_BASEPRI=0xff CORTEX_M_BASEPRI=64 DEBUG; do
	check "CONFIG_JIF_$values is taken" gcc -std=c11 -Wall -Wextra -Werror \
		-Wundef -Iinclude "-DCONFIG_JIF_$values" -fsyntax-only \
		"$folder/agree.c"
done

for cc in gcc clang; do
	panics "a debug build of $cc" "$cc -Iinclude -I." "$folder/unit.c"
done

# task FILE LOCALS CODE: the function of a task.
task() {
	printf '%s\n' '#include <jif/firmware/await.h>' \
		'void task(struct jif_task *t);' 'int get(void);' \
		'void use(int);' 'static struct jif_await here;' \
		'void task(struct jif_task *t)' '{' "$2" \
		'JIF_TASK_BEGIN(t, &here);' "$3" 'JIF_TASK_END;' '}' >"$1"
}

# What outlasts a wait is no local: the compiler sees to that.
for cc in 'gcc -std=c11' 'clang -std=c11' 'arm-none-eabi-gcc -std=c11' \
	'avr-gcc -std=c11' 'g++ -std=c++11' 'clang++ -std=c++17'; do
	source=$folder/task.c
	case $cc in *+*) source=$folder/task.cc ;; esac
	compile="$cc -O2 -ffreestanding -Iinclude -Wall -Wextra -Werror
		-Wpedantic -Wshadow -Wconversion -c -o $folder/task.o $source"
	task "$source" 'int x;' 'JIF_SLEEP(1);
		{ int y = get(); use(y); }
		JIF_AWAIT_FOR(get(), 2);
		x = get(); use(x);'
	check "a task with waits ($cc)" $compile
	while IFS='|' read -r what locals code; do
		task "$source" "$locals" "$code"
		check_fails 1 "$what is refused ($cc)" $compile
	done <<'END'
a local initialised before a wait||int x = get(); JIF_SLEEP(1); use(x);
a local set before a wait|int x;|x = get(); JIF_SLEEP(1); use(x);
a loop that counts waits in a local||for (int i = 0; i < 3; i++) JIF_SLEEP(1);
a second wait in a line||JIF_SLEEP(1); JIF_SLEEP(1);
END
done

# The macros of the headers as C++17, and a call of each library of C.
cat "$folder/all.cc" - >"$folder/product.cc" <<'END'
static void fire(struct jif_timer *) {}
static void work_on(struct jif_work *) {}

struct Object {
	int payload;
	struct jif_timer timer;
};
static Object object = { 42, JIF_TIMER_INIT(fire) };
static struct jif_work work = JIF_WORK_INIT(work_on, 1);
static struct jif_event event = JIF_EVENT_INIT;
static struct jif_flags flags = JIF_FLAGS_INIT;
static unsigned char storage[8];
static struct jif_queue queue = JIF_QUEUE_INIT(storage, 1, 8);

int main()
{
	jif_event_wake(&event);
	jif_flags_set(&flags, 1);
	jif_queue_send(&queue, "");
	return jif_work_pending(&work) + 42 -
	       jif_container_of(&object.timer, Object, timer)->payload;
}
END
check "a C++17 product compiles and links" g++ -std=c++17 -Wall -Wextra \
	-Werror -Iinclude -o "$folder/product" "$folder/product.cc" \
	build/host/libjif.a
check "a C++17 product runs" "$folder/product"

finish
