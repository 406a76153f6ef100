#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Targets of make that change no object: the options as Kconfig has them, and
# what a release has; what clean and the like remove, and what they leave. Works
# on a copy of the tree, which becomes a clone.
set -u
. test/lib.sh

mkdir "$folder/jif"
copy_tree "$folder/jif"
cd "$folder/jif" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL

# --- options -----------------------------------------------------------------

# kconfig LINE...: where a configuration has these lines, all options are what
# Kconfig makes of them.
kconfig() {
	printf '%s\n' "$@" >"$folder/some"
	cp "$folder/some" "$folder/.config"
	KCONFIG_CONFIG="$folder/.config" kconfig-conf --olddefconfig Kconfig &&
		awk -f tools/build/kconfig.awk -v as=config Kconfig \
			"$folder/some" | sort >"$folder/ours" &&
		grep -e '^CONFIG_' -e 'is not set' "$folder/.config" | sort |
		diff - "$folder/ours"
}

each_option() {
	for option in $(grep -A 1 '^config' Kconfig | grep -B 1 bool |
		sed -n 's/config //p'); do
		kconfig "CONFIG_$option=y" &&
			kconfig "# CONFIG_$option is not set" || return
	done
}

check "without a configuration, options are as Kconfig says" kconfig
check "and with each one on, and off" each_option
check "and with other numbers" kconfig CONFIG_JIF_HZ=100 CONFIG_JIF_SPREAD=8 \
	CONFIG_JIF_SMP=y CONFIG_JIF_SMP_SPINLOCK=0x12
check "and with a simulated machine without what it selects" kconfig \
	CONFIG_JIF_PORT_SIM=y CONFIG_JIF_SMP=y CONFIG_JIF_TRACE=n
mkdir few
echo CONFIG_JIF_SPREAD=1 >few/.config
(umask 002 && mkdir -p "$folder/stage/kept/lib")
check "a configuration of a line is enough to install" sh -c 'umask 077
	make -s -j2 O=few CFLAGS=-O0 install "DESTDIR=$0/stage/" PREFIX=kept &&
	make -s O=few CFLAGS=-O0 install "PREFIX=$0/usr"' "$folder"
check_same "for all, whatever the umask, and a folder stays as it was" \
	"775 $folder/stage/kept
775 $folder/stage/kept/lib" "$(find "$folder/stage/kept" "$folder/usr" \
		-type d ! -perm 755 -printf '%m %p\n' | sort -k 2)"
check "the library that is installed goes into a shared library, whole" \
	gcc -shared -o "$folder/whole.so" -pthread -Wl,-z,defs \
	-Wl,--whole-archive "$folder/usr/lib/libjif.a" -Wl,--no-whole-archive
check "the licence is installed" cmp LICENSE "$folder/usr/share/doc/jif/LICENSE"
check_same "nothing that is compiled has the name of the folder" "" \
	"$(
		make -s -j2 "O=$folder/avr" ARCH=avr "$folder/avr/libjif.a" 2>&1
		find few* "$folder/usr/lib" "$folder/usr/bin" "$folder/avr" \
			-name '*.o' -o -name '*.a' -o -path '*/bin/*' |
			xargs grep -lF -e "$folder"
	)"
header=few/include/jif/autoconf.h
# What is out of form or range: in a .config, and on the command line.
while IFS='|' read -r line want; do
	echo "$line" >>few/.config
	check_fails 2 "$line in .config is an error" make O=few $header
	check_same "$line in .config: which says why" \
		"few/.config: error: $line is not $want" \
		"$(grep error: "$check_log" | sed 's/:[0-9]*:/:/')"
	sed -i '$d' few/.config
	check_fails 2 "make $line is an error" make O=few "$line" $header
	check_same "make $line: which says why" \
		"few/command-line: error: $line is not $want" \
		"$(grep error: "$check_log" | sed 's/:[0-9]*:/:/')"
done <<'END'
CONFIG_JIF_HZ=010|a plain number from 1 to 1000000
CONFIG_JIF_HZ=0|a plain number from 1 to 1000000
CONFIG_JIF_HZ=abc|a plain number from 1 to 1000000
CONFIG_JIF_HZ=2000000|a plain number from 1 to 1000000
CONFIG_JIF_SPREAD=300|a plain number from 0 to 255
CONFIG_JIF_SPREAD=|a plain number from 0 to 255
CONFIG_JIF_SMP=1|y or n
CONFIG_JIF_INITIAL_JIFFIES=10|a number with 0x in front, from 0x0 to 0xffffffff
CONFIG_JIF_CORTEX_M_BASEPRI=0x100|a number with 0x in front, from 0x0 to 0xff
CONFIG_JIF_COMPARE_TIMER=x.h|a text in double quotes
END
check_fails 2 "make CONFIG_JIF_SPRED=8 is an error" \
	make O=few CONFIG_JIF_SPRED=8 $header
