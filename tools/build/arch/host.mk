# SPDX-License-Identifier: MIT
# The machine that compiles.
# Two pointers that lie side by side are stored faster without vectors.
ARCH_CFLAGS := -O2 -fno-tree-slp-vectorize -g
ARCH_HOSTED := y
