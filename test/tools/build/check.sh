#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the build promises: silence when there is nothing to do, exact rebuilds
# after any change, configuration, installation. Works on a copy of the tree.
set -u
. test/lib.sh

top=$PWD
copy=$folder
{ git ls-files -co --exclude-standard 2>/dev/null ||
	find . -path ./build -prune -o -path './docs/examples/*/build' \
		-prune -o -type f -print; } |
	grep -v '^test/' | tar cf - -T - | tar xf - -C "$copy"
cp -r test "$copy"
cd "${copy:?}" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL

# The objects that a make compiles, in one line.
compiled() {
	make "$@" 2>&1 | awk '$1 == "CC" { print $2 }' | sort | tr '\n' ' '
}

# Those that read the configuration, and one that does not. access.c is for what
# is tested with the library.
objects() {
	find lib/*.c lib/firmware/*.c lib/face/linux/*.c lib/kit/*.c \
		lib/port/sim/*.c \
		! -name access.c |
		sed 's/c$/o/' | sort | tr '\n' ' '
}

reading=$(objects)
echo 'int jif_plain;' >lib/plain.c
echo 'obj-y += plain.o' >>lib/Kbuild
all=$(objects)
lib='build/host/libjif.a'

check_same "a first build compiles everything" "$all" "$(compiled $lib)"
check_same "a second one says nothing" "" "$(make $lib 2>&1)"
check "a whole build works" make
check_same "and is silent when repeated" "" "$(make 2>&1)"

touch include/jif/firmware/work.h
check_same "a touched header rebuilds what includes it" \
	"lib/face/linux/linux.o lib/face/linux/linux_work.o \
lib/face/linux/linux_work_running.o lib/firmware/await.o \
lib/firmware/flags.o lib/firmware/queue.o \
lib/firmware/sched.o lib/firmware/work.o lib/firmware/work_debug.o " \
	"$(compiled $lib)"
touch lib/periodic.c
check_same "a touched source rebuilds its object" "lib/periodic.o " \
	"$(compiled $lib)"
check_same "another flag rebuilds everything" "$all" \
	"$(compiled CFLAGS=-DX=1 $lib)"
check_same "and the same flag nothing" "" "$(compiled CFLAGS=-DX=1 $lib)"
check_same "without it everything again" "$all" "$(compiled $lib)"

touch build/host/.config
check_same "a touched configuration rebuilds nothing" "" "$(compiled $lib)"
sed -i 's/^CONFIG_JIF_HZ=.*/CONFIG_JIF_HZ=100/' build/host/.config
compiled $lib >"$copy/rebuilt"
check_same "a changed option rebuilds what reads it" "$reading" \
	"$(cat "$copy/rebuilt")"
sed -i 's/^CONFIG_JIF_DEBUG=y/# CONFIG_JIF_DEBUG is not set/' \
	build/host/.config
make -s $lib
check_same "objects that are no longer wanted leave the archive" "" \
	"$(ar t $lib | grep debug)"
sed -i '/CONFIG_JIF_TICKLESS/d' build/host/.config
check "a configuration from before an option is fine" make $lib
check "and has the default" grep -q 'CONFIG_JIF_TICKLESS 1' \
	build/host/include/jif/autoconf.h
check "make defconfig goes back" make defconfig
make -s $lib
check_same "and the objects are in again" "debug.o work_debug.o " \
	"$(ar t $lib | grep debug | sort | tr '\n' ' ')"

printf '\n#include "extra.h"\n' >>lib/trace.c
echo '/* nothing */' >lib/extra.h
check "a new header is found" make $lib
sed -i '/extra.h/d' lib/trace.c
rm lib/extra.h
check "a deleted header is harmless" make $lib

# What is off, in both ways to say so; what is selected is off with the rest.
every=$(sed -n 's/=y$//p' build/host/.config)
ar t $lib | sort >"$copy/with"
printf '# %s is not set\n' $every >build/host/.config
make -s $lib
cp build/host/auto.conf build/host/include/jif/autoconf.h "$copy"
printf '%s=n\n' $every >build/host/.config
check "with every option =n, it builds" make $lib
check "as with every option not set, for make" \
	cmp "$copy/auto.conf" build/host/auto.conf
check "and for the compiler" cmp "$copy/autoconf.h" \
	build/host/include/jif/autoconf.h
check_same "and has no simulated machine, debug or trace" \
	"debug.o log.o node.o record.o sim.o test.o trace.o work_debug.o " \
	"$(ar t $lib | sort | comm -23 "$copy/with" - | tr '\n' ' ')"
make -s defconfig
make -s $lib

echo 'CONFIG_JIF_HZ 1000' >>build/host/.config
check_fails 2 "a line that is no option is an error" make $lib
check_same "which names file and line" 1 \
	"$(make $lib 2>&1 | grep -c '\.config:[0-9]*: error: neither')"
make -s defconfig
echo 'CONFIG_JIF_SPRED=8' >>build/host/.config
check_same "an option that there is not is told" \
	'warning: Kconfig has no option CONFIG_JIF_SPRED' \
	"$(make -s $lib 2>&1 | sed -n '1s/^[^ ]* //p')"
make -s defconfig

# The command line has an option for as long as it is there.
make -s $lib
compiled CONFIG_JIF_HZ=100 CONFIG_JIF_TICKLESS=n $lib >"$copy/rebuilt"
check_same "make CONFIG_JIF_HZ=100 rebuilds what reads it" "$reading" \
	"$(cat "$copy/rebuilt")"
check_same "which has both options" "0 100 " \
	"$(awk '/_TICKLESS |_JIF_HZ / { print $3 }' \
		build/host/include/jif/autoconf.h | sort | tr '\n' ' ')"
check_same "a second time it says nothing" "" \
	"$(make CONFIG_JIF_HZ=100 CONFIG_JIF_TICKLESS=n $lib 2>&1)"
check_same "without it, what reads it is rebuilt" "$reading" \
	"$(compiled $lib)"
check_same ".config is as it was" "" \
	"$(awk -f tools/build/kconfig.awk -v as=config Kconfig \
		tools/build/configs/host_defconfig |
		diff - build/host/.config)"