check_fails 2 "and one to a target that would not use it" \
	make O=few CONFIG_JIF_SPREAD=8 savedefconfig
check "what is installed has an option of the command line" \
	make -s -j2 O=few CFLAGS=-O0 install "PREFIX=$folder/usr" \
	CONFIG_JIF_HZ=100 CONFIG_JIF_DEBUG=y
check_same "but for debugging, as with .config" 'DEBUG 0 HZ 100 SPREAD 1 ' \
	"$(sed -n 's/.*JIF_\(HZ\|SPREAD\|DEBUG\) /\1 /p' \
		"$folder/usr/include/jif/jif_installed.h" | LC_ALL=C sort |
		tr '\n' ' ')"
check "an option may be a text" make O=few CONFIG_JIF_COMPARE=y \
	CONFIG_JIF_COMPARE_TIMER='"a b.h"' $header
check_same "with blanks" ' "a b.h"' "$(sed -n 's/.*_COMPARE_TIMER//p' $header)"
make -s O=few $header
check_same "without them, options are as .config says" \
	'CONFIG_JIF_SPREAD=1' "$(cat few/.config)"
check_same "and so is the header" 'HZ 1000 SPREAD 1 ' \
	"$(sed -n 's/.*JIF_\(HZ\|SPREAD\|COMPARE_TIMER\) /\1 /p' $header |
		sort | tr '\n' ' ')"

for config in tools/build/configs/*_defconfig; do
	name=${config##*/}
	make -s "ARCH=${name%_defconfig}" O=menu "$name" savedefconfig \
		>"$check_log"
	check "$config is what make savedefconfig writes" cmp "$config" \
		menu/defconfig
done
sed -i -e /JIF_TICKLESS/d -e 's/_SPREAD=0/_SPREAD=8/' menu/.config
check "make olddefconfig" make O=menu olddefconfig
check_same "adds what is missing, and keeps what is there" \
	'CONFIG_JIF_SPREAD=8 CONFIG_JIF_TICKLESS=y ' \
	"$(grep -e _TICKLESS -e _SPREAD menu/.config | sort | tr '\n' ' ')"
check_fails 2 "without Kconfig's tool it is an error" \
	make O=menu KCONFIG_CONF=nothing olddefconfig
check_same "which names the package" 1 \
	"$(grep -c 'apt-get install kconfig-frontends' "$check_log")"
rm -r menu

# --- what is told before any work --------------------------------------------

check "a prefix may have blanks" make -s -j2 O=few CFLAGS=-O0 install \
	"PREFIX=$folder/a b"
check_same "and pkg-config gives it as one word" "-I$folder/a b/include" \
	"$(eval "set -- $(PKG_CONFIG_PATH="$folder/a b/lib/pkgconfig" \
		pkg-config --cflags jif)" && echo "$1")"
check_fails 2 "make from elsewhere is an error" \
	sh -c 'cd / && make -f "$1"/Makefile' - "$PWD"
check_same "which says where" "make -C $PWD/" \
	"$(grep -o "make -C $PWD/" "$check_log")"
for folder_of in O DESTDIR; do
	check_fails 2 "$folder_of where nobody may write is an error" \
		make "$folder_of=/proc/jif" install
	check_same "which says so, before any work" 1 \
		"$(grep -c '/proc/jif.* cannot be written' "$check_log")"
done

# --- a release ---------------------------------------------------------------

# refused NAME WHY: there is nothing to release.
refused() {
	check_fails 1 "$1" tools/package/release --ready
	check_same "$1: why" 1 \
		"$(grep -c "make release: error: $2" "$check_log")"
}

clone() {
	git init -q && git add -A &&
		git -c user.name=t -c user.email=t@t commit -qm release
}

version=$(make -s print-version)
refused "no clone" 'this is no clone'
sed -i '1,/^## /s/^## .*/## Next/' docs/CHANGES.md
clone
refused "no such version in CHANGES" "docs/CHANGES.md begins with 'Next'"
sed -i "s/^## Next/## $version/" docs/CHANGES.md
refused "a dirty tree" 'the tree is dirty'
check_same "each file is named" 1 "$(grep -c ' M docs/CHANGES.md' "$check_log")"
clone
mkdir "$folder/others"
touch "$folder/others/file"
check_fails 2 "the folder of others is refused" \
	tools/package/release "$folder/others"
