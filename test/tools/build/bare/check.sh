#!/bin/sh
# SPDX-License-Identifier: MIT
#
# README's first commands, as typed on a fresh Debian machine. Only `make check`
# is left out.
set -u
. test/tools/build/bare/lib.sh

commands=$(test/tools/build/bare/commands | grep -vx 'make check')
[ -n "$commands" ] || stop 'README.md has no commands for a fresh machine'

machine "$folder"
for tool in cc make git python3 sudo; do
	check_fails 127 "no $tool" inside "$folder" "$tool --version"
done
[ -e build ] || tools/build/own --keep build
: >build/bare.log
# As on a new machine in a cloud, another program has apt's locks.
cat >"$folder/hold.pl" <<'END'
use Fcntl;
for my $name ('lib/apt/lists/lock', 'lib/dpkg/lock-frontend') {
	open my $file, '+>>', "/var/$name" or die $name;
	my $lock = pack('s s x4 l! l! i x4', F_WRLCK, 0, 0, 0, 0);
	fcntl $file, F_SETLK, $lock or die $name;
	push @files, $file;
}
sleep 10;
END
while read -r command; do
	held=
	[ "$command" != 'make check-host' ] ||
		held='{ perl /hold.pl & } && sleep 1 && '
	check "$command" inside "$folder" "$held$command"
	cat "$check_log" >>build/bare.log
	[ -z "$held" ] || for says in 'Waits, up to 5 min' 'Setting up jq'; do
		check "it says: $says" grep -e "$says" build/bare.log
	done
done <<END
$commands
END
finish
status=$?
echo "all that they said: build/bare.log"
echo "$((count - failed)) passed, $failed failed"
exit $status