check_same "V=1 shows the command" 1 \
	"$(
		touch lib/trace.c
		make V=1 $lib | grep -c '^cc .*-c -o'
	)"
check_same "make -s is silent" "" \
	"$(
		touch lib/trace.c
		make -s $lib 2>&1
	)"
check "O= builds elsewhere" make O="$copy/elsewhere" "$copy/elsewhere/libjif.a"
check_same "in that folder" yes \
	"$([ -f "$copy/elsewhere/libjif.a" ] && echo yes)"
check_fails 2 "an unknown ARCH is an error" make ARCH=pdp11
check_same "which lists those there are" 1 \
	"$(make ARCH=pdp11 2>&1 | grep -c 'none of: .*avr')"
check_fails 2 "an unknown defconfig is an error" make nonesuch_defconfig

for target in $(make help | awk '/^Variables/ { exit } NR > 1 { print $1 }' |
	grep -v NAME); do
	check "make help names $target, which exists" make -n "$target"
done

check_same "make lib/wheel.o makes that object" "  CC      lib/wheel.o" \
	"$(
		touch lib/wheel.c
		make lib/wheel.o
	)"
check "make lib/wheel.i lib/wheel.s" make lib/wheel.i lib/wheel.s
check_same "one is preprocessed, the other one assembly" \
	'lib/wheel.i lib/wheel.s ' \
	"$(cd build/host && {
		grep -l '^# 1 "include/jif/wheel.h"' lib/wheel.i
		grep -l '\.type.*jif_timer_mod, @function' lib/wheel.s
	} | tr '\n' ' ')"
check_fails 2 "make lib/nothing.o is an error" make lib/nothing.o

# What the menu allows can be built; the programs are, or are left out.
for off in 'TRACE' 'PORT_SIM TRACE' 'PORT_SIM'; do
	mkdir menu-made
	for option in $off; do
		echo "s/^CONFIG_JIF_$option=y/CONFIG_JIF_$option=n/"
	done >change
	echo 's/.*JIF_SMP is not set/CONFIG_JIF_SMP=y/' >>change
	make -s O=menu-made defconfig
	sed -i -f change menu-made/.config
	KCONFIG_CONFIG=menu-made/.config kconfig-conf --olddefconfig Kconfig \
		>/dev/null 2>&1
	check "without $off, and with SMP, as far as the menu allows" \
		make install O=menu-made DESTDIR="$copy/menu-made" PREFIX=/usr
	rm -r menu-made menu-made-release
done

