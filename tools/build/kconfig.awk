# SPDX-License-Identifier: MIT
#
# usage: awk -f kconfig.awk -v as=config|header|make Kconfig [CONFIGURATION]...
#
# What the options of Kconfig are where configurations set some of them: as a
# .config, for the compiler, or for make. A later configuration overrides an
# earlier one; what none sets has its default, what depends on an option that is
# off is off, and what is selected is on. It knows as much of the language as
# Kconfig uses: one symbol for a default, one or its opposite to depend on.
function on(name) {
	return name ~ /^!/ ? value[substr(name, 2)] != "y" : value[name] == "y"
}

function allowed(name) {
	return !(name in depends) || on(depends[name])
}

# Of an option, while those that it looks at may still change.
function decide(name,	to) {
	to = name in chosen ? chosen[name] : preset[name]
	if (to in type)
		to = value[to]
	if (name in selectors)
		to = "y"
	else if (!allowed(name))
		to = ""
	if (to == "n")
		to = ""
	changed = changed || to != value[name]
	value[name] = to
}

function select_all(	i, name, targets, n, t) {
	delete selectors
	for (i = 1; i <= count; i++) {
		name = names[i]
		if (value[name] != "y")
			continue
		n = split(selects[name], targets)
		for (t = 1; t <= n; t++)
			selectors[targets[t]]
	}
}

# POSIX has no number in base 16 for awk.
function number(text,	i, sum) {
	if (text !~ /^0x/)
		return text + 0
	for (i = 3; i <= length(text); i++)
		sum = sum * 16 + index("0123456789abcdef",
				       tolower(substr(text, i, 1))) - 1
	return sum
}

function is_good(name, to) {
	if (to !~ form[type[name]])
		return 0
	return !(name in least) || number(to) >= number(least[name]) &&
	       number(to) <= number(most[name])
}

function refuse(what) {
	printf "%s:%d: error: %s\n", FILENAME, FNR, what > "/dev/stderr"
	failed = 1
}

function choose(name, to) {
	if (!(name in type) && FILENAME ~ /command-line$/)
		refuse("Kconfig has no option " name)
	else if (!(name in type))
		printf "%s:%d: warning: Kconfig has no option %s\n",
		       FILENAME, FNR, name > "/dev/stderr"
	else if (is_good(name, to))
		chosen[name] = to
	else
		refuse(name "=" to " is not " wanted[type[name]] \
		       (name in least ? \
			" from " least[name] " to " most[name] : ""))
}

BEGIN {
	form["bool"] = "^[yn]$"
	form["int"] = "^(0|[1-9][0-9]*)$"
	form["hex"] = "^0x[0-9a-fA-F]+$"
	form["string"] = "^\"[^\"\\\\]*\"$"
	wanted["bool"] = "y or n"
	wanted["int"] = "a plain number"
	wanted["hex"] = "a number with 0x in front,"
	wanted["string"] = "a text in double quotes"
}

# --- Kconfig ----------------------------------------------------------------

FNR == 1 {
	file++
}

file == 1 {
	if ($1 == "config") {
		option = "CONFIG_" $2
		names[++count] = option
	}
	if ($1 == "config" || $1 == "help")
		help = $1 == "help"
	else if (help)
		next
	else if ($1 ~ /^(bool|int|hex|string)$/)
		type[option] = $1
	else if ($1 == "range") {
		least[option] = $2
		most[option] = $3
	} else if ($1 == "default")
		preset[option] = $2 ~ /^JIF_/ ? "CONFIG_" $2 : $2
	else if ($1 == "depends")
		depends[option] = $3 ~ /^!/ ? "!CONFIG_" substr($3, 2) : \
				  "CONFIG_" $3
	else if ($1 == "select")
		selects[option] = selects[option] " CONFIG_" $2
	next
}

# --- configurations ---------------------------------------------------------

/^CONFIG_[A-Z0-9_]*=/ {
	at = index($0, "=")
	choose(substr($0, 1, at - 1), substr($0, at + 1))
	next
}

/^# CONFIG_[A-Z0-9_]* is not set$/ {
	choose($2, "n")
	next
}

!/^#/ && !/^[ \t]*$/ {
	refuse("neither CONFIG_NAME=value nor a comment: " $0)
}

# --- what comes of it -------------------------------------------------------

function as_config(name) {
	if (value[name] != "")
		print name "=" value[name]
	else if (type[name] == "bool" && allowed(name))
		print "# " name " is not set"
}

function as_header(name) {
	if (type[name] == "bool")
		print "#define " name " " (value[name] == "y")
	else if (value[name] != "")
		print "#define " name " " value[name]
}

END {
	do {
		changed = 0
		select_all()
		for (i = 1; i <= count; i++)
			decide(names[i])
	} while (changed)
	if (as == "header")
		print "/* Made from .config; do not edit. */\n" \
		      "#ifndef JIF_AUTOCONF_H\n#define JIF_AUTOCONF_H"
	for (i = 1; i <= count; i++) {
		if (as == "config")
			as_config(names[i])
		else if (as == "header")
			as_header(names[i])
		else
			print "override " names[i] " := " value[names[i]]
	}
	if (as == "header")
		print "#endif"
	exit failed
}
