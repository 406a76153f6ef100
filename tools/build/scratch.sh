# SPDX-License-Identifier: MIT
#
# tools/build/scratch.sh - a new folder for the script that sources this:
# $folder
#
# It goes when the script ends, with $check_log beside it. Where there can be
# none, the script ends here: with an empty name, `cd` stays where it is.

scratch=
trap 'rm -rf "$scratch"' EXIT
scratch=$(mktemp -d) && scratch=$(CDPATH='' cd -P "${scratch:?}" && pwd -P) &&
	mkdir "$scratch/folder" && echo >"$scratch/log" || {
	echo "$0: error: no temporary folder in ${TMPDIR:-/tmp}" >&2
	exit 2
}
folder=$scratch/folder
check_log=$scratch/log