# The menu opens, and closes on two escapes, whenever it is there to get them.
menu() {
	while sleep 1 && printf '\033\033' 2>/dev/null; do :; done |
		TERM=xterm timeout 600 script -qec "make menuconfig" /dev/null
}
menu >"$copy/shown" 2>&1
check_same "make menuconfig shows a menu" yes \
	"$(grep -q 'cascading timer wheel' "$copy/shown" && echo yes)"

# A library can be linked as it is built, and as it is installed; also if it is
# configured otherwise than by default.
cat >example.c <<'END'
#include <jif/jiffies.h>
#include <jif/wheel.h>
#include <stdio.h>

int main(void)
{
	static struct jif_wheel wheel;

	printf("CONFIG_JIF_SPREAD=%d\n", CONFIG_JIF_SPREAD);
	jif_wheel_init(&wheel, jif_now());
	return jif_wheel_run(&wheel, jif_now() + 100000) ||
	       jif_wheel_check(&wheel);
}
END
export PKG_CONFIG_PATH="$copy/inst/usr/lib/pkgconfig"
export PKG_CONFIG_SYSROOT_DIR="$copy/inst"

# example_with SPREAD NAME CC-ARGUMENT...: it links, runs, and knows the option.
example_with() {
	spread=$1
	name=$2
	shift 2
	rm -f example
	check "a program links with the library that is $name" \
		gcc -o example example.c "$@"
	check_same "and runs, with CONFIG_JIF_SPREAD=$spread" \
		"CONFIG_JIF_SPREAD=$spread, status 0" \
		"$(./example 2>&1), status $?"
}

for spread in 0 8; do
	sed -i "s/^CONFIG_JIF_SPREAD=.*/CONFIG_JIF_SPREAD=$spread/" \
		build/host/.config
	rm -rf inst
	check "make works" make
	check "make install works" make install DESTDIR="$copy/inst" \
		PREFIX=/usr
	example_with $spread built -Ibuild/host-release/include -Iinclude \
		build/host-release/libjif.a
	example_with $spread "built for tests" -Ibuild/host/include -Iinclude \
		build/host/libjif.a
	# shellcheck disable=SC2046	# the flags are many words
	example_with $spread installed $(pkg-config --cflags --libs jif)
	# In /usr/include, it is where every build looks.
	example_with 5 "built from sources, with jif installed" \
		-DCONFIG_JIF_SPREAD=5 -Iinclude \
		-idirafter "$copy/inst/usr/include" lib/*.c lib/firmware/*.c
done
check "make install works with a blank in DESTDIR" \
	make install DESTDIR="$copy/a b" PREFIX=/usr
check_same "and installs the same" "$(cd inst && find . | sort)" \
	"$(cd 'a b' && find . | sort)"
check "make install takes a relative PREFIX, and any umask" \
	sh -c 'umask 077; make install PREFIX=relative'
check_same "jif.pc has the whole path, and all may read it" \
	"644 prefix=$PWD/relative" \
	"$(stat -c %a relative/lib/pkgconfig/jif.pc) \
$(head -n 1 relative/lib/pkgconfig/jif.pc)"
check_same "every header is installed" \
	"$({
		cd include/jif && find . -type f
		echo ./jif_installed.h
	} | sort)" \
	"$(cd inst/usr/include/jif && find . -type f | sort)"
nm inst/usr/lib/libjif.a >symbols
check "the library that is installed has the engine" \
	grep -q ' T jif_timer_mod$' symbols
check_same "and neither trace, nor simulated machine, nor debugging" "" \
	"$(grep -e 'jif_trace$' -e jif_sim -e jif_tell symbols)"
check "and is compiled with -O2" \
	grep -q -e ' -O2 ' build/host-release/lib/wheel.o.cmd
check_same "make is silent after all that" "" "$(make 2>&1)"
check "the tool is installed and runs" inst/usr/bin/jifsim --version
for program in idled jifsim; do
	check "$program is hardened" hardened inst/usr/bin/$program
	check_same "$program is no test build" "" "$(nm inst/usr/bin/$program |
		grep -e jif_sim -e jif_panic -e jif_warn)"
done
check_same "idled tells nobody what timers do" "" \
	"$(nm inst/usr/bin/idled | grep 'jif_trace$')"
check "the manual page is clean" sh -c \
	'test -z "$(groff -man -Tutf8 -ww -z inst/usr/share/man/man1/*.1 2>&1)"'

cd "${top:?}" || exit 1
finish
