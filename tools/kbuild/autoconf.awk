# SPDX-License-Identifier: MIT
#
# Turns configurations into a header: y is 1, n and "is not set" are 0, numbers
# and strings are themselves. What a later file says holds.
BEGIN {
	print "/* Made from .config; do not edit. */"
	print "#ifndef JIF_AUTOCONF_H"
	print "#define JIF_AUTOCONF_H"
}

function set(name, value) {
	if (!(name in values))
		names[++count] = name
	values[name] = value
}

/^CONFIG_[A-Z0-9_]*=/ {
	name = substr($0, 1, index($0, "=") - 1)
	value = substr($0, index($0, "=") + 1)
	set(name, value == "y" ? 1 : value == "n" ? 0 : value)
	next
}

/^# CONFIG_[A-Z0-9_]* is not set$/ {
	set($2, 0)
	next
}

!/^#/ && !/^[ \t]*$/ {
	printf "%s:%d: error: neither CONFIG_NAME=value nor a comment: %s\n",
	       FILENAME, FNR, $0 > "/dev/stderr"
	failed = 1
}

END {
	for (i = 1; i <= count; i++)
		print "#define " names[i] " " values[names[i]]
	print "#endif"
	exit failed
}
