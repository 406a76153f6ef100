# SPDX-License-Identifier: MIT
#
# The build, in the language of the kernel's Kbuild but with a single make.
#
# A folder's Kbuild file is its table of contents:
#
#	obj-y += wheel.o		goes into libjif.a
#	obj-$(CONFIG_JIF_X) += x.o	if the configuration says so
#	obj-y += port/			go on with port/Kbuild
#	prog-y += name			a program, $(O)/name, made of name-y
#	test-y += name			a test, $(O)/<folder>/name, made of name-y
#	name-y := x.o /lib/y.o		its objects; with a slash, from the top
#	copies-y += lib/wheel.c		wheel.o of this folder is made of that
#	copies-y += lib/wheel.c:x.o:-g	x.o is, with more flags
#	name-libs := -lm		what a program is linked with beside libjif
#	name-script := x.ld		it is an image for bare metal, laid out so
#	ccflags-y += -Ifolder		flags for the C files of this folder
#	unchecked += folder/x.c	what C=1 leaves out, as all tests:
#					they declare by Criterion's macros
#
# All paths are relative to the top; every object goes to $(O)/<folder>.

comma := ,
empty :=
space := $(empty) $(empty)

# quiet_ prints a title, nothing the whole command, silent_ (make -s) no word.
quiet := $(if $(filter 1,$(V)),,quiet_)
silent := $(findstring s,$(filter-out --%,$(firstword $(MAKEFLAGS))))

# --- walk the folders -------------------------------------------------------

# $(call walk,folder) reads folder/Kbuild, notes what it lists, and goes on
# with the folders among that. A folder's Kbuild is read before those below it.
copies :=
define read_kbuild
obj-y :=
prog-y :=
prog- :=
test-y :=
copies-y :=
ccflags-y :=
src := $(1)
include $(1)/Kbuild
folders += $(1)
obj-$(1) := $$(addprefix $(O)/$(1)/,$$(filter %.o,$$(obj-y)))
sub-$(1) := $$(addprefix $(1)/,$$(patsubst %/,%,$$(filter %/,$$(obj-y))))
ccflags-$(1) := $$(ccflags-y)
progs-$(1) := $$(prog-y)
tests-$(1) := $$(test-y)
copies += $$(addprefix $(O)/$(1):,$$(copies-y))
endef

define note_program
program-objs-$(3) := $(patsubst %,$(O)/$(1)/%,$(filter-out /%,$($(2)-y))) \
		     $(patsubst /%,$(O)/%,$(filter /%,$($(2)-y)))
program-libs-$(3) := $($(2)-libs)
program-script-$(3) := $($(2)-script)
programs-$(4) += $(3)
endef

define walk
$(eval $(call read_kbuild,$(1)))\
$(foreach p,$(progs-$(1)),$(eval $(call note_program,$(1),$(p),$(O)/$(p),tool)))\
$(foreach p,$(tests-$(1)),$(eval $(call note_program,$(1),$(p),$(O)/$(1)/$(p),test)))\
$(foreach d,$(sub-$(1)),$(call walk,$(d)))
endef

$(foreach d,$(kbuild-folders),$(call walk,$(d)))

lib-objs := $(foreach d,$(filter lib lib/%,$(folders)),$(obj-$(d)))
programs := $(programs-tool) $(programs-test)
objects := $(sort $(lib-objs) $(foreach p,$(programs),$(program-objs-$(p))))
targets := $(objects) $(O)/libjif.a $(programs)

# --- run a command if, and only if, something has changed -------------------

# $(call if_changed,name) runs cmd_name when a prerequisite is newer than the
# target, or when the command is not the one that made the target. It prints
# quiet_cmd_name, or with V=1 the command. The target must depend on FORCE.
same = $(and $(findstring x$(1)x,x$(2)x),$(findstring x$(2)x,x$(1)x))
quote = '$(subst ','\'',$(1))'
cmd = $(strip $(cmd_$(1)))
must_run = $(filter-out FORCE,$?)$(if $(call same,$(cmd),$(made-$@)),,changed)
title = $(if $(quiet),$(quiet_cmd_$(1)),$(cmd))

