# SPDX-License-Identifier: MIT
# The machine that compiles.
ARCH_CFLAGS := -O2 -g
ARCH_HOSTED := y
