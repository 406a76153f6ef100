# SPDX-License-Identifier: MIT
#
# The configuration: $(O)/.config, and what is made from it, auto.conf for make
# and jif/autoconf.h for the compiler. Only `make menuconfig` needs a Kconfig
# tool.

configs := tools/build/configs
defconfig := $(configs)/$(ARCH)_defconfig
config := $(O)/.config
autoconf := $(O)/include/jif/autoconf.h
kconfig = awk -f tools/build/kconfig.awk -v as=$(1) Kconfig $(2)

# A tree that has no configuration yet gets the default one.
$(config): | $(defconfig) $(O)/.jif-made
	@mkdir -p $(@D)
	@$(call kconfig,config,$(defconfig)) > $@

# `make CONFIG_JIF_HZ=100`: the lines that a .config would have for that. As with
# CFLAGS, a later make without it takes it back.
options := $(foreach v,$(filter CONFIG_%,$(.VARIABLES)),$(if \
	   $(findstring command,$(origin $v)),'$(subst ','\'',$v=$($v))'))
$(O)/command-line: FORCE | $(O)/.jif-made
	@mkdir -p $(@D)
	@printf '%s\n' $(options) > $@.$$$$; \
		cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@

# What the configuration does not mention, because the option is newer, is as in
# the default one. The header is replaced only when it differs, so that touching
# the configuration rebuilds nothing, and changing it what depends on it.
$(autoconf): Kconfig $(defconfig) $(config) $(O)/command-line \
		tools/build/kconfig.awk | $(O)/.jif-made
	@mkdir -p $(@D)
	@$(call kconfig,header,$(defconfig) $(config) $(O)/command-line) > $@.$$$$ && \
		{ cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@; }

$(O)/auto.conf: $(config) $(O)/command-line $(autoconf)
	@$(call kconfig,make,$(defconfig) $(config) $(O)/command-line) > $@
	@printf '%s\n' command-line auto.conf include/jif/autoconf.h >>$(O)/.jif-made

ifneq ($(makes-objects),)
include $(O)/auto.conf
else ifneq ($(and $(options),$(filter %config,$(MAKECMDGOALS))),)
$(error make $(MAKECMDGOALS) takes no option: $(config) has them)
endif

KCONFIG_MCONF ?= kconfig-mconf
KCONFIG_CONF ?= kconfig-conf

## menuconfig: choose the options in a menu (Debian: kconfig-frontends)
## olddefconfig: write the options that .config lacks, with their defaults
## savedefconfig: write build/ARCH/defconfig, what differs from the defaults
menuconfig: run = $(KCONFIG_MCONF)
olddefconfig: run = $(KCONFIG_CONF) --olddefconfig
savedefconfig: run = $(KCONFIG_CONF) --savedefconfig $(O)/defconfig
.PHONY: menuconfig olddefconfig savedefconfig
menuconfig olddefconfig savedefconfig: $(config)
	@command -v $(firstword $(run)) >/dev/null || { \
		echo "make $@ needs $(firstword $(run)):" \
			"apt-get install kconfig-frontends" >&2; exit 1; }
	@KCONFIG_CONFIG=$(config) $(run) Kconfig

## defconfig: go back to the default options of ARCH
.PHONY: defconfig
defconfig: $(ARCH)_defconfig

## NAME_defconfig: take the options of tools/build/configs/NAME_defconfig
%_defconfig: $(configs)/%_defconfig | $(O)/.jif-made
	@$(call kconfig,config,$<) > $(config)
	@echo "  CONFIG  $(config) from $<"
