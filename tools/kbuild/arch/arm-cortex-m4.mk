# SPDX-License-Identifier: MIT
# Arm v7E-M; the code is that of a Cortex-M3 too.
CROSS_COMPILE ?= arm-none-eabi-
ARCH_CFLAGS := -mthumb -mcpu=cortex-m4 -Os -g
