# SPDX-License-Identifier: MIT
#
# test/tools/findings/lib.sh - what the scripts of findings/ share: sourced
#
# Each script shows one thing that published software does otherwise than its
# user expects. It fetches that software into a temporary folder, and runs it on
# valid input, and nothing of this tree. It prints the versions and what it saw,
# and fails when that has changed.
#
#	findings/qemu-nrf51-start.sh

cd "$(dirname "$0")/.." || exit 2
here=test/tools/findings
. tools/build/scratch.sh

# debian PACKAGE=VERSION...: into $root, with what they depend on and this
# machine lacks. A package that is not named may be the machine's. A version is
# the beginning of one.
debian() {
	root=$folder/root
	mkdir -p "$root" "$folder/debs/partial"
	for debian_package; do
		shift
		set -- "$@" "$debian_package*"
	done
	apt-get install -qy --download-only --reinstall --allow-downgrades \
		--no-install-recommends -o Debug::NoLocking=1 \
		-o Dir::Cache::archives="$folder/debs" "$@" \
		>/dev/null 2>"$check_log" || {
		cat "$check_log" >&2
		echo "$0: error: cannot get $*" >&2
		exit 2
	}
	for debian_file in "$folder"/debs/*.deb; do
		dpkg-deb -x "$debian_file" "$root" || exit 2
	done
	for debian_package; do
		dpkg-deb -W "$folder/debs/${debian_package%%=*}"_*.deb || exit 2
	done
	PATH=$root/usr/bin:$PATH
	LD_LIBRARY_PATH=$(find "$root" -name 'lib*.so.*' -printf '%h\n' |
		sort -u | paste -sd:)
	export PATH LD_LIBRARY_PATH
}

# npm_package NAME VERSION: into $folder, where Node.js finds it.
npm_package() {
	npm install --no-audit --no-fund --prefix "$folder" \
		--cache "$folder/npm" "$1@$2" >"$check_log" 2>&1 || {
		cat "$check_log" >&2
		echo "$0: error: cannot get $1@$2" >&2
		exit 2
	}
	echo "$1 $2"
}

# saw WANT: standard input has to be these lines.
saw() {
	sed 's/[[:space:]]*$//' >"$folder/saw"
	cat "$folder/saw"
	[ "$1" = "$(cat "$folder/saw")" ] || {
		printf '%s: error: it has changed. It was:\n%s\n' "$0" "$1" >&2
		exit 1
	}
}

# arm CPU ROM STACK OPTION...: runs the C of standard input on QEMU, see arm.h.
# An instruction takes 1.024 us there, so that each run is the same.
arm() {
	case $1 in
	cortex-m*) arm_code=-mthumb ;;
	*) arm_code=-marm ;;
	esac
	arm-none-eabi-gcc -mcpu="$1" "$arm_code" -O1 -Wall -Werror \
		-ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
		-Wl,--section-start=.boot="$2",--defsym=stack="$3" \
		-Wl,-Ttext="$(printf '0x%x' $(($2 + 256)))" -x c - \
		-include $here/arm.h -lgcc -o "$folder/arm.elf" || exit 2
	shift 3
	timeout 60 qemu-system-arm -display none -monitor none -serial none \
		-audiodev none,id=none -icount shift=10 \
		-kernel "$folder/arm.elf" \
		-chardev file,id=said,path="$folder/said" \
		-semihosting-config enable=on,chardev=said "$@" \
		2>"$check_log" || cat "$check_log" >&2
	cat "$folder/said"
}

# avr [CHIP]: makes $folder/avr.elf of the C of standard input, see avr.h.
avr() {
	avr-gcc -mmcu="${1:-atmega328p}" -Os -Wall -Werror \
		-include $here/avr.h -x c - -o "$folder/avr.elf" || exit 2
}

# on_simavr: what it prints there, at 16 MHz.
on_simavr() {
	timeout 60 simavr -m atmega328p -f 16000000 "$folder/avr.elf" 2>&1 |
		tr -d '\033' | sed -n 's/^\(\[0m\)*\[32m\(.*\)\.$/\2/p'
}

# on_qemu MACHINE: what it prints there. QEMU does not end by itself.
on_qemu() {
	timeout 60 qemu-system-avr -M "$1" -display none -monitor none \
		-serial file:"$folder/said" -bios "$folder/avr.elf" \
		2>"$check_log" &
	until grep -qs end "$folder/said"; do
		kill -0 $! || break
		sleep 0.1
	done
	kill $!
	cat "$folder/said"
}

# on_avr8js: what it prints there, at 16 MHz.
on_avr8js() {
	avr-objcopy -O binary "$folder/avr.elf" "$folder/avr.bin" || exit 2
	NODE_PATH="$folder/node_modules" node $here/avr8js.js \
		"$folder/avr.bin"
}

# riscv ROM STACK OPTION...: as arm() does, on a core of 32 bits, see riscv.h.
riscv() {
	riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32 \
		-mcmodel=medany -O1 -Wall -Werror -ffreestanding -nostdlib \
		-Wl,--no-warn-rwx-segments -Wl,--defsym=stack="$2" \
		-Wl,--section-start=.boot="$1" \
		-Wl,-Ttext="$(printf '0x%x' $(($1 + 256)))" -x c - \
		-include $here/riscv.h -o "$folder/riscv.elf" || exit 2
	shift 2
	timeout 60 qemu-system-riscv32 -display none -monitor none \
		-serial none -icount shift=10 \
		-kernel "$folder/riscv.elf" \
		-chardev file,id=said,path="$folder/said" \
		-semihosting-config enable=on,chardev=said "$@" \
		2>"$check_log" || cat "$check_log" >&2
	cat "$folder/said"
}
