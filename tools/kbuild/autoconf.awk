# SPDX-License-Identifier: MIT
#
# Turns a .config into a header: y is 1, n and "is not set" are 0, numbers and
# strings are themselves.
BEGIN {
	print "/* Made from .config; do not edit. */"
	print "#ifndef JIF_AUTOCONF_H"
	print "#define JIF_AUTOCONF_H"
}

/^CONFIG_[A-Z0-9_]*=/ {
	name = substr($0, 1, index($0, "=") - 1)
	value = substr($0, index($0, "=") + 1)
	if (value == "y")
		value = 1
	else if (value == "n")
		value = 0
	print "#define " name " " value
	next
}

/^# CONFIG_[A-Z0-9_]* is not set$/ {
	print "#define " $2 " 0"
	next
}

!/^#/ && !/^[ \t]*$/ {
	printf "%s:%d: error: neither CONFIG_NAME=value nor a comment: %s\n",
	       FILENAME, FNR, $0 > "/dev/stderr"
	failed = 1
}

END {
	print "#endif"
	exit failed
}
