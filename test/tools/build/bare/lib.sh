# SPDX-License-Identifier: MIT
#
# test/tools/build/bare/lib.sh - a fresh Debian machine: sourced
#
# It is a chroot with debootstrap's smallest variant, from the mirror that apt
# has here and with its keys. There is nothing else in it but the sources.

export TMPDIR="${TMPDIR-/var/tmp}"
. test/lib.sh
trap 'rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 130' INT TERM

stop() {
	printf '%s: error: %s\n0 passed, 1 failed\n' "$0" "$1"
	exit 1
}

# machine ROOT: a new one, in that folder.
machine() {
	[ "$(id -u)" = 0 ] || stop 'only root can make a chroot'
	tools/build/install-packages test/tools/build/bare/packages ||
		stop 'what makes a chroot is missing'
	# shellcheck disable=SC1091	# of this machine
	release=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
	# shellcheck disable=SC2016	# apt expands them
	read -r mirror source <<-END
		$(apt-get indextargets --format '$(REPO_URI) $(SOURCESENTRY)' \
			'Created-By: Packages' "Release: $release" \
			'Component: main' | head -n 1)
	END
	[ -n "$mirror" ] || stop "apt has no mirror of Debian '$release' here"
	key=$(sed -n -e 's/^Signed-By: *\//\//p' \
		-e 's/.*signed-by=\([^] ]*\).*/\1/p' "${source%:*}" |
		head -n 1)
	eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
	[ -z "${http_proxy-}" ] || export http_proxy

	echo "Debian $release, in $1"
	timeout 900 unshare --mount debootstrap --variant=minbase \
		--force-check-gpg ${key:+--keyring="$key"} "$release" "$1" \
		"$mirror" >"$check_log" 2>&1 || {
		tail -n 20 "$check_log"
		stop 'debootstrap has failed'
	}
	[ -z "$key" ] || cp --parents "$key" "$1"
	echo "deb ${key:+[signed-by=$key]} $mirror $release main" \
		>"$1/etc/apt/sources.list"
	{
		apt-config dump | grep '^Acquire::'
		echo 'APT::Get::Assume-Yes "true";'
	} >"$1/etc/apt/apt.conf.d/00machine"
	rm -rf "$1"/var/lib/apt/lists/*
	cp /etc/resolv.conf /etc/hosts "$1/etc"
	mkdir "$1/jif"
	copy_tree "$1/jif"
}

# like OLD NEW: a machine that begins as that one is. Without overlays, a copy.
like() {
	mkdir "$2" "$2.new" "$2.work"
	below=$1
	[ ! -e "$1.below" ] || below=$1.new:$(cat "$1.below")
	if unshare --mount mount -t overlay -o "lowerdir=$below" \
		-o "upperdir=$2.new,workdir=$2.work" none "$2" 2>/dev/null; then
		echo "$below" >"$2.below"
	else
		cp -a "$1/." "$2"
	fi
}

# inside ROOT COMMAND: its processes and mounts end with it. What apt-get has
# fetched stays in $packages, for other machines.
packages=$scratch/packages
mkdir "$packages"
inside() {
	# shellcheck disable=SC2016	# for inside
	timeout 3600 unshare --mount --pid --fork --kill-child env -i \
		HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		sh -c '{
			[ ! -e "$0.below" ] || mount -t overlay \
				-o "lowerdir=$(cat "$0.below")" \
				-o "upperdir=$0.new,workdir=$0.work" none "$0"
		} && mount -t proc none "$0/proc" &&
			mount -t tmpfs none "$0/dev/shm" &&
			mount --bind "$2" "$0/var/cache/apt/archives" &&
			chroot "$0" sh -c "cd /jif && $1"; exit $?' \
		"$1" "$2" "$packages" </dev/null
}
