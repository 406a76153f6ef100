#!/bin/sh
# SPDX-License-Identifier: MIT
#
# README's first commands, as typed on a fresh Debian machine: in a chroot with
# debootstrap's smallest variant, from the mirror that apt has here and with its
# keys. There is nothing else but the sources. Only `make check` is left out.
set -u
export TMPDIR="${TMPDIR-/var/tmp}"
. test/lib.sh

stop() {
	printf '%s: error: %s\n0 passed, 1 failed\n' "$0" "$1"
	exit 1
}

root=$folder
trap 'rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 130' INT TERM

commands=$(awk '/^On a fresh Debian machine/ { wanted = 1 }
	wanted && /^```/ && fences++ { exit }
	fences && !/^```/ { sub(/ *#.*/, ""); print }' README.md |
	grep -vx 'make check')
[ -n "$commands" ] || stop 'README.md has no commands for a fresh machine'

# --- the machine -------------------------------------------------------------

[ "$(id -u)" = 0 ] || stop 'only root can make a chroot'
tools/build/install-packages test/tools/build/bare/packages ||
	stop 'what makes a chroot is missing'
# shellcheck disable=SC1091	# of this machine
release=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
# shellcheck disable=SC2016	# apt expands them
read -r mirror source <<-END
	$(apt-get indextargets --format '$(REPO_URI) $(SOURCESENTRY)' \
		'Created-By: Packages' "Release: $release" 'Component: main' |
		head -n 1)
END
[ -n "$mirror" ] || stop "apt has no mirror of Debian '$release' here"
key=$(sed -n -e 's/^Signed-By: *\//\//p' -e 's/.*signed-by=\([^] ]*\).*/\1/p' \
	"${source%:*}" | head -n 1)
eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
[ -z "${http_proxy-}" ] || export http_proxy

echo "Debian $release, in $root"
timeout 900 unshare --mount debootstrap --variant=minbase --force-check-gpg \
	${key:+--keyring="$key"} "$release" "$root" "$mirror" \
	>"$check_log" 2>&1 || {
	tail -n 20 "$check_log"
	stop 'debootstrap has failed'
}
[ -z "$key" ] || cp --parents "$key" "$root"
echo "deb ${key:+[signed-by=$key]} $mirror $release main" \
	>"$root/etc/apt/sources.list"
{
	apt-config dump | grep '^Acquire::'
	echo 'APT::Get::Assume-Yes "true";'
} >"$root/etc/apt/apt.conf.d/00machine"
rm -rf "$root"/var/lib/apt/lists/*
cp /etc/resolv.conf /etc/hosts "$root/etc"
mkdir "$root/jif"
copy_tree "$root/jif"

# inside COMMAND: its processes and mounts end with it.
inside() {
	# shellcheck disable=SC2016,SC2317	# for inside; check calls it
	timeout 1800 unshare --mount --pid --fork --kill-child \
		--mount-proc="$root/proc" env -i HOME=/root \
		PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		sh -c 'mount -t tmpfs none "$0/dev/shm" &&
			chroot "$0" sh -c "cd /jif && $1"; exit $?' \
		"$root" "$1" </dev/null
}

# --- the commands ------------------------------------------------------------

for tool in cc make git python3 sudo; do
	check_fails 127 "no $tool" inside "$tool --version"
done
[ -e build ] || tools/build/own --keep build
: >build/bare.log
while read -r command; do
	check "$command" inside "$command"
	cat "$check_log" >>build/bare.log
done <<END
$commands
END
finish
status=$?
echo "all that they said: build/bare.log"
echo "$((count - failed)) passed, $failed failed"
exit $status
