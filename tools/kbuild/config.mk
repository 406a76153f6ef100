# SPDX-License-Identifier: MIT
#
# The configuration: $(O)/.config, and what is made from it, auto.conf for make
# and jif/autoconf.h for the compiler. Only `make menuconfig` needs a Kconfig
# tool.

defconfig ?= $(ARCH)_defconfig
configs := tools/kbuild/configs
config := $(O)/.config

# What all targets have in common, and what they have not.
defaults := $(configs)/common $(configs)/$(defconfig)
autoconf := $(O)/include/jif/autoconf.h

# A tree that has no configuration yet gets the default one.
$(config): | $(defaults)
	@mkdir -p $(@D)
	@cat $(defaults) > $@

# What the configuration does not mention, because the option is newer, is as in
# the default one. The header is replaced only when it differs, so that touching
# the configuration rebuilds nothing, and changing it what depends on it.
all_configs := $(defaults) $(config)

$(autoconf): $(all_configs) tools/kbuild/autoconf.awk
	@mkdir -p $(@D)
	@awk -f tools/kbuild/autoconf.awk $(all_configs) > $@.tmp
	@cmp -s $@.tmp $@ && rm $@.tmp || mv $@.tmp $@

$(O)/auto.conf: $(config) $(autoconf)
	@sed -n -e 's/^\(CONFIG_[A-Z0-9_]*\)=n$$/\1 :=/p' \
		-e 's/^\(CONFIG_[A-Z0-9_]*\)=/\1 := /p' \
		-e 's/^# \(CONFIG_[A-Z0-9_]*\) is not set$$/\1 :=/p' \
		$(all_configs) > $@

ifeq ($(filter help clean mrproper menuconfig %defconfig,$(MAKECMDGOALS)),)
-include $(O)/auto.conf
endif

KCONFIG_MCONF ?= kconfig-mconf

## menuconfig: choose the options in a menu (Debian: kconfig-frontends)
.PHONY: menuconfig
menuconfig: $(config)
	@command -v $(KCONFIG_MCONF) >/dev/null || { \
	echo "make menuconfig needs $(KCONFIG_MCONF): apt-get install kconfig-frontends" >&2; \
	exit 1; }
	@KCONFIG_CONFIG=$(config) $(KCONFIG_MCONF) Kconfig

## defconfig: go back to the default options of ARCH
.PHONY: defconfig
defconfig: $(defconfig)

## NAME_defconfig: take the options of tools/kbuild/configs/NAME_defconfig
%_defconfig: $(configs)/common $(configs)/%_defconfig
	@mkdir -p $(O)
	@cat $^ > $(config)
	@echo "  CONFIG  $(config) from $(configs)/$@"
