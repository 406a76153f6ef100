#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/picolibc-clock.sh - in picolibc 1.8, clock() under semihosting
# counts what the host counts, and not CLOCKS_PER_SEC
#
# In C, clock() / CLOCKS_PER_SEC is seconds. Here CLOCKS_PER_SEC is 100, and
# QEMU counts nanoseconds: a second is ten million, and clock_t wraps after
# four. sysconf(_SC_CLK_TCK) has the rate. With -icount, too, it is host time.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40 picolibc-arm-none-eabi=1.8

cat >"$folder/clock.c" <<'END'
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static unsigned long at_next_second(void)
{
	time_t began = time(NULL);

	while (time(NULL) == began)
		;
	return (unsigned long)clock();
}

/* A busy host comes late to a second: it has some to be in time. */
int main(void)
{
	unsigned long now = at_next_second();
	unsigned long millions = 0;

	for (int left = 30; left && millions != 10; left--) {
		unsigned long before = now;

		now = at_next_second();
		millions = ((now - before) / CLOCKS_PER_SEC + 500000) / 1000000;
	}
	printf("CLOCKS_PER_SEC is %ld, sysconf(_SC_CLK_TCK) %ld\n",
	       (long)CLOCKS_PER_SEC, sysconf(_SC_CLK_TCK));
	printf("millions of seconds in a second, by clock(): %lu\n",
	       millions);
	return 0;
}
END
specs=$root/usr/lib/picolibc/arm-none-eabi/picolibc.specs
arm-none-eabi-gcc --specs="$specs" --picolibc-prefix="$root/usr" \
	--oslib=semihost --crt0=hosted \
	-mcpu=cortex-m3 -mthumb -O1 -Wall -Werror -Tpicolibc.ld \
	-Wl,--defsym=__flash=0,--defsym=__flash_size=0x40000 \
	-Wl,--defsym=__ram=0x20000000,--defsym=__ram_size=0x10000 \
	"$folder/clock.c" -o "$folder/clock.elf" || exit 2
timeout 60 qemu-system-arm -M mps2-an385 -display none -monitor none \
	-serial none -icount shift=10 -kernel "$folder/clock.elf" \
	-chardev file,id=said,path="$folder/said" \
	-semihosting-config enable=on,chardev=said
saw "CLOCKS_PER_SEC is 100, sysconf(_SC_CLK_TCK) 1000000000
millions of seconds in a second, by clock(): 10" <"$folder/said" || exit 1