check_same "and not emptied" file "$(ls "$folder/others")"
check "a release is made" tools/package/release "$folder/once"
check "all its files are there" sh -c 'cd "${1:?}" && cat SHA256SUMS &&
	sha256sum -c --strict SHA256SUMS && for end in .tar.gz \
	-two-files.tar.gz -arduino.zip -debian.tar.gz; do
		grep " jif-$2$end\$" SHA256SUMS || exit
	done' - "$folder/once" "$version"
check "and again, with the same bytes" tools/package/release "$folder/again"
check_same "to the last file" "$(cat "$folder/once/SHA256SUMS")" \
	"$(cat "$folder/again/SHA256SUMS")"
git tag "v$version"
echo >>README.md
clone
refused "a version that has a tag elsewhere" "v$version is a tag already"

two_files() (
	tar xf "$folder/once/jif-$version-two-files.tar.gz" -C "$folder" &&
		cd "$folder/jif-$version-two-files" &&
		gcc -std=c11 -Wall -Wextra -Werror -DTWO_FILES -I. -o consumer \
			"$folder/jif/test/tools/build/packaging/consumer.c" \
			jif.c &&
		./consumer | grep '^expired at 7100$'
)

check "the two files of the release expire a timer" two_files

# --- what is removed, and what is not ---------------------------------------

copy=$PWD
make -s CFLAGS=-O0 O="$copy/elsewhere" "$copy/elsewhere/libjif.a"
mkdir -p foreign/lib foreign/test two-release 'a b'
touch foreign/lib/mine foreign/test/mine two-release/mine
find foreign two* -type f >files
for o in '' / 'a b' . foreign two; do
	check_fails 2 "O='$o' is refused" make -n clean O="$o"
	check_same "which says why" 1 "$(grep -c "'$o.*' \(is not\|has a\)" \
		"$check_log")"
done
check_fails 2 "nothing is made there" make O=foreign
check_fails 2 "nor beside" make O=two
mkdir -p other/build
touch other/build/mine
cp -r Makefile Kconfig docs include lib tools test other
O=$copy/foreign make -s -C other clean
check_same "in the environment, O has no meaning" "" \
	"$(O=foreign make -s print-flags | grep foreign)"
check_same "and what is there stays" "" \
	"$(find foreign two* -type f | diff files - 2>&1)"
touch elsewhere/lib/mine
mv elsewhere/libjif.a elsewhere/saved
check "make clean works" make O="$copy/elsewhere" clean
check_same "and removes what make has made, and no more" \
	"elsewhere/.config elsewhere/.jif-made elsewhere/lib/mine \
elsewhere/saved " "$(find elsewhere -type f | sort | tr '\n' ' ')"
rm -r elsewhere/lib elsewhere/saved
make -s -j2 O="$copy/elsewhere" CFLAGS=-O0 "$copy/elsewhere-release/libjif.a"
make -s O="$copy/elsewhere" clean
check_same "all of it" "elsewhere elsewhere/.config " \
	"$(find elsewhere* | sort | tr '\n' ' ')"
check "a folder with a configuration is taken" \
	make -s O="$copy/elsewhere" print-flags
tools/package/package arduino '' 2>&1 | grep -o 'is no new folder' >said
check_same "a package wants the name of a folder" "is no new folder" \
	"$(cat said library.properties 2>&1 | grep -v ': No such')"
check_fails 1 "and so does the page" tools/show/web/build ''
check_fails 2 "make mrproper does not remove another build" \
	make -C other mrproper
check_same "of which all stays" other/build/mine "$(find other/build -type f)"
rm -r other/build
make -s -C other lib/wheel.o
check "but its own" make -C other mrproper
check_fails 1 "and all of that" test -e other/build

# Where temporary files have no place, each script ends before it does a thing.
grep -rlE '^\. .*(test/lib|tools/build/scratch|findings/lib)\.sh"?$' .ci test \
	tools findings | xargs grep -l '^#!' >scripts
scripts=$(wc -l <scripts)
cat >ends <<'END'
state=$(find . -printf '%p %s %T@\n')
while read -r script; do
	said=$(TMPDIR=$1 timeout 60 sh "./$script" systick </dev/null 2>&1)
	echo "$?: ${said##*: error: }"
done <scripts | sort | uniq -c
[ "$state" = "$(find . -printf '%p %s %T@\n')" ] || echo and writes elsewhere
END
check_same "without a folder for temporary files, no script begins" \
	"$scripts 2: no temporary folder in /nonexistent" \
	"$(sh ./ends /nonexistent | sed 's/^ *//')"
mkdir full
full() {
	! unshare -rm true || unshare -rm sh -c '
		mount -t tmpfs -o size=4k 0 full
		cat /dev/zero >full/zero
		sh ./ends "$PWD/full" | grep " $1 2: no temp"' - "$scripts"
}
check "nor with one that is full, where that can be mounted" full
finish