define if_changed
$(if $(strip $(must_run)),@set -e; mkdir -p $(@D);\
	$(if $(silent),,printf '%s\n' $(call quote,$(if $(quiet),  )$(title));)\
	$(cmd);\
	[ -e $@.cmd ] || echo $(@:$(O)/%=%) >>$(O)/.jif-made;\
	printf '%s\n' $(call quote,made-$@ := $(subst $$,$$$$,$(cmd))) > $@.cmd,@:)
endef

-include $(wildcard $(addsuffix .cmd,$(targets)))
-include $(wildcard $(objects:.o=.d))

.PHONY: FORCE
FORCE:

# --- the rules --------------------------------------------------------------

folder = $(patsubst $(O)/%/,%,$(dir $@))
# Debug information does not name the folder of the build.
c_flags = "-fdebug-prefix-map=$$PWD=." $(CPPFLAGS) $(KBUILD_CPPFLAGS) $(KBUILD_CFLAGS) \
	  $(if $(filter lib lib/%,$(folder)),$(LIB_CFLAGS)) \
	  $(if $(filter test/% tools/%,$(folder)),-Wno-unused-parameter) \
	  $(ccflags-$(folder)) $(copy-flags) $(CFLAGS)

quiet_cmd_cc_o_c = CC      $(patsubst $(O)/%,%,$@)
      cmd_cc_o_c = $(CC) $(c_flags) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<
quiet_cmd_text_c = CC      $(patsubst $(O)/%,%,$@)
      cmd_text_c = $(CC) $(c_flags) $(if $(@:%.i=),-S,-E) -o $@ $<
quiet_cmd_check_c = CHECK   $<
      cmd_check_c = $(SPARSE) $(SPARSE_FLAGS) $(c_flags) $<
quiet_cmd_ar = AR      $(patsubst $(O)/%,%,$@)
      cmd_ar = rm -f $@; $(AR) rcsD $@ $(filter %.o,$^)
quiet_cmd_ld = LD      $(patsubst $(O)/%,%,$@)
      cmd_ld = $(CC) $(KBUILD_CFLAGS) $(CFLAGS) $(KBUILD_LDFLAGS) $(LDFLAGS) \
	       $(script_flags) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(program-libs-$@) \
	       $(if $(script_flags),-lgcc)
script_flags = $(if $(program-script-$@),-nostdlib -T $(program-script-$@) \
	       -Wl$(comma)--gc-sections$(comma)-Map=$@.map)

ifeq ($(C),1)
define check_source
$(if $(silent),,@printf '%s\n' $(call quote,$(if $(quiet),  $(quiet_cmd_check_c),$(strip $(cmd_check_c)))))
@$(cmd_check_c)
endef
endif

# A copy is FOLDER SOURCE [OBJECT [FLAG]...]. What an older build made of a file of
# that folder does not ask for that file any more.
copied-objects :=
copied = $(if $(filter /%,$(3)),$(O)$(3),$(1)/$(or $(3),$(notdir $(2:.c=.o))))
define copy_rule
copied-objects += $(copied)
$(copied:$(O)/%.o=%.c):
$(copied): copy-flags := $(4)
$(copied): $(2) FORCE | $(autoconf)
	$$(call if_changed,cc_o_c)
endef
copy = $(call copy_rule,$(word 1,$(1)),$(word 2,$(1)),$(word 3,$(1)),$(wordlist 4,9,$(1)))
$(foreach c,$(copies),$(eval $(call copy,$(subst :, ,$(c)))))

$(filter-out $(copied-objects),$(objects)): $(O)/%.o: %.c FORCE | $(autoconf)
	$(if $(filter test/% $(unchecked),$<),,$(check_source))
	$(call if_changed,cc_o_c)

$(O)/%.i: %.c FORCE | $(autoconf)
	$(call if_changed,text_c)

$(O)/%.s: %.c FORCE | $(autoconf)
	$(call if_changed,text_c)

## DIR/FILE.o: that object alone; also FILE.i, preprocessed, FILE.s, assembly
single-targets := $(filter lib/% tools/% test/%,$(filter %.o %.i %.s, \
		  $(MAKECMDGOALS)))
.PHONY: $(single-targets)
$(single-targets): %: $(O)/%
	@:

$(O)/libjif.a: $(lib-objs) FORCE
	$(call if_changed,ar)

define program_rule
$(1): $(program-objs-$(1)) $(O)/libjif.a $(program-script-$(1)) FORCE
	$$(call if_changed,ld)
endef
$(foreach p,$(programs),$(eval $(call program_rule,$(p))))
