#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/tools/docs/book.sh
#
# make book: no warning, each public call has a manual page that mandoc accepts,
# as it does those of the tools, and no link leads nowhere.
set -u
. test/lib.sh

mkdir "$folder/others"
touch "$folder/others/file"
check_fails 2 "the folder of others is refused" tools/show/book "$folder/others"
check_same "and not emptied" file "$(ls "$folder/others")"
check_fails 2 "nor is one without a name taken" tools/show/book ''
check "the book is made" tools/show/book "$folder/book"
check_same "its documents are there" 3 "$(find "$folder/book/docs" \
	-name board.html -o -name misuse.html -o -name timing.html | wc -l)"
check_same "a manual page has what the header says" 1 "$(mandoc -T ascii \
	"$folder/book/man/man3/jif_timer_add.3" | col -bx |
	grep -c -- '-JIF_EBUSY *- it is pending; nothing has')"
mandoc -T lint -W warning "$folder"/book/man/man3/*.3 >"$folder/lint"
check_same "mandoc has nothing to say of the manual pages" "" \
	"$(grep -v 'missing date\|br after br' "$folder/lint")"
mandoc -T lint tools/*/*.1 tools/*/*/*.1 >"$folder/lint" 2>&1
# Which manuals of others this machine has, is nothing of ours.
check_same "nor of those of the tools" "" \
	"$(grep -v 'mandoc.db lacks\|referenced manual not found' \
		"$folder/lint")"

finish
