#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The examples in docs/examples compile without a warning, for the host and for
# a target, and do what is written here; pages show parts of them: blocks.
# The kernels and the HAL are stand-ins; lwIP is Debian's. millis.cc is a
# sketch: see test/face/kernels/arduino.sh.
set -u
. test/lib.sh

here=docs/examples
stand_in=test/tools/docs/examples/stand-in
flags="-Wall -Wextra -Wpedantic -Werror -Iinclude -I$stand_in"
cp build/host-release/libjif.a "$folder"

# example FILE SOURCE...: reads what it has to say.
example() {
	name=$1
	shift
	for cc in gcc clang; do
		# shellcheck disable=SC2086	# a list of flags
		check "$name compiles with $cc" $cc -std=c11 $flags \
			-c -o "$folder/example.o" "$here/$name"
	done
	# shellcheck disable=SC2086	# a list of flags
	check "$name links" gcc -std=c11 $flags -o "$folder/example" \
		"$folder/example.o" "$@" "$folder/libjif.a"
	check_same "$name does what it says" "$(cat)" \
		"$(timeout 60 "$folder/example")"
}

# target FILE CC...
target() {
	name=$1
	shift
	# shellcheck disable=SC2086	# a list of flags
	check "$name compiles with $*" "$@" $flags -Os -ffreestanding \
		-c -o "$folder/example.o" "$here/$name"
}

m0='-mthumb -mcpu=cortex-m0 -std=c11'

# In the fourth second, something takes two.
example superloop.c $stand_in/hal.c <<'END'
 1000: on
 1051: off
 2000: on
 2051: off
 3000: on
 3051: off
 5500: on
 5551: off
 6000: on
 6051: off
 7000: on
 7051: off
END
# shellcheck disable=SC2086	# a list of flags
target superloop.c arm-none-eabi-gcc $m0

# On a clock that passes while it sleeps; the last timer waits 1250 whole ticks.
example clock.c test/tools/docs/examples/clock.c \
	-Wl,--wrap=clock_gettime,--wrap=nanosleep <<'END'
500 ms: beat
1000 ms: beat
1251 ms: end
1500 ms: beat
END

# Thursday to Wednesday; on Sunday, the hour from 2:00 comes twice.
example weekly.c <<'END'
Thu 06:30  the shutters open
Fri 06:30  the shutters open
Sun 03:00  daylight saving ends
Sun 19:00  bins
Mon 06:30  the shutters open
Tue 06:30  the shutters open
Wed 06:30  the shutters open
Thu 06:30  the shutters will open next
END

# lwIP with its own timers says when it has to do what.
lwip() {
	# shellcheck disable=SC2046,SC2086	# lists of flags
	gcc -std=gnu11 -Wall -Wextra -Werror -Iinclude \
		$(pkg-config --cflags lwip) -o "$folder/lwip" \
		test/tools/docs/examples/lwip.c "$@" "$folder/libjif.a" -llwip
}
check "lwIP with its own timers" lwip
want=$(timeout 60 "$folder/lwip")
check "lwip.c" lwip $here/lwip.c
check_same "lwIP calls the functions of lwip.c" 3 \
	"$(nm -D --defined-only "$folder/lwip" |
		grep -c ' T sys_timeouts_init$\| T sys_timeout$\| T tcp_timer')"
check_same "lwip.c does all at the same time as lwIP's own timers" "$want" \
	"$(timeout 60 "$folder/lwip")"
check_same "that are so many lines" 223 "$(echo "$want" | wc -l)"

# Event loops of Linux, with Debian's libraries.
event_loop() {
	name=$1
	library=${2-}
	for cc in gcc clang; do
		# shellcheck disable=SC2046	# lists of flags
		check "$name compiles and links with $cc" $cc -std=gnu11 -Wall \
			-Wextra -Werror -Iinclude -Ibuild/host-release/include \
			-o "$folder/example" "$here/$name" "$folder/libjif.a" \
			${library:+$(pkg-config --cflags --libs "$library")}
	done
	check_same "$name does what it says" "blink
finish" "$(timeout 60 "$folder/example")"
}
event_loop epoll.c
event_loop libuv.c libuv
event_loop libevent.c libevent
event_loop glib.c glib-2.0

# Threads, of which each step waits for the one before.
for cc in gcc clang; do
	check "service.c compiles and links with $cc" $cc -std=gnu11 -Wall \
		-Wextra -Werror -Iinclude -Ibuild/host-release/include \
		-pthread -o "$folder/example" $here/service.c "$folder/libjif.a"
done
check_same "service.c does what it says" "copy
backup: refused
ping: failed
beat
beat
beat
backup: 60 min left
8: 60 min left
close 7: lost
1 open: 8
pending: 8
pending: backup
6 ran, 1 failed, 1 refused" "$(timeout 60 "$folder/example")"

finish
