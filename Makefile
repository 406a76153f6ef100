# SPDX-License-Identifier: MIT
#
# jif: `make help` lists what there is to make.

MAKEFLAGS += --no-builtin-rules --no-builtin-variables
.DELETE_ON_ERROR:
.SUFFIXES:

ifeq ($(wildcard tools/build/config.mk),)
$(error this is not jif's folder: make -C $(dir $(firstword $(MAKEFILE_LIST))))
endif

# $(ARCH) is one of tools/build/arch; everything goes to $(O), of the command
# line: in the environment, it is that of others.
ARCH ?= host
archs := $(patsubst %.mk,%,$(notdir $(sort $(wildcard tools/build/arch/*.mk))))
ifeq ($(filter $(archs),$(ARCH)),)
$(error ARCH=$(ARCH) is none of: $(archs))
endif
ifneq ($(origin O),command line)
override O := build/$(ARCH)$(if $(filter 1,$(SAN)),-san)
endif
$(if $(word 2,[$(O)]),$(error O='$(O)' has a blank))
include tools/build/arch/$(ARCH).mk

ifneq ($(origin CC),command line)
CC := $(if $(CROSS_COMPILE),$(CROSS_COMPILE)gcc,cc)
endif
ifneq ($(origin AR),command line)
AR := $(CROSS_COMPILE)ar
endif

.PHONY: all
all:

makes-objects := $(if $(filter help clean mrproper %config,$(MAKECMDGOALS)),,y)

# $(call writable,FOLDER,COMMAND,HINT): stop before any work if it is not, after
# that command has made it.
writable = $(if $(shell { $(2) '$(1)' && [ -w '$(1)' ]; } 2>&1 || echo no),$(error \
	$(1) cannot be written$(3)))
# All may read what is new in there; what was there stays as it is.
make-folder := umask 022 && mkdir -p
ifneq ($(filter install,$(MAKECMDGOALS)),)
$(call writable,$(DESTDIR)$(or $(PREFIX),/usr/local),$(make-folder),: be root or set PREFIX or DESTDIR)
endif
include tools/build/config.mk

KBUILD_CPPFLAGS := -I$(O)/include -Iinclude
KBUILD_CFLAGS := -std=c11 $(ARCH_CFLAGS) -Wall -Wextra -Wundef \
		 -ffunction-sections -fdata-sections
LIB_CFLAGS := $(if $(ARCH_HOSTED),,-ffreestanding) -fstack-usage

ifeq ($(W),1)
KBUILD_CFLAGS += -Wconversion -Wshadow -Wstrict-prototypes \
		 -Wmissing-prototypes -Wold-style-definition -Wpointer-arith \
		 -Wredundant-decls -Wwrite-strings -Wformat=2
LIB_CFLAGS += -Wdeclaration-after-statement
endif
ifeq ($(SAN),1)
KBUILD_CFLAGS += -O1 -fno-omit-frame-pointer \
		 -fsanitize=address,undefined -fno-sanitize-recover=all
endif

# What is installed on a host: libjif.a also goes into shared libraries.
ifeq ($(HARDEN),1)
KBUILD_CFLAGS += -fPIC -fno-semantic-interposition \
		 -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
KBUILD_LDFLAGS := -pie -Wl,-z,relro,-z,now
endif

# Sparse takes every target for the host, so it has to be told the port.
port := $(if $(ARCH_CORTEX_M),cortex-m)$(if $(ARCH_RISCV),riscv)$(if \
	$(ARCH_AVR),avr)
SPARSE ?= sparse
SPARSE_FLAGS := -Wsparse-all -Wno-declaration-after-statement \
		-Wno-transparent-union -Wno-ptr-subtraction-blows \
		-Wno-unknown-attribute -include $(O)/include/jif/autoconf.h \
		$(if $(port),'-DJIF_PORT="$(port)/jif_port.h"')

kbuild-folders := lib
ifeq ($(ARCH),host)
kbuild-folders += tools/simulate tools/show/idled test
else
kbuild-folders += test/target
endif
ifneq ($(makes-objects),)
include tools/build/kbuild.mk
endif

# The library that products link. On the host, $(O) is for the tests; what is
# installed is configured alike, but for what only those need. jifsim records,
# and is linked with a library of its own.
release := $(O)$(if $(ARCH_HOSTED),-release)
installed := $(patsubst $(O)/%,$(release)/%,$(programs-tool:jifsim=traced/jifsim))
ifneq ($(filter-out help mrproper,$(or $(MAKECMDGOALS),all)),)
not-ours := $(shell tools/build/own --check '$(O)' '$(release)' 2>&1)
$(if $(not-ours),$(error $(not-ours)))
endif
ifneq ($(makes-objects),)
$(call writable,$(O),tools/build/own --keep,: make O=FOLDER builds in another one)
endif
# What is made is listed there, for clean.
%/.jif-made:
	@tools/build/own --keep $(@D)
ifneq ($(release),$(O))
$(release)/.config: off := PORT_SIM DEBUG TRACE
$(release)/traced/.config: off := PORT_SIM DEBUG
$(release)/traced/.config: on := TRACE
$(release)/.config $(release)/traced/.config: $(config) $(O)/command-line \
		Makefile | $(release)/.jif-made
	@tools/build/own --keep $(@D)
	@printf '%s\n' .config $(notdir $(finders)) >>$(@D)/.jif-made
	@{ cat $< $(O)/command-line; printf '# CONFIG_JIF_%s is not set\n' $(off); \
		$(on:%=echo CONFIG_JIF_%=y;) } > $@

# One at a time in each folder.
$(release)/idled: $(release)/libjif.a
$(release)/libjif.a $(installed): $(release)/.config $(release)/traced/.config FORCE
	@$(MAKE) --no-print-directory HARDEN=1 O=$(@D) options= $@
endif

## all: the library and, for the host, the tools (this is the default)
all: $(release)/libjif.a $(programs-tool)
	@:

# For tests that compile without making anything: CFLAGS=-fsyntax-only.
.PHONY: objects
objects: $(if $(ARCH_HOSTED),$(objects),$(lib-objs))

# The emulators need packages of their own.
emulators := $(filter $(O)/test/target/%,$(programs-test))

## tests: the test programs, and what emulated machines need
.PHONY: tests host-tests
tests: host-tests $(emulators)
host-tests: $(filter-out $(if $(ARCH_HOSTED),$(emulators)),$(programs-test))
	@:

## clean: remove what this ARCH and O have made, but not the configuration
.PHONY: clean
clean:
	@tools/build/own --clean $(release)/traced $(release) $(O)

## mrproper: remove everything that was ever made
.PHONY: mrproper
mrproper:
	@[ ! -e build ] || { tools/build/own build && rm -r build; }
	@rm -f tools/*/__pycache__/*.pyc
	@for example in blink firmware nodes; do \
		$(MAKE) -s -C docs/examples/$$example clean; done

## help: this list
.PHONY: help
help:
	@awk -f tools/build/help.awk -v archs='$(archs)' $(MAKEFILE_LIST)

## run: simulate a keep-alive pool and replay a recorded kernel workload
.PHONY: run
run: $(O)/jifsim
	@test/tools/run/run.sh $(O)/jifsim

## check: install what the tests need, and run them all, or STEP=NAME
.PHONY: check
check:
	@test/check.sh $(STEP)

## check-more: longer tests: more processors, kernels, coverage
.PHONY: check-more
check-more:
	@test/check.sh --more

## check-host: in two minutes, without cross compilers, emulators and clang
.PHONY: check-host
check-host:
	@test/check.sh --host $(STEP)

## check-bare: README's first commands, in a fresh Debian: root, some minutes
.PHONY: check-bare
check-bare:
	@test/tools/build/bare/check.sh

## check-needs: each step, or STEP=NAME, alone in a fresh Debian: root, hours
.PHONY: check-needs
check-needs:
	@test/tools/build/bare/needs.sh $(STEP)

# The bare-metal targets: that of ARCH or, on the host, all of them.
target-archs := $(filter-out host,$(if $(ARCH_HOSTED),$(archs),$(ARCH)))

## check-long: what check and check-more have less of, as a whole: hours
.PHONY: check-long
NETS ?= explore inductive step faults spread smp proof theorem coverage models \
	check-far check-checks
check-long: packages tests
	@NOW_OPERATIONS=1500000 $(O)/test/wheel/model/model -j1
	@$(MAKE) $(NETS)
	@test/tools/build/check.sh && test/faults/check.sh
	@test/target/check.sh arm-cortex-m0 unit
	@for arch in $(target-archs); do \
		test/target/check.sh $$arch port unit demo || exit; done
	@test/target/check.sh rv32 month
	@test/port/compare/check.sh 1
	@$(MAKE) SAN=1 O=$(O)-san tests
	@LOCKSTEP_OPERATIONS=200000 $(O)-san/test/wheel/model/model -j1

# What tests need, for those that are not of test/check.sh: all, or what some of
# its steps do.
lists := test/packages test/target/packages
needs = @tools/build/install-packages --for='build $(1)' $(lists)
.PHONY: packages
packages:
	@tools/build/install-packages $(lists)

## check-far: tests and models on nine processors, under qemu-user: 15 minutes
.PHONY: check-far
check-far:
	$(call needs,compilers)
	@tools/build/install-packages test/tools/build/packages
	@test/tools/build/compilers.sh far

## check-checks: break what each step of check holds, one by one: it has to fail
.PHONY: check-checks
check-checks: packages tests
	@test/checks.sh

## amalgamation: the library as two files, in build/amalgamation/jif
.PHONY: amalgamation
amalgamation:
	@tools/package/amalgamate --service build/amalgamation/jif

## inductive: each call from each sound state; what is done is not done again
.PHONY: inductive
TIMERS ?= 2 3
inductive: $(O)/test/wheel/model/explore/inductive
	@mkdir -p $(O)/inductive
	@last=$$(($$($< positions) - 1)) && for timers in $(TIMERS); do \
		seq -f "$$timers %.0f" 0 $$last; done | \
	xargs -P 2 -L 1 sh -c 'part=$(O)/inductive/$$0-$$1; \
		[ "$$part" -nt $< ] || { $< $$0 $$1 >$$part.new && \
		mv $$part.new $$part; } || { cat $$part.new; exit 255; }'
	@cat $(O)/inductive/*-* | awk '{ n[$$2] += $$3; of[$$2] += $$5 } END { \
		for (t in n) print t + 0 " timers:", n[t], "states,", of[t], "steps" }'

## explore: every state of a small wheel, table, queue and scheduler
.PHONY: explore
explore: $(O)/test/wheel/model/explore/explore
	@test/wheel/model/explore/check.sh $<

## coverage: lines, branches, conditions of lib/ that no test of the host covers
.PHONY: coverage
coverage:
	$(call needs,coverage)
	@tools/build/install-packages test/faults/coverage/packages
	@test/faults/coverage/check.sh long

## swarm: lives of a wheel at random for TIME=60 seconds; 200 years; 50 wraps
.PHONY: swarm
TIME ?= 60
swarm: $(O)/test/wheel/model/swarm
	@$< --time $(TIME)

## models: ACTS=100000000 each on scheduler, time sources, periodic timers, service
.PHONY: models
ACTS ?= 100000000
models: model-packages $(addprefix $(O)/test/wheel/,model/model unit/unit) \
		$(release)/libjif.a
	@LOCKSTEP_OPERATIONS=$$(($(ACTS) / 4)) $(O)/test/wheel/model/model -j2 \
		--filter 'turns/*'
	@NOW_OPERATIONS=$$(($(ACTS) / 7)) $(O)/test/wheel/model/model -j2 \
		--filter 'now/*'
	@LOCKSTEP_OPERATIONS=$(ACTS) $(O)/test/wheel/unit/unit \
		--filter 'periodic_random/*'
	@$(CC) -std=gnu11 -O2 -pthread -I. -I$(release)/include -Iinclude \
		-o $(O)/now test/host/now.c $(release)/libjif.a && $(O)/now $(ACTS)

# Before it is built.
.PHONY: model-packages
model-packages:
	$(call needs,model)

## random: ACTS=1000000000 beside an oracle with each SPREAD=0 1 8: hours
.PHONY: random
random: ACTS = 1000000000
SPREAD ?= 0 1 8
random: model-packages
	@for k in $(SPREAD); do $(MAKE) O=build/random-$$k CONFIG_JIF_SPREAD=$$k \
		build/random-$$k/test/wheel/model/model || exit; done
	@for k in $(SPREAD); do LOCKSTEP_OPERATIONS=$$(($(ACTS) / 4)) \
		build/random-$$k/test/wheel/model/model -j2 \
		--filter 'lockstep/*' || exit; done

## year: 100 tasks and a million jobs, for a simulated year
.PHONY: year
year: $(release)/libjif.a
	@$(CC) -std=gnu11 -O2 -pthread -I$(release)/include -Iinclude \
		-o $(O)/year test/wheel/model/year.c $< && $(O)/year

## mutants: all that the operators know, to all of lib/, or a third, SEED=1: hours
.PHONY: mutants
mutants:
	$(call needs,mutants)
	@test/faults/plant --mutants$(SEED:%==3:%) -j2 test/faults/mutants.toml

## check-proof: what check only compares with the text that was proved: minutes
.PHONY: check-proof
check-proof:
	$(call needs,proof theorem)
	@test/proof/check.sh all && test/proof/theorem.sh all

## proof: a theorem, contracts of lib/, all inputs, models of an interrupt, no run-time error
.PHONY: proof
proof:
	$(call needs,proof theorem)
	@tools/build/install-packages test/proof/packages
	@test/proof/check.sh long
	@test/proof/theorem.sh long

## theorem: PARTS of 10 million calls: lib/ does what the model of the theorem does
.PHONY: theorem
PARTS ?= 0 1 2 3 4 5 6 7 8 9
theorem:
	$(call needs,theorem)
	@test/proof/theorem.sh $(PARTS)

## faults: plant all faults of a firmware and of the ports
.PHONY: faults
faults:
	$(call needs,firmware-faults port-faults)
	@test/faults/plant test/tools/docs/examples/firmware.toml
	@test/target/mutants.sh

## fuzz: look for inputs that reach more, for TIME=60 seconds per fuzzer
TIME ?= 60
.PHONY: fuzz
fuzz:
	$(call needs,fuzz)
	@test/wheel/model/fuzz/check.sh $(TIME)

## idled-load: 20,000 connections, 5,000 a second
.PHONY: idled-load
idled-load: $(release)/idled
	@test/tools/idled/load.py $<

## spread: CONFIG_JIF_SPREAD = 1, 2, 3, 4, 8 and 64, at length
.PHONY: spread
spread:
	@test/wheel/model/spread.sh long

## port-test: accept a port: the port tests on the machine of ARCH, or on all
.PHONY: port-test
port-test:
	$(call needs,$(target-archs:%=target-%))
	@for arch in $(target-archs); do \
		test/target/check.sh $$arch port || exit 1; done

## qemu: a simulated day of the demonstration firmware on a Cortex-M3, or ARCH
.PHONY: qemu
qemu: demo-arch = $(or $(filter-out host,$(ARCH)),arm-cortex-m3)
qemu:
	$(call needs,target-$(demo-arch))
	@test/target/check.sh $(demo-arch) demo

## step: an interrupt at every instruction, also at those with interrupts off
.PHONY: step
step: $(O)/test/wheel/model/step/step
	@$< --all
	@$(MAKE) O=$(O)-small CFLAGS=-Os $(O)-small/test/wheel/model/step/step
	@$(O)-small/test/wheel/model/step/step --all

## pictures: make the pictures of the documents from recordings
.PHONY: pictures
pictures: $(O)/jifsim
	@tools/trace/pictures

## smp: ten million armings, moves and deletions from two cores, as threads
.PHONY: smp
smp:
	@test/wheel/model/smp/check.sh 10000000

## web: a page in which to watch the wheel: build/web/jif.html
.PHONY: web
web:
	@tools/build/install-packages --for=page $(lists)
	@tools/show/web/build build/web

## web-test: test that page with all scenarios, and make pictures of it
.PHONY: web-test
web-test:
	$(call needs,web)
	@test/tools/web/check.sh long

## service-stress: eight threads and a service, a minute under each checker
.PHONY: service-stress
service-stress:
	@test/host/check.sh 60

## interleave: all schedules of two preemptions of what threads do
.PHONY: interleave
interleave:
	@test/host/interleave/check.sh 2

## check-kernels: under the kernels built in FREERTOS=path, THREADX=path, RIOT=..
.PHONY: check-kernels
check-kernels:
	$(call needs,kernels arduino)
	@FREERTOS='$(FREERTOS)' THREADX='$(THREADX)' RIOT='$(RIOT)' \
		CHIBIOS='$(CHIBIOS)' CONTIKI='$(CONTIKI)' NUTTX='$(NUTTX)' \
		MYNEWT='$(MYNEWT)' ZEPHYR_BASE='$(ZEPHYR_BASE)' \
		test/face/kernels/check.sh real
	@PICO='$(PICO)' NRFX='$(NRFX)' STM32L4='$(STM32L4)' \
		test/face/kernels/registers.sh
	@test/face/kernels/arduino.sh

## check-chips: jif's ports on emulated chips: RP2040, ATmega328P, 1284P, 2560
.PHONY: check-chips
check-chips:
	$(call needs,target-arm-cortex-m0 target-avr)
	@tools/build/install-packages test/target/chips/packages
	@test/target/chips/check.sh

## check-packaging: make each package, and a consumer of it
.PHONY: check-packaging
check-packaging:
	@test/tools/build/packaging/check.sh

## release: from a clean tree, what a release has: build/release
.PHONY: release release-check
release:
	@tools/package/release --ready
	@test/tools/build/packaging/check.sh
	@tools/package/release build/release

## release-check: each net of docs/trust.md on the last commit: a day; it may stop
release-check: packages
	@tools/check/release

# So that mrproper may remove it.
book web amalgamation release release-check bench service-bench budget pictures check \
	check-host check-more check-far check-bare check-needs check-chips: | build/.jif-made
build/.jif-made:
	@[ -e build ] || tools/build/own --keep build

PREFIX ?= /usr/local
LIBDIR ?= lib
shelves = $(wildcard include/jif/*/*.h include/jif/*/*/*.h include/jif/*/*/*/*.h)
manuals = $(wildcard tools/*/*.1 tools/*/*/*.1)
version = $(shell printf %d.%d.%d $$(sed -n \
	's/.*JIF_VERSION 0x\(..\)\(..\)\(..\)$$/0x\1 0x\2 0x\3/p' \
	include/jif/types.h))

finders := pkgconfig/jif.pc cmake/jif/jif-config.cmake \
	   cmake/jif/jif-config-version.cmake

# $(call put,MODE,FILES,FOLDER): into that folder of PREFIX, which may have blanks.
to = $(DESTDIR)$(PREFIX)
prefix = $(if $(filter /%,$(firstword $(PREFIX))),,$(CURDIR)/)$(PREFIX)
put = @$(make-folder) "$(to)/$(3)" && install -m $(1) $(2) "$(to)/$(3)"

## install: headers, library, for pkg-config and CMake, tools, manual pages, licence
.PHONY: install
install: all $(installed)
	$(call put,644,include/jif/*.h*,include/jif)
	@install -m 644 $(release)/include/jif/autoconf.h \
		"$(to)/include/jif/jif_installed.h"
	@for header in $(shelves); do \
		$(make-folder) "$(to)/$${header%/*}" && \
		install -m 644 $$header "$(to)/$$header" || exit; done
	$(call put,644,$(release)/libjif.a,$(LIBDIR))
	$(call put,644,LICENSE,share/doc/jif)
	@for file in $(finders); do \
		made=$(release)/$${file##*/}; \
		sed -e 's|@PREFIX@|$(subst $(space),\\ ,$(prefix))|; s|@VERSION@|$(version)|' \
			-e 's|@LIBDIR@|$(LIBDIR)|' \
			-e 's|@THREADS@|$(if $(ARCH_HOSTED),-pthread)|' \
			tools/package/$${file##*/}.in >$$made && \
		$(make-folder) "$(to)/$(LIBDIR)/$${file%/*}" && \
		install -m 644 $$made "$(to)/$(LIBDIR)/$$file" || exit; done
ifneq ($(programs-tool),)
	$(call put,755,$(installed),bin)
	$(call put,644,$(manuals),share/man/man1)
endif
	@echo "  INSTALL $(to)"

# For scripts: the version; and what this target is compiled with.
.PHONY: print-version print-flags
print-version:
	@echo $(version)
print-flags:
	@echo $(ARCH_CFLAGS) $(KBUILD_CPPFLAGS)

## book: the documents as HTML, the interface as that and as manual pages
.PHONY: book
book:
	@tools/show/book build/book

## bench: jif beside other timers, for BENCH_N=1e3,1e4 or BENCH_FLAGS=--help
.PHONY: bench
bench:
	@tools/build/install-packages tools/check/bench/packages
	@tools/check/bench/bench $(if $(BENCH_N),--n $(BENCH_N)) $(BENCH_FLAGS)

## service-bench: threads that arm and disarm, and lateness, beside others
.PHONY: service-bench
service-bench:
	@tools/check/bench/clocks/clocks

## bench-doc: write its tables into docs/costs.md
.PHONY: bench-doc
bench-doc:
	@tools/check/bench/bench --doc

## budget: sizes, instructions, worst ticks, against the tables of test/budget
.PHONY: budget
budget:
	$(call needs,budget)
	@tools/check/budget

## budget-doc: write these tables into README.md and docs
.PHONY: budget-doc
budget-doc:
	$(call needs,budget)
	@tools/check/budget --doc
