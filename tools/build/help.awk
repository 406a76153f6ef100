# SPDX-License-Identifier: MIT
# Prints the '## target: what it does' comments of the makefiles.
BEGIN {
	print "Targets:"
}

/^## / {
	target = substr($0, 4, index($0, ":") - 4)
	printf "  %-18s%s\n", target, substr($0, index($0, ":") + 1)
}

END {
	print ""
	print "Variables:"
	print "  ARCH=host          " archs
	print "  CROSS_COMPILE=     prefix of the compiler, if another"
	print "  CC=, CFLAGS=       another compiler, more flags"
	print "  O=build/$ARCH      where everything goes: empty, or of jif"
	print "  V=1                show whole commands"
	print "  W=1                more warnings"
	print "  C=1                check each source with sparse too"
	print "  SAN=1              with the address and undefined sanitizers"
	print "  PREFIX=, DESTDIR=  where to install"
}
