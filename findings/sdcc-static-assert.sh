#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/sdcc-static-assert.sh - in SDCC 4.2, a _Static_assert that fails is a
# warning: there is an object, and the exit status is 0
#
# C11 wants a diagnostic, and other compilers stop. A check of sizes or register
# layouts holds no build here, unless it is made with --Werror.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian sdcc=4.2.0 sdcc-libraries=4.2.0

cd "${folder:?}" || exit 2
cat >short.c <<'END'
_Static_assert(sizeof(int) == 4, "int has 4 bytes");
int bytes(void)
{
	return sizeof(int);
}
END
for port in mcs51 z80 stm8; do
	for option in --std-c11 --Werror; do
		rm -f short.rel
		sdcc "-m$port" "$option" -c short.c >said 2>&1
		echo "$port $option: exit status $?," \
			"$(grep -o '[a-z]* 215' said)," \
			"$(find . -name short.rel | wc -l) object"
	done
done | saw "mcs51 --std-c11: exit status 0, warning 215, 1 object
mcs51 --Werror: exit status 1, error 215, 0 object
z80 --std-c11: exit status 0, warning 215, 1 object
z80 --Werror: exit status 1, error 215, 0 object
stm8 --std-c11: exit status 0, warning 215, 1 object
stm8 --Werror: exit status 1, error 215, 0 object" || exit 1
