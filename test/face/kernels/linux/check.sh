#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The kernel's names: an example that includes <linux/timer.h> compiles for the
# host and for each target, and says what is written here; the header lives
# beside <time.h>; none of it is in a program that does not ask for it; and
# files of Debian's kernel do what they say.
#
# shellcheck disable=SC2046,SC2086	# options and files are lists of words
set -u
. test/lib.sh

warn='-Wall -Wextra -Wpedantic -Wconversion -Werror -Iinclude'
kernel='-Iinclude/jif/face/linux-headers'

# Worked out by hand: the second and the fourth packet are lost, and from the
# tenth on all; an answer takes 60 ms.
cat >"$folder/want" <<'END'
   0 ms: sends 0
   0 ms: sends 1
  60 ms: hears that the other end waits for 1
  60 ms: sends 2
 160 ms: sends 1
 160 ms: sends 2
 360 ms: sends 1
 360 ms: sends 2
 420 ms: hears that the other end waits for 2
 420 ms: sends 3
 420 ms: hears that the other end waits for 3
 480 ms: hears that the other end waits for 4
 980 ms: probes
1040 ms: hears that the other end waits for 4
1540 ms: probes
1640 ms: probes
1840 ms: probes
2240 ms: probes
3040 ms: probes
3840 ms: probes
4640 ms: gives up after 5
END
example=docs/examples/retransmit.c
library=build/host-release/libjif.a

# says NAME SOURCE...: the example, linked with that.
says() {
	name=$1
	shift
	check "$name: it links" gcc -std=c11 $warn $kernel \
		-o "$folder/example" $example "$@"
	check_same "$name: it says what is expected" "$(cat "$folder/want")" \
		"$("$folder/example")"
}

check "make builds the library" make -s
for options in gcc clang "gcc -DCONFIG_JIF_COMPARE=1"; do
	# shellcheck disable=SC2086	# words
	check "$example compiles: $options" $options -std=c11 $warn $kernel \
		-c -o "$folder/example.o" $example
done
says "the library" $library
says "its sources, across the wrap" \
	-DCONFIG_JIF_INITIAL_JIFFIES=0xfffffe00 lib/*.c lib/firmware/*.c \
	lib/face/linux/*.c
for cc in 'arm-none-eabi-gcc -mthumb -mcpu=cortex-m0' \
	'riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32' \
	'avr-gcc -mmcu=atmega328p'; do
	for source in lib/face/linux/*.c; do
		# shellcheck disable=SC2086
		check "$source compiles with $cc" $cc -std=c11 $warn \
			-ffreestanding -c -o "$folder/target.o" "$source"
	done
done

for cc in gcc clang 'g++ -x c++ -std=c++17' 'clang++ -x c++ -std=c++17'; do
	for order in -DTIME_FIRST -DTIME_LAST; do
		# shellcheck disable=SC2086
		check "$cc, $order" $cc $warn $order -c \
			-o "$folder/posix.o" test/face/kernels/linux/posix.c
		check "$cc, $order: it links" gcc -o "$folder/posix" \
			"$folder/posix.o" $library
		check_same "$cc, $order: both do what they have to" \
			'jif 1, 0 POSIX 0, -1' "$("$folder/posix" | xargs)"
	done
done

# Of an example that does not ask for it.
check "a program without it links" gcc -std=c11 $warn \
	-Itest/tools/docs/examples/stand-in -o "$folder/other" \
	docs/examples/superloop.c test/tools/docs/examples/stand-in/hal.c \
	$library
check_same "and has nothing of it" 0 "$(nm "$folder/other" | grep -c linux)"

# --- unmodified files of the kernel, from Debian's package of its source ----
#
# Their headers are the kernel's own as far as is listed here; for others there
# are empty files, and test/face/kernels/linux/kernel.h.

source=/usr/src/linux-source-6.1.tar.xz
tree=build/linux/tree
files=$(sed -n 's/^	{ "\(.*\.c\)".*/\1/p' test/face/kernels/linux/drivers.c)
headers='include/linux/leds.h drivers/leds/leds.h include/uapi/linux/uleds.h
	include/dt-bindings/leds/common.h drivers/input/input-poller.h
	drivers/isdn/mISDN/fsm.h include/linux/lapb.h include/net/lapb.h
	include/net/x25.h include/net/netrom.h include/net/tcp_states.h
	net/bridge/br_private_stp.h'
options="-std=gnu11 -g $kernel -Iinclude -I$tree/include -I$tree
	-Ibuild/linux/empty -include test/face/kernels/linux/kernel.h
	-DCONFIG_LEDS_TRIGGERS"

# It takes a quarter of a minute, and so is done once.
unpack() {
	wanted="$(stat -c '%s %Y' $source) $(echo $files $headers | cksum)"
	[ "$wanted" != "$(cat build/linux/unpacked 2>&1)" ] || return 0
	tools/build/own build/linux || return
	mkdir -p $tree
	tar -xJf $source -C $tree --strip-components=1 \
		$(printf 'linux-source-6.1/%s ' $files $headers) || return
	(
		cd "${tree:?}" || exit
		sed -n 's/^#[ 	]*include <\(.*\)>.*/\1/p' $files $headers
		echo br_private.h
	) | while read -r name; do
		for folder in include/jif/face/linux-headers $tree/include \
			/usr/include; do
			[ ! -e $folder/$name ] || continue 2
		done
		mkdir -p "build/linux/empty/$(dirname "$name")"
		: >"build/linux/empty/$name"
	done
	echo "$wanted" >build/linux/unpacked
}

check "files of the kernel are unpacked" unpack
for file in $files; do
	check "$file compiles" gcc $options -w -Werror=implicit \
		-Werror=incompatible-pointer-types -Werror=int-conversion -c \
		-o "build/linux/$(basename "$file" .c).o" $tree/$file
done
check "what calls them links" gcc $options -Wall -Wextra \
	-Wno-unused-parameter -o build/linux/drivers \
	test/face/kernels/linux/drivers.c build/linux/*.o $library
each "they do what they say" build/linux/drivers
check "with the sources, to be checked across the wrap, too" gcc $options -w \
	-fsanitize=address,undefined -DCONFIG_JIF_INITIAL_JIFFIES=0xfffffe00 \
	-o build/linux/drivers-wrap test/face/kernels/linux/drivers.c \
	$(printf "$tree/%s " $files) lib/*.c lib/firmware/*.c lib/face/linux/*.c
suite "they do the same" env ASAN_OPTIONS=detect_leaks=0 \
	build/linux/drivers-wrap

finish
