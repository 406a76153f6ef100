#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each package is made, and consumers built with it, in which a timer expires,
# and where there are threads, one of a service: `make check-packaging`. What
# cannot be built here is told in the name.
set -u
. test/lib.sh

unset MAKEFLAGS MFLAGS MAKELEVEL
tools/build/install-packages test/packages \
	test/tools/build/packaging/packages || exit 1
here=$PWD/test/tools/build/packaging
top=$PWD

# expire FOLDER [PROGRAM]...: both consumers, or those.
expire() {
	in=$1
	shift
	[ $# -gt 0 ] || set -- consumer service
	for program; do
		timeout 60 "$in/$program" |
			grep -x 'expired\( at 7100\)*' || return
	done
}

# build TO FLAG...: both consumers.
build() {
	to=$1
	shift
	for program in consumer service; do
		gcc -Wall -Wextra -Werror -o "$to/$program" \
			"$here/$program.c" "$@" || return
	done
}

# two_files FOLDER FLAG...
two_files() {
	in=$1
	shift
	gcc -std=c11 -Wall -Wextra -Werror -DTWO_FILES -I"$in" "$@" \
		"$here/consumer.c" "$in/jif.c" -o "$in/consumer" &&
		expire "$in" consumer
}

four_files() {
	tools/package/amalgamate --service "$folder/four" &&
		build "$folder/four" -std=c11 -DTWO_FILES -I"$folder/four" \
			"$folder/four/jif.c" "$folder/four/jif_service.c" \
			-pthread && expire "$folder/four"
}

package() {
	tools/package/package "$1" "$folder/$1"
}

installed() (
	PKG_CONFIG_PATH=$1/lib/pkgconfig
	export PKG_CONFIG_PATH
	# shellcheck disable=SC2046 # words
	build "$1" $(pkg-config --cflags --libs jif) && expire "$1" &&
		[ "$(pkg-config --modversion jif)" = "$version" ]
)

# with_cmake NAME LINES [OPTION]...: a project that finds jif by these lines.
service=service
with_cmake() {
	mkdir "$folder/$1"
	{
		echo 'cmake_minimum_required(VERSION 3.18)'
		echo 'project(consumer C)'
		printf '%s\n' "$2"
		for program in consumer $service; do
			echo "add_executable($program $here/$program.c)"
			echo "target_link_libraries($program jif::jif)"
		done
	} >"$folder/$1/CMakeLists.txt"
	to=$folder/$1
	shift 2
	cmake -S "$to" -B "$to/build" "$@" && cmake --build "$to/build" &&
		expire "$to/build" consumer $service
}

# The machine of the tests of a firmware, jif/kit/sim.h.
cmake_simulates() (
	service=
	with_cmake simulated \
		"set(JIF_PORT sim)
		add_subdirectory($top/tools/package/cmake jif)" &&
		grep -qr JIF_PORT_SIM "$folder/simulated" --include=*.make
)

# A project of C++ alone, with variables that jif's CMakeLists.txt has, too.
cmake_in_cpp() {
	mkdir "$folder/cpp"
	cp "$here/consumer.c" "$folder/cpp/consumer.cc"
	cat >"$folder/cpp/CMakeLists.txt" <<-END
		cmake_minimum_required(VERSION 3.18)
		project(consumer CXX)
		set(more devkit)
		add_subdirectory($top/tools/package/cmake jif)
		add_executable(consumer consumer.cc)
		target_link_libraries(consumer jif::jif)
	END
	cmake -S "$folder/cpp" -B "$folder/cpp/build" "$@" &&
		cmake --build "$folder/cpp/build" &&
		expire "$folder/cpp/build" consumer
}

cmake_installs() {
	cmake -S tools/package/cmake -B "$folder/cmake-build" \
		-DCMAKE_INSTALL_PREFIX="$folder/cmake-prefix" &&
		cmake --build "$folder/cmake-build" --target install
}

# cmake_says WHAT OPTION: the configuration fails, and tells why.
cmake_says() {
	rm -rf "$folder/refused"
	! cmake -S tools/package/cmake -B "$folder/refused" "$2" \
		>"$folder/said" 2>&1 && tr -s ' \n' ' ' <"$folder/said" |
		grep -F "$1"
}

# An option is for the library and for what links it.
cmake_spreads() {
	with_cmake spread "add_subdirectory($top/tools/package/cmake jif)" \
		-DCONFIG_JIF_SPREAD=8 -DCONFIG_JIF_TRACE=ON \
		-DCONFIG_JIF_NOW64=OFF -DCONFIG_JIF_TICKLESS=n &&
		nm "$folder/spread/build/jif/libjif.a" >"$folder/names" &&
		grep ' T jif_wheel_init_with_CONFIG_JIF_SPREAD_8$' \
			"$folder/names" &&
		grep ' U jif_trace$' "$folder/names"
}

with_meson() {
	mkdir -p "$folder/project/subprojects" &&
		tools/package/package meson \
			"$folder/project/subprojects/jif" &&
		cp "$here"/*.c "$folder/project" || return
	cat >"$folder/project/meson.build" <<-END
		project('consumer', 'c')
		jif = subproject('jif').get_variable('jif_dep')
		foreach name : ['consumer', 'service']
		  executable(name, name + '.c', dependencies: jif,
		    c_args: '-DTWO_FILES')
		endforeach
	END
	meson setup "$folder/project/build" "$folder/project" &&
		ninja -C "$folder/project/build" &&
		expire "$folder/project/build"
}

json() {
	jq -e --arg version "$version" '.name == "jif" and
		.version == $version and .headers == "jif.h"' \
		"$folder/platformio/library.json"
}

yaml() {
	python3 -c 'import sys, yaml
for name in sys.argv[1:]:
    assert isinstance(yaml.safe_load(open(name)), dict), name' "$@"
}

# esp_idf CORES WANT OPTION...: the component as its CMakeLists.txt, in a
# project that stands in for ESP-IDF's, has it compiled.
esp_idf() {
	cores=$1
	want=$2
	shift 2
	mkdir "$folder/idf-$cores"
	cat >"$folder/idf-$cores/CMakeLists.txt" <<-END
		cmake_minimum_required(VERSION 3.18)
		project(consumer C)
		function(idf_component_register)
			cmake_parse_arguments(a "" ""
				"SRCS;INCLUDE_DIRS" \${ARGN})
			add_library(jif STATIC \${a_SRCS})
			target_include_directories(jif PUBLIC
				\${a_INCLUDE_DIRS} $here/stand-in)
			set(COMPONENT_LIB jif PARENT_SCOPE)
		endfunction()
		add_subdirectory($folder/esp-idf jif)
		add_executable(consumer $here/consumer.c)
		target_compile_definitions(consumer PRIVATE TWO_FILES)
		target_link_libraries(consumer jif)
	END
	cmake -S "$folder/idf-$cores" -B "$folder/idf-$cores/build" "$@" &&
		cmake --build "$folder/idf-$cores/build" &&
		expire "$folder/idf-$cores/build" consumer &&
		nm "$folder/idf-$cores/build/jif/libjif.a" >"$folder/names" &&
		[ "$(grep -c ' T jif_smp_take$' "$folder/names")" = "$want" ]
}

cmsis() {
	xmllint --noout "$folder/cmsis/jif.pdsc" &&
		xmllint --xpath '//file/@name' "$folder/cmsis/jif.pdsc" |
		sed 's/.*"\(.*\)"/\1/' | (cd "$folder/cmsis" && xargs ls)
}

# plug_in LIBRARY INCLUDE: the consumers have it in a shared library.
plug_in() {
	rm -rf "$folder/plug-in"
	mkdir "$folder/plug-in"
	gcc -shared -o "$folder/plug-in/jif.so" -Wl,-z,defs -pthread \
		-Wl,--whole-archive "$1" -Wl,--no-whole-archive &&
		build "$folder/plug-in" -I"$2" "$folder/plug-in/jif.so" \
			-Wl,-rpath,"$folder/plug-in" -pthread &&
		expire "$folder/plug-in"
}

debian() {
	package debian && (cd "$folder/debian" &&
		dpkg-buildpackage -us -uc -b) &&
		for deb in "$folder"/*.deb; do
			dpkg-deb -x "$deb" "$folder/unpacked" || return
		done &&
		build "$folder/unpacked" -I"$folder/unpacked/usr/include" \
			"$folder"/unpacked/usr/lib/*/libjif.a -pthread &&
		expire "$folder/unpacked" &&
		plug_in "$folder"/unpacked/usr/lib/*/libjif.a \
			"$folder/unpacked/usr/include" &&
		"$folder/unpacked/usr/bin/jifsim" --version |
		grep -F "$version" &&
		hardened "$folder/unpacked/usr/bin/jifsim" &&
		hardened "$folder/unpacked/usr/bin/idled"
}

# Who publishes a package writes an address into it: localhost is none.
with_lintian() {
	lintian --allow-root --suppress-tags \
		bogus-mail-host,bogus-mail-host-in-debian-changelog \
		"$folder"/*.changes 2>&1
}

# The tool of a package that would start a server, which is not installed.
get_promtool() {
	command -v promtool || (cd "${folder:?}" &&
		apt-get download prometheus && dpkg-deb -x prometheus_*.deb .)
}

# What promtool says of the metrics of idled, and of those of a service.
with_promtool() {
	PYTHONPATH=test/tools/idled python3 -c 'import sys, client
with client.Server(sys.argv[1]) as server:
    print(server.fetch("/metrics"), end="")' \
		"$folder/unpacked/usr/bin/idled" >"$folder/idled.metrics" &&
		gcc -I"$folder/unpacked/usr/include" -o "$folder/metrics" \
			test/tools/idled/service.c tools/show/idled/metrics*.c \
			"$folder"/unpacked/usr/lib/*/libjif.a -pthread &&
		"$folder/metrics" >"$folder/service.metrics" || return
	for name in idled service; do
		PATH=$PATH:$folder/usr/bin promtool check metrics \
			<"$folder/$name.metrics" 2>&1 || echo "exit status $?"
	done
}

version=$(make -s print-version)
check "two files, and two with threads" four_files
check "make install" make -s install PREFIX="$folder/prefix"
check "pkg-config: built, and the timer expires" installed "$folder/prefix"
check "in a shared library" plug_in "$folder/prefix/lib/libjif.a" \
	"$folder/prefix/include"
check "CMake, add_subdirectory()" with_cmake subdirectory \
	"add_subdirectory($top/tools/package/cmake jif)"
check "CMake, FetchContent" with_cmake fetched "include(FetchContent)
FetchContent_Declare(jif SOURCE_DIR $top SOURCE_SUBDIR tools/package/cmake)
FetchContent_MakeAvailable(jif)"
check "CMake, C++ alone, without a port" cmake_in_cpp -DJIF_PORT=
check "CMake installs" cmake_installs
check "CMake, in a shared library" plug_in \
	"$folder"/cmake-prefix/lib*/libjif.a "$folder/cmake-prefix/include"
check "CMake installs the licence" \
	cmp LICENSE "$folder/cmake-prefix/share/doc/jif/LICENSE"
check "CMake, find_package()" with_cmake found \
	"find_package(jif ${version%%.*}.0 REQUIRED)" \
	-DCMAKE_PREFIX_PATH="$folder/cmake-prefix"
check "CMake: the simulated machine" cmake_simulates
check "CMake, make install" with_cmake made \
	"find_package(jif ${version%.*} REQUIRED)" \
	-DCMAKE_PREFIX_PATH="$folder/prefix"
check_fails 1 "CMake, make install: another version" with_cmake other \
	"find_package(jif 99.9 REQUIRED)" -DCMAKE_PREFIX_PATH="$folder/prefix"
check "CMake: options" cmake_spreads
check "CMake: an unknown option is an error" cmake_says \
	"CONFIG_JIF_SPRED is no option" -DCONFIG_JIF_SPRED=8
check "CMake: a value in parentheses is an error" cmake_says \
	"CONFIG_JIF_SPREAD=(8) is no plain number" "-DCONFIG_JIF_SPREAD=(8)"
check "CMake: an unknown port is an error" cmake_says \
	"there is no port z80" -DJIF_PORT=z80
check "Meson: a subproject" with_meson
check "PlatformIO: the package" package platformio
check "PlatformIO: its manifest (PlatformIO is not in Debian)" json
check "PlatformIO: its sources" two_files "$folder/platformio/src"
check "ESP-IDF: the package" package esp-idf
check "ESP-IDF: its manifest (ESP-IDF is not in Debian)" \
	yaml "$folder/esp-idf/idf_component.yml"
check "ESP-IDF: its sources, and a stand-in of FreeRTOS" \
	two_files "$folder/esp-idf/src" -I"$here/stand-in" \
	'-DJIF_PORT="jif_esp_idf.h"'
check "ESP-IDF: with two cores, there is a lock" esp_idf 2 1
check "ESP-IDF: with FreeRTOS on one of them, there is none" esp_idf 1 0 \
	-DCONFIG_FREERTOS_UNICORE=y
check "ESP-IDF: nor with a single core" esp_idf 0 0 \
	-DCONFIG_SOC_CPU_CORES_NUM=1
check "ESP-IDF: its sources compile for Xtensa" xtensa-lx106-elf-gcc \
	-std=c11 -ffreestanding -Wall -Wextra -Werror -I"$here/stand-in" \
	-I"$folder/esp-idf/src" '-DJIF_PORT="jif_esp_idf.h"' -c \
	-o "$folder/xtensa.o" "$folder/esp-idf/src/jif.c"
check "CMSIS-Pack: the package" package cmsis
check "CMSIS-Pack: well-formed, its files are there (no schema here)" cmsis
check "CMSIS-Pack: its sources" two_files "$folder/cmsis/src"
check "Debian: packages are built, and used" debian
check_same "Debian: lintian has nothing to say" "" "$(with_lintian)"
check "promtool is there" get_promtool
check_same "promtool has nothing to say of the metrics" "" "$(with_promtool)"
finish
